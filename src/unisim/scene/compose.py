"""Composes a scene: from a config to one flat MJCF and its reference model."""

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import mujoco

from unisim.config import SceneCfg
from unisim.errors import BadAttachment, CompileFailed, UnknownName
from unisim.scene import cache
from unisim.scene.attach import (
    Child,
    add_mount,
    drop_free_joints,
    embed_models,
    fill_options,
    flatten,
    prefixes,
)
from unisim.scene.compile import compile_text
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
from unisim.scene.load import Attached, Tree, Vfs, load_tree
from unisim.scene.merge import (
    decided_by,
    merge_fragment,
    override_options,
    remove_sections,
)
from unisim.scene.names import inject_names, sources_of
from unisim.scene.scene import Scene, Sources
from unisim.scene.source import Element, parse, write
from unisim.scene.terrain import add_terrain

_ROUNDS = "1"
"""Part of the cache key: raise it when the same input composes differently."""


@dataclass(frozen=True)
class _Draft:
    """Everything the scene is made of, merged but not compiled."""

    cfg: SceneCfg
    host: Tree
    children: list[Child]
    attached: list[Attached]
    vfs: Vfs


def compose(cfg: SceneCfg, *, visuals: bool = True) -> Scene:
    """Merge, attach, name and compile a scene.

    Args:
        cfg: The scene config.
        visuals: Whether geoms, meshes and textures without physical effect are kept;
            without them a scene of many meshes compiles much faster.

    Returns:
        The scene, with the reference model compiled from its flat text.

    Raises:
        BadScene: In one of its forms, naming file and line and what to do.
        UnknownName: If a keyframe or an attachment point is not there.
    """
    draft = _draft(cfg)
    sources = sources_of(
        draft.host, [(child.cfg.prefix, child.tree) for child in draft.children]
    )
    key = _cache_key(draft, visuals)
    found = cache.load(key)
    if found is None:
        found = _compile(draft, sources, visuals)
        cache.store(key, *found)
    xml, model = found
    keyframe = _initial(cfg, model)
    visual = cfg.visual_model_file
    scene = Scene(
        file=cfg.model_file,
        xml=xml,
        assets=draft.vfs,
        model=model,
        sources=sources,
        digest=_digest(xml, draft.vfs),
        keyframe=keyframe,
        visual_file=visual,
    )
    if visual is not None:
        _check_stand_in(visual, scene)
    return scene


def _draft(cfg: SceneCfg) -> _Draft:
    vfs: Vfs = {}
    host = load_tree(cfg.model_file, vfs)
    for number, file in enumerate(cfg.fragments):
        fragment = load_tree(file, vfs, origin=f"fragment {number + 1}")
        host.models.update(fragment.models)
        merge_fragment(host.root, fragment.root, decided_by(cfg.options))
    children = [Child(a, load_tree(a.model_file, vfs, a.prefix)) for a in cfg.attach]
    attached = prefixes(host, children)
    fill_options(host, attached, cfg.options)
    override_options(host.root, cfg.options)
    add_terrain(host.root, cfg.terrain)
    for number, child in enumerate(children):
        drop_free_joints(child)
        add_mount(host.root, child, number)
    for tree in (host, *(item.tree for item in attached)):
        inject_names(tree.root)
    return _Draft(cfg, host, children, attached, vfs)


def _compile(
    draft: _Draft, sources: Sources, visuals: bool
) -> tuple[str, mujoco.MjModel]:
    if not draft.attached and not draft.cfg.fragments:
        return _finish(draft, draft.host.root, visuals)
    parts = _parts(draft)
    written = [
        key
        for section in remove_sections(draft.host.root, ("keyframe",))
        for key in section.children
    ]
    for item in draft.attached:
        remove_sections(item.tree.root, ("keyframe",))
    embed_models(draft.host, draft.vfs)
    root = draft.host.root
    if draft.children:
        flat = flatten(draft.host, draft.children, draft.vfs, draft.cfg.model_file)
        root = _own_names(parse(flat, draft.cfg.model_file), draft)
    _, model = _finish(draft, root, False)
    keys = _complete(draft, sources, model, written, parts)
    if keys:
        section = Element("keyframe", {}, root.at)
        section.children = [key.element(root) for key in keys]
        root.children.append(section)
    return _finish(draft, root, visuals)


def _own_names(root: Element, draft: _Draft) -> Element:
    """Give files their digest names back: MuJoCo puts prefixes before them."""
    for element in root.walk():
        for attribute, value in element.attributes.items():
            if attribute.startswith("file") and value not in draft.vfs:
                for item in draft.attached:
                    name = value.removeprefix(item.prefix)
                    if name in draft.vfs:
                        element.attributes[attribute] = name
    return root


