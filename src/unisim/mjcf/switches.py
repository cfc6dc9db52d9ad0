"""What the flags of `<option>` take the effect from, and what can act at all."""

from collections.abc import Callable, Iterator, Mapping

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.mjcf.enums import members
from unisim.mjcf.feature import Feature, Find, Mask
from unisim.mjcf.pairs import DECIDING_FLAGS, allowed, searched

_HFIELD = members("mjtGeom")["mjGEOM_HFIELD"]
_DISABLE, _ENABLE = members("mjtDisableBit"), members("mjtEnableBit")
_PARAMETERS = tuple(
    f"{owner}.{word}"
    for owner in ("geom", "contact.pair")
    for word in ("margin", "friction", "solref", "solimp", "solreffriction")
)
_CONTACT = (
    *("contact", "geom.condim", "geom.mask", "geom.priority", "geom.solmix"),
    *("geom.gap", "geom.adhesion", "geom.surfacevel", "flex.contact"),
    *("flex.selfcollide", "flex.passive", *_PARAMETERS),
)
_LIMIT = tuple(
    f"{owner}.{word}"
    for owner in ("joint", "tendon")
    for word in ("limited", "margin", "solreflimit", "solimplimit")
)
_LOSS = tuple(
    f"{owner}.{word}"
    for owner in ("joint", "tendon")
    for word in ("frictionloss", "solreffriction", "solimpfriction")
)
_OFF: Mapping[str, tuple[str, ...]] = {
    "CONTACT": _CONTACT,
    "LIMIT": _LIMIT,
    "FRICTIONLOSS": _LOSS,
    "EQUALITY": ("equality",),
    "CONSTRAINT": (*_CONTACT, *_LIMIT, *_LOSS, "equality"),
    "SPRING": (
        *("joint.stiffness", "joint.springref", "joint.springyield"),
        *("tendon.stiffness", "tendon.springlength", "tendon.springyield"),
    ),
    "DAMPER": ("joint.damping", "tendon.damping"),
    "GRAVITY": ("option.gravity", "body.gravcomp", "joint.actuatorgravcomp"),
    "CLAMPCTRL": ("actuator.ctrllimited",),
}
"""By flag that is off: the features and families that have no effect then."""
_ON: Mapping[str, tuple[str, ...]] = {"OVERRIDE": _PARAMETERS}
"""By flag that is on: what has no effect then."""

_DECIDE = (
    *("geom_contype", "geom_conaffinity", "geom_type", "geom_bodyid", "body_weldid"),
    *("body_parentid", "body_treeid", "exclude_signature", "pair_geom1", "pair_geom2"),
)
"""What decides which geoms may touch, besides the flags."""
_SEEN: dict[tuple[object, ...], Mask] = {}
"""The last answer, which many features ask for."""


def voided(model: mujoco.MjModel) -> frozenset[str]:
    """Features and families that the flags of a model take all effect from."""
    return frozenset(_voided(model))


def is_voided(feature: Feature, names: frozenset[str]) -> bool:
    """Whether a feature or a family of it is among some names."""
    return feature.id in names or any(family in names for family in feature.families)


def off(model: mujoco.MjModel, flag: str) -> bool:
    """Whether a flag that is on by default is off."""
    return bool(int(model.opt.disableflags) & _DISABLE[f"mjDSBL_{flag}"])


def touching(model: mujoco.MjModel) -> Mask:
    """Geoms that may touch another one or a flex by their masks. Shape (ngeom,).

    What explicit pairs touch with is the pair's own.
    """
    flags = int(model.opt.disableflags)
    key = (*(np.asarray(getattr(model, name)).tobytes() for name in _DECIDE), flags)
    if key not in _SEEN:
        _SEEN.clear()
        _SEEN[key] = np.any(allowed(model, stated=False), axis=1)
    mask = _SEEN[key].copy()
    if model.nflex and not flags & DECIDING_FLAGS:
        kinds = np.bitwise_or.reduce(model.flex_contype)
        affine = np.bitwise_or.reduce(model.flex_conaffinity)
        mask |= (model.geom_contype & affine) != 0
        mask |= (model.geom_conaffinity & kinds) != 0
    return mask


def contacts(model: mujoco.MjModel) -> bool:
    """Whether anything may touch anything."""
    if int(model.opt.disableflags) & DECIDING_FLAGS:
        return False
    soft = model.nflex and np.any(model.flex_contype | model.flex_conaffinity)
    return bool(model.npair or soft or np.any(touching(model)))


def collidable(model: mujoco.MjModel) -> bool:
    """Whether anything may touch anything, whatever the flags say."""
    shapes = np.count_nonzero(model.geom_contype | model.geom_conaffinity)
    soft = model.nflex and np.any(model.flex_contype | model.flex_conaffinity)
    return bool(model.npair or shapes > 1 or soft)


def constrainable(model: mujoco.MjModel) -> bool:
    """Whether there can be a constraint, whatever the flags say."""
    rows = (name for names in _ROWS.values() for name in names)
    return collidable(model) or any(np.any(getattr(model, name)) for name in rows)


def constrained(model: mujoco.MjModel) -> bool:
    """Whether there can be a constraint for the solver."""
    if off(model, "CONSTRAINT"):
        return False
    return contacts(model) or any(
        not off(model, flag) and any(np.any(getattr(model, name)) for name in names)
        for flag, names in _ROWS.items()
    )


_ROWS: Mapping[str, tuple[str, ...]] = {
    "EQUALITY": ("neq",),
    "LIMIT": ("jnt_limited", "tendon_limited"),
    "FRICTIONLOSS": ("dof_frictionloss", "tendon_frictionloss"),
}
"""By flag: the arrays of which any number makes rows of constraints."""


def convex(model: mujoco.MjModel) -> bool:
    """Whether two shapes may meet where a search finds the nearest points."""
    fields = touching(model) & (model.geom_type == _HFIELD)
    soft = model.nflex and contacts(model)
    return bool(soft or np.any(fields) or np.any(searched(model)))


def options(condition: Callable[[mujoco.MjModel], bool]) -> Find:
    """The options of a model, where a condition holds."""
    return lambda model: np.array([bool(condition(model))])


def anything(*fields: str) -> Find:
    """The options of a model, where one of some arrays holds anything but 0."""
    return options(lambda model: any(np.any(_array(model, name)) for name in fields))


def _array(model: mujoco.MjModel, name: str) -> NDArray[np.generic]:
    owner = model.opt if name.startswith("opt.") else model
    return np.asarray(getattr(owner, name.removeprefix("opt.")))


def _voided(model: mujoco.MjModel) -> Iterator[str]:
    disabled, enabled = int(model.opt.disableflags), int(model.opt.enableflags)
    for flag, names in _OFF.items():
        if disabled & _DISABLE[f"mjDSBL_{flag}"]:
            yield from names
    for flag, names in _ON.items():
        if enabled & _ENABLE[f"mjENBL_{flag}"]:
            yield from names
