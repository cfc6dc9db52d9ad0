"""Audited fields of actuators, tendons, equalities and sensors."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import AuditedField, Read, Tolerance, limits, plain
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
        _COUPLED.get(kind, stated)
        for kind, stated in zip(
            model.eq_type.tolist(), model.eq_objtype.tolist(), strict=True
        )
    ]


def _path(model: mujoco.MjModel) -> NDArray[np.int64]:
    kinds = [_STOP.get(int(t), -1) for t in model.wrap_type]
    ids = np.where(np.array(kinds, dtype=int) < 0, -1, model.wrap_objid)
    return objects(model, kinds, ids)


def _referred(kinds: str, ids: str) -> Read:
    return lambda model: objects(model, getattr(model, kinds), getattr(model, ids))


def _values(kind: str, unit: str, attribute: str, name: str) -> AuditedField:
    return AuditedField(name, kind, unit, (name,), plain(name), attribute=attribute)


def _counts(kind: str, attribute: str | None, name: str) -> AuditedField:
    return AuditedField(name, kind, "", (name,), plain(name), _EXACT, attribute)


def _range(kind: str, unit: str, attribute: str, stem: str) -> AuditedField:
    span, flag = f"{stem}range", f"{stem}limited"
    return AuditedField(
        span, kind, unit, (span, flag),
        lambda m: limits(getattr(m, flag), getattr(m, span)), attribute=attribute,
    )


ACTUATOR: tuple[AuditedField, ...] = (
    _counts("actuator", None, "actuator_trntype"),
    AuditedField("actuator_target", "actuator", "", ("actuator_trnid",),
                 lambda m: _targets(m, 0), _EXACT, refers="object"),
    AuditedField("actuator_target2", "actuator", "", ("actuator_trnid",),
                 lambda m: _targets(m, 1), _EXACT, refers="object"),
    AuditedField("actuator_enabled", "actuator", "",
                 ("actuator_group", "opt.disableactuator"), _enabled, _EXACT, "group"),
    AuditedField("actuator_gear", "out", "", ("actuator_gear",),
                 plain("actuator_gear"), attribute="gear", feature="actuator.gear"),
    AuditedField("actuator_lengthrange", "out", "m or rad", ("actuator_lengthrange",),
                 plain("actuator_lengthrange"), attribute="lengthrange",
                 feature="actuator.lengthrange"),
    _values("actuator", "m", "cranklength", "actuator_cranklength"),
    _counts("actuator", "gaintype", "actuator_gaintype"),
    _values("actuator", "", "gainprm", "actuator_gainprm"),
    _counts("actuator", "biastype", "actuator_biastype"),
    _values("actuator", "", "biasprm", "actuator_biasprm"),
    _counts("actuator", "dyntype", "actuator_dyntype"),
    _values("actuator", "", "dynprm", "actuator_dynprm"),
    _counts("actuator", "actdim", "actuator_actnum"),
    _counts("actuator", "actearly", "actuator_actearly"),
    _counts("actuator", None, "actuator_ctrlspec"),
    _range("ctrl", "", "ctrlrange", "actuator_ctrl"),
    _range("actuator", "N or N m", "forcerange", "actuator_force"),
    _range("actuator", "", "actrange", "actuator_act"),
    _values("actuator", "kg or kg m^2", "armature", "actuator_armature"),
    _values("actuator", "N s/m", "damping", "actuator_damping"),
    _values("actuator", "", "damping", "actuator_dampingpoly"),
    _values("actuator", "s", "delay", "actuator_delay"),
    _counts("actuator", "nsample", "actuator_history"),
    _counts("actuator", "plugin", "actuator_plugin"),
)

TENDON: tuple[AuditedField, ...] = (
    _counts("wrap", None, "wrap_type"),
    AuditedField("wrap_object", "wrap", "", ("wrap_objid",), _path, _EXACT,
                 refers="object"),
    AuditedField("wrap_prm", "wrap", "", ("wrap_prm",), plain("wrap_prm")),
    _range("tendon", "m or rad", "range", "tendon_"),
    _range("tendon", "N or N m", "actuatorfrcrange", "tendon_actfrc"),
    _values("tendon", "m or rad", "margin", "tendon_margin"),
    _values("tendon", "N/m", "stiffness", "tendon_stiffness"),
    _values("tendon", "", "stiffness", "tendon_stiffnesspoly"),
    _values("tendon", "", "springyield", "tendon_springyield"),
    _counts("tendon", None, "tendon_type"),
    _values("tendon", "N s/m", "damping", "tendon_damping"),
    _values("tendon", "", "damping", "tendon_dampingpoly"),
    _values("tendon", "kg", "armature", "tendon_armature"),
    _values("tendon", "N", "frictionloss", "tendon_frictionloss"),
    _values("tendon", "m or rad", "springlength", "tendon_lengthspring"),
    _values("tendon", "", "solreflimit", "tendon_solref_lim"),
    _values("tendon", "", "solimplimit", "tendon_solimp_lim"),
    _values("tendon", "", "solreffriction", "tendon_solref_fri"),
    _values("tendon", "", "solimpfriction", "tendon_solimp_fri"),
)

EQUALITY: tuple[AuditedField, ...] = (
    _counts("equality", None, "eq_type"),
    AuditedField("eq_object1", "equality", "", ("eq_obj1id", "eq_objtype"),
                 lambda m: objects(m, coupled(m), m.eq_obj1id), _EXACT,
                 refers="object"),
    AuditedField("eq_object2", "equality", "", ("eq_obj2id",),
                 lambda m: objects(m, coupled(m), m.eq_obj2id), _EXACT,
                 refers="object"),
    _counts("equality", "active", "eq_active0"),
    AuditedField("eq_data", "equality", "", ("eq_data",), plain("eq_data")),
    _values("equality", "", "solref", "eq_solref"),
    _values("equality", "", "solimp", "eq_solimp"),
)

SENSOR: tuple[AuditedField, ...] = (
    _counts("sensor", None, "sensor_type"),
    AuditedField("sensor_object", "sensor", "", ("sensor_objid",),
                 _referred("sensor_objtype", "sensor_objid"), _EXACT, refers="object"),
    _counts("sensor", None, "sensor_objtype"),
    AuditedField("sensor_reference", "sensor", "", ("sensor_refid",),
                 _referred("sensor_reftype", "sensor_refid"), _EXACT, refers="object"),
    _counts("sensor", None, "sensor_reftype"),
    _counts("sensor", None, "sensor_dim"),
    _counts("sensor", None, "sensor_intprm"),
    _values("sensor", "", "cutoff", "sensor_cutoff"),
    _values("sensor", "s", "delay", "sensor_delay"),
    _values("sensor", "s", "interval", "sensor_interval"),
    _counts("sensor", "nsample", "sensor_history"),
    _counts("sensor", "plugin", "sensor_plugin"),
)
