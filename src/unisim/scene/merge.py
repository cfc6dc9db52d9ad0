"""Merges fragments into a scene, and options of several sources into one.

MuJoCo's own include takes the last of several values without a word; here values that
disagree are an error naming both places, unless the scene config decides.
"""

import dataclasses
from collections.abc import Iterator

from unisim.config import OptionsCfg
from unisim.errors import BadScene, Clash
from unisim.scene.names import named
from unisim.scene.source import Element, Location

GLOBAL = ("option", "size", "statistic")
"""Sections that hold values of the whole scene."""
_MERGED = (*GLOBAL, "compiler", "visual", "default")
_COMPILER: dict[str, str] = {
    "angle": "degree",
    "eulerseq": "xyz",
    "autolimits": "true",
    "inertiafromgeom": "auto",
    "balanceinertia": "false",
    "boundmass": "0",
    "boundinertia": "0",
    "settotalmass": "-1",
    "fusestatic": "false",
    "inertiagrouprange": "0 5",
    "alignfree": "false",
    "discardvisual": "false",
    "usethread": "true",
}
_DECIDE = "Change one of them, or set options.{} in the scene config."


def merge_fragment(host: Element, fragment: Element, decided: frozenset[str]) -> None:
    """Add a fragment's sections to the host; repeated sections merge.

    Args:
        host: Changed in place.
        fragment: Its elements move into the host.
        decided: Option names that the scene config sets, which may disagree.

    Raises:
        Clash: If both define a name, or disagree about a value.
    """
    _check_names(host, fragment)
    _check_compiler(host, fragment)
    for section in fragment.children:
        if section.tag == "default":
            _merge_default(host, section)
        elif section.tag == "visual":
            for child in section.children:
                _merge_values(_section(host, "visual"), child, frozenset())
        elif section.tag in GLOBAL:
            merge_global(host, section, decided)
        elif section.tag != "compiler":
            host.children.append(section)


def merge_global(host: Element, section: Element, decided: frozenset[str]) -> None:
    """Fill what the host's `<option>`, `<size>` or `<statistic>` leaves unset.

    Raises:
        Clash: If both state a value, the values differ, and nobody decided.
    """
    for attribute, value in section.attributes.items():
        _fill(host, section, (section.tag,), attribute, value, decided)
    for child in section.children:
        for attribute, value in child.attributes.items():
            _fill(host, child, (section.tag, child.tag), attribute, value, decided)


def override_options(host: Element, options: OptionsCfg) -> None:
    """Write the scene config's options over everything the files state."""
    values = {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if field.name != "flags"
    }
    stated = {name: _text(item) for name, item in values.items() if item is not None}
    _override(host, ("option",), stated)
    _override(host, ("option", "flag"), dict(options.flags))


def decided_by(options: OptionsCfg) -> frozenset[str]:
    """Names of the options and flags that a scene config sets."""
    names = {
        field.name
        for field in dataclasses.fields(options)
        if field.name != "flags" and getattr(options, field.name) is not None
    }
    return frozenset(names | set(options.flags))


def remove_sections(root: Element, tags: tuple[str, ...]) -> list[Element]:
    """Take sections out of a tree and return them."""
    taken = [child for child in root.children if child.tag in tags]
    root.children = [child for child in root.children if child.tag not in tags]
    return taken


def _override(host: Element, path: tuple[str, ...], values: dict[str, str]) -> None:
    if not values:
        return
    for element in _elements(host, path):
        for name in values:
            element.attributes.pop(name, None)
    target = host
    for tag in path:
        target = _section(target, tag)
    target.attributes.update(values)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(repr(item) for item in value)  # pyright: ignore[reportUnknownVariableType]
    return str(value)


def _section(parent: Element, tag: str) -> Element:
    found = parent.sections(tag)
    if found:
        return found[-1]
    element = Element(tag, {}, parent.at)
    # options and defaults come first, where MuJoCo's own writer puts them
    parent.children.insert(0, element)
    return element