def _finish(draft: _Draft, root: Element, visuals: bool) -> tuple[str, mujoco.MjModel]:
    text, opened = write(root)
    file = draft.cfg.model_file
    if visuals:
        return text, compile_text(text, draft.vfs, opened, file)
    compiler = Element("compiler", {"discardvisual": "true"}, root.at)
    slim = replace(root, children=[*root.children, compiler])
    slim_text, slim_opened = write(slim)
    try:
        return slim_text, compile_text(slim_text, draft.vfs, slim_opened, file)
    except CompileFailed:
        # some models need what MuJoCo would discard: keep all of it
        return text, compile_text(text, draft.vfs, opened, file)


def _parts(draft: _Draft) -> list[Part]:
    """The attached models compiled alone, as far as their keys matter."""
    keyed = {child.cfg.prefix: child.cfg.keyframe for child in draft.children}
    parts: list[Part] = []
    for item in draft.attached:
        root = item.tree.root
        chosen = keyed.get(item.prefix)
        if chosen is None and not root.sections("keyframe"):
            continue
        embed_models(item.tree, draft.vfs)
        text, opened = write(root)
        model = compile_text(text, draft.vfs, opened, root.at.file)
        parts.append(Part(item.prefix, model, chosen, root.at.file))
    return parts


def _complete(
    draft: _Draft,
    sources: Sources,
    model: mujoco.MjModel,
    written: list[Element],
    parts: list[Part],
) -> list[Key]:
    """All keys of the composed scene."""
    base = defaults(model, COMPOSED)
    chosen = [part for part in parts if part.keyframe is not None]
    for part in chosen:
        base = place(base, part, key_number(part, part.keyframe or ""), model)
    owned = _by_origin(model, sources, draft)
    keys: dict[str, Key] = {}
    for element in written:
        name = element.attributes.get("name", "")
        whose = element.origin or str(draft.cfg.model_file)
        keys[name] = read_key(
            element, keys.get(name, base), owned[element.origin], whose
        )
    if chosen and draft.cfg.keyframe is None:
        keys[COMPOSED] = base
    start = keys.get(draft.cfg.keyframe or COMPOSED, base)
    for part in parts:
        for number in range(part.model.nkey):
            name = part.prefix + part.model.key(number).name
            keys[name] = place(start.copy(name), part, number, model)
    return list(keys.values())


def _by_origin(
    model: mujoco.MjModel, sources: Sources, draft: _Draft
) -> dict[str, dict[str, list[Owned]]]:
    """Columns of each key array by the source whose object owns them."""
    labels = ["", *(f"fragment {i + 1}" for i in range(len(draft.cfg.fragments)))]
    found = {label: {a: list[Owned]() for a in owners(model)} for label in labels}
    under = tuple(item.prefix for item in draft.attached)
    for array, items in owners(model).items():
        for item in items:
            element = sources.element(item.kind, item.name)
            origin = "" if element is None else element.origin
            if origin in found and not (under and item.name.startswith(under)):
                found[origin][array].append(item)
    return found


def _initial(cfg: SceneCfg, model: mujoco.MjModel) -> str | None:
    known = [model.key(i).name for i in range(model.nkey)]
    if cfg.keyframe is not None and cfg.keyframe not in known:
        raise UnknownName(f"keyframe in {cfg.model_file}", cfg.keyframe, known)
    composed = any(item.keyframe is not None for item in cfg.attach)
    return cfg.keyframe or (COMPOSED if composed else None)


def _check_stand_in(file: Path, scene: Scene) -> None:
    stand_in = compose(SceneCfg(model_file=file)).model
    for i in range(1, stand_in.nbody):
        name = stand_in.body(i).name
        if mujoco.mj_name2id(scene.model, mujoco.mjtObj.mjOBJ_BODY, name) < 0:
            raise BadAttachment(
                file,
                f"body {name!r} of the visual stand-in is not in the scene.",
                "Bodies are matched by name: rename it or leave it out.",
            )


def _cache_key(draft: _Draft, visuals: bool) -> str:
    digest = sha256(f"{_ROUNDS}|{mujoco.__version__}|{visuals}".encode())
    for tree in (draft.host, *(item.tree for item in draft.attached)):
        text = write(tree.root)[0] + "|" + ",".join(e.origin for e in tree.root.walk())
        digest.update(text.encode("utf-8", "surrogateescape"))
    digest.update(repr([child.cfg for child in draft.children]).encode())
    digest.update(repr((draft.cfg.keyframe, sorted(draft.vfs))).encode())
    return digest.hexdigest()


def _digest(xml: str, vfs: Vfs) -> str:
    text = "|".join((mujoco.__version__, xml, *sorted(vfs)))
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
