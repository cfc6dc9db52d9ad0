"""Who does what: the engine by itself, or the reference through joint forces."""

from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.guest.braking import FAST

Mask = NDArray[np.bool_]

_JNT, _TRN, _OFF = mujoco.mjtJoint, mujoco.mjtTrn, mujoco.mjtDisableBit
_SINGLE = [int(_JNT.mjJNT_HINGE), int(_JNT.mjJNT_SLIDE)]
_PLAIN: Mapping[str, float] = {
    "actuator_plugin": -1,
    "actuator_dyntype": int(mujoco.mjtDyn.mjDYN_NONE),
    "actuator_gaintype": int(mujoco.mjtGain.mjGAIN_FIXED),
    "actuator_ctrlnum": 1,
    "actuator_outnum": 1,
    "actuator_delay": 0,
    "actuator_armature": 0,
    "actuator_damping": 0,
}
"""What an actuator holds that the engine does by itself."""
_TRACE = 1e-12
_WEIGHTS = {"body_mass", "body_ipos", "body_gravcomp", "opt.gravity"}
_BIASES = [int(mujoco.mjtBias.mjBIAS_NONE), int(mujoco.mjtBias.mjBIAS_AFFINE)]


@dataclass(frozen=True)
class Share:
    """What of a model the engine does by itself.

    Attributes:
        actuators: Shape (nactuator,).
        brakes: Others of whose force it does what damps. Shape (nactuator,).
        tendons: Tendons that it has. Shape (ntendon,).
        elastic: Tendons whose springs it has. Shape (ntendon,).
        viscous: Tendons whose dampers it has. Shape (ntendon,).
        joints: Joints whose springs it has. Shape (njnt,).
        dampers: Dofs that it damps. Shape (nv,).
        singles: Those whose joint says how much; others have an actuator for it. Shape
            (nv,).
        gravcomp: Whether it compensates gravity.
    """

    actuators: Mask
    brakes: Mask
    tendons: Mask
    elastic: Mask
    viscous: Mask
    joints: Mask
    dampers: Mask
    singles: Mask
    gravcomp: bool


def share_of(model: mujoco.MjModel, vary: Collection[str] = ()) -> Share:
    """Divide the work.

    What damps acts at the end of the engine's steps, as with MuJoCo's implicitfast. Its
    Euler takes dampers of joints so, unless a flag says otherwise, and nothing else.

    Args:
        model: The reference model.
        vary: Model fields that will differ between worlds.
    """
    tendons, fast = _fixed(model), is_fast(model)
    actuators = _native(model, tendons)
    damps = (model.actuator_biasprm[:, 2] != 0) | ("actuator_biasprm" in vary)
    damps &= np.asarray(model.actuator_biastype) == mujoco.mjtBias.mjBIAS_AFFINE
    if not fast:
        actuators &= ~damps
    off = model.opt.disableflags
    springs, viscous = not off & _OFF.mjDSBL_SPRING, not off & _OFF.mjDSBL_DAMPER
    damped = viscous and (fast or not off & _OFF.mjDSBL_EULERDAMP)
    single = np.isin(model.jnt_type, _SINGLE)
    lengths = model.tendon_lengthspring
    moved = "dof_damping" in vary
    return Share(
        actuators,
        _braking(model, tendons) & damps & ~actuators & fast,
        tendons,
        tendons & springs & (lengths[:, 0] == lengths[:, 1]),
        tendons & (viscous and fast),
        single & springs,
        damped & ((model.dof_damping != 0) | moved),
        single[model.dof_jntid] & (not moved),
        not (model.jnt_actgravcomp.any() or _WEIGHTS & set(vary)),
    )


def is_fast(model: mujoco.MjModel) -> bool:
    """Whether MuJoCo's integrator is implicitfast."""
    return int(model.opt.integrator) == FAST


