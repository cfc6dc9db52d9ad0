"""Gathers everything a scene is made of, merged but not compiled."""

from dataclasses import dataclass, replace

from unisim.config import SceneCfg
from unisim.errors import Clash
from unisim.scene.attach import (
    Child,
    add_mount,
    check_compilers,
    drop_free_joints,
    embed_models,
    fill_options,
    prefixes,
)
from unisim.scene.load import Attached, Tree, Vfs, load_tree
from unisim.scene.merge import decided_by, merge_fragment, override_options
from unisim.scene.names import inject_names
from unisim.scene.source import write
from unisim.scene.terrain.add import add_terrain


@dataclass(frozen=True)
class Draft:
    """A scene before MuJoCo sees it.

    Attributes:
        cfg: The scene config.
        host: The scene's own file, with fragments, terrain, options and mounts.
        children: Models that the config attaches.
        attached: All attached models, those of `<attach>` elements included.
        vfs: File contents by digest name.
    """

    cfg: SceneCfg
    host: Tree
    children: list[Child]
    attached: list[Attached]
    vfs: Vfs


def make_draft(cfg: SceneCfg) -> Draft:
    """Read and merge what a config names.

    Raises:
        BadScene: In one of its forms, naming file and line and what to do.
        UnknownName: If an attachment point is not there.
    """
    vfs: Vfs = {}
    host = load_tree(cfg.model_file, vfs)
    for number, file in enumerate(cfg.fragments):
        fragment = load_tree(file, vfs, origin=f"fragment {number + 1}")
        _merge_models(host, fragment)
        merge_fragment(host.root, fragment.root, decided_by(cfg.options))
    children = [Child(a, load_tree(a.model_file, vfs, a.prefix)) for a in cfg.attach]
    attached = prefixes(host, children)
    fill_options(host, children, cfg.options)
    override_options(host.root, cfg.options)
    whole = [child.tree.root for child in children if child.cfg.body is None]
    add_terrain(host.root, cfg.terrain, whole, vfs)
    for tree in (host, *(item.tree for item in attached)):
        inject_names(tree.root)
    embed_models(host, vfs)
    children = [_prepare(host, child, vfs) for child in children]
    for number, child in enumerate(children):
        add_mount(host.root, child, number)
    return Draft(cfg, host, children, attached, vfs)


def _prepare(host: Tree, child: Child, vfs: Vfs) -> Child:
    check_compilers(host.root, child)
    embed_models(child.tree, vfs)
    alone = write(child.tree.root)
    drop_free_joints(host.root, child)
    return replace(child, alone=alone)


def _merge_models(host: Tree, fragment: Tree) -> None:
    for name, model in fragment.models.items():
        if name in host.models:
            raise Clash(
                f"model {name!r}",
                host.models[name].root.at.file,
                f"{model.root.at.file} of the fragment {fragment.root.at.file}",
                "Give them different names.",
            )
        host.models[name] = model
