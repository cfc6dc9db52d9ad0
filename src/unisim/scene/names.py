"""Gives every element a name, and joins names with the places they come from."""

from collections.abc import Iterator, Mapping

from unisim.scene.load import Tree
from unisim.scene.scene import KINDS, SECTIONS, Sources
from unisim.scene.source import Element

_BODY_TREE = frozenset(
    {"body", "joint", "freejoint", "geom", "site", "camera", "light"}
)
_NOT_NAMED = frozenset({"default", "extension", "custom", "keyframe"})
_TENDONS = ("tendon",)
_ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper")
_ACTUATORS += ("cylinder", "muscle", "adhesion", "dcmotor", "plugin")
_DEFAULT_TAGS: Mapping[str, tuple[str, ...]] = {
    "actuator": _ACTUATORS,
    "equality": ("equality",),
    "tendon": _TENDONS,
    "sensor": (),
}


def named(root: Element) -> Iterator[tuple[str, Element, str]]:
    """Every element that defines a named object: its kind, itself, its parent's name."""
    for section in root.children:
        if section.tag in _NOT_NAMED:
            continue
        if section.tag in SECTIONS:
            for child in section.children:
                yield SECTIONS[section.tag], child, section.tag
        elif section.tag == "worldbody":
            yield from _in_body(section, "world")
        elif section.tag in ("asset", "contact"):
            for child in section.children:
                if child.tag in KINDS:
                    yield KINDS[child.tag], child, section.tag
    for section in root.sections("keyframe"):
        for child in section.children:
            yield "key", child, "key"


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
    taken: set[tuple[str, str]] = {
        (kind, element.attributes["name"])
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
            # replicate and the location join treat trailing digits as copies
            name = f"{stem}_{_letters(number)}"
            if (kind, name) not in taken:
                break
        element.attributes["name"] = name
        taken.add((kind, name))


def _letters(number: int) -> str:
    """0, 1, ... as a, b, ..., z, ba, bb, ...: a counter without digits."""
    text = chr(ord("a") + number % 26)
    return text if number < 26 else _letters(number // 26) + text  # noqa: PLR2004


def sources_of(tree: Tree, attached: list[tuple[str, Tree]]) -> Sources:
    """Join tables of a tree and of the trees attached to it under prefixes."""
    elements: dict[tuple[str, str], Element] = {}
    defaults: dict[int, tuple[Element, ...]] = {}
    queue: list[tuple[str, Tree]] = [("", tree), *attached]
    while queue:
        prefix, item = queue.pop(0)
        for kind, element, _ in named(item.root):
            key = (kind, prefix + element.attributes.get("name", ""))
            elements.setdefault(key, element)
        defaults.update(_defaults_of(item.root))
        queue += [(prefix + sub.prefix, sub.tree) for sub in item.attached()]
    return Sources(elements, defaults, tree.root)


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
    own = tuple(child for child in owner.children if child.tag != "default")
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
