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
_WRITING = frozenset({"savecompiled", "saveinertial", "savecanonical"})
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
    "fitaabb": "false",
    "passthrough": "false",
    "conflict": "warning",
    "coordinate": "local",
}
_CHANGE = "Change one of them."
_DECIDE = {
    "option": "Change one of them, or set options.{} in the scene config.",
    "flag": "Change one of them, or set options.flags.{} in the scene config.",
}
_UNTOUCHED = frozenset({
    "asset", "compiler", "contact", "custom", "extension", "keyframe", "option",
    "sensor", "size", "statistic", "visual",
})  # fmt: skip
"""Sections whose meaning does not depend on compiler settings."""


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
    _check_classes(host, fragment)
    _check_compiler(host, fragment)
    for section in fragment.children:
        if section.tag == "default":
            _merge_default(host, section)
        elif section.tag == "visual":
            for child in section.children:
                _fill(host, child, ("visual", child.tag), frozenset())
        elif section.tag in GLOBAL:
            merge_global(host, section, decided)
        elif section.tag != "compiler":
            host.children.append(section)


def merge_global(host: Element, section: Element, decided: frozenset[str]) -> None:
    """Fill what the host's `<option>`, `<size>` or `<statistic>` leaves unset.

    Raises:
        Clash: If both state a value, the values differ, and nobody decided.
    """
    _fill(host, section, (section.tag,), decided)
    for child in section.children:
        _fill(host, child, (section.tag, child.tag), decided)


def override_options(host: Element, options: OptionsCfg) -> None:
    """Write the scene config's options over everything the files state."""
    _override(host, ("option",), _stated(options))
    _override(host, ("option", "flag"), dict(options.flags))


def decided_by(options: OptionsCfg) -> frozenset[str]:
    """Options and flags that a scene config sets, as `option.x` and `flag.x`."""
    stated = {f"option.{name}" for name in _stated(options)}
    return frozenset(stated | {f"flag.{name}" for name in options.flags})


def _stated(options: OptionsCfg) -> dict[str, str]:
    values = {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if field.name != "flags"
    }
    return {name: _text(item) for name, item in values.items() if item is not None}


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
            element.lines.pop(name, None)
    target = host
    for tag in path:
        target = _section(target, tag)
    target.attributes.update(values)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(repr, value))  # pyright: ignore[reportUnknownArgumentType]
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


def _fill(
    host: Element, source: Element, path: tuple[str, ...], decided: frozenset[str]
) -> None:
    """Take over the attributes that the host's elements at a path leave unset."""
    for attribute, value in source.attributes.items():
        for element in _elements(host, path):
            if attribute in element.attributes:
                break
        else:
            target = host
            for tag in path:
                target = _section(target, tag)
            target.attributes[attribute] = value
            target.lines[attribute] = source.location(attribute)
            continue
        own, name = element.attributes[attribute], f"{source.tag}.{attribute}"
        if not _same(own, value) and name not in decided:
            raise Clash(
                f"{'/'.join(path)} {attribute}={own!r}",
                element.location(attribute),
                f"{value!r} at {source.location(attribute)}",
                _DECIDE.get(source.tag, _CHANGE).format(attribute),
            )


def _same(first: str, second: str) -> bool:
    try:
        return [*map(float, first.split())] == [*map(float, second.split())]
    except ValueError:
        return first.split() == second.split()


def _merge_default(host: Element, section: Element) -> None:
    """Merge the top default class, which then holds for host and fragment alike."""
    own = host.sections("default")
    if not own:
        host.children.insert(0, section)
        return
    for child in section.children:
        if child.tag == "default" or child.children:
            own[-1].children.append(child)
        else:
            _fill(host, child, ("default", child.tag), frozenset())


def _check_classes(host: Element, fragment: Element) -> None:
    known = _classes(host.sections("default"))
    own = {item.attributes.get("class"): item for item in known}
    for nested in _classes(fragment.sections("default")):
        other = own.get(nested.attributes.get("class"))
        if other is not None:
            raise Clash(
                f"default class {nested.attributes.get('class')!r}",
                other.at,
                f"the one at {nested.at}",
                "Rename one of them.",
            )


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
    own, theirs = _compiler(host), _compiler(fragment)
    open_to_them = any(child.tag not in _UNTOUCHED for child in fragment.children)
    stated = {*theirs, *own} if open_to_them else {*theirs}
    for attribute in sorted(stated):
        first, at = own.get(attribute, (_COMPILER.get(attribute), host.at))
        second, there = theirs.get(attribute, (_COMPILER.get(attribute), fragment.at))
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
                f'Write the fragment under <compiler {attribute}="{first}"/>.',
            )


def _compiler(root: Element) -> dict[str, tuple[str | None, Location]]:
    return {
        name: (value, element.location(name))
        for element in root.sections("compiler")
        for name, value in element.attributes.items()
        if name not in _WRITING
    }
