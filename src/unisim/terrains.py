"""Configs of the ground: a plane, a height field from a file, a grid of tiles."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    model_validator,
)
from pydantic.dataclasses import dataclass

from unisim.options import STRICT, Vec3
from unisim.tiles import TileCfg

_WHOLE = 1e-6
"""How far a length may be from a whole number of cells, in cells."""
Mask = Annotated[int, Field(ge=0, lt=2**31)]


def _turn(quat: tuple[float, float, float, float]) -> tuple[float, ...]:
    if not any(quat):
        raise ValueError("all zero is no rotation")
    return quat


Quat = Annotated[tuple[float, float, float, float], AfterValidator(_turn)]


@dataclass(frozen=True, kw_only=True, config=STRICT)
class SurfaceCfg:
    """How the ground touches, and what it takes the place of."""

    replace: str | None = None
    """Name of the file's infinite plane that the terrain takes the place of."""
    friction: Vec3 = (1.0, 0.005, 0.0001)
    """Sliding, torsional [m] and rolling [m] friction."""
    condim: Literal[1, 3, 4, 6] | None = None
    """Dimensions of its contacts; None is the replaced plane's, or 3."""
    contype: Mask | None = None
    """Mask of what it touches; None is the replaced plane's, or 1."""
    conaffinity: Mask | None = None
    """Mask of what may touch it; None is the replaced plane's, or 1."""
    solref: tuple[float, float] | None = None
    """Stiffness and damping of its contacts as in MJCF; None leaves them as stated
    for the replaced plane, or by the scene's defaults."""
    solimp: tuple[float, float, float, float, float] | None = None
    """Impedance of its contacts as in MJCF; None as for `solref`."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class TerrainCfg(SurfaceCfg):
    """No ground of its own, or an infinite plane."""

    kind: Literal["none", "plane"] = "none"
    """`none` leaves the file's own ground alone; `plane` adds an infinite plane geom
    named `terrain`."""
    pos: Vec3 = (0.0, 0.0, 0.0)
    """Position in world [m]."""
    quat: Quat = (1.0, 0.0, 0.0, 0.0)
    """Orientation in world, wxyz; the plane's normal is its z axis."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class HeightsCfg(SurfaceCfg):
    """What every height field has: one geom and one asset, both named `terrain`."""

    pos: Vec3 = (0.0, 0.0, 0.0)
    """Where the middle of the field, at height 0, is in world [m]."""
    yaw: float = 0.0
    """Turn about the vertical [deg]."""
    resolution: PositiveFloat = 0.1
    """Distance between two samples, in x as in y [m]."""
    base: PositiveFloat = 0.1
    """Solid ground below the lowest sample [m]."""
    max_cells: PositiveInt = 4_000_000
    """Samples that the field may have; each takes 4 bytes of the model, which all
    worlds share. A field that would be larger is refused before it is made."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class FieldCfg(HeightsCfg):
    """A height field from a file."""

    kind: Literal["field"] = "field"
    file: Path
    """`.npy`: a real array (rows, columns), row 0 at the lowest y and column 0 at the
    lowest x. `.png`: a greyscale picture of 8 or 16 bits seen from above, its top row
    at the highest y. Two rows and columns or more."""
    scale: float = 1.0
    """Height of an array's 1 [m]; of a picture's white, black being 0 [m]."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class GridCfg(HeightsCfg):
    """A grid of square tiles: levels along x, types along y, harder as x grows."""

    kind: Literal["grid"] = "grid"
    tiles: Annotated[tuple[TileCfg, ...], Field(min_length=1)]
    """The types, one row of tiles each."""
    levels: PositiveInt = 5
    """Number of levels."""
    size: PositiveFloat = 8.0
    """Edge of a tile [m], a whole number of cells."""
    border: PositiveFloat = 0.5
    """Flat rim inside every tile, at height 0 [m], a whole number of cells."""
    margin: NonNegativeFloat = 2.0
    """Flat rim round the whole grid [m], a whole number of cells."""
    seed: NonNegativeInt = 0
    """Every tile derives its own from it."""
    patch: PositiveFloat = 0.6
    """Edge of the flat squares that worlds start on [m]."""
    patch_step: NonNegativeFloat = 0.005
    """Largest difference of heights inside a flat square [m]."""
    patches: PositiveInt = 4
    """Flat squares per tile at most, apart from each other, the middle ones first."""

    @model_validator(mode="after")
    def _check(self) -> "GridCfg":
        for name in ("size", "border", "margin"):
            cells = getattr(self, name) / self.resolution
            if abs(cells - round(cells)) > _WHOLE or (name == "border" and cells < 1):
                raise ValueError(
                    f"{name} must be a whole number of cells of {self.resolution} m"
                )
        inner = self.size - 2 * self.border
        if inner < 2 * self.resolution or self.patch > self.size:
            raise ValueError("a tile has no room between its borders, or for a patch")
        wide = [tile.kind for tile in self.tiles if tile.platform > inner]
        if wide:
            raise ValueError(
                f"the platform of {', '.join(wide)} is wider than {inner} m"
            )
        names = self.names
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two types of tiles are named {', '.join(twice)}")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """Name of every type."""
        return tuple(tile.name or tile.kind for tile in self.tiles)


AnyTerrainCfg = Annotated[TerrainCfg | FieldCfg | GridCfg, Field(discriminator="kind")]
