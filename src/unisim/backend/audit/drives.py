"""Audited fields of actuators, tendons, equalities and sensors."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import (
    AuditedField,
    Read,
    Tolerance,
    counts,
    plain,
    ranges,
    values,
)
from unisim.backend.audit.names import objects

_EXACT = Tolerance.EXACT
_OBJ, _TRN, _WRAP = mujoco.mjtObj, mujoco.mjtTrn, mujoco.mjtWrap
_TARGET = {
    int(_TRN.mjTRN_JOINT): int(_OBJ.mjOBJ_JOINT),
    int(_TRN.mjTRN_JOINTINPARENT): int(_OBJ.mjOBJ_JOINT),
    int(_TRN.mjTRN_SLIDERCRANK): int(_OBJ.mjOBJ_SITE),
    int(_TRN.mjTRN_TENDON): int(_OBJ.mjOBJ_TENDON),
    int(_TRN.mjTRN_SITE): int(_OBJ.mjOBJ_SITE),
    int(_TRN.mjTRN_BODY): int(_OBJ.mjOBJ_BODY),
    int(_TRN.mjTRN_SO3): int(_OBJ.mjOBJ_JOINT),
}
_STOP = {
    int(_WRAP.mjWRAP_JOINT): int(_OBJ.mjOBJ_JOINT),
    int(_WRAP.mjWRAP_SITE): int(_OBJ.mjOBJ_SITE),
    int(_WRAP.mjWRAP_SPHERE): int(_OBJ.mjOBJ_GEOM),
    int(_WRAP.mjWRAP_CYLINDER): int(_OBJ.mjOBJ_GEOM),
}


_COUPLED = {
    int(mujoco.mjtEq.mjEQ_JOINT): int(_OBJ.mjOBJ_JOINT),
    int(mujoco.mjtEq.mjEQ_TENDON): int(_OBJ.mjOBJ_TENDON),
}


def _targets(model: mujoco.MjModel, slot: int) -> NDArray[np.int64]:
    """What actuators act on; slot 1 is a slider-crank's slider or a site's frame."""
    kinds = [_TARGET.get(int(t), -1) for t in model.actuator_trntype]
    ids = np.asarray(model.actuator_trnid)[:, slot]
    return objects(model, kinds, ids)


def _enabled(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Actuators whose group the options do not switch off. Shape (nactuator,)."""
    groups = np.asarray(model.actuator_group)
    bits = (int(model.opt.disableactuator) >> np.clip(groups, 0, 30)) & 1
    return (bits == 0) | (groups < 0) | (groups > 30)  # noqa: PLR2004 MuJoCo's groups


def coupled(model: mujoco.MjModel) -> list[int]:
    """Type (`mjtObj`) of what each equality couples; MuJoCo leaves some open."""
    return [
        _COUPLED.get(int(kind), int(stated))
        for kind, stated in zip(model.eq_type, model.eq_objtype, strict=True)
    ]


def _path(model: mujoco.MjModel) -> NDArray[np.int64]:
    kinds = [_STOP.get(int(t), -1) for t in model.wrap_type]
    ids = np.where(np.array(kinds, dtype=int) < 0, -1, model.wrap_objid)
    return objects(model, kinds, ids)


def _referred(kinds: str, ids: str) -> Read:
    return lambda model: objects(model, getattr(model, kinds), getattr(model, ids))


