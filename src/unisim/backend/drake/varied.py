"""Model fields that differ between worlds, set in the contexts."""

import mujoco
import numpy as np
from numpy.typing import NDArray
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.multibody.tree import SpatialInertia

from unisim.backend.audit.field import raw
from unisim.backend.base import Array
from unisim.backend.drake.drives import Drives, ballast
from unisim.backend.drake.plant import Tree, inertia
from unisim.backend.drake.rest import added, balls, sprung
from unisim.backend.drake.worlds import World
from unisim.backend.guest.braking import SERVED, Servos, damped, single
from unisim.errors import BadArray

_BODY = ("body_mass", "body_inertia", "body_ipos", "body_iquat")
_DOF = ("dof_damping", "dof_armature")
_SPRING = ("jnt_stiffness", "qpos_spring")
VARIED = (*_BODY, *_DOF, *_SPRING, "opt.gravity")
"""Fields of which the plant has something."""
_FREE = 6
"""Dofs of a free joint; Drake counts the rotation first."""
_AXES = 3
_GRAVITY = int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)


class Variation:
    """What the worlds hold of the fields that the plant has something of.

    Attributes:
        lift: Joint forces that take the weight of ballast away [N]. Shape (n, nv).
        servos: What brakes beside dampers.
        released: Damping of servos that is left out. Shape (n, nv).
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        built: tuple[Tree, Drives],
        worlds: tuple[World, ...],
        asked: tuple[str, tuple[str, ...]],
    ) -> None:
        """Look at worlds that are as they were built.

        Args:
            model: The reference model.
            built: The plant's elements.
            worlds: All worlds.
            asked: The solver profile, and what will vary.
        """
        self._model, self._worlds = model, worlds
        self._tree, self._drives = built
        self._profile, self._vary = asked
        self._held: dict[str, Array] = {
            name: np.repeat(raw(model, name)[None], len(worlds), axis=0)
            for name in VARIED
        }
        self.servos = Servos(model, "drake", len(worlds))
        self._ported = "opt.gravity" in self._vary
        self.lift = np.zeros((len(worlds), model.nv))
        self.released = np.zeros((len(worlds), model.nv))
        every = np.arange(len(worlds))
        self._weigh(every)
        if self._ported:
            self._pull(every)

    def set(self, name: str, values: Array, which: NDArray[np.integer]) -> Array:
        """Set a field of some worlds.

        Returns:
            What is left to the reference. Shape as `values`.

        Raises:
            BadArray: If Drake refuses the values; nothing has changed then.
        """
        if name in SERVED:
            self.servos.set(name, values, which)
            self._turn(which, self.servos.dofs)
        if name not in VARIED:
            return values
        before = self._held[name][which].copy()
        self._held[name][which] = values
        try:
            self._apply(name, which)
        except (RuntimeError, SystemExit) as error:
            self._held[name][which] = before
            said = str(error).splitlines()[0]
            raise BadArray(name, "values that Drake accepts", said) from None
        left = values.copy()
        if name == "dof_damping":
            left[:, damped(self._model)] = 0
        elif name == "jnt_stiffness":
            left[:, sprung(self._model, self._vary)] = 0
        return left

    def release(self, rates: Array, which: NDArray[np.integer]) -> None:
        """Leave out the braking of servos whose force is at its limit.

        Args:
            rates: Damping that is left out. Shape (k, nv).
            which: Worlds. Shape (k,).
        """
        other = (rates != self.released[which]).any(axis=1)
        if other.any():
            self.released[which[other]] = rates[other]
            self._turn(which[other], self.servos.dofs)

    def braking(self) -> Array:
        """Damping that acts at the end of a step, of dampers and servos. (n, nv)."""
        every = np.arange(len(self._worlds))
        servos = self.servos.damping(every) - self.released
        return self._damping(every) + servos

    def _turn(self, which: NDArray[np.integer], dofs: NDArray[np.integer]) -> None:
        """Give rotors the inertia that they have now."""
        rotor = self._rotors(which)
        for row, world in enumerate(which.tolist()):
            context = self._worlds[world].context
            for dof in dofs.tolist():
                self._drives.rotors[dof].SetRotorInertia(context, rotor[row, dof])

    def _apply(self, name: str, which: NDArray[np.integer]) -> None:
        if name in _BODY:
            self._bodies(which)
        elif name in _DOF:
            self._dofs(which)
        elif name in _SPRING:
            self._springs(which)
        if self._ported:
            self._pull(which)

    def _bodies(self, which: NDArray[np.integer]) -> None:
        made: list[tuple[int, int, SpatialInertia]] = []
        for world in which.tolist():
            mass, moments, com, quat = (self._held[name][world] for name in _BODY)
            made += [
                (world, i, inertia(float(mass[i]), com[i], moments[i], quat[i]))
                for i in range(1, self._model.nbody)
            ]
        for world, i, value in made:
            context = self._worlds[world].context
            self._tree.bodies[i].SetSpatialInertiaInBodyFrame(context, value)

    def _dofs(self, which: NDArray[np.integer]) -> None:
        model, drives = self._model, self._drives
        damping, rotor = self._damping(which), self._rotors(which)
        if np.any(rotor[:, balls(model)]):
            raise RuntimeError("a ball joint cannot have armature")
        if not _even(model, damping):
            raise RuntimeError("a joint's axes cannot have different damping")
        starts = {i: int(model.jnt_dofadr[i]) for i in drives.ballasts}
        heavy = [
            {i: ballast(row[dof : dof + 6]) for i, dof in starts.items()}
            for row in rotor
        ]
        for row, world in enumerate(which.tolist()):
            context = self._worlds[world].context
            for i, joint in enumerate(self._tree.joints):
                dof, size = int(model.jnt_dofadr[i]), joint.num_velocities()
                own = damping[row, dof : dof + size]
                joint.SetDampingVector(
                    context, np.roll(own, size // 2 if size == _FREE else 0)
                )
            for dof, actuator in drives.rotors.items():
                actuator.SetRotorInertia(context, rotor[row, dof])
            for i, body in drives.ballasts.items():
                body.SetSpatialInertiaInBodyFrame(context, heavy[row][i])
        self._weigh(which)

    def _damping(self, which: NDArray[np.integer]) -> Array:
        return np.where(damped(self._model), self._held["dof_damping"][which], 0.0)

    def _rotors(self, which: NDArray[np.integer]) -> Array:
        """Inertia of rotors and ballast. Shape (k, nv)."""
        servos = self.servos.damping(which) - self.released[which]
        extra = added(self._model, self._damping(which), servos, self._profile)
        own = self._held["dof_armature"][which] + self.servos.armature(which)
        return own + extra

    def _springs(self, which: NDArray[np.integer]) -> None:
        at = self._model.jnt_qposadr
        for world in which.tolist():
            context = self._worlds[world].context
            stiffness, rest = (self._held[name][world] for name in _SPRING)
            for i, spring in self._drives.springs.items():
                spring.SetStiffness(context, stiffness[i])
                spring.SetNominalAngle(context, rest[at[i]])

    def _weigh(self, which: NDArray[np.integer]) -> None:
        """The weight of ballast, upwards."""
        if self._ported or int(self._model.opt.disableflags) & _GRAVITY:
            return
        rotor = self._rotors(which)
        for i in self._drives.ballasts:
            dof = int(self._model.jnt_dofadr[i])
            weight = rotor[:, dof, None] * np.asarray(self._model.opt.gravity)
            self.lift[which[:, None], np.arange(dof, dof + 3)] = -weight

    def _pull(self, which: NDArray[np.integer]) -> None:
        """Gravity of each world's own, as forces at the centres of mass."""
        off = int(self._model.opt.disableflags) & _GRAVITY
        for world in which.tolist():
            gravity = self._held["opt.gravity"][world] * (0.0 if off else 1.0)
            mass, com = self._held["body_mass"][world], self._held["body_ipos"][world]
            forces: list[ExternallyAppliedSpatialForce] = []
            for i in range(1, self._model.nbody):
                force = ExternallyAppliedSpatialForce()
                force.body_index = self._tree.bodies[i].index()
                force.p_BoBq_B = com[i]
                force.F_Bq_W = SpatialForce(np.zeros(3), mass[i] * gravity)
                forces.append(force)
            self._worlds[world].pull(forces)


def _even(model: mujoco.MjModel, damping: Array) -> bool:
    """Whether the axes of balls and of free joints are damped alike."""
    found = True
    for i in np.flatnonzero(~single(model)).tolist():
        start = int(model.jnt_dofadr[i])
        size = _FREE if model.jnt_type[i] == mujoco.mjtJoint.mjJNT_FREE else _AXES
        own = damping[:, start : start + size].reshape(len(damping), -1, _AXES)
        found &= not np.ptp(own, axis=2).any()
    return found
