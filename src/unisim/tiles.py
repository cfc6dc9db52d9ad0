"""Configs of terrain tiles: one class per generator.

What gets harder with the level is a pair: its value at the lowest level and at the
highest; levels between them interpolate. Horizontal lengths are rounded to whole cells
of the field; a vertical wall is as wide as one cell.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, NonNegativeFloat, PositiveFloat, PositiveInt
from pydantic.dataclasses import dataclass

from unisim.options import STRICT

Pair = tuple[NonNegativeFloat, NonNegativeFloat]


def _rising(pair: Pair) -> Pair:
    if pair[1] < pair[0]:
        raise ValueError("the highest level must not be easier than the lowest")
    return pair


def _falling(pair: Pair) -> Pair:
    if pair[0] < pair[1]:
        raise ValueError("the highest level must not be easier than the lowest")
    return pair


def _ordered(pair: Pair) -> Pair:
    if pair[1] < pair[0]:
        raise ValueError("the smallest comes first")
    return pair


Rising = Annotated[Pair, AfterValidator(_rising)]
Falling = Annotated[Pair, AfterValidator(_falling)]
Between = Annotated[Pair, AfterValidator(_ordered)]
Direction = Literal["up", "down"]


@dataclass(frozen=True, kw_only=True, config=STRICT)
class NamedTile:
    """What every kind of tile has."""

    name: Annotated[str, Field(min_length=1)] | None = None
    """Name of the type; None is its kind."""
    platform: NonNegativeFloat = 1.0
    """Edge of the flat square in the middle [m]."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class FlatCfg(NamedTile):
    """Flat ground, at every level."""

    kind: Literal["flat"] = "flat"


@dataclass(frozen=True, kw_only=True, config=STRICT)
class RoughCfg(NamedTile):
    """Seeded uniform noise, interpolated between the points of a square lattice."""

    kind: Literal["rough"] = "rough"
    height: Rising = (0.01, 0.1)
    """Largest height above and depth below the border [m]."""
    spacing: PositiveFloat = 0.2
    """Distance of the lattice's points [m]."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class SlopeCfg(NamedTile):
    """A roof: it rises along x to the middle and falls again, with walls across."""

    kind: Literal["slope"] = "slope"
    slope: Rising = (0.0, 0.5)
    """Rise over run."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class PyramidSlopeCfg(NamedTile):
    """Four slopes to a platform in the middle, up or down."""

    kind: Literal["pyramid_slope"] = "pyramid_slope"
    slope: Rising = (0.0, 0.5)
    """Rise over run."""
    direction: Direction = "up"
    """Whether the middle lies above the border or below."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class PyramidStairsCfg(NamedTile):
    """Four stairs to a platform in the middle, up or down."""

    kind: Literal["pyramid_stairs"] = "pyramid_stairs"
    rise: Rising = (0.03, 0.2)
    """Height of a step [m]."""
    tread: PositiveFloat = 0.3
    """Depth of a step [m]."""
    direction: Direction = "up"
    """Whether the middle lies above the border or below."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class WavesCfg(NamedTile):
    """A product of two sines, flattened towards the platform."""

    kind: Literal["waves"] = "waves"
    height: Rising = (0.02, 0.2)
    """Amplitude [m]."""
    count: PositiveInt = 2
    """Waves from border to border, in x as in y."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class SteppingStonesCfg(NamedTile):
    """Square stones on a lattice with a seeded offset, holes between them."""

    kind: Literal["stepping_stones"] = "stepping_stones"
    stone: Falling = (0.8, 0.4)
    """Edge of a stone [m]."""
    gap: Rising = (0.2, 0.4)
    """Distance between two stones [m], two cells or more."""
    uneven: Rising = (0.0, 0.05)
    """Largest height of a stone above the border and below [m], seeded."""
    depth: PositiveFloat = 1.0
    """Depth of the holes [m]."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class GapsCfg(NamedTile):
    """Square trenches round the platform."""

    kind: Literal["gaps"] = "gaps"
    width: Rising = (0.2, 0.6)
    """Width of a trench [m], two cells or more."""
    walk: PositiveFloat = 1.0
    """Flat ground between two trenches [m]."""
    depth: PositiveFloat = 1.0
    """Depth of a trench [m]."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class PitsCfg(NamedTile):
    """Rectangular pits in seeded places."""

    kind: Literal["pits"] = "pits"
    depth: Rising = (0.05, 0.4)
    """Depth [m]."""
    count: PositiveInt = 12
    """Number; they may overlap."""
    edge: Between = (0.5, 1.5)
    """Shortest and longest edge [m]."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class ObstaclesCfg(NamedTile):
    """Rectangular blocks in seeded places."""

    kind: Literal["discrete_obstacles"] = "discrete_obstacles"
    height: Rising = (0.03, 0.25)
    """Height [m]."""
    count: PositiveInt = 20
    """Number; they may overlap."""
    edge: Between = (0.3, 1.2)
    """Shortest and longest edge [m]."""


TileCfg = Annotated[
    FlatCfg
    | RoughCfg
    | SlopeCfg
    | PyramidSlopeCfg
    | PyramidStairsCfg
    | WavesCfg
    | SteppingStonesCfg
    | GapsCfg
    | PitsCfg
    | ObstaclesCfg,
    Field(discriminator="kind"),
]
