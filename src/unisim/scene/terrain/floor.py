"""The file's infinite floor: found, and taken out to make room for the terrain."""

from collections.abc import Iterator

from unisim.errors import BadTerrain
from unisim.scene.load import Tree
from unisim.scene.names import named, sources_of
from unisim.scene.scene import Sources
from unisim.scene.source import Element

NAME = "terrain"
"""Name of the terrain's geom, and of its height field."""
_GEOMS = frozenset({"geom", "geom1", "geom2"})
_TYPED = {"objname": "objtype", "refname": "reftype"}


def find_floor(root: Element, replace: str | None) -> Element | None:
    """The floor that makes room for the terrain; any other floor is refused.

    Raises:
        BadTerrain: If there is a floor that is not named, or none of that name.
    """
    replaced = None
    for floor in _infinite_planes(root):
        name = floor.attributes.get("name", "")
        if replace is not None and name == replace:
            replaced = floor
            continue
        raise BadTerrain(
            floor.at,
            f"the file already has an infinite floor, geom {name!r}.",
            f"Set terrain.replace = {name!r} to let the terrain take its place."
            if name
            else "Give it a name and set terrain.replace to it.",
        )
    if replace is not None and replaced is None:
        raise BadTerrain(
            root.at,
            f"terrain.replace names {replace!r}, which is no infinite plane of the "
            "world.",
            "Name the file's floor, or leave terrain.replace out.",
        )
    return replaced


def check_attached(attached: list[Element]) -> None:
    """Refuse models that bring a floor of their own.

    Raises:
        BadTerrain: Naming the first.
    """
    for model in attached:
        for floor in _infinite_planes(model):
            raise BadTerrain(
                floor.at,
                "the attached model brings an infinite floor of its own.",
                "Attach a subtree of it: set body to the name of its root body.",
            )


def _infinite_planes(root: Element) -> Iterator[Element]:
    """Planes of the world body that are infinite in x or y, classes resolved."""
    sources = sources_of(Tree(root), [])
    for kind, element, parent in named(root):
        if kind == "geom" and parent == "world":
            values = [_value(sources, element, name) for name in ("type", "size")]
            size = values[1].split() or ["0", "0"]
            if values[0] == "plane" and any(_zero(item) for item in size[:2]):
                yield element


def _value(sources: Sources, element: Element, attribute: str) -> str:
    source = element
    if attribute not in element.attributes:
        source = sources.default(element, attribute) or element
    return source.attributes.get(attribute, "").strip()


def _zero(text: str) -> bool:
    return not text.strip("+-.0eE")


def remove_floor(root: Element, floor: Element) -> None:
    """Take the floor out of the scene.

    Raises:
        BadTerrain: If something refers to it by another name than the terrain's.
    """
    name = floor.attributes["name"]
    for element in root.walk() if name != NAME else ():
        for attribute, value in element.attributes.items():
            kind = element.attributes.get(_TYPED.get(attribute, ""), "")
            if value == name and (attribute in _GEOMS or kind == "geom"):
                raise BadTerrain(
                    element.location(attribute),
                    f"<{element.tag}> refers to the floor {name!r}, so it cannot be "
                    "replaced.",
                    f"Let it refer to {NAME!r}, or keep the file's floor.",
                )
    for parent in root.walk():
        parent.children = [item for item in parent.children if item is not floor]
