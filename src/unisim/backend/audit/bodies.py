"""Audited fields of bodies, joints, dofs and sites."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import (
    AuditedField,
    Tolerance,
    Values,
    counts,
    indices,
    plain,
    quats,
    ranges,
    values,
)
from unisim.backend.audit.names import widths
from unisim.mjcf.pairs import within

_JNT = mujoco.mjtJoint
_SENSOR = mujoco.mjtSensor
_CONTAINED = [int(_SENSOR.mjSENS_TOUCH), int(_SENSOR.mjSENS_CONTACT)]
_CONTAINING = [int(_SENSOR.mjSENS_INSIDESITE)]
_SINGLE = [int(_JNT.mjJNT_HINGE), int(_JNT.mjJNT_SLIDE)]


def _inertia(model: mujoco.MjModel) -> Values:
    """Inertia about the centre of mass, in body axes. Shape (nbody, 9)."""
    frames = np.empty((model.nbody, 9))
    for i in range(model.nbody):
        mujoco.mju_quat2Mat(frames[i], model.body_iquat[i])
    frames = frames.reshape(-1, 3, 3)
    full = np.einsum("bij,bj,bkj->bik", frames, model.body_inertia, frames)
    return full.reshape(-1, 9)


def _single(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Joints with one axis. Shape (njnt,)."""
    return np.isin(model.jnt_type, _SINGLE)


def _sprung(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Positions of joints that have a spring. Shape (nq,)."""
    sprung = (np.asarray(model.jnt_stiffness) != 0) | np.any(
        model.jnt_stiffnesspoly, axis=1
    )
    found = np.repeat(sprung, widths(model.jnt_qposadr, model.nq))
    return np.resize(found, model.nq) if found.size else np.zeros(model.nq, bool)


def _rubbed(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Dofs with dry friction. Shape (nv,)."""
    return np.asarray(model.dof_frictionloss) > 0


def _limited(model: mujoco.MjModel) -> NDArray[np.bool_]:
    return np.asarray(model.jnt_limited).astype(bool)


def _hinged(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Joints that are not free. Shape (njnt,)."""
    return np.asarray(model.jnt_type) != _JNT.mjJNT_FREE


def _volumes(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Sites of which a sensor asks what is inside. Shape (nsite,)."""
    found = np.zeros(model.nsite, bool)
    kinds, site = np.asarray(model.sensor_type), mujoco.mjtObj.mjOBJ_SITE
    for asking, types, ids in (
        (_CONTAINED, model.sensor_objtype, np.asarray(model.sensor_objid)),
        (_CONTAINING, model.sensor_reftype, np.asarray(model.sensor_refid)),
    ):
        own = np.isin(kinds, asking) & (np.asarray(types) == site)
        found[ids[own & within(ids, model.nsite)]] = True
    return found


BODY: tuple[AuditedField, ...] = (
    indices("body", "body_parent", "body_parentid", "body"),
    values("body", "body_pos", "m", "pos"),
    quats("body", "body_quat"),
    values("body", "body_mass", "kg", "mass"),
    AuditedField("body_com", "body", "m", ("body_ipos",), plain("body_ipos")),
    AuditedField(
        "body_inertia", "body", "kg m^2", ("body_inertia", "body_iquat"), _inertia
    ),
    values("body", "body_gravcomp", "", "gravcomp"),
    AuditedField(
        *("body_mocap", "body", "", ("body_mocapid",)),
        lambda model: np.asarray(model.body_mocapid) >= 0,
        Tolerance.EXACT,
        "mocap",
    ),
    counts("body", "body_plugin", "plugin"),
    indices("site", "site_body", "site_bodyid", "body"),
    values("site", "site_pos", "m", "pos"),
    quats("site", "site_quat"),
    counts("site", "site_type", "type", _volumes),
    values("site", "site_size", "m", "size", _volumes),
)

JOINT: tuple[AuditedField, ...] = (
    counts("joint", "jnt_type", "type"),
    indices("joint", "jnt_body", "jnt_bodyid", "body"),
    values("joint", "jnt_axis", "", "axis", _single),
    values("joint", "jnt_pos", "m", "pos", _hinged),
    ranges("joint", "rad or m", "range", "jnt_"),
    values("joint", "jnt_margin", "rad or m", "margin", _limited),
    values("joint", "jnt_solref", "", "solreflimit", _limited),
    values("joint", "jnt_solimp", "", "solimplimit", _limited),
    values("joint", "jnt_stiffness", "N m/rad or N/m", "stiffness"),
    values("joint", "jnt_stiffnesspoly", "", "stiffness"),
    values("joint", "jnt_springyield", "", "springyield"),
    ranges("joint", "N m or N", "actuatorfrcrange", "jnt_actfrc"),
    counts("joint", "jnt_actgravcomp", "actuatorgravcomp"),
    values("qpos", "qpos_spring", "rad or m", "springref", _sprung),
    values("qpos", "qpos0", "rad or m", "ref"),
    values("dof", "dof_damping", "N m s/rad or N s/m", "damping"),
    values("dof", "dof_dampingpoly", "", "damping"),
    values("dof", "dof_armature", "kg m^2 or kg", "armature"),
    values("dof", "dof_frictionloss", "N m or N", "frictionloss"),
    values("dof", "dof_solref", "", "solreffriction", _rubbed),
    values("dof", "dof_solimp", "", "solimpfriction", _rubbed),
)
