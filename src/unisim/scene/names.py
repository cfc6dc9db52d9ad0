"""Gives every element a name, and joins names with the places they come from."""

import re
from collections.abc import Iterable, Iterator, Mapping

from unisim.scene.load import Tree
from unisim.scene.scene import KINDS, SECTIONS, Sources
from unisim.scene.source import Element

_DIGITS = "0123456789"
_BODY_TREE = frozenset(
    {"body", "joint", "freejoint", "geom", "site", "camera", "light", "flexcomp"}
)
_KEEPERS = frozenset({"asset", "contact", "deformable"})
_NOT_NAMED = frozenset({"default", "extension", "custom", "keyframe"})
_TENDONS = ("tendon",)
_ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "orientation", "pid"),
    *("damper", "cylinder", "muscle", "adhesion", "dcmotor", "plugin"),
)
_DEFAULT_TAGS: Mapping[str, tuple[str, ...]] = {
    "actuator": _ACTUATORS,
    "equality": ("equality",),
    "tendon": _TENDONS,
    "sensor": (),
}


def named(root: Element) -> Iterator[tuple[str, Element, str]]:
    """Every element that defines a named object: kind, itself, its parent's name."""
    for section in root.children:
        tag = section.tag
        if tag == "worldbody":
            yield from _in_body(section, "world")
        elif tag in SECTIONS:
            yield from ((SECTIONS[tag], child, tag) for child in section.children)
        elif tag in _KEEPERS:
            for child in section.children:
                if child.tag in KINDS:
                    yield KINDS[child.tag], child, tag
    for section in root.sections("keyframe"):
        yield from (("key", child, "key") for child in section.children)


def _in_body(parent: Element, body: str) -> Iterator[tuple[str, Element, str]]:
    for child in parent.children:
        if child.tag in _BODY_TREE:
            yield KINDS[child.tag], child, body
        if child.tag == "body":
            yield from _in_body(child, child.attributes.get("name", body))
        elif child.tag in ("frame", "replicate"):
            yield from _in_body(child, body)


def inject_names(root: Element) -> None:
    """Name every unnamed object deterministically; files keep what they name.

    A name is made from the enclosing body, the kind and a counter, and never equals a
    name that the scene already has.
    """
    # a copy of replicate ends in digits: keep clear of what could be one
    taken: set[tuple[str, str]] = {
        (kind, element.attributes["name"].rstrip(_DIGITS))
        for kind, element, _ in named(root)
        if element.attributes.get("name")
    }
    counts: dict[tuple[str, str], int] = {}
    for kind, element, parent in named(root):
        if element.attributes.get("name"):
            continue
        stem = f"{parent}_{element.tag}" if parent != element.tag else element.tag
        while True:
            number = counts.get((kind, stem), 0)
            counts[kind, stem] = number + 1
            name = f"{stem}_{_letters(number)}"
            if (kind, name) not in taken:
                break
        element.attributes["name"] = name
        taken.add((kind, name))


def _letters(number: int) -> str:
    """0, 1, ... as a, b, ..., z, ba, bb, ...: a counter without digits."""
    text = chr(ord("a") + number % 26)
    return text if number < 26 else _letters(number // 26) + text  # noqa: PLR2004


def sources_of(tree: Tree, attached: Iterable[tuple[str, Tree]]) -> Sources:
    """Join tables of a tree and of the trees attached to it under prefixes."""
    elements: dict[tuple[str, str], Element] = {}
    defaults: dict[int, tuple[Element, ...]] = {}
    endings: set[str] = set()
    roots: list[Element] = []
    queue: list[tuple[str, Tree]] = [("", tree), *attached]
    while queue:
        prefix, item = queue.pop(0)
        roots.append(item.root)
        for kind, element, _ in named(item.root):
            key = (kind, prefix + element.attributes.get("name", ""))
            elements.setdefault(key, element)
        defaults.update(_defaults_of(item.root))
        endings |= set(_endings(item.root, ""))
        queue += [(prefix + sub.prefix, sub.tree) for sub in item.attached()]
    return Sources(elements, defaults, tree.root, endings, roots[1:])


def _endings(parent: Element, outer: str) -> Iterator[str]:
    """Patterns of what replicate appends to names, the innermost first."""
    for child in parent.children:
        ending = outer
        if child.tag == "replicate":
            count = child.attributes.get("count", "").strip()
            width = len(str(int(count) - 1)) if count.isdecimal() else 1
            sep = re.escape(child.attributes.get("sep", ""))
            ending = f"{sep}[0-9]{{{width}}}{outer}"
            yield ending
        yield from _endings(child, ending)


def _defaults_of(root: Element) -> dict[int, tuple[Element, ...]]:
    """By `id(element)`, the default elements that apply to it, nearest first."""
    classes: dict[str, tuple[Element, ...]] = {}
    for section in root.sections("default"):
        _collect(section, section.attributes.get("class", "main"), (), classes)
    found: dict[int, tuple[Element, ...]] = {}
    for section in root.children:
        if section.tag not in _NOT_NAMED:
            _resolve(section, "main", _DEFAULT_TAGS.get(section.tag), classes, found)
    return found


def _collect(
    owner: Element,
    name: str,
    parents: tuple[Element, ...],
    classes: dict[str, tuple[Element, ...]],
) -> None:
    # of two elements of one tag, the later one wins
    own = tuple(i for i in reversed(owner.children) if i.tag != "default")
    classes[name] = (*own, *classes.get(name, ()), *parents)
    for child in owner.children:
        if child.tag == "default":
            _collect(child, child.attributes.get("class", ""), classes[name], classes)


def _resolve(
    parent: Element,
    childclass: str,
    tags: tuple[str, ...] | None,
    classes: Mapping[str, tuple[Element, ...]],
    found: dict[int, tuple[Element, ...]],
) -> None:
    for element in parent.children:
        name = element.attributes.get("class", childclass)
        wanted = (element.tag,) if tags is None else tags
        found[id(element)] = tuple(
            item for item in classes.get(name, ()) if item.tag in wanted
        )
        inner = element.attributes.get("childclass", childclass)
        _resolve(element, inner, tags, classes, found)
