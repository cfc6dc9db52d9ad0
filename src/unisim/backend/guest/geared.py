"""Inertia and damping of actuators, which their gears bring to joints."""

from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.errors import UnsupportedFeature

_ON_JOINTS = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
_ONE_AXIS = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


class Geared:
    """What actuators have of it, square gears multiplied in.

    Attributes:
        dofs: Those that may have some. Shape (k,).
    """

    def __init__(
        self, model: mujoco.MjModel, late: NDArray[np.bool_], backend: str
    ) -> None:
        """Look at a model.

        Args:
            model: The reference model.
            late: Dofs whose damping acts at the end of a step. Shape (nv,).
            backend: Who is asked to do without what no rotor stands for.

        Raises:
            UnsupportedFeature: If an actuator has inertia otherwise than on one axis.
        """
        alone = on_one_axis(model)
        if refusals := list(_unfit(model, alone)):
            raise UnsupportedFeature(backend, refusals, ("actuator.armature",))
        armature = np.where(alone, model.actuator_armature, 0.0)
        joint = np.where(alone, model.actuator_trnid[:, 0], 0)  # else no joint's id
        dof = np.asarray(model.jnt_dofadr)[joint] if model.njnt else joint
        bent = np.any(model.actuator_dampingpoly, axis=1)
        linear = alone & ~bent
        linear[alone] &= late[dof[alone]]
        damping = np.where(linear, model.actuator_damping, 0.0)
        self._which = which = np.flatnonzero((armature != 0) | (damping != 0))
        self._out = np.asarray(model.actuator_outadr)[which]
        self._armature, self._damping = armature[which], damping[which]
        self._onto = np.zeros((len(which), model.nv))
        self._onto[np.arange(len(which)), dof[which]] = 1.0
        self.dofs: NDArray[np.integer] = np.unique(dof[which])

    def armature(self, gear: Array) -> Array:
        """Inertia that they add to dofs.

        Args:
            gear: `actuator_gear` of some worlds. Shape (k, nout, 6).

        Returns:
            [kg m^2, kg]. Shape (k, nv).
        """
        return (gear[:, self._out, 0] ** 2 * self._armature) @ self._onto

    def damping(self, gear: Array) -> Array:
        """Damping of theirs that acts at the end of a step; see `armature`."""
        return (gear[:, self._out, 0] ** 2 * self._damping) @ self._onto


def on_one_axis(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Actuators on one joint of one axis. Shape (nactuator,)."""
    joint = np.isin(model.actuator_trntype, _ON_JOINTS)
    target = np.where(joint, model.actuator_trnid[:, 0], 0)
    kinds = np.asarray(model.jnt_type)
    return joint & np.isin(kinds[target], _ONE_AXIS) if model.njnt else joint


def _unfit(model: mujoco.MjModel, alone: NDArray[np.bool_]) -> Iterator[str]:
    for i in np.flatnonzero(np.asarray(model.actuator_armature) != 0).tolist():
        if not alone[i]:
            name = model.actuator(i).name
            yield f"actuator {name!r}: its armature acts otherwise than on one axis"
