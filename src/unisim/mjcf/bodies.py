"""Features of bodies and joints."""

from collections.abc import Iterator

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
from unisim.mjcf.masks import both, direct, indirect, joints, nonzero, when

_SOLREF, _SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
_SCALAR = joints("HINGE", "SLIDE")
_KINDS = {"": _SCALAR, ".ball": joints("BALL"), ".free": joints("FREE")}
_LIMITED = nonzero("jnt_limited")
_LOSSY = nonzero("dof_frictionloss")
_STIFF = nonzero("jnt_stiffness", "jnt_stiffnesspoly")
_SPRUNG = both(_SCALAR, _STIFF)
_SLEEP = members("mjtEnableBit")["mjENBL_SLEEP"]


def _sleeps(policy: int) -> Find:
    """Bodies at the root of trees with a sleep policy, where sleep is enabled."""

    def find(model: mujoco.MjModel) -> Mask:
        mask = np.zeros(model.nbody, bool)
        enabled = bool(model.opt.enableflags & _SLEEP)
        mask[model.tree_bodyadr[model.tree_sleep_policy == policy]] = enabled
        return mask

    return find


def _lifted(model: mujoco.MjModel) -> Mask:
    """Bodies that a force against gravity can move."""
    return (model.body_treeid >= 0) & bool(np.any(model.opt.gravity))


def _driven(model: mujoco.MjModel) -> Mask:
    """Joints that forces of actuators may act on, directly or on a way."""
    return (model.jnt_actgravcomp != 0) | (model.nactuator > 0)


def _sprung_off(model: mujoco.MjModel) -> Mask:
    adr = model.jnt_qposadr
    return _SPRUNG(model) & (model.qpos_spring[adr] != model.qpos0[adr])


def _shared(model: mujoco.MjModel) -> Mask:
    return model.body_jntnum[model.jnt_bodyid] > 1


def _per_type(word: str, doc: str, field: str) -> Iterator[Feature]:
    """A joint attribute, which many engines have for some types of joint only."""
    for suffix, scope in _KINDS.items():
        of = suffix.strip(".") or "hinge or slide"
        row = f"joint.{word}{suffix}"
        yield differs(row, f"{doc} of a {of} joint.", field, 0, scope)


ROWS: tuple[Feature, ...] = (
    where(
        "body.mocap",
        "A body that the user moves.",
        "body",
        lambda model: model.body_mocapid >= 0,
    ),
    differs("body.gravcomp", "Compensation of gravity.", "body_gravcomp", 0, _lifted),
    *(
        where(
            ENUMS["mjtSleepPolicy"].id(rest),
            doc,
            "body",
            _sleeps(members("mjtSleepPolicy")[f"mjSLEEP_{rest}"]),
        )
        for rest, doc in ENUMS["mjtSleepPolicy"].docs.items()
    ),
    *members_of("mjtJoint"),
    where("joint.several", "More than one joint on a body.", "joint", _shared),
    differs(
        "joint.pos",
        "Anchor away from the origin of the body's frame.",
        "jnt_pos",
        0,
        joints("HINGE", "BALL"),
    ),
    differs("joint.ref", "Position of the initial pose.", "qpos0", 0, _SCALAR),
    *_per_type("damping", "Damping", "dof_damping"),
    differs("joint.damping.polynomial", "Nonlinear damping.", "dof_dampingpoly"),
    *_per_type("stiffness", "Stiffness", "jnt_stiffness"),
    differs("joint.stiffness.polynomial", "Nonlinear stiffness.", "jnt_stiffnesspoly"),
    where(
        "joint.springref",
        "Rest position of the spring, other than the initial pose.",
        "joint",
        _sprung_off,
        "qpos_spring",
    ),
    differs("joint.springyield", "A spring that yields.", "jnt_springyield", 0, _STIFF),
    *_per_type("armature", "Armature", "dof_armature"),
    *_per_type("frictionloss", "Friction loss", "dof_frictionloss"),
    where(
        "joint.limited",
        "Limits of a hinge or slide joint.",
        "joint",
        both(_LIMITED, _SCALAR),
        "jnt_range",
        "range",
    ),
    where(
        "joint.limited.ball",
        "Limit of a ball joint's angle.",
        "joint",
        both(_LIMITED, joints("BALL")),
        "jnt_range",
        "range",
    ),
    differs(
        "joint.margin", "Distance at which a limit acts.", "jnt_margin", 0, _LIMITED
    ),
    stated(
        "joint.solreflimit",
        "solref of limits.",
        "jnt_solref",
        _SOLREF,
        both(_LIMITED, indirect("jnt_solref")),
    ),
    where(
        "joint.solreflimit.direct",
        "Stiffness and damping of limits.",
        "joint",
        both(_LIMITED, direct("jnt_solref")),
        "jnt_solref",
    ),
    stated("joint.solimplimit", "solimp of limits.", "jnt_solimp", _SOLIMP, _LIMITED),
    stated(
        "joint.solreffriction",
        "solref of friction loss.",
        "dof_solref",
        _SOLREF,
        both(_LOSSY, indirect("dof_solref")),
    ),
    where(
        "joint.solreffriction.direct",
        "Stiffness and damping of friction loss.",
        "joint",
        both(_LOSSY, direct("dof_solref")),
        "dof_solref",
    ),
    stated(
        "joint.solimpfriction",
        "solimp of friction loss.",
        "dof_solimp",
        _SOLIMP,
        _LOSSY,
    ),
    where(
        "joint.actuatorfrcrange",
        "Clamp of the sum of actuator forces.",
        "joint",
        both(nonzero("jnt_actfrclimited"), _driven),
        "jnt_actfrcrange",
    ),
    where(
        "joint.actuatorgravcomp",
        "Gravity compensation counts as actuator force.",
        "joint",
        both(
            nonzero("jnt_actgravcomp"),
            when(lambda model: (model.body_gravcomp != 0) & _lifted(model), "njnt"),
        ),
    ),
)
"""Features of `<body>` and `<joint>`."""
