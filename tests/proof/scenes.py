"""Scenes that differ in one attribute."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from proof.values import IN, ON, PICTURES, two_values
from proof.worlds import WORLDS
from unisim.mjcf.schema.table import DEFAULTS
from unisim.mjcf.schema.walk import placed
from unisim.scene.source import Element, parse, write

_FILE = Path("world.xml")
_RENAMED = "n_renamed"


@cache
def world_of(path: str, attribute: str = "") -> str:
    """Name of the world of an attribute, or of the first that holds its element."""
    if f"{path} {attribute}" in IN:
        return IN[f"{path} {attribute}"]
    for name, text in WORLDS.items():
        if any(place == path for place, _ in placed(parse(text, _FILE))):
            return name
    raise LookupError(path)


def pair_of_scenes(path: str, attribute: str) -> tuple[str, str]:
    """Two texts that differ in the value of one attribute, or in one name."""
    first, second = _texts(path, attribute)
    return first, second


def stated(path: str, attribute: str, value: str | None) -> str:
    """The world of an element, with a value of one of its attributes."""
    root = parse(WORLDS[world_of(path, attribute)], _FILE)
    element = _target(root, path, attribute)
    if value is None:
        element.attributes.pop(attribute, None)
    else:
        element.attributes[attribute] = value
    text = write(root)[0]
    if attribute == "gridsize":
        text = text.replace("grid.png", PICTURES.get(value, "grid.png"))
    return text


def _texts(path: str, attribute: str) -> Iterator[str]:
    if attribute == "name" or (path, attribute) == ("default", "class"):
        yield from _named(path, attribute)
        return
    tag = path.removeprefix("default/")
    source = DEFAULTS[tag][0] if path.startswith("default/") else path
    for value in two_values(path, attribute, source):
        yield stated(path, attribute, value)


def _named(path: str, attribute: str) -> Iterator[str]:
    """The world, and the world with another name wherever the first one stands."""
    root = parse(WORLDS[world_of(path, attribute)], _FILE)
    yield write(root)[0]
    old = _target(root, path, attribute).attributes[attribute]
    for element in root.walk():
        for name, value in element.attributes.items():
            words = [_RENAMED if word == old else word for word in value.split(" ")]
            element.attributes[name] = " ".join(words)
    yield write(root)[0]


def _target(root: Element, path: str, attribute: str) -> Element:
    wanted = ON.get(f"{path} {attribute}")
    found = [element for place, element in placed(root) if place == path]
    found.sort(key=lambda element: element.at.line)
    if attribute == "name" or (path, attribute) == ("default", "class"):
        found = [
            item for item in found if item.attributes.get(attribute, "")[:2] == "n_"
        ]
    if wanted is not None:
        found = [item for item in found if item.attributes.get("name") == wanted]
    return found[0]
