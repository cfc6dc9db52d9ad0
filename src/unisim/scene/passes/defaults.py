"""Writes default classes out on every element."""

from pathlib import Path

import mujoco

from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene
from unisim.scene.source import parse, write

# what a default's element is, not what it gives to others
_IDENTITY = frozenset(
    {"id", "name", "info", "parent", "frame", "compiler", "signature", "classname"}
    | {"default", "plugin", "path"}
)


def expand_defaults(scene: Scene) -> Scene:
    """No `<default>`, `class` or `childclass` left; the model is bit-identical.

    An actuator that its class gave what its own tag cannot say becomes a `general`.
    """
    spec = opened(scene)
    empty_defaults(spec)
    return recompiled(scene, classless(written(spec)))


def empty_defaults(spec: mujoco.MjSpec) -> None:
    """Take every value out of a spec's classes; elements keep theirs.

    MuJoCo resolves classes while it parses, and its writer states on an element what
    differs from the element's class: from an empty class, everything.
    """
    tree = parse(written(spec), Path())
    names = {
        element.attributes.get("class", "main")
        for element in tree.walk()
        if element.tag == "default"
    }
    blank = mujoco.MjSpec()
    for part in vars(mujoco.MjsDefault):
        if part.startswith("_") or part in _IDENTITY:
            continue
        source = getattr(blank.default, part)
        for name in names:
            _copy(source, getattr(spec.find_default(name), part))


def classless(xml: str) -> str:
    """A text of empty classes, without them."""
    root = parse(xml, Path())
    root.children = [child for child in root.children if child.tag != "default"]
    for element in root.walk():
        element.attributes.pop("class", None)
        element.attributes.pop("childclass", None)
    return write(root)[0]


def _copy(source: object, target: object) -> None:
    for name, member in vars(type(source)).items():
        if not isinstance(member, property) or name in _IDENTITY:
            continue
        value = getattr(source, name)
        if isinstance(value, mujoco.MjsOrientation):
            _copy(value, getattr(target, name))
        else:
            setattr(target, name, value)
