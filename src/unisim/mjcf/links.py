"""Features of equality constraints and tendons."""

import mujoco
import numpy as np

from unisim.mjcf.enums import ENUMS, members
from unisim.mjcf.feature import (
    Feature,
    Find,
    Mask,
    differs,
    members_of,
    stated,
    where,
)
from unisim.mjcf.masks import (
    both,
    direct,
    indirect,
    nonzero,
    per_tendon,
    wraps_geom,
)

_SOLREF, _SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
_EQ, _WRAP = members("mjtEq"), members("mjtWrap")
_SITE = members("mjtObj")["mjOBJ_SITE"]
_TENDON = members("mjtTrn")["mjTRN_TENDON"]
_LIMITED = nonzero("tendon_limited")
_LOSSY = nonzero("tendon_frictionloss")


def _is(*names: str) -> Find:
    types = [_EQ[f"mjEQ_{name}"] for name in names]
    return lambda model: np.isin(model.eq_type, types)


def _of_sites(model: mujoco.MjModel) -> Mask:
    return model.eq_objtype == _SITE


def _alone(model: mujoco.MjModel) -> Mask:
    return model.eq_obj2id < 0


def _curved(model: mujoco.MjModel) -> Mask:
    """Constraints with powers of another's position: of none there is only one."""
    return (model.eq_obj2id >= 0) & np.any(model.eq_data[:, 2:5] != 0, axis=1)


def _torquescale(model: mujoco.MjModel) -> Mask:
    return model.eq_data[:, 10] != 1


def _inactive(model: mujoco.MjModel) -> Mask:
    return model.eq_active0 == 0


def _wraps(name: str) -> Find:
    return lambda model: per_tendon(model, model.wrap_type == _WRAP[f"mjWRAP_{name}"])


def _sidesites(model: mujoco.MjModel) -> Mask:
    return per_tendon(model, wraps_geom(model) & (model.wrap_prm >= 0))


def _spatial(model: mujoco.MjModel) -> Mask:
    return ~_wraps("JOINT")(model)


_stiff = nonzero("tendon_stiffness", "tendon_stiffnesspoly")


def _pulled(model: mujoco.MjModel) -> Mask:
    """Tendons that an actuator acts on."""
    mask = np.zeros(model.ntendon, bool)
    mask[model.actuator_trnid[model.actuator_trntype == _TENDON, 0]] = True
    return mask


def _rest(model: mujoco.MjModel) -> Mask:
    spring = model.tendon_lengthspring
    off = np.any(spring != model.tendon_length0[:, None], axis=1)
    return off & _stiff(model)


def _dead(model: mujoco.MjModel) -> Mask:
    spring = model.tendon_lengthspring
    return (spring[:, 0] != spring[:, 1]) & _stiff(model)


ROWS: tuple[Feature, ...] = (
    *members_of("mjtEq"),
    where(
        "equality.connect.site",
        "A connect constraint between sites.",
        "equality",
        both(_is("CONNECT"), _of_sites),
    ),
    where(
        "equality.weld.site",
        "A weld constraint between sites.",
        "equality",
        both(_is("WELD"), _of_sites),
    ),
    where(
        "equality.weld.torquescale",
        "Rotation that weighs other than translation.",
        "equality",
        both(_is("WELD"), _torquescale),
    ),
    where(
        "equality.joint.constant",
        "A joint held at a constant.",
        "equality",
        both(_is("JOINT"), _alone),
    ),
    where(
        "equality.joint.polynomial",
        "A joint that follows another nonlinearly.",
        "equality",
        both(_is("JOINT"), _curved),
    ),
    where(
        "equality.tendon.constant",
        "A tendon held at a constant length.",
        "equality",
        both(_is("TENDON"), _alone),
    ),
    where(
        "equality.tendon.polynomial",
        "A tendon that follows another nonlinearly.",
        "equality",
        both(_is("TENDON"), _curved),
    ),
    where("equality.active", "Switched off at the start.", "equality", _inactive),
    stated(
        "equality.solref",
        "Time constant and damping ratio.",
        "eq_solref",
        _SOLREF,
        indirect("eq_solref"),
    ),
    where(
        "equality.solref.direct",
        "Stiffness and damping.",
        "equality",
        direct("eq_solref"),
        "eq_solref",
    ),
    stated("equality.solimp", "Impedance.", "eq_solimp", _SOLIMP),
    where("tendon.fixed", "A sum of joint positions.", "tendon", _wraps("JOINT")),
    where("tendon.spatial", "A path through sites.", "tendon", _spatial),
    *(
        where(ENUMS["mjtWrap"].id(rest), doc, "tendon", _wraps(rest))
        for rest, doc in ENUMS["mjtWrap"].docs.items()
    ),
    where("tendon.wrap.sidesite", "A side to wrap on.", "tendon", _sidesites),
    where(
        "tendon.limited",
        "Limits of the length.",
        "tendon",
        _LIMITED,
        "tendon_range",
        "range",
    ),
    differs(
        "tendon.margin", "Distance at which a limit acts.", "tendon_margin", 0, _LIMITED
    ),
    stated(
        "tendon.solreflimit",
        "solref of limits.",
        "tendon_solref_lim",
        _SOLREF,
        both(_LIMITED, indirect("tendon_solref_lim")),
    ),
    where(
        "tendon.solreflimit.direct",
        "Stiffness and damping of limits.",
        "tendon",
        both(_LIMITED, direct("tendon_solref_lim")),
        "tendon_solref_lim",
    ),
    stated(
        "tendon.solimplimit",
        "solimp of limits.",
        "tendon_solimp_lim",
        _SOLIMP,
        _LIMITED,
    ),
    differs("tendon.stiffness", "Stiffness.", "tendon_stiffness"),
    differs("tendon.stiffness.polynomial", "Nonlinear.", "tendon_stiffnesspoly"),
    where(
        "tendon.springlength",
        "Rest length of the spring, other than the initial length.",
        "tendon",
        _rest,
        "tendon_lengthspring",
    ),
    where(
        "tendon.springlength.range",
        "A range of lengths without spring force.",
        "tendon",
        _dead,
        "tendon_lengthspring",
    ),
    differs(
        "tendon.springyield", "A spring that yields.", "tendon_springyield", 0, _stiff
    ),
    differs("tendon.damping", "Damping.", "tendon_damping"),
    differs("tendon.damping.polynomial", "Nonlinear damping.", "tendon_dampingpoly"),
    differs("tendon.frictionloss", "Friction loss.", "tendon_frictionloss"),
    stated(
        "tendon.solreffriction",
        "solref of friction loss.",
        "tendon_solref_fri",
        _SOLREF,
        both(_LOSSY, indirect("tendon_solref_fri")),
    ),
    where(
        "tendon.solreffriction.direct",
        "Stiffness and damping of friction loss.",
        "tendon",
        both(_LOSSY, direct("tendon_solref_fri")),
        "tendon_solref_fri",
    ),
    stated(
        "tendon.solimpfriction",
        "solimp of friction loss.",
        "tendon_solimp_fri",
        _SOLIMP,
        _LOSSY,
    ),
    differs("tendon.armature", "Armature.", "tendon_armature"),
    where(
        "tendon.actuatorfrcrange",
        "Clamp of the sum of actuator forces.",
        "tendon",
        both(nonzero("tendon_actfrclimited"), _pulled),
        "tendon_actfrcrange",
    ),
)
"""Features of `<equality>` and `<tendon>`."""
