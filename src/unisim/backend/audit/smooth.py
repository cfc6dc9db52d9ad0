"""The reference without constraints: what an engine adds to it is a force."""

import copy
from dataclasses import replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.closing import equality_rows
from unisim.backend.audit.oracle import Array, Oracle, States
from unisim.backend.audit.reach import pulled

_INTEGRATOR = mujoco.mjtIntegrator
_IMPLICIT = (int(_INTEGRATOR.mjINT_IMPLICIT), int(_INTEGRATOR.mjINT_IMPLICITFAST))
_NEAR = 0.02  # of a joint's range, at its ends: a stop may act
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)


class Smooth:
    """A reference in which nothing touches, stops, rubs or is tied."""

    def __init__(self, oracle: Oracle) -> None:
        """Take a copy of the reference's model, all constraints off."""
        model = copy.copy(oracle.model)
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        self.oracle = Oracle(model, oracle.key)

    def added(self, states: States, qvel: Array) -> Array:
        """Joint forces that let the states' next velocities be these. Shape (k, nv)."""
        model = self.oracle.model
        change = qvel - self.oracle.step(states).qvel
        if int(model.opt.integrator) not in _IMPLICIT:
            return self.oracle.force(states, change / model.opt.timestep)
        found = np.empty_like(change)
        for world in range(len(states)):
            answer = self._answer(states, world)
            found[world] = np.linalg.solve(answer, change[world])
        return found

    def _answer(self, states: States, world: int) -> Array:
        """Change of the next velocities by a unit force on each dof. Shape (nv, nv)."""
        model = self.oracle.model
        one = States(*(item[world : world + 1] for item in _parts(states)))
        many = States(*(np.repeat(item, model.nv + 1, axis=0) for item in _parts(one)))
        size = np.eye(model.nv + 1, model.nv)
        found = self.oracle.step(replace(many, applied=many.applied + size)).qvel
        return (found[:-1] - found[-1]).T


def unknown(oracle: Oracle, *, stops: bool) -> Array:
    """Directions in which equalities, dry friction and stops may push. Shape (nv, m).

    Args:
        oracle: Holds the state.
        stops: Whether joints near an end of their range count.
    """
    model = oracle.model
    rows, _ = equality_rows(oracle)
    dofs = np.asarray(model.dof_frictionloss) > 0
    for tendon in np.flatnonzero(np.asarray(model.tendon_frictionloss) > 0):
        dofs |= _dofs(model, pulled(model, int(tendon)))
    if stops:
        dofs |= _dofs(model, _near(oracle))
        for tendon in np.flatnonzero(np.asarray(model.tendon_limited)):
            dofs |= _dofs(model, pulled(model, int(tendon)))
    return np.concatenate([rows.T, np.eye(model.nv)[:, dofs]], axis=1)


def outside(force: Array, directions: Array, scale: Array) -> Array:
    """The share of a force that no push in these directions makes. Shape (nv,).

    Args:
        force: Shape (nv,).
        directions: Shape (nv, m).
        scale: What each dof's force is relative to. Shape (nv,).
    """
    relative, span = force / scale, directions / scale[:, None]
    size = np.linalg.norm(span, axis=0)
    span = span[:, size > 0] / size[size > 0]
    if not span.size:
        return relative
    basis, strength, _ = np.linalg.svd(span, full_matrices=False)
    basis = basis[:, strength > 1e-9 * strength.max()]
    return relative - basis @ (basis.T @ relative)


def _near(oracle: Oracle) -> set[int]:
    """Joints that a stop may push: near an end, or a ball with a limit."""
    model, found = oracle.model, set[int]()
    for joint in np.flatnonzero(np.asarray(model.jnt_limited)).tolist():
        low, high = model.jnt_range[joint]
        at = oracle.data.qpos[model.jnt_qposadr[joint]]
        edge = _NEAR * (high - low) + model.jnt_margin[joint]
        ball = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
        if ball or not low + edge < at < high - edge:
            found.add(joint)
    return found


def _dofs(model: mujoco.MjModel, joints: set[int]) -> NDArray[np.bool_]:
    """Which dofs are those of these joints. Shape (nv,)."""
    return np.isin(np.asarray(model.dof_jntid), sorted(joints))


def _parts(states: States) -> tuple[Array, ...]:
    return states.qpos, states.qvel, states.act, states.ctrl, states.applied
