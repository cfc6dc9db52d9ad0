"""The actuators that the importer is given: the engine's share, and a motor per dof."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.motrix.share import Share
from unisim.backend.motrix.shift import shift_of
from unisim.scene.source import Element, parse

PUSH = "unisim_push_"
"""Prefix of the motors, one per dof, that carry forces from outside of the engine."""
DAMPER = "unisim_damper_"
"""Prefix of the actuators that damp ball and free joints, one per dof."""
BRAKE = "unisim_brake_"
"""Prefix of those that do what damps of an actuator, one for each."""


def actuators(model: mujoco.MjModel, share: Share) -> Element:
    """The engine's own actuators, then a motor for every dof."""
    found = [_actuator(model, i) for i in np.flatnonzero(share.actuators).tolist()]
    found += [*_dampers(model, share), *_brakes(model, share), *_pushes(model)]
    return made("actuator", {}, found)


def _actuator(model: mujoco.MjModel, index: int) -> Element:
    item, control = model.actuator(index), int(model.actuator_ctrladr[index])
    affine = model.actuator_biastype[index] == mujoco.mjtBias.mjBIAS_AFFINE
    attributes = _target(model, index) | {
        "name": item.name,
        "gainprm": numbers(item.gainprm[:1]),
    }
    if affine:
        bias = np.array(item.biasprm[:3])
        bias[0] += bias[1] * shift_of(model).drives[index]
        attributes |= {"biastype": "affine", "biasprm": numbers(bias)}
    if model.actuator_ctrllimited[control]:
        attributes["ctrllimited"] = "true"
        attributes["ctrlrange"] = numbers(model.actuator_ctrlrange[control])
    if model.actuator_forcelimited[index]:
        attributes["forcelimited"] = "true"
        attributes["forcerange"] = numbers(model.actuator_forcerange[index])
    return made("general", attributes)


def _target(model: mujoco.MjModel, index: int) -> dict[str, str]:
    """What an actuator acts on, and how."""
    target = int(model.actuator_trnid[index, 0])
    gear = numbers(model.actuator_gear[model.actuator_outadr[index]])
    if model.actuator_trntype[index] == mujoco.mjtTrn.mjTRN_JOINT:
        return {"joint": model.joint(target).name, "gear": gear}
    return {"tendon": model.tendon(target).name, "gear": gear}


def _brakes(model: mujoco.MjModel, share: Share) -> Iterator[Element]:
    """What damps of actuators that the engine has no more of."""
    for index in np.flatnonzero(share.brakes).tolist():
        damping = float(model.actuator_biasprm[index, 2])
        own = _damping(f"{BRAKE}{index}", damping)
        yield made("general", _target(model, index) | own)


def _damping(name: str, bias: float) -> dict[str, str]:
    """Attributes of an actuator that only damps."""
    affine = {"biastype": "affine", "biasprm": f"0 0 {bias!r}"}
    return {"name": name, "gainprm": "0", **affine}


def _dampers(model: mujoco.MjModel, share: Share) -> Iterator[Element]:
    """Dampers of joints that have no single axis: the importer drops theirs."""
    for dof in range(model.nv):
        damping = float(model.dof_damping[dof])
        if share.dampers[dof] and not share.singles[dof]:
            own = _damping(f"{DAMPER}{dof}", -damping)
            yield made("general", _on_dof(model, dof) | own)


def _pushes(model: mujoco.MjModel) -> list[Element]:
    return [
        made("motor", _on_dof(model, dof) | {"name": f"{PUSH}{dof}"})
        for dof in range(model.nv)
    ]


def _on_dof(model: mujoco.MjModel, dof: int) -> dict[str, str]:
    """Attributes of an actuator that acts on one dof."""
    joint = int(model.dof_jntid[dof])
    gear = np.zeros(6)
    gear[dof - model.jnt_dofadr[joint]] = 1
    return {"joint": model.joint(joint).name, "gear": numbers(gear)}


def made(
    tag: str, attributes: dict[str, str], children: Iterable[Element] = ()
) -> Element:
    """An element that nobody wrote."""
    place = parse("<made/>", Path()).at
    return Element(tag, attributes, place, list(children))


def numbers(values: NDArray[np.float64]) -> str:
    """Numbers as MJCF states them, with all their digits."""
    return " ".join(map(repr, np.asarray(values, np.float64).ravel().tolist()))
