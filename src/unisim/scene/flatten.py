"""Attaches what a scene attaches, and writes the result as one flat text."""

from collections.abc import Mapping
from dataclasses import replace

import mujoco
import numpy as np

from unisim.errors import BadAttachment, CompileFailed
from unisim.scene.attach import attach_spec
from unisim.scene.compile import compile_spec, compile_text
from unisim.scene.complete import complete_keys
from unisim.scene.draft import Draft
from unisim.scene.load import Vfs
from unisim.scene.names import named
from unisim.scene.scene import Sources
from unisim.scene.source import Element, Location, parse, write

_KINDS: Mapping[str, str] = {
    "body": "nbody",
    "joint": "njnt",
    "geom": "ngeom",
    "site": "nsite",
    "pair": "npair",
    "exclude": "nexclude",
    "equality": "neq",
    "tendon": "ntendon",
    "actuator": "nactuator",
    "sensor": "nsensor",
}
"""Kinds that matter to the physics, and how many of each a model has."""
_TEXTS = ("name", "key", "path", "text", "tuple")
"""Arrays whose names contain these hold no physics, or are written on purpose."""


def flatten(
    draft: Draft, sources: Sources, *, visuals: bool
) -> tuple[str, mujoco.MjModel]:
    """Attach, complete the keys, write one text and compile that.

    Raises:
        BadScene: If MuJoCo refuses a part or the whole, or keys do not fit.
    """
    spec = attach_spec(draft.host.root, draft.children, draft.vfs)
    try:
        model = compile_spec(spec, None, draft.cfg.model_file, sources)
    except CompileFailed as error:
        if not isinstance(error.where, Location):
            _compile_alone(draft)
        raise
    _check_complete(draft, sources, model)
    root = parse(_written(spec, draft), draft.cfg.model_file)
    _join(root, draft, sources)
    root.children += complete_keys(draft, sources, model)
    text, flat = compile_root(root, draft.vfs, visuals=True)
    changed = differences(model, flat)
    if changed:
        raise CompileFailed(
            draft.cfg.model_file,
            "written as one text, the scene would differ from what MuJoCo attached, in "
            f"{', '.join(changed)}.",
            "Put the models into one file by hand.",
        )
    return (text, flat) if visuals else compile_root(root, draft.vfs, visuals=False)


def _written(spec: mujoco.MjSpec, draft: Draft) -> str:
    try:
        return spec.to_xml()
    except mujoco.FatalError as error:
        message = " ".join(str(error).split())
    # MuJoCo compiles each part under its own settings, but one text has one of each
    for item in draft.attached:
        for compiler in item.tree.root.sections("compiler"):
            for setting in compiler.attributes:
                if f" {setting} " in message:
                    raise BadAttachment(
                        compiler.location(setting),
                        f"the attached model states the compiler's {setting}, and the "
                        "scene it is attached to states another.",
                        f"State the same {setting} in both, or write the numbers that "
                        "it makes into the model.",
                    )
    raise CompileFailed(draft.cfg.model_file, f"MuJoCo cannot write it: {message}")


def _compile_alone(draft: Draft) -> None:
    """Compile each attached model alone: its own faults are found on its own lines."""
    for child in draft.children:
        text, opened = child.alone
        compile_text(text, draft.vfs, opened, child.tree.root.at.file)


def _check_complete(draft: Draft, sources: Sources, model: mujoco.MjModel) -> None:
    """Nothing may be lost: attaching drops what refers to something unknown.

    Of a subtree, what refers to the rest of its model stays behind on purpose.
    """
    reached: set[int] = set()
    for kind, count in _KINDS.items():
        number = mujoco.mju_str2Type(kind)
        for i in range(getattr(model, count)):
            name = mujoco.mj_id2name(model, number, i)
            reached.add(id(sources.element(kind, name or "")))
    whole = [child.tree.root for child in draft.children if child.cfg.body is None]
    for root in (draft.host.root, *whole):
        for kind, element, _ in named(root):
            if kind in _KINDS and id(element) not in reached:
                _compile_alone(draft)
                raise BadAttachment(
                    element.at,
                    f"{kind} {element.attributes['name']!r} would be lost.",
                    "See that all it refers to is there.",
                )


def compile_root(
    root: Element, vfs: Vfs, *, visuals: bool
) -> tuple[str, mujoco.MjModel]:
    """Text and model of a tree, on request without what is only visual.

    Raises:
        CompileFailed: If MuJoCo refuses it.
    """
    text, opened = write(root)
    if visuals:
        return text, compile_text(text, vfs, opened, root.at.file)
    compiler = Element("compiler", {"discardvisual": "true"}, root.at)
    slim, slim_opened = write(replace(root, children=[*root.children, compiler]))
    try:
        return slim, compile_text(slim, vfs, slim_opened, root.at.file)
    except CompileFailed:
        # some models need what MuJoCo would discard: keep all of it
        return text, compile_text(text, vfs, opened, root.at.file)


def differences(first: mujoco.MjModel, second: mujoco.MjModel) -> list[str]:
    """Names of the arrays and options in which two models differ by any bit."""
    found = [name for name in _arrays(first) if _differ(first, second, name)]
    found += [
        f"opt.{name}"
        for name in dir(first.opt)
        if not name.startswith("_") and _differ(first.opt, second.opt, name)
    ]
    return found


def _arrays(model: mujoco.MjModel) -> list[str]:
    return [
        name
        for name in dir(model)
        if not name.startswith(("_", *_TEXTS))
        and not name.endswith(("pathadr", "nameadr"))
        and isinstance(getattr(model, name), np.ndarray)
    ]


def _differ(first: object, second: object, name: str) -> bool:
    own, other = getattr(first, name), getattr(second, name)
    return not np.array_equal(own, other) and not callable(own)


def _join(root: Element, draft: Draft, sources: Sources) -> None:
    """Give a text that MuJoCo wrote its places and its files' names back."""
    for element in root.walk():
        element.at = sources.root.at
        element.lines.clear()
        for attribute, value in element.attributes.items():
            if attribute.startswith("file") and value not in draft.vfs:
                for item in draft.attached:
                    name = value.removeprefix(item.prefix)
                    if name in draft.vfs:
                        element.attributes[attribute] = name
    for kind, element, _ in named(root):
        source = sources.element(kind, element.attributes.get("name", ""))
        if source is not None:
            element.at, element.lines = source.at, dict(source.lines)
            element.files = dict(source.files)
