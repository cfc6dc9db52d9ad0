"""The reference in motion: what MuJoCo says follows from a state."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_ROUNDINGS = 8
"""Roundings of a number that a tolerance of rounding allows."""
_BIT = mujoco.mjtDisableBit
_FREE, _BALL = mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL


@dataclass(frozen=True)
class States:
    """States of k worlds, in unisim's conventions.

    Attributes:
        qpos: Shape (k, nq).
        qvel: Shape (k, nv).
        act: Shape (k, na).
        ctrl: Shape (k, nu).
        applied: Joint force applied from outside. Shape (k, nv).
    """

    qpos: Array
    qvel: Array
    act: Array
    ctrl: Array
    applied: Array

    def __len__(self) -> int:
        """Number of worlds k."""
        return len(self.qpos)

    def batches(self, size: int) -> list["States"]:
        """The states in turn, so many at a time."""
        return [
            States(
                self.qpos[i : i + size],
                self.qvel[i : i + size],
                self.act[i : i + size],
                self.ctrl[i : i + size],
                self.applied[i : i + size],
            )
            for i in range(0, len(self), size)
        ]


def single(states: States) -> States:
    """The nearest states that single precision holds: every engine gets the same."""
    return States(
        *(
            getattr(states, field.name).astype(np.float32).astype(np.float64)
            for field in fields(States)
        )
    )


def joined(states: Sequence[States]) -> States:
    """States one after the other."""
    return States(
        *(
            np.concatenate([getattr(item, field.name) for item in states])
            for field in fields(States)
        )
    )


@dataclass(frozen=True)
class Kinematics:
    """Where the bodies of k worlds are and how they move, in world.

    Attributes:
        xpos: Origin of the body frame [m]. Shape (k, nbody, 3).
        xquat: Its orientation, wxyz. Shape (k, nbody, 4).
        linvel: Velocity of that origin [m/s]. Shape (k, nbody, 3).
        angvel: Angular velocity [rad/s]. Shape (k, nbody, 3).
    """

    xpos: Array
    xquat: Array
    linvel: Array
    angvel: Array


@dataclass(frozen=True)
class Step:
    """One physics step of k worlds.

    Attributes:
        qvel: Velocity after it. Shape (k, nv).
        act: Activation after it. Shape (k, na).
        qacc: Mean acceleration over it. Shape (k, nv).
        actuator: Joint force of the actuators before it. Shape (k, nv).
        bias: Coriolis and gravity force before it. Shape (k, nv).
        size: Largest force of any kind on a dof before it. Shape (k, nv).
    """

    qvel: Array
    act: Array
    qacc: Array
    actuator: Array
    bias: Array
    size: Array


@dataclass(frozen=True)
class Sample:
    """One step of k worlds, on both sides.

    Attributes:
        states: Where it started.
        want: The reference's step.
        qvel: The engine's velocity after it. Shape (k, nv).
        force: Joint force that explains the difference. Shape (k, nv).
    """

    states: States
    want: Step
    qvel: Array
    force: Array


class Oracle:
    """MuJoCo on one set of data, moved from state to state."""

    def __init__(self, model: mujoco.MjModel, key: int) -> None:
        """Take the reference model, with the options that the profile declares.

        Args:
            model: The model.
            key: Key that worlds are reset to before a state is written, -1 for none.
        """
        self.model, self.key = model, key
        self.data = mujoco.MjData(model)

    def reset(self, key: int) -> None:
        """Go to a key, or to the defaults for -1."""
        if key < 0:
            mujoco.mj_resetData(self.model, self.data)
        else:
            mujoco.mj_resetDataKeyframe(self.model, self.data, key)

    def place(self, states: States, world: int) -> None:
        """Reset, take the state of one world, and run a forward pass."""
        self.reset(self.key)
        self.data.qpos[:], self.data.qvel[:] = states.qpos[world], states.qvel[world]
        self.data.act[:], self.data.ctrl[:] = states.act[world], states.ctrl[world]
        self.data.qfrc_applied[:] = states.applied[world]
        mujoco.mj_normalizeQuat(self.model, self.data.qpos)
        mujoco.mj_forward(self.model, self.data)

    def kinematics(self, states: States) -> Kinematics:
        """Poses and velocities of all bodies."""
        shape = (len(states), self.model.nbody)
        found = Kinematics(
            np.empty((*shape, 3)),
            np.empty((*shape, 4)),
            np.empty((*shape, 3)),
            np.empty((*shape, 3)),
        )
        spatial = np.empty(6)
        for world in range(len(states)):
            self.place(states, world)
            found.xpos[world], found.xquat[world] = self.data.xpos, self.data.xquat
            for body in range(self.model.nbody):
                mujoco.mj_objectVelocity(
                    self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, body, spatial, 0
                )
                found.angvel[world, body] = spatial[:3]
                found.linvel[world, body] = spatial[3:]
        return found

    def step(self, states: States) -> Step:
        """One step from each state."""
        data, dt = self.data, self.model.opt.timestep
        shape = states.qvel.shape
        found = Step(
            np.empty(shape),
            np.empty(states.act.shape),
            np.empty(shape),
            np.empty(shape),
            np.empty(shape),
            np.empty(shape),
        )
        inertial = np.empty(self.model.nv)
        for world in range(len(states)):
            self.place(states, world)
            mujoco.mj_mulM(self.model, data, inertial, data.qacc)
            forces = (data.qfrc_passive, data.qfrc_constraint, inertial)
            found.actuator[world] = data.qfrc_actuator
            found.bias[world] = data.qfrc_bias
            found.size[world] = np.abs(
                [data.qfrc_actuator, data.qfrc_bias, *forces]
            ).max(axis=0)
            mujoco.mj_step(self.model, data)
            found.qvel[world], found.act[world] = data.qvel, data.act
            found.qacc[world] = (data.qvel - states.qvel[world]) / dt
        return found

    def force(self, states: States, change: Array) -> Array:
        """Joint forces that change the accelerations of one step so. Shape (k, nv).

        The inertia is that of the integrator: Euler's step adds the damping, so that
        what is wrong in one joint shows in this joint alone.
        """
        found = np.empty_like(change)
        for world in range(len(states)):
            self.place(states, world)
            mujoco.mj_mulM(self.model, self.data, found[world], change[world])
        opt = self.model.opt
        damped = not opt.disableflags & (_BIT.mjDSBL_EULERDAMP | _BIT.mjDSBL_DAMPER)
        if opt.integrator == mujoco.mjtIntegrator.mjINT_EULER and damped:
            found += opt.timestep * self.model.dof_damping * change
        return found

    def momentum(self, states: States, qvel: Array) -> Array:
        """Joint momentum if nothing cancelled, kept and gained. Shape (k, nv).

        Args:
            states: Where each step started.
            qvel: Velocity after it. Shape (k, nv).
        """
        found = np.empty_like(qvel)
        for world in range(len(states)):
            self.place(states, world)
            fast = np.maximum(np.abs(states.qvel[world]), np.abs(qvel[world]))
            fast += self.model.opt.timestep * np.abs(self.data.qacc)
            found[world] = np.abs(self._inertia()) @ fast
        return found

    def returned(self, states: States, momentum: Array) -> Array:
        """What comes back of momenta that become velocities, if nothing cancels.

        Args:
            states: Where each step started.
            momentum: As `momentum` has it. Shape (k, nv).

        Returns:
            The more, the worse the inertia is conditioned: heavy bodies on light ones.
            Shape (k, nv).
        """
        found, inverse = np.empty_like(momentum), np.empty((self.model.nv,) * 2)
        for world in range(len(states)):
            self.place(states, world)
            mujoco.mj_solveM(self.model, self.data, inverse, np.eye(len(inverse)))
            speed = np.abs(inverse) @ momentum[world]
            found[world] = np.abs(self._inertia()) @ speed
        return found

    def answers(self) -> Array:
        """Acceleration that each dof would have if no forces cancelled. Shape (nv,).

        Of the state that the last pass saw: what a few roundings leave of an
        acceleration is relative to this; a solve for many dofs makes as many.
        """
        data, inertia = self.data, self._inertia()
        spin = np.abs(np.asarray(data.cvel)[:, :3]).max(initial=0.0)
        rates = np.abs(data.qacc) + spin * np.abs(data.qvel)
        parts = (data.qfrc_actuator, data.qfrc_passive, data.qfrc_constraint)
        moved = np.abs(inertia) @ rates
        forces = np.abs([*parts, data.qfrc_bias, moved]).max(axis=0)
        for rows in self.turned():
            forces[rows] = forces[rows].max()
        count = max(1.0, self.model.nv / _ROUNDINGS)
        inverse = np.empty_like(inertia)
        mujoco.mj_solveM(self.model, data, inverse, np.eye(len(inertia)))
        return count * np.abs(inverse) @ forces

    def turned(self) -> list[slice]:
        """The rotations of balls and free bodies: computed in axes that mix them."""
        model, found = self.model, list[slice]()
        for kind, start in zip(model.jnt_type, model.jnt_dofadr, strict=True):
            if kind in (_FREE, _BALL):
                first = int(start) + (3 if kind == _FREE else 0)
                found.append(slice(first, first + 3))
        return found

    def _inertia(self) -> Array:
        """The inertia matrix of the last pass. Shape (nv, nv)."""
        inertia = np.empty((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, inertia)
        return inertia
