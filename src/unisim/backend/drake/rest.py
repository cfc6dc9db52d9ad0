"""What of a model the plant does by itself, and what is left to the reference."""

from copy import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.guest.braking import damped, on, single

_JNT, _OFF = mujoco.mjtJoint, mujoco.mjtDisableBit
TAMSI = ("tamsi", "hydroelastic")  # it has no constraints, and damps explicitly


def rest(model: mujoco.MjModel, vary: tuple[str, ...]) -> mujoco.MjModel:
    """A copy without what the plant does: its dampers and its springs.

    Args:
        model: The reference model.
        vary: Model fields that will differ between worlds.
    """
    left = copy(model)
    left.jnt_stiffness[sprung(model, vary)] = 0
    left.dof_damping[damped(model)] = 0
    return left


def added(model: mujoco.MjModel, damping: Array, servos: Array, profile: str) -> Array:
    """Inertia that makes explicit forces implicit [kg m^2, kg].

    A rotor of h·d beside an explicit force -d·v is that force at the end of a step of
    h. SAP takes the dampers implicitly by itself, TAMSI does not.

    Args:
        model: The reference model.
        damping: That of the plant's dampers. Shape (..., nv).
        servos: That of servos. Shape (..., nv).
        profile: Solver profile.

    Returns:
        By dof; those of balls have none. Shape (..., nv).
    """
    extra = servos + damping if profile in TAMSI else servos
    return model.opt.timestep * np.where(balls(model), 0.0, extra)


def balls(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Dofs of ball joints. Shape (nv,)."""
    return np.asarray(model.jnt_type)[model.dof_jntid] == _JNT.mjJNT_BALL


def sprung(model: mujoco.MjModel, vary: tuple[str, ...]) -> NDArray[np.bool_]:
    """Joints whose spring is the plant's: linear ones, of one axis. Shape (njnt,).

    A spring of a slide is the same in all contexts.
    """
    varied = not {"jnt_stiffness", "qpos_spring"}.isdisjoint(vary)
    hinge = np.asarray(model.jnt_type) == _JNT.mjJNT_HINGE
    bent = np.any(model.jnt_stiffnesspoly, axis=1)
    bent |= getattr(model, "jnt_springyield", np.zeros(model.njnt)) != 0
    own = hinge if varied else single(model)
    return own & ~bent & (on(model, _OFF.mjDSBL_SPRING))
