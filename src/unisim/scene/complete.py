"""Writes the keys of a scene that is made of several sources."""

import mujoco

from unisim.errors import Clash
from unisim.scene.attach import Child
from unisim.scene.compile import compile_text
from unisim.scene.draft import Draft
from unisim.scene.keyframes import (
    COMPOSED,
    Key,
    Owned,
    Part,
    defaults,
    key_number,
    owners,
    place,
    read_key,
)
from unisim.scene.load import Attached
from unisim.scene.scene import Sources
from unisim.scene.source import Element, write


def complete_keys(
    draft: Draft, sources: Sources, model: mujoco.MjModel
) -> list[Element]:
    """The keyframe section of a composed scene, or nothing.

    Args:
        draft: The scene's parts, with the keys that were written for each.
        sources: Says which part each object comes from.
        model: The composed scene without keys.

    Raises:
        BadKeyframe: If a key fits neither its source nor the scene.
        Clash: If two keys get the same name.
        UnknownName: If an attached model lacks the key that is asked for.
    """
    root = draft.host.root
    parts = _parts(draft)
    base = defaults(model, COMPOSED)
    chosen = [part for part in parts if part.keyframe is not None]
    for part in chosen:
        base = place(base, part, key_number(part, part.keyframe or ""), model)
    keys = _written(draft, _by_origin(model, sources, draft), base)
    if chosen and draft.cfg.keyframe is None:
        _add(keys, base, draft)
    start = keys.get(draft.cfg.keyframe or COMPOSED, base)
    for part in parts:
        for number in range(part.model.nkey):
            key = start.copy(part.prefix + part.model.key(number).name)
            key.time = float(part.model.key_time[number])
            _add(keys, place(key, part, number, model), draft)
    if not keys:
        return []
    elements = [key.element(root) for key in keys.values()]
    return [Element("keyframe", {}, root.at, elements)]


def _written(
    draft: Draft, owned: dict[str, dict[str, list[Owned]]], base: Key
) -> dict[str, Key]:
    """The keys of the scene's file and its fragments; equal names are one key."""
    keys: dict[str, Key] = {}
    for section in draft.host.root.sections("keyframe"):
        for element in section.children:
            name = element.attributes.get("name", "")
            files = (draft.cfg.model_file, *draft.cfg.fragments)
            number = int(element.origin.removeprefix("fragment ") or 0)
            keys[name] = read_key(
                element, keys.get(name, base), owned[element.origin], str(files[number])
            )
    return keys


def _add(keys: dict[str, Key], key: Key, draft: Draft) -> None:
    if key.name in keys:
        raise Clash(
            f"key {key.name!r}",
            draft.cfg.model_file,
            "a key made from those of the attached models",
            "Rename the key, or choose another prefix.",
        )
    keys[key.name] = key


def _parts(draft: Draft) -> list[Part]:
    """The attached models compiled alone, as far as their keys matter."""
    parts: list[Part] = []
    for item in draft.attached:
        child = next((c for c in draft.children if c.tree is item.tree), None)
        root = item.tree.root
        keyframe = None if child is None else child.cfg.keyframe
        if keyframe is not None or root.sections("keyframe"):
            parts.append(_part(draft, item, child, keyframe))
    return parts


def _part(
    draft: Draft, item: Attached, child: Child | None, keyframe: str | None
) -> Part:
    root = item.tree.root
    text, opened = write(root) if child is None else child.alone
    model = compile_text(text, draft.vfs, opened, root.at.file)
    return Part(item.prefix, model, keyframe, root.at.file)


def _by_origin(
    model: mujoco.MjModel, sources: Sources, draft: Draft
) -> dict[str, dict[str, list[Owned]]]:
    """Columns of each key array by the source whose object owns them."""
    labels = ["", *(f"fragment {i + 1}" for i in range(len(draft.cfg.fragments)))]
    everything = owners(model)
    found = {label: {a: list[Owned]() for a in everything} for label in labels}
    for array, items in everything.items():
        for item in items:
            element = sources.element(item.kind, item.name)
            # what no element defines (a flexcomp's own bodies) is the scene's
            origin = "" if element is None else element.origin
            if origin in found:
                found[origin][array].append(item)
    return found
