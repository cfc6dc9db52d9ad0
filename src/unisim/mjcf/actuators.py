"""Features of actuators."""

from collections.abc import Iterator
from dataclasses import replace

import mujoco
import numpy as np

from unisim.mjcf.enums import members
from unisim.mjcf.feature import Feature, Find, Mask, differs, members_of, values, where
from unisim.mjcf.masks import both, nonzero

_TRN, _JOINT = members("mjtTrn"), members("mjtJoint")
_SITE, _CRANK = _TRN["mjTRN_SITE"], _TRN["mjTRN_SLIDERCRANK"]
_ON_JOINT = [_TRN["mjTRN_JOINT"], _TRN["mjTRN_JOINTINPARENT"]]
_MUSCLES = (members("mjtGain")["mjGAIN_MUSCLE"], members("mjtBias")["mjBIAS_MUSCLE"])


def _on(joint: str) -> Find:
    """Actuators on one type of joint."""

    def find(model: mujoco.MjModel) -> Mask:
        mask = np.isin(model.actuator_trntype, _ON_JOINT)
        types = model.jnt_type[model.actuator_trnid[mask, 0]]
        mask[mask] = types == _JOINT[f"mjJNT_{joint}"]
        return mask

    return find


def _together(model: mujoco.MjModel) -> Mask:
    """Actuators on a joint that has another one."""
    mask = np.isin(model.actuator_trntype, _ON_JOINT)
    joints = model.actuator_trnid[mask, 0]
    mask[mask] = np.bincount(joints, minlength=1)[joints] > 1
    return mask


def _geared(model: mujoco.MjModel) -> Mask:
    return values(model, "actuator_gear")[:, 0] != 1


def _multiple(model: mujoco.MjModel) -> Mask:
    """Actuators whose transmission has more than one axis, and that gear several."""
    several = (
        _on("BALL")(model) | _on("FREE")(model) | (model.actuator_trntype == _SITE)
    )
    return several & np.any(values(model, "actuator_gear")[:, 1:] != 0, axis=1)


def _clamped(model: mujoco.MjModel) -> Mask:
    """Actuators of which any control is limited; they may own several or none."""
    owners = np.repeat(np.arange(model.nactuator), model.actuator_ctrlnum)
    limited = owners[model.actuator_ctrllimited != 0]
    return np.bincount(limited, minlength=model.nactuator) > 0


def _referred(model: mujoco.MjModel) -> Mask:
    return (model.actuator_trntype == _SITE) & (model.actuator_trnid[:, 1] >= 0)


def _cranked(model: mujoco.MjModel) -> Mask:
    return model.actuator_trntype == _CRANK


def _muscular(model: mujoco.MjModel) -> Mask:
    gain, bias = _MUSCLES
    return (model.actuator_gaintype == gain) | (model.actuator_biastype == bias)


def _several(model: mujoco.MjModel) -> Mask:
    return model.actuator_ctrlnum > 1


def _none(model: mujoco.MjModel) -> Mask:
    return model.actuator_ctrlnum == 0


def _history(column: int) -> Find:
    return lambda model: model.actuator_history[:, column] > 0


def _between(model: mujoco.MjModel) -> Mask:
    """Actuators whose delay may fall between two samples."""
    return _history(1)(model) & (model.actuator_delay > 0)


def _affine(field: str, columns: slice) -> Find:
    """Actuators that are affine by type, and by their numbers too."""
    gain = field == "gain"
    enum = "mjGAIN_AFFINE" if gain else "mjBIAS_AFFINE"
    number = members("mjtGain" if gain else "mjtBias")[enum]

    def find(model: mujoco.MjModel) -> Mask:
        numbers = values(model, f"actuator_{field}prm")[:, columns]
        types = values(model, f"actuator_{field}type")[:, 0]
        return (types == number) & np.any(numbers != 0, axis=1)

    return find


def _early(model: mujoco.MjModel) -> Mask:
    return (model.actuator_actearly != 0) & (model.actuator_actnum > 0)


_BENT, _BIASED = _affine("gain", slice(1, 3)), _affine("bias", slice(0, 3))


def _members() -> Iterator[Feature]:
    """Types, by what they do: an affine function of zeros is none."""
    for enum in ("mjtTrn", "mjtDyn"):
        yield from members_of(enum)
    for enum, plain, affine in (
        ("mjtGain", "actuator.gaintype.fixed", _BENT),
        ("mjtBias", "actuator.biastype.none", _BIASED),
    ):
        family = plain.rpartition(".")[0]
        rows = {row.id: row for row in members_of(enum)}
        types = (rows[plain].find, rows[f"{family}.affine"].find)
        rows[plain] = replace(rows[plain], find=_either(*types, but=affine))
        rows[f"{family}.affine"] = replace(rows[f"{family}.affine"], find=affine)
        yield from rows.values()


def _either(first: Find, second: Find, *, but: Find) -> Find:
    return lambda model: (first(model) | second(model)) & ~but(model)


ROWS: tuple[Feature, ...] = (
    *_members(),
    where(
        "actuator.trntype.joint.ball",
        "The actuator acts on a ball joint.",
        "actuator",
        _on("BALL"),
    ),
    where(
        "actuator.trntype.joint.free",
        "The actuator acts on a free joint.",
        "actuator",
        _on("FREE"),
    ),
    where(
        "actuator.trntype.joint.several",
        "Several actuators act on the same joint.",
        "actuator",
        _together,
    ),
    where(
        "actuator.ctrllimited",
        "Clamp of the control.",
        "actuator",
        _clamped,
        attribute="ctrlrange",
    ),
    where(
        "actuator.forcelimited",
        "Clamp of the force.",
        "actuator",
        nonzero("actuator_forcelimited"),
        attribute="forcerange",
    ),
    where(
        "actuator.actlimited",
        "Clamp of the activation.",
        "actuator",
        nonzero("actuator_actlimited"),
        attribute="actrange",
    ),
    where(
        "actuator.actearly",
        "The force sees the next activation.",
        "actuator",
        _early,
    ),
    where(
        "actuator.gear", "A gear other than 1.", "actuator", _geared, "actuator_gear"
    ),
    where(
        "actuator.gear.multiple",
        "A gear along several axes.",
        "actuator",
        _multiple,
        "actuator_gear",
    ),
    where("actuator.refsite", "A force relative to a site.", "actuator", _referred),
    where(
        "actuator.cranklength",
        "Length of a slider-crank's rod.",
        "actuator",
        _cranked,
        "actuator_cranklength",
    ),
    where(
        "actuator.lengthrange",
        "Range of lengths that scales a muscle.",
        "actuator",
        both(_muscular, nonzero("actuator_lengthrange")),
        "actuator_lengthrange",
    ),
    differs("actuator.armature", "Armature.", "actuator_armature"),
    differs("actuator.damping", "Damping.", "actuator_damping"),
    differs("actuator.damping.polynomial", "Nonlinear.", "actuator_dampingpoly"),
    differs("actuator.delay", "The control arrives later.", "actuator_delay"),
    where("actuator.nsample", "A history of controls.", "actuator", _history(0)),
    where("actuator.interp", "Interpolation in the history.", "actuator", _between),
    where("actuator.inputs.several", "Several controls.", "actuator", _several),
    where("actuator.inputs.none", "No control.", "actuator", _none),
)
"""Features of `<actuator>`."""
