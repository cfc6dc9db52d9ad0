"""Attaches models to a scene, and writes the result as one flat text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

import mujoco

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
    """A model attached by the scene config.

    Attributes:
        cfg: How it is attached.
        tree: The model, as far as it is attached.
        alone: Text and elements of its lines of the whole model, for its keys.
    """

    cfg: AttachCfg
    tree: Tree
    alone: tuple[str, list[Element]] = ("", [])


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


def fill_options(host: Tree, children: list[Child], options: OptionsCfg) -> None:
    """Move the children's options into the host, which wins where it speaks.

    What an `<attach>` element brings is left to MuJoCo: the file means that by it.

    Raises:
        Clash: If authored values disagree and the scene config does not decide.
    """
    decided = decided_by(options)
    for child in children:
        for section in remove_sections(child.tree.root, (*GLOBAL, "visual")):
            if section.tag in ("option", "size"):
                merge_global(host.root, section, decided)


def check_compilers(host: Element, child: Child) -> None:
    """Refuse compiler settings of a whole model, which attaching would lose or spread.

    Raises:
        BadAttachment: If either model states such a setting.
    """
    for root in (host, child.tree.root):
        for compiler in root.sections("compiler"):
            ranges = [item.at for item in compiler.sections("lengthrange")]
            masses = [
                compiler.location(name)
                for name in compiler.attributes
                if name == "settotalmass" and compiler.attributes[name].strip() != "-1"
            ]
            for at in (*masses, *ranges):
                what = "settotalmass" if at in masses else "lengthrange"
                raise BadAttachment(
                    at,
                    f"{what} holds for a model by itself, not for one of several that "
                    "are put together.",
                    "Write the numbers that it makes into the model.",
                )


def drop_free_joints(host: Element, child: Child) -> None:
    """Refuse, or on request drop, free joints that would end up below the world.

    Raises:
        BadAttachment: If there is one and the config does not say to drop it.
        UnknownName: If what to attach to or what to attach is not there.
    """
    top = _top(child)
    free = [item for item in top.walk() if _is_free(item)]
    if not free or child.cfg.to is None or _target(host, child.cfg).body == "world":
        return
    if child.cfg.free_joint == "refuse":
        raise BadAttachment(
            free[0].at,
            "a free joint cannot be attached below the world.",
            f"Set free_joint = 'drop' for prefix {child.cfg.prefix!r}, or attach "
            "to the world.",
        )
    for parent in top.walk():
        parent.children = [item for item in parent.children if item not in free]
    users = [
        (element, attribute)
        for element in child.tree.root.walk()
        for attribute, value in element.attributes.items()
        if attribute.startswith("joint") and value in _names(free)
    ]
    for element, attribute in users:
        raise BadAttachment(
            element.location(attribute),
            f"<{element.tag}> needs the free joint that free_joint = 'drop' drops.",
            "Remove one of them.",
        )


def _names(elements: list[Element]) -> list[str]:
    return [element.attributes.get("name", "") for element in elements]


def _is_free(element: Element) -> bool:
    return element.tag == "freejoint" or (
        element.tag == "joint" and element.attributes.get("type") == "free"
    )


def _top(child: Child) -> Element:
    """The body that is attached, or the tree of the model that is attached whole."""
    root = child.tree.root
    if child.cfg.body is None:
        return root
    bodies = {
        element.attributes.get("name", ""): element
        for kind, element, _ in named(root)
        if kind == "body"
    }
    if child.cfg.body not in bodies:
        raise UnknownName("body", child.cfg.body, bodies, root.at.file)
    return bodies[child.cfg.body]


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
    target = _target(root, cfg)
    if cfg.to_kind != "site":
        target.element.children.append(mount)
        return
    if "fromto" in target.element.attributes:
        raise BadAttachment(
            target.element.location("fromto"),
            f"site {cfg.to!r} is posed by fromto.",
            "Give the site a pos and a quat to attach to it.",
        )
    pose = _pose(root, target.element)
    frame = Element("frame", pose, target.element.at, [mount])
    target.parent.children.append(frame)


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


@dataclass(frozen=True)
class _Target:
    """What to attach to, what it is in, and the body that carries it."""

    element: Element
    parent: Element
    body: str


def _target(root: Element, cfg: AttachCfg) -> _Target:
    known: list[str] = []
    waiting = [(section, "world", False) for section in root.sections("worldbody")]
    while waiting:
        parent, body, copied = waiting.pop()
        for element in parent.children:
            name = element.attributes.get("name", "")
            inner = name if element.tag == "body" else body
            waiting.append((element, inner, copied or element.tag == "replicate"))
            if element.tag != cfg.to_kind or not name:
                continue
            known.append(name)
            if name == cfg.to and copied:
                raise BadAttachment(
                    element.at,
                    f"{cfg.to_kind} {name!r} is replicated.",
                    "Attach to something that is there once.",
                )
            if name == cfg.to:
                return _Target(element, parent, inner)
    raise UnknownName(cfg.to_kind, cfg.to or "", known, root.at.file)


def embed_models(tree: Tree, vfs: dict[str, bytes]) -> None:
    """Put the texts of a tree's own `<model>` assets among the files it names.

    Raises:
        CompileFailed: If MuJoCo refuses one of them.
    """
    for element in tree.root.walk():
        if element.tag == "model" and element.attributes.get("name") in tree.models:
            child = tree.models[element.attributes["name"]]
            embed_models(child, vfs)
            root = without_keys(child.root)
            text, opened = write(root)
            parse_spec(text, vfs, opened, root.at.file)
            content = text.encode()
            name = f"{sha256(content).hexdigest()[:32]}.xml"
            vfs[name] = content
            element.attributes["file"] = name
            element.attributes.pop("content_type", None)


def without_keys(root: Element) -> Element:
    """The same tree without its keyframes."""
    kept = [child for child in root.children if child.tag != "keyframe"]
    return replace(root, children=kept)


def attach_spec(
    host: Element, children: list[Child], vfs: Mapping[str, bytes]
) -> mujoco.MjSpec:
    """Parse the scene and attach the children at their mounts.

    Raises:
        CompileFailed: If MuJoCo refuses a part or the whole.
    """
    text, opened = write(without_keys(host))
    spec = parse_spec(text, vfs, opened, host.at.file)
    for number, child in enumerate(children):
        root = child.tree.root
        child_text, child_opened = write(without_keys(root))
        part = parse_spec(child_text, vfs, child_opened, root.at.file)
        mount = spec.frame(_MOUNT.format(number))
        body = None if child.cfg.body is None else part.body(child.cfg.body)
        try:
            if mount is not None and body is not None:
                mount.attach_body(body, child.cfg.prefix, "")
            else:
                spec.attach(part, prefix=child.cfg.prefix, frame=mount)
        except ValueError as error:
            raise BadAttachment(
                root.at,
                f"MuJoCo cannot attach this as {child.cfg.prefix!r}: {error}",
                "Choose another prefix or another place.",
            ) from None
    spec.compiler.savecompiled = False
    return spec
