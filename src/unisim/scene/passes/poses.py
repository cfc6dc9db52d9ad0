"""Writes every pose as a position and a quaternion."""

from pathlib import Path

import mujoco

from unisim.scene.passes.defaults import classless, empty_defaults
from unisim.scene.passes.notation import resolve
from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene
from unisim.scene.source import Element, parse, write


def explicit_poses(scene: Scene) -> Scene:
    """No `fromto`, euler, axisangle, xyaxes or zaxis left; every angle in radians.

    Classes are expanded and notation is resolved too: both say orientations, ranges and
    angles in ways that differ from what is written here. The model is bit-identical.
    """
    return recompiled(scene, posed(opened(scene), scene.model))


def posed(spec: mujoco.MjSpec, model: mujoco.MjModel) -> str:
    """The text that `explicit_poses` makes."""
    empty_defaults(spec)
    resolve(spec, model)
    root = _tree(written(spec, canonical=True))
    # canonical text says every actuator as a general, which servos need not be
    plain = _tree(written(spec))
    for section, kept in zip(
        root.sections("actuator"), plain.sections("actuator"), strict=True
    ):
        section.children = kept.children
    return classless(write(root)[0])


def _tree(xml: str) -> Element:
    return parse(xml, Path())
