"""The ground: an infinite plane in the place of the file's own."""

from collections.abc import Iterator

from unisim.config import TerrainCfg
from unisim.errors import BadTerrain
from unisim.scene.load import Tree
from unisim.scene.names import named, sources_of
from unisim.scene.scene import Sources
from unisim.scene.source import Element

NAME = "terrain"
"""Name of the terrain's geom."""
_POSE = ("pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto")
_GEOMS = frozenset({"geom", "geom1", "geom2"})
_TYPED = {"objname": "objtype", "refname": "reftype"}


def add_terrain(root: Element, cfg: TerrainCfg, attached: list[Element]) -> None:
    """Add the configured ground to a scene.

    Args:
        root: The scene, changed in place.
        cfg: The ground.
        attached: Models attached as a whole, which must not bring a floor.

    Raises:
        BadTerrain: If there is an infinite plane that the config does not name, or one
            that something else refers to, or a geom named `terrain`.
    """
    if cfg.kind == "none":
        if cfg.replace is not None:
            raise BadTerrain(
                root.at,
                f"terrain.replace names {cfg.replace!r}, but terrain.kind is 'none'.",
                "Set terrain.kind = 'plane'.",
            )
        return
    _check_attached(attached)
    replaced = _replaced(root, cfg)
    for kind, element, _ in named(root):
        taken = kind == "geom" and element.attributes.get("name") == NAME
        if taken and element is not replaced:
            raise BadTerrain(
                element.location("name"), f"a geom is named {NAME!r}.", "Rename it."
            )
    world = root.sections("worldbody")
    if not world:
        world = [Element("worldbody", {}, root.at)]
        root.children += world
    if replaced is not None:
        _remove(root, replaced)
    world[0].children.append(_geom(root, cfg, replaced))


def _geom(root: Element, cfg: TerrainCfg, replaced: Element | None) -> Element:
    """The terrain; what it replaces gives it its masks, material and the like."""
    if replaced is None:
        attributes = {"contype": "1", "conaffinity": "1", "condim": "3"}
    else:
        attributes = {k: v for k, v in replaced.attributes.items() if k not in _POSE}
    numbers = {
        "pos": cfg.pos,
        "quat": cfg.quat,
        "size": (0.0, 0.0, 1.0),
        "friction": cfg.friction,
    }
    attributes |= {"name": NAME, "type": "plane"}
    attributes |= {k: " ".join(map(repr, v)) for k, v in numbers.items()}
    return Element("geom", attributes, root.at if replaced is None else replaced.at)


def _replaced(root: Element, cfg: TerrainCfg) -> Element | None:
    """The floor that makes room; any other floor is refused."""
    replaced = None
    for floor in _infinite_planes(root):
        name = floor.attributes.get("name", "")
        if cfg.replace is not None and name == cfg.replace:
            replaced = floor
            continue
        raise BadTerrain(
            floor.at,
            f"the file already has an infinite floor, geom {name!r}.",
            f"Set terrain.replace = {name!r} to let the terrain take its place."
            if name
            else "Give it a name and set terrain.replace to it.",
        )
    if cfg.replace is not None and replaced is None:
        raise BadTerrain(
            root.at,
            f"terrain.replace names {cfg.replace!r}, which is no infinite plane of the "
            "world.",
            "Name the file's floor, or leave terrain.replace out.",
        )
    return replaced


def _check_attached(attached: list[Element]) -> None:
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


def _remove(root: Element, floor: Element) -> None:
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
