"""Audited fields of bodies, joints, dofs and sites."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import (
    AuditedField,
    Tolerance,
    Values,
    limits,
    plain,
    where,
)

_EXACT, _QUAT = Tolerance.EXACT, Tolerance.QUAT
_JNT = mujoco.mjtJoint


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
    return np.isin(model.jnt_type, (_JNT.mjJNT_HINGE, _JNT.mjJNT_SLIDE))


def _sprung(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Positions of joints that have a spring. Shape (nq,)."""
    sprung = (np.asarray(model.jnt_stiffness) != 0) | np.any(
        model.jnt_stiffnesspoly, axis=1
    )
    counts = np.array((7, 4, 1, 1))[model.jnt_type]
    return np.repeat(sprung, counts)


def _rubbed(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Dofs with dry friction. Shape (nv,)."""
    return np.asarray(model.dof_frictionloss) > 0


def _free(model: mujoco.MjModel) -> NDArray[np.bool_]:
    return np.asarray(model.jnt_type) == _JNT.mjJNT_FREE


def _limited(model: mujoco.MjModel) -> NDArray[np.bool_]:
    return np.asarray(model.jnt_limited).astype(bool)


BODY: tuple[AuditedField, ...] = (
    AuditedField(
        "body_parent", "body", "", ("body_parentid",), plain("body_parentid"),
        _EXACT, refers="body",
    ),
    AuditedField("body_pos", "body", "m", ("body_pos",), plain("body_pos"),
                 attribute="pos"),
    AuditedField("body_quat", "body", "", ("body_quat",), plain("body_quat"), _QUAT,
                 attribute="quat"),
    AuditedField("body_mass", "body", "kg", ("body_mass",), plain("body_mass"),
                 attribute="mass"),
    AuditedField("body_com", "body", "m", ("body_ipos",), plain("body_ipos")),
    AuditedField("body_inertia", "body", "kg m^2", ("body_inertia", "body_iquat"),
                 _inertia),
    AuditedField("body_gravcomp", "body", "", ("body_gravcomp",),
                 plain("body_gravcomp"), attribute="gravcomp"),
    AuditedField("body_mocap", "body", "", ("body_mocapid",),
                 lambda m: np.asarray(m.body_mocapid) >= 0, _EXACT, "mocap"),
    AuditedField("body_plugin", "body", "", ("body_plugin",), plain("body_plugin"),
                 _EXACT),
    AuditedField("site_body", "site", "", ("site_bodyid",), plain("site_bodyid"),
                 _EXACT, refers="body"),
    AuditedField("site_pos", "site", "m", ("site_pos",), plain("site_pos"),
                 attribute="pos"),
    AuditedField("site_quat", "site", "", ("site_quat",), plain("site_quat"), _QUAT,
                 "quat"),
)

JOINT: tuple[AuditedField, ...] = (
    AuditedField("jnt_type", "joint", "", ("jnt_type",), plain("jnt_type"), _EXACT,
                 "type"),
    AuditedField("jnt_body", "joint", "", ("jnt_bodyid",), plain("jnt_bodyid"), _EXACT,
                 refers="body"),
    AuditedField("jnt_axis", "joint", "", ("jnt_axis",),
                 lambda m: where(_single(m), m.jnt_axis), attribute="axis"),
    AuditedField("jnt_pos", "joint", "m", ("jnt_pos",),
                 lambda m: where(~_free(m), m.jnt_pos), attribute="pos"),
    AuditedField("jnt_range", "joint", "rad or m", ("jnt_range", "jnt_limited"),
                 lambda m: limits(m.jnt_limited, m.jnt_range), attribute="range"),
    AuditedField("jnt_margin", "joint", "rad or m", ("jnt_margin",),
                 lambda m: where(_limited(m), m.jnt_margin), attribute="margin"),
    AuditedField("jnt_solref", "joint", "", ("jnt_solref",),
                 lambda m: where(_limited(m), m.jnt_solref), attribute="solreflimit"),
    AuditedField("jnt_solimp", "joint", "", ("jnt_solimp",),
                 lambda m: where(_limited(m), m.jnt_solimp), attribute="solimplimit"),
    AuditedField("jnt_stiffness", "joint", "N m/rad or N/m", ("jnt_stiffness",),
                 plain("jnt_stiffness"), attribute="stiffness"),
    AuditedField("jnt_stiffnesspoly", "joint", "", ("jnt_stiffnesspoly",),
                 plain("jnt_stiffnesspoly"), attribute="stiffness"),
    AuditedField("jnt_springyield", "joint", "", ("jnt_springyield",),
                 plain("jnt_springyield"), attribute="springyield"),
    AuditedField("jnt_actfrcrange", "joint", "N m or N",
                 ("jnt_actfrcrange", "jnt_actfrclimited"),
                 lambda m: limits(m.jnt_actfrclimited, m.jnt_actfrcrange),
                 attribute="actuatorfrcrange"),
    AuditedField("jnt_actgravcomp", "joint", "", ("jnt_actgravcomp",),
                 plain("jnt_actgravcomp"), _EXACT, "actuatorgravcomp"),
    AuditedField("qpos_spring", "qpos", "rad or m", ("qpos_spring",),
                 lambda m: where(_sprung(m), m.qpos_spring), attribute="springref",
                 feature="joint.springref"),
    AuditedField("qpos0", "qpos", "rad or m", ("qpos0",), plain("qpos0"),
                 attribute="ref", feature="joint.ref"),
    AuditedField("dof_damping", "dof", "N m s/rad or N s/m", ("dof_damping",),
                 plain("dof_damping"), attribute="damping", feature="joint.damping"),
    AuditedField("dof_dampingpoly", "dof", "", ("dof_dampingpoly",),
                 plain("dof_dampingpoly"), attribute="damping",
                 feature="joint.damping"),
    AuditedField("dof_armature", "dof", "kg m^2 or kg", ("dof_armature",),
                 plain("dof_armature"), attribute="armature",
                 feature="joint.armature"),
    AuditedField("dof_frictionloss", "dof", "N m or N", ("dof_frictionloss",),
                 plain("dof_frictionloss"), attribute="frictionloss",
                 feature="joint.frictionloss"),
    AuditedField("dof_solref", "dof", "", ("dof_solref",),
                 lambda m: where(_rubbed(m), m.dof_solref),
                 attribute="solreffriction", feature="joint.solreffriction"),
    AuditedField("dof_solimp", "dof", "", ("dof_solimp",),
                 lambda m: where(_rubbed(m), m.dof_solimp),
                 attribute="solimpfriction", feature="joint.solimpfriction"),
)
