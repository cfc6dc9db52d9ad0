"""Puts the configured ground into a scene."""

from math import cos, radians, sin

from unisim.errors import BadTerrain
from unisim.scene.load import Vfs
from unisim.scene.names import named
from unisim.scene.source import Element
from unisim.scene.terrain.field import Field
from unisim.scene.terrain.floor import NAME, check_attached, find_floor, remove_floor
from unisim.scene.terrain.grid import make_grid
from unisim.scene.terrain.read import read_field
from unisim.terrains import AnyTerrainCfg, FieldCfg, HeightsCfg, SurfaceCfg, TerrainCfg

_SHAPE = (
    *("pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto"),
    *("size", "type", "mesh", "hfield", "fitscale"),
)
_OWN = ("condim", "contype", "conaffinity", "solref", "solimp")


def add_terrain(
    root: Element, cfg: AnyTerrainCfg, attached: list[Element], vfs: Vfs
) -> None:
    """Add the configured ground to a scene.

    Args:
        root: The scene, changed in place.
        cfg: The ground.
        attached: Models attached as a whole, which must not bring a floor.
        vfs: Receives the height field, if there is one, by digest name.

    Raises:
        BadTerrain: If there is an infinite plane that the config does not name, or one
            that something else refers to, or a geom or height field named `terrain`,
            or the height field cannot be made or is larger than allowed.
        MissingFile: If the file of a height field is not there.
        BadAsset: If it cannot be read as one.
    """
    if isinstance(cfg, TerrainCfg) and cfg.kind == "none":
        if cfg.replace is not None:
            raise BadTerrain(
                root.at,
                f"terrain.replace names {cfg.replace!r}, but terrain.kind is 'none'.",
                "Set terrain.kind = 'plane'.",
            )
        return
    check_attached(attached)
    replaced = find_floor(root, cfg.replace)
    _check_names(root, replaced)
    if replaced is not None:
        remove_floor(root, replaced)
    if isinstance(cfg, TerrainCfg):
        shape = {"type": "plane"}
        numbers = {"pos": cfg.pos, "quat": cfg.quat, "size": (0.0, 0.0, 1.0)}
    else:
        field = read_field(cfg) if isinstance(cfg, FieldCfg) else make_grid(cfg)
        _section(root, "asset").children.append(_asset(root, cfg, field, vfs))
        shape = {"type": "hfield", "hfield": NAME}
        numbers = _pose(cfg, field)
    shape |= {name: _text(value) for name, value in numbers.items()}
    geom = _geom(root, cfg, shape, replaced)
    _section(root, "worldbody").children.append(geom)


def _check_names(root: Element, replaced: Element | None) -> None:
    for kind, element, _ in named(root):
        taken = kind in ("geom", "hfield") and element.attributes.get("name") == NAME
        if taken and element is not replaced:
            raise BadTerrain(
                element.location("name"), f"a {kind} is named {NAME!r}.", "Rename it."
            )


def _geom(
    root: Element, cfg: SurfaceCfg, shape: dict[str, str], replaced: Element | None
) -> Element:
    """The terrain; what it replaces gives it its masks, material and the like."""
    if replaced is None:
        attributes = {"contype": "1", "conaffinity": "1", "condim": "3"}
    else:
        attributes = {k: v for k, v in replaced.attributes.items() if k not in _SHAPE}
    stated = {name: getattr(cfg, name) for name in _OWN}
    attributes |= {k: _text(v) for k, v in stated.items() if v is not None}
    attributes |= {"name": NAME, "friction": _text(cfg.friction), **shape}
    return Element("geom", attributes, root.at if replaced is None else replaced.at)


def _asset(root: Element, cfg: HeightsCfg, field: Field, vfs: Vfs) -> Element:
    name, content = field.file()
    vfs[name] = content
    size = (*field.half, field.range, cfg.base)
    attributes = {"name": NAME, "file": name, "size": _text(size)}
    asset = Element("hfield", attributes, root.at)
    if isinstance(cfg, FieldCfg):
        asset.files["file"] = cfg.file
    return asset


def _pose(cfg: HeightsCfg, field: Field) -> dict[str, tuple[float, ...]]:
    """MuJoCo puts the lowest sample at the geom's height."""
    x, y, z = cfg.pos
    half = radians(cfg.yaw) / 2
    return {"pos": (x, y, z + field.lowest), "quat": (cos(half), 0.0, 0.0, sin(half))}


def _section(root: Element, tag: str) -> Element:
    found = root.sections(tag)
    if not found:
        found = [Element(tag, {}, root.at)]
        root.children += found
    return found[0]


def _text(value: int | tuple[float, ...]) -> str:
    return " ".join(map(repr, value)) if isinstance(value, tuple) else str(value)
