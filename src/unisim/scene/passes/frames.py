"""Resolves `<frame>` elements into the poses of what they hold."""

from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.scene.passes.poses import posed
from unisim.scene.passes.rewrite import opened, recompiled
from unisim.scene.scene import Scene
from unisim.scene.source import Element, parse, write

Vector = NDArray[np.float64]

_ROTATED = {"joint": "axis", "light": "dir"}
_DIRECTION = {"joint": "0 0 1", "light": "0 0 -1"}


def drop_frames(scene: Scene) -> Scene:
    """No `<frame>` and no `<replicate>` left: what they hold hangs in its body.

    Poses are made explicit as by `explicit_poses`. Poses agree to rounding, the rest of
    the model is bit-identical.
    """
    root = parse(posed(opened(scene), scene.model), Path())
    for element in list(root.walk()):
        if element.tag in ("body", "worldbody"):
            element.children = _flat(element.children)
    return recompiled(scene, write(root)[0])


def _flat(children: list[Element]) -> list[Element]:
    flat: list[Element] = []
    for child in children:
        if child.tag != "frame":
            flat.append(child)
            continue
        pos, quat = _numbers(child, "pos", "0 0 0"), _numbers(child, "quat", "1 0 0 0")
        for held in _flat(child.children):
            _move(held, pos, quat)
            flat.append(held)
    return flat


def _move(element: Element, pos: Vector, quat: Vector) -> None:
    """Express an element's pose in the frame's parent. Position [m], unit wxyz."""
    if element.tag == "freejoint":
        return
    own = _numbers(element, "pos", "0 0 0")
    element.attributes["pos"] = _text(pos + _rotated(own, quat))
    name = _ROTATED.get(element.tag)
    if name is not None:
        direction = _numbers(element, name, _DIRECTION[element.tag])
        element.attributes[name] = _text(_rotated(direction, quat))
        return
    turned = np.zeros(4)
    mujoco.mju_mulQuat(turned, quat, _numbers(element, "quat", "1 0 0 0"))
    element.attributes["quat"] = _text(turned)


def _rotated(vector: Vector, quat: Vector) -> Vector:
    result = np.zeros(3)
    mujoco.mju_rotVecQuat(result, vector, quat)
    return result


def _numbers(element: Element, name: str, missing: str) -> Vector:
    return np.array(element.attributes.get(name, missing).split(), dtype=np.float64)


def _text(values: Vector) -> str:
    return " ".join(map(repr, values.tolist()))
