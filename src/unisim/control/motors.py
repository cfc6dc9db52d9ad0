"""Actuators that a law can drive by torque."""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.layout import Layout
from unisim.scene.scene import Scene

_SCALAR = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
_ON_JOINT = (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT)
_TYPES = {
    "gaintype": (mujoco.mjtGain, mujoco.mjtGain.mjGAIN_FIXED),
    "biastype": (mujoco.mjtBias, mujoco.mjtBias.mjBIAS_NONE),
    "dyntype": (mujoco.mjtDyn, mujoco.mjtDyn.mjDYN_NONE),
}
_REMEDY = "Use a <motor> on a hinge or slide joint, or leave it out of kp."


@dataclass(frozen=True, eq=False)
class Motors:
    """Actuators whose torque on one hinge or slide joint is proportional to ctrl.

    Attributes:
        names: Their names, in the model's order; there are k.
        ctrl: Their columns of ctrl. Shape (k,), intp.
        qpos: Columns of their joints in qpos. Shape (k,), intp.
        qvel: Columns of their joints in qvel. Shape (k,), intp.
        scale: Joint torque per unit of ctrl: gain times gear. Shape (k,).
        lower: Lower end of the joint's range [rad or m], or -inf. Shape (k,).
        upper: Upper end of the joint's range [rad or m], or inf. Shape (k,).
    """

    names: tuple[str, ...]
    ctrl: NDArray[np.intp]
    qpos: NDArray[np.intp]
    qvel: NDArray[np.intp]
    scale: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


def refusals(names: Sequence[str], scene: Scene, layout: Layout) -> list[str]:
    """Why some actuators cannot be driven by torque, a sentence for each of them."""
    return [
        f"{scene.sources.line('actuator', name)} {', '.join(reasons)}. {_REMEDY}"
        for name in names
        if (reasons := _reasons(scene.model, layout.index("actuator", name)))
    ]


def motors_of(names: Sequence[str], scene: Scene, layout: Layout) -> Motors:
    """Columns and constants of actuators that `refusals` has nothing against."""
    model = scene.model
    rows = [layout.index("actuator", name) for name in names]
    joints: NDArray[np.int32] = model.actuator_trnid[rows, 0]
    owners = [layout.names["joint"][int(joint)] for joint in joints]
    limited = model.jnt_limited[joints].astype(bool)
    return Motors(
        names=tuple(names),
        ctrl=_starts(layout, "ctrl", names),
        qpos=_starts(layout, "qpos", owners),
        qvel=_starts(layout, "qvel", owners),
        scale=model.actuator_gainprm[rows, 0] * model.actuator_gear[rows, 0],
        lower=np.where(limited, model.jnt_range[joints, 0], -np.inf),
        upper=np.where(limited, model.jnt_range[joints, 1], np.inf),
    )


def _starts(layout: Layout, array: str, names: Sequence[str]) -> NDArray[np.intp]:
    return np.array([layout.columns(array, name).start for name in names], np.intp)


def _reasons(model: mujoco.MjModel, actuator: int) -> list[str]:
    reasons = [
        f"has {attribute} {_word(kinds(kind))!r} instead of {_word(wanted)!r}"
        for attribute, (kinds, wanted) in _TYPES.items()
        if (kind := int(getattr(model, f"actuator_{attribute}")[actuator])) != wanted
    ]
    joint = int(model.actuator_trnid[actuator, 0])
    transmission = mujoco.mjtTrn(int(model.actuator_trntype[actuator]))
    if transmission not in _ON_JOINT:
        reasons.append(f"acts on a {_word(transmission)}, not on a joint")
    elif (kind := mujoco.mjtJoint(int(model.jnt_type[joint]))) not in _SCALAR:
        reasons.append(f"acts on a {_word(kind)} joint")
    if model.actuator_gainprm[actuator, 0] * model.actuator_gear[actuator, 0] == 0:
        reasons.append("has a gain or a gear of 0")
    if model.opt.disableactuator & (1 << int(model.actuator_group[actuator])):
        reasons.append("is in a group that the options disable")
    return reasons


def _word(member: object) -> str:
    """The word MJCF uses for a member of one of MuJoCo's enums."""
    return str(member).rpartition("_")[2].lower()