def _elements(root: Element, path: tuple[str, ...]) -> Iterator[Element]:
    level = [root]
    for tag in path:
        level = [child for item in level for child in item.sections(tag)]
    yield from level


def _fill(  # noqa: PLR0913, PLR0917
    host: Element,
    source: Element,
    path: tuple[str, ...],
    attribute: str,
    value: str,
    decided: frozenset[str],
) -> None:
    for element in _elements(host, path):
        own = element.attributes.get(attribute)
        if own is None:
            continue
        if _same(own, value) or attribute in decided:
            return
        raise Clash(
            f"{'/'.join(path)} {attribute}={own!r}",
            element.location(attribute),
            f"{value!r} at {source.location(attribute)}",
            _DECIDE.format(attribute),
        )
    target = host
    for tag in path:
        target = _section(target, tag)
    target.attributes[attribute] = value
    target.lines[attribute] = source.location(attribute)


def _same(first: str, second: str) -> bool:
    try:
        return [*map(float, first.split())] == [*map(float, second.split())]
    except ValueError:
        return first.split() == second.split()


def _merge_values(parent: Element, source: Element, decided: frozenset[str]) -> None:
    for attribute, value in source.attributes.items():
        _fill(parent, source, (source.tag,), attribute, value, decided)


def _merge_default(host: Element, section: Element) -> None:
    """Merge the top default class; a nested class of a known name is a clash."""
    name = section.attributes.get("class", "main")
    own = [
        item
        for item in host.sections("default")
        if item.attributes.get("class", "main") == name
    ]
    if not own:
        host.children.insert(0, section)
        return
    known = {item.attributes.get("class"): item for item in _classes(own)}
    for child in section.children:
        if child.tag != "default":
            _merge_values(own[-1], child, frozenset())
            continue
        for nested in (child, *_classes([child])):
            other = known.get(nested.attributes.get("class"))
            if other is not None:
                raise Clash(
                    f"default class {nested.attributes.get('class')!r}",
                    other.at,
                    f"the one at {nested.at}",
                    "Rename one of them.",
                )
        own[-1].children.append(child)


def _classes(owners: list[Element]) -> Iterator[Element]:
    for owner in owners:
        for element in owner.walk():
            if element.tag == "default" and element is not owner:
                yield element


def _check_names(host: Element, fragment: Element) -> None:
    own = {
        (kind, element.attributes["name"]): element
        for kind, element, _ in named(host)
        if element.attributes.get("name") and kind != "key"
    }
    for kind, element, _ in named(fragment):
        other = own.get((kind, element.attributes.get("name", "")))
        if other is not None:
            raise Clash(
                f"{kind} {element.attributes['name']!r}",
                other.location("name"),
                f"the one at {element.location('name')}",
                "Rename one of them.",
            )


def _check_compiler(host: Element, fragment: Element) -> None:
    """A fragment must be written under the compiler settings of its host."""
    own = _compiler(host)
    theirs = _compiler(fragment)
    for attribute in {**own, **theirs}:
        first, at = own.get(attribute, (_COMPILER.get(attribute), host.at))
        second, there = theirs.get(
            attribute, (_COMPILER.get(attribute), fragment.at)
        )
        if first is None or second is None:
            stated_at, where = (there, at) if first is None else (at, there)
            raise BadScene(
                stated_at,
                f"compiler {attribute} is stated here but not at {where}.",
                "State it in both files.",
            )
        if not _same(first, second):
            raise Clash(
                f"compiler {attribute}={first!r}",
                at,
                f"{second!r} at {there}",
                "Write the fragment under the same compiler settings.",
            )


def _compiler(root: Element) -> dict[str, tuple[str | None, Location]]:
    return {
        name: (value, element.location(name))
        for element in root.sections("compiler")
        for name, value in element.attributes.items()
    }