ACTUATOR: tuple[AuditedField, ...] = (
    counts("actuator", "actuator_trntype"),
    AuditedField(
        "actuator_target",
        "actuator",
        "",
        ("actuator_trnid",),
        lambda m: _targets(m, 0),
        _EXACT,
        refers="object",
    ),
    AuditedField(
        "actuator_target2",
        "actuator",
        "",
        ("actuator_trnid",),
        lambda m: _targets(m, 1),
        _EXACT,
        refers="object",
    ),
    AuditedField(
        "actuator_enabled",
        "actuator",
        "",
        ("actuator_group", "opt.disableactuator"),
        _enabled,
        _EXACT,
        "group",
    ),
    values("out", "actuator_gear", "", "gear"),
    values("out", "actuator_lengthrange", "m or rad", "lengthrange"),
    values("actuator", "actuator_cranklength", "m", "cranklength"),
    counts("actuator", "actuator_gaintype", "gaintype"),
    values("actuator", "actuator_gainprm", "", "gainprm"),
    counts("actuator", "actuator_biastype", "biastype"),
    values("actuator", "actuator_biasprm", "", "biasprm"),
    counts("actuator", "actuator_dyntype", "dyntype"),
    values("actuator", "actuator_dynprm", "", "dynprm"),
    counts("actuator", "actuator_actnum", "actdim"),
    counts("actuator", "actuator_actearly", "actearly"),
    counts("actuator", "actuator_ctrlspec"),
    ranges("ctrl", "", "ctrlrange", "actuator_ctrl"),
    ranges("actuator", "N or N m", "forcerange", "actuator_force"),
    ranges("actuator", "", "actrange", "actuator_act"),
    values("actuator", "actuator_armature", "kg or kg m^2", "armature"),
    values("actuator", "actuator_damping", "N s/m", "damping"),
    values("actuator", "actuator_dampingpoly", "", "damping"),
    values("actuator", "actuator_delay", "s", "delay"),
    counts("actuator", "actuator_history", "nsample"),
    counts("actuator", "actuator_plugin", "plugin"),
)

TENDON: tuple[AuditedField, ...] = (
    counts("wrap", "wrap_type"),
    AuditedField(
        "wrap_object", "wrap", "", ("wrap_objid",), _path, _EXACT, refers="object"
    ),
    AuditedField("wrap_prm", "wrap", "", ("wrap_prm",), plain("wrap_prm")),
    ranges("tendon", "m or rad", "range", "tendon_"),
    ranges("tendon", "N or N m", "actuatorfrcrange", "tendon_actfrc"),
    values("tendon", "tendon_margin", "m or rad", "margin"),
    values("tendon", "tendon_stiffness", "N/m", "stiffness"),
    values("tendon", "tendon_stiffnesspoly", "", "stiffness"),
    values("tendon", "tendon_springyield", "", "springyield"),
    counts("tendon", "tendon_type"),
    values("tendon", "tendon_damping", "N s/m", "damping"),
    values("tendon", "tendon_dampingpoly", "", "damping"),
    values("tendon", "tendon_armature", "kg", "armature"),
    values("tendon", "tendon_frictionloss", "N", "frictionloss"),
    values("tendon", "tendon_lengthspring", "m or rad", "springlength"),
    values("tendon", "tendon_solref_lim", "", "solreflimit"),
    values("tendon", "tendon_solimp_lim", "", "solimplimit"),
    values("tendon", "tendon_solref_fri", "", "solreffriction"),
    values("tendon", "tendon_solimp_fri", "", "solimpfriction"),
)

EQUALITY: tuple[AuditedField, ...] = (
    counts("equality", "eq_type"),
    AuditedField(
        "eq_object1",
        "equality",
        "",
        ("eq_obj1id", "eq_objtype"),
        lambda m: objects(m, coupled(m), m.eq_obj1id),
        _EXACT,
        refers="object",
    ),
    AuditedField(
        "eq_object2",
        "equality",
        "",
        ("eq_obj2id",),
        lambda m: objects(m, coupled(m), m.eq_obj2id),
        _EXACT,
        refers="object",
    ),
    counts("equality", "eq_active0", "active"),
    AuditedField("eq_data", "equality", "", ("eq_data",), plain("eq_data")),
    values("equality", "eq_solref", "", "solref"),
    values("equality", "eq_solimp", "", "solimp"),
)

SENSOR: tuple[AuditedField, ...] = (
    counts("sensor", "sensor_type"),
    AuditedField(
        "sensor_object",
        "sensor",
        "",
        ("sensor_objid",),
        _referred("sensor_objtype", "sensor_objid"),
        _EXACT,
        refers="object",
    ),
    counts("sensor", "sensor_objtype"),
    AuditedField(
        "sensor_reference",
        "sensor",
        "",
        ("sensor_refid",),
        _referred("sensor_reftype", "sensor_refid"),
        _EXACT,
        refers="object",
    ),
    counts("sensor", "sensor_reftype"),
    counts("sensor", "sensor_dim"),
    counts("sensor", "sensor_intprm"),
    values("sensor", "sensor_cutoff", "", "cutoff"),
    values("sensor", "sensor_delay", "s", "delay"),
    values("sensor", "sensor_interval", "s", "interval"),
    counts("sensor", "sensor_history", "nsample"),
    counts("sensor", "sensor_plugin", "plugin"),
)