def rest_of(model: mujoco.MjModel, share: Share) -> mujoco.MjModel:
    """A copy of the reference in which the engine's share is switched off.

    Of springs and dampers that is the linear part; a trace of it is left where there
    are higher ones, without which MuJoCo has neither.
    """
    rest = copy(model)
    for stiffness, poly, ours in (
        (rest.jnt_stiffness, rest.jnt_stiffnesspoly, share.joints),
        (rest.dof_damping, rest.dof_dampingpoly, share.dampers),
        (rest.tendon_stiffness, rest.tendon_stiffnesspoly, share.elastic),
        (rest.tendon_damping, rest.tendon_dampingpoly, share.viscous),
    ):
        higher = np.any(np.asarray(poly) != 0, axis=-1)
        stiffness[ours] = np.where(higher, _TRACE, 0.0)[ours]
    rest.actuator_gainprm[share.actuators] = 0
    rest.actuator_biasprm[share.actuators] = 0
    rest.actuator_biasprm[share.brakes, 2] = 0
    if share.gravcomp:
        rest.body_gravcomp[:] = 0
    return rest


def damping_of(model: mujoco.MjModel, share: Share) -> NDArray[np.float64]:
    """Damping of each dof that the engine takes at the end of a step. Shape (nv,)."""
    found = np.where(share.dampers, model.dof_damping, 0.0)
    for index in np.flatnonzero(share.actuators | share.brakes).tolist():
        if model.actuator_trntype[index] == int(_TRN.mjTRN_JOINT):
            dof = int(model.jnt_dofadr[model.actuator_trnid[index, 0]])
            gear = model.actuator_gear[model.actuator_outadr[index], 0]
            found[dof] -= gear**2 * model.actuator_biasprm[index, 2]
    return found


def enabled(model: mujoco.MjModel) -> Mask:
    """Actuators that neither a flag nor their group switches off."""
    if model.opt.disableflags & _OFF.mjDSBL_ACTUATION:
        return np.zeros(len(model.actuator_group), bool)
    groups = np.asarray(model.actuator_group)
    bits = (int(model.opt.disableactuator) >> np.clip(groups, 0, 30)) & 1
    return (bits == 0) | (groups < 0) | (groups > 30)  # noqa: PLR2004 MuJoCo's groups


def _fixed(model: mujoco.MjModel) -> Mask:
    """Tendons that are weighted sums of joints. Shape (ntendon,)."""
    joint = int(mujoco.mjtWrap.mjWRAP_JOINT)
    starts, counts = np.asarray(model.tendon_adr), np.asarray(model.tendon_num)
    found = [
        bool(np.all(model.wrap_type[start : start + count] == joint))
        for start, count in zip(starts, counts, strict=True)
    ]
    return np.array(found, bool)


def _native(model: mujoco.MjModel, tendons: Mask) -> Mask:
    """Actuators of a fixed gain and an affine bias, on one axis or a fixed tendon."""
    found = enabled(model) & np.isin(model.actuator_biastype, _BIASES)
    for name, value in _PLAIN.items():
        found &= np.asarray(getattr(model, name)) == value
    found &= ~np.any(model.actuator_dampingpoly != 0, axis=-1)
    if model.opt.disableflags & _OFF.mjDSBL_CLAMPCTRL:
        found[:] = False
    return found & _simple(model, tendons)


def _braking(model: mujoco.MjModel, tendons: Mask) -> Mask:
    """Actuators whose force ends in a damper, and may be as large as it is."""
    found = enabled(model) & _simple(model, tendons)
    fixed = np.asarray(model.actuator_gaintype) == mujoco.mjtGain.mjGAIN_FIXED
    found &= fixed & (np.asarray(model.actuator_plugin) < 0)
    return found & (np.asarray(model.actuator_forcelimited) == 0)


def _simple(model: mujoco.MjModel, tendons: Mask) -> Mask:
    """Actuators on one axis or a fixed tendon that no limit of force has."""
    found = np.zeros(len(model.actuator_trntype), bool)
    for i, kind in enumerate(np.asarray(model.actuator_trntype).tolist()):
        target = int(model.actuator_trnid[i, 0])
        if kind == int(_TRN.mjTRN_JOINT):
            own = model.jnt_type[target] in _SINGLE
            found[i] = own and not model.jnt_actfrclimited[target]
        elif kind == int(_TRN.mjTRN_TENDON):
            found[i] = tendons[target] and not _bounded(model, target)
    return found


def _bounded(model: mujoco.MjModel, tendon: int) -> bool:
    """Whether what actuators do to a fixed tendon, or to its joints, is limited."""
    start, count = model.tendon_adr[tendon], model.tendon_num[tendon]
    joints = model.wrap_objid[start : start + count]
    limited = model.jnt_actfrclimited[joints].any()
    return bool(limited or model.tendon_actfrclimited[tendon])
