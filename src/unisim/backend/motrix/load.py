"""Runs the engine's importer, and turns all that it says into refusals."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import motrixsim as mx

from unisim.backend.audit.places import place
from unisim.backend.motrix.console import heard
from unisim.backend.motrix.text import Text
from unisim.errors import UnsupportedFeature
from unisim.scene.scene import KINDS, SECTIONS, Scene
from unisim.scene.source import Element

_ENGINE = "motrix"
_IGNORED = re.compile(r"^\s*(\w+)@(\w+) at line: (\d+)")
_SAID = re.compile(r"\b(?:WARN|ERROR)\b\s*(.*)")
_HEADING = "These fields are not support yet, will be ignored"
_PANIC = "PanicException"
"""What a Rust panic is in Python: a BaseException of a class that is not exported."""


def load(
    text: Text, scene: Scene, mend: Callable[["mx.msd.World"], None]
) -> "tuple[mx.msd.World, mx.SceneModel]":
    """Read a text into the engine's intermediate, mend that, and compile it.

    Args:
        text: What to read.
        scene: Where things were written by a person.
        mend: Changes the intermediate.

    Raises:
        UnsupportedFeature: If the importer ignores something, warns, fails or panics.
    """
    with refusing(text.lines, scene):
        world = mx.msd.from_str(text.xml)
        mend(world)
        return world, mx.msd.build(world)


@contextmanager
def refusing(lines: Sequence[Element], scene: Scene) -> Iterator[None]:
    """Raise for what the engine writes to the console, or dies of.

    Raises:
        UnsupportedFeature: Then.
    """
    said: list[str] = []
    try:
        with heard(said):
            yield
    except BaseException as error:
        if not isinstance(error, RuntimeError) and type(error).__name__ != _PANIC:
            raise
        reasons = [_told(str(error), scene)]
        raise UnsupportedFeature(_ENGINE, reasons, ()) from None
    reasons = list(_refusals(said, lines, scene))
    if reasons:
        raise UnsupportedFeature(_ENGINE, reasons, ())


def _refusals(
    said: Sequence[str], lines: Sequence[Element], scene: Scene
) -> Iterator[str]:
    for line in said:
        ignored, warned = _IGNORED.match(line), _SAID.search(line)
        if ignored:
            tag, attribute, number = ignored.groups()
            element = lines[int(number) - 1] if int(number) <= len(lines) else None
            yield _named(element, tag, attribute, scene)
        elif warned and _HEADING not in line:
            yield _told(warned[1], scene)


def _named(element: Element | None, tag: str, attribute: str, scene: Scene) -> str:
    """Name an element whose attribute is ignored, with its place."""
    name = "" if element is None else element.attributes.get("name", "")
    kind = kind_of(element.tag if element else tag)
    if kind is None or not name:
        at = place(scene.sources, "option", "option", attribute)
        return f"<{tag} {attribute}> ({at}): the engine ignores it"
    at = place(scene.sources, kind, name, attribute)
    return f"{kind} {name!r} ({at}): the engine ignores {attribute}"


def _told(message: str, scene: Scene) -> str:
    """A message of the engine, with the place of the object that it names."""
    first = message.strip().splitlines()[0] if message.strip() else "it failed"
    words = re.findall(r"[^\s'\",:;()]+", first)
    for word in reversed(words):
        found = scene.sources.elements(word)
        if found:
            kind, element = found[0]
            return f"{kind} {word!r} ({element.at}): the engine says: {first}"
    return f"{scene.file}: the engine says: {first}"


def kind_of(tag: str) -> str | None:
    """Kind of the object that an element of this tag defines."""
    if tag in ("joint", "connect", "weld", "fixed", "general", "motor"):
        tables = {"connect": "equality", "weld": "equality", "fixed": "tendon"}
        return tables.get(tag, SECTIONS.get("actuator") if tag != "joint" else "joint")
    return KINDS.get(tag)
