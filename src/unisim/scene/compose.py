"""Composes a scene: from a config to one flat MJCF and its reference model."""

import re
from dataclasses import replace
from hashlib import sha256

import mujoco

from unisim.config import SceneCfg
from unisim.errors import BadAttachment, UnknownName
from unisim.scene import cache
from unisim.scene.attach import without_keys
from unisim.scene.complete import complete_keys
from unisim.scene.draft import Draft, make_draft
from unisim.scene.flatten import compile_root, flatten
from unisim.scene.keyframes import COMPOSED
from unisim.scene.load import Vfs
from unisim.scene.names import sources_of
from unisim.scene.scene import Scene, Sources
from unisim.scene.source import write
from unisim.version import __version__

_ROUND = "3"
"""Part of the cache key: raise it when the same input composes differently, within a
version."""
_DIGEST_NAME = re.compile(r"[0-9a-f]{32}[.\w]*")


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
    draft = make_draft(cfg)
    sources = sources_of(
        draft.host, [(child.cfg.prefix, child.tree) for child in draft.children]
    )
    key = _cache_key(draft, visuals=visuals)
    found = cache.load(key)
    if found is None:
        found = _compile(draft, sources, visuals=visuals)
        cache.store(key, *found)
    xml, model = found
    named = set(_DIGEST_NAME.findall(xml))
    assets = {name: draft.vfs[name] for name in sorted(named & set(draft.vfs))}
    scene = Scene(
        file=cfg.model_file,
        xml=xml,
        assets=assets,
        model=model,
        sources=sources,
        digest=_digest(xml, assets),
        keyframe=_initial(cfg, model),
        visual_file=cfg.visual_model_file,
        terrain=cfg.terrain,
        cfg=cfg,
    )
    if scene.visual_file is not None:
        _check_stand_in(scene, SceneCfg(model_file=scene.visual_file))
    return scene


def _compile(
    draft: Draft, sources: Sources, *, visuals: bool
) -> tuple[str, mujoco.MjModel]:
    root = draft.host.root
    if draft.attached:
        return flatten(draft, sources, visuals=visuals)
    if draft.cfg.fragments:
        root = without_keys(root)
        _, model = compile_root(root, draft.vfs, visuals=False)
        keys = complete_keys(draft, sources, model)
        root = replace(root, children=[*root.children, *keys])
    return compile_root(root, draft.vfs, visuals=visuals)


def _initial(cfg: SceneCfg, model: mujoco.MjModel) -> str | None:
    known = [model.key(i).name for i in range(model.nkey)]
    if cfg.keyframe is not None and cfg.keyframe not in known:
        raise UnknownName("key", cfg.keyframe, known, cfg.model_file)
    composed = any(item.keyframe is not None for item in cfg.attach)
    return cfg.keyframe or (COMPOSED if composed else None)


def _check_stand_in(scene: Scene, cfg: SceneCfg) -> None:
    stand_in = compose(cfg)
    for i in range(1, stand_in.model.nbody):
        name = stand_in.model.body(i).name
        if mujoco.mj_name2id(scene.model, mujoco.mjtObj.mjOBJ_BODY, name) < 0:
            raise BadAttachment(
                stand_in.sources.where("body", name, "name"),
                f"body {name!r} of the visual stand-in is not in the scene.",
                "Bodies are matched by name: rename it or leave it out.",
            )


def _cache_key(draft: Draft, *, visuals: bool) -> str:
    versions = f"{__version__}|{_ROUND}|{mujoco.__version__}"
    digest = sha256(f"{versions}|{visuals}".encode())
    for tree in (draft.host, *(item.tree for item in draft.attached)):
        origins = ",".join(element.origin for element in tree.root.walk())
        digest.update(f"{write(tree.root)[0]}|{origins}".encode())
    for child in draft.children:
        digest.update(f"{child.alone[0]}|{child.cfg!r}".encode())
    digest.update(repr((draft.cfg.keyframe, sorted(draft.vfs))).encode())
    return digest.hexdigest()


def _digest(xml: str, assets: Vfs) -> str:
    return sha256("|".join((mujoco.__version__, xml, *assets)).encode()).hexdigest()
