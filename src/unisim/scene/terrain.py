"""The ground: an infinite plane in the place of the file's own."""

from collections.abc import Iterator

from unisim.config import TerrainCfg
from unisim.errors import BadTerrain
from unisim.scene.names import named
from unisim.scene.source import Element

NAME = "terrain"
"""Name of the terrain's geom."""


def add_terrain(root: Element, cfg: TerrainCfg) -> None:
    """Add the configured ground to a scene.

    Raises:
        BadTerrain: If the file has an infinite plane that the config does not name, or
            one that something else refers to, or a geom named `terrain`.
    """
    if cfg.kind == "none":
        if cfg.replace is not None:
            raise BadTerrain(
                root.at,
                f"terrain.replace names {cfg.replace!r}, but terrain.kind is 'none'.",
                "Set terrain.kind = 'plane'.",
            )
        return
    for floor in _infinite_planes(root):
        name = floor.attributes.get("name", "")
        if name != cfg.replace:
            raise BadTerrain(
                floor.at,
                f"the file already has an infinite floor, geom {name!r}.",
                f"Set terrain.replace = {name!r} to let the terrain take its place."
                if name
                else "Give it a name and set terrain.replace to it.",
            )
    if cfg.replace is not None:
        _remove(root, cfg.replace)
    if any(k == "geom" and e.attributes.get("name") == NAME for k, e, _ in named(root)):
        raise BadTerrain(root.at, f"a geom is already named {NAME!r}.", "Rename it.")
    numbers = {
        "pos": cfg.pos,
        "quat": cfg.quat,
        "size": (0.0, 0.0, 1.0),
        "friction": cfg.friction,
    }
    attributes = {"name": NAME, "type": "plane"}
    attributes |= {k: " ".join(map(repr, v)) for k, v in numbers.items()}
    world = root.sections("worldbody")
    if not world:
        world = [Element("worldbody", {}, root.at)]
        root.children += world
    world[0].children.append(Element("geom", attributes, root.at))


def _infinite_planes(root: Element) -> Iterator[Element]:
    """Planes of the world body that are infinite in x or y."""
    for kind, element, parent in named(root):
        if kind != "geom" or parent != "world":
            continue
        if element.attributes.get("type") != "plane":
            continue
        size = element.attributes.get("size", "0 0 0").split()
        if 0.0 in map(float, size[:2]):
            yield element


def _remove(root: Element, name: str) -> None:
    found = [item for item in _infinite_planes(root) if item.attributes["name"] == name]
    if not found:
        raise BadTerrain(
            root.at,
            f"terrain.replace names {name!r}, which is no infinite plane of the world.",
            "Name the file's floor, or leave terrain.replace out.",
        )
    for element in root.walk():
        users = [k for k, v in element.attributes.items() if v == name and k != "name"]
        if users:
            raise BadTerrain(
                element.location(users[0]),
                f"<{element.tag}> refers to the floor {name!r}, so it cannot be "
                "replaced.",
                f"Let it refer to {NAME!r}, or keep the file's floor.",
            )
    for parent in root.walk():
        parent.children = [item for item in parent.children if item is not found[0]]
