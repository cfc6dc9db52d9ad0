"""Attaches models to a scene, and writes the result as one flat text."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unisim.config import AttachCfg, OptionsCfg
from unisim.errors import BadAttachment, Clash, UnknownName
from unisim.scene.compile import parse_spec
from unisim.scene.load import Attached, Tree
from unisim.scene.merge import (
    GLOBAL,
    decided_by,
    merge_global,
    remove_sections,
)
from unisim.scene.names import named, sources_of
from unisim.scene.source import Element, write

_POSE = ("pos", "quat", "axisangle", "euler", "xyaxes", "zaxis")
_MOUNT = "unisim_mount_{}"


@dataclass(frozen=True)
class Child:
    """A model attached by the scene config."""

    cfg: AttachCfg
    tree: Tree


def prefixes(host: Tree, children: list[Child]) -> list[Attached]:
    """All attached models, those of the host's own `<attach>` elements first.

    Raises:
        Clash: If two of them share a prefix.
    """
    found = [*_nested(host, "")]
    for child in children:
        found.append(Attached(child.cfg.prefix, child.cfg.body, child.tree))
        found += _nested(child.tree, child.cfg.prefix)
    seen: dict[str, Attached] = {}
    for item in found:
        if item.prefix in seen and item.tree is not seen[item.prefix].tree:
            raise Clash(
                f"prefix {item.prefix!r}",
                seen[item.prefix].tree.root.at,
                f"that of {item.tree.root.at.file}",
                "Give every attached model its own prefix.",
            )
        if item.prefix in seen and item.body == seen[item.prefix].body:
            raise Clash(
                f"prefix {item.prefix!r}",
                item.tree.root.at,
                "another copy of the same model",
                "Give every copy its own prefix.",
            )
        seen[item.prefix] = item
    return found


def _nested(tree: Tree, prefix: str) -> list[Attached]:
    found: list[Attached] = []
    for item in tree.attached():
        found.append(Attached(prefix + item.prefix, item.body, item.tree))
        found += _nested(item.tree, prefix + item.prefix)
    return found


def fill_options(host: Tree, attached: list[Attached], options: OptionsCfg) -> None:
    """Move the attached models' options into the host, which wins where it speaks.

    Raises:
        Clash: If authored values disagree and the scene config does not decide.
    """
    decided = decided_by(options)
    for item in attached:
        for section in remove_sections(item.tree.root, (*GLOBAL, "visual")):
            if section.tag in ("option", "size"):
                merge_global(host.root, section, decided)


def drop_free_joints(child: Child) -> None:
    """Refuse, or on request drop, free joints that would end up below the world.

    Raises:
        BadAttachment: If there is one and the config does not say to drop it.
    """
    if child.cfg.to is None:
        return
    for parent in child.tree.root.walk():
        free = [
            item
            for item in parent.children
            if item.tag == "freejoint"
            or (item.tag == "joint" and item.attributes.get("type") == "free")
        ]
        if free and child.cfg.free_joint == "refuse":
            raise BadAttachment(
                free[0].at,
                "a free joint cannot be attached below the world.",
                f"Set free_joint = 'drop' for prefix {child.cfg.prefix!r}, or attach "
                "to the world.",
            )
        parent.children = [item for item in parent.children if item not in free]


def add_mount(root: Element, child: Child, number: int) -> None:
    """Put a frame where a model is to be attached.

    Raises:
        UnknownName: If the site, body or frame is not in the scene.
        BadAttachment: If its pose cannot be taken over.
    """
    cfg = child.cfg
    mount = Element("frame", {"name": _MOUNT.format(number)}, root.at)
    mount.attributes["pos"] = " ".join(map(repr, cfg.pos))
    mount.attributes["quat"] = " ".join(map(repr, cfg.quat))
    if cfg.to is None:
        world = root.sections("worldbody") or [Element("worldbody", {}, root.at)]
        if world[0] not in root.children:
            root.children.append(world[0])
        world[0].children.append(mount)
        return
    parent, target = _target(root, cfg)
    if cfg.to_kind != "site":
        target.children.append(mount)
        return
    if "fromto" in target.attributes:
        raise BadAttachment(
            target.location("fromto"),
            f"site {cfg.to!r} is posed by fromto.",
            "Give the site a pos and a quat to attach to it.",
        )
    frame = Element("frame", _pose(root, target), target.at, [mount])
    parent.children.append(frame)


def _pose(root: Element, site: Element) -> dict[str, str]:
    """Pose attributes of a site, those of its default class included."""
    sources = sources_of(Tree(root), [])
    pose = {k: v for k, v in site.attributes.items() if k in _POSE}
    turned = any(name in pose for name in _POSE[1:])
    for name in _POSE:
        source = sources.default(site, name)
        if source is not None and name not in pose and not (turned and name != "pos"):
            pose[name] = source.attributes[name]
    return pose


def _target(root: Element, cfg: AttachCfg) -> tuple[Element, Element]:
    known: list[str] = []
    for section in root.sections("worldbody"):
        for parent in section.walk():
            for element in parent.children:
                if element.tag != cfg.to_kind or "name" not in element.attributes:
                    continue
                if element.attributes["name"] == cfg.to:
                    return parent, element
                known.append(element.attributes["name"])
    raise UnknownName(f"{cfg.to_kind} to attach to", cfg.to or "", known)


def embed_models(tree: Tree, vfs: dict[str, bytes]) -> None:
    """Put the texts of a tree's own `<model>` assets among the files it names."""
    for element in tree.root.walk():
        if element.tag == "model" and element.attributes.get("name") in tree.models:
            child = tree.models[element.attributes["name"]]
            embed_models(child, vfs)
            text, _ = write(child.root)
            name = f"{element.attributes['name']}.{len(text)}.xml"
            vfs[name] = text.encode("utf-8", "surrogateescape")
            element.attributes["file"] = name
            element.attributes.pop("content_type", None)


def flatten(
    host: Tree, children: list[Child], vfs: Mapping[str, bytes], file: Path
) -> str:
    """Attach the children at their mounts and write one flat text.

    Raises:
        CompileFailed: If MuJoCo refuses a part or the whole.
        UnknownName: If a subtree's root is not in its model.
    """
    text, opened = write(host.root)
    spec = parse_spec(text, vfs, opened, file)
    for number, child in enumerate(children):
        root = child.tree.root
        child_text, child_opened = write(root)
        part = parse_spec(child_text, vfs, child_opened, root.at.file)
        mount = spec.frame(_MOUNT.format(number))
        if child.cfg.body is None:
            spec.attach(part, prefix=child.cfg.prefix, frame=mount)
            continue
        body = part.body(child.cfg.body)
        if body is None:
            known = [e.attributes["name"] for k, e, _ in named(root) if k == "body"]
            raise UnknownName("body to attach", child.cfg.body, known)
        mount.attach_body(body, child.cfg.prefix, "")
    spec.compiler.savecompiled = False
    spec.compile()
    return spec.to_xml()
