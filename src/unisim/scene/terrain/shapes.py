"""The generators of tiles: from a config and a difficulty to heights.

Each takes the tile's config, its samples, its difficulty and its random numbers, and
returns heights [m], shape (n + 1, n + 1), the row growing with y.
"""

from functools import singledispatch

import numpy as np
from numpy.random import Generator

from unisim.scene.terrain.lattice import Heights, Lattice, between
from unisim.scene.terrain.scatter import boxes, noise, stones
from unisim.tiles import (
    Direction,
    FlatCfg,
    GapsCfg,
    ObstaclesCfg,
    PitsCfg,
    PyramidSlopeCfg,
    PyramidStairsCfg,
    RoughCfg,
    SlopeCfg,
    SteppingStonesCfg,
    WavesCfg,
)


@singledispatch
def shape(
    cfg: object, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    """Heights of one tile by its config's kind [m]. Shape (n + 1, n + 1)."""
    raise TypeError(f"there is no generator for {type(cfg).__name__}")


@shape.register
def _flat(
    cfg: FlatCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    return lattice.flat()


@shape.register
def _rough(
    cfg: RoughCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    heights = between(cfg.height, difficulty) * noise(lattice, cfg.spacing, rng)
    return _with_platform(heights, lattice, cfg.platform)


@shape.register
def _slope(
    cfg: SlopeCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    run = np.minimum(lattice.inwards(), lattice.platform(cfg.platform))
    return lattice.flat() + between(cfg.slope, difficulty) * lattice.resolution * run


@shape.register
def _pyramid_slope(
    cfg: PyramidSlopeCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    run = np.minimum(lattice.edge(), lattice.platform(cfg.platform))
    slope = between(cfg.slope, difficulty) * _sign(cfg.direction)
    return slope * lattice.resolution * run


@shape.register
def _pyramid_stairs(
    cfg: PyramidStairsCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    run = np.minimum(lattice.edge(), lattice.platform(cfg.platform))
    rise = between(cfg.rise, difficulty) * _sign(cfg.direction)
    return rise * (run // lattice.count(cfg.tread, "tread"))


@shape.register
def _waves(
    cfg: WavesCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    wave = np.sin(2 * np.pi * cfg.count * np.arange(lattice.n + 1) / lattice.n)
    outwards = lattice.platform(cfg.platform) - lattice.edge()
    fading = max(1, lattice.up(cfg.platform / 2))
    weight = np.clip(outwards / fading, 0.0, 1.0)
    return between(cfg.height, difficulty) * weight * np.outer(wave, wave)


@shape.register
def _stepping_stones(
    cfg: SteppingStonesCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    stone = lattice.count(between(cfg.stone, difficulty), "stone")
    gap = lattice.count(between(cfg.gap, difficulty), "gap", least=2)
    tops, hole = stones(lattice, stone, gap, rng)
    heights = np.where(hole, -cfg.depth, between(cfg.uneven, difficulty) * tops)
    return _with_platform(heights, lattice, cfg.platform)


@shape.register
def _gaps(
    cfg: GapsCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    width = lattice.count(between(cfg.width, difficulty), "width", least=2)
    walk = lattice.count(cfg.walk, "walk")
    outwards = lattice.platform(cfg.platform) - lattice.edge()
    place = outwards % (width + walk)
    trench = (outwards > 0) & (place > 0) & (place < width)
    return np.where(trench, -cfg.depth, 0.0)


@shape.register
def _pits(
    cfg: PitsCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    covered = boxes(lattice, cfg.count, cfg.edge, rng)
    heights = np.where(covered, -between(cfg.depth, difficulty), 0.0)
    return _with_platform(heights, lattice, cfg.platform)


@shape.register
def _obstacles(
    cfg: ObstaclesCfg, lattice: Lattice, difficulty: float, rng: Generator
) -> Heights:
    covered = boxes(lattice, cfg.count, cfg.edge, rng)
    heights = np.where(covered, between(cfg.height, difficulty), 0.0)
    return _with_platform(heights, lattice, cfg.platform)


def _with_platform(heights: Heights, lattice: Lattice, width: float) -> Heights:
    if not width:
        return heights
    return np.where(lattice.edge() >= lattice.platform(width), 0.0, heights)


def _sign(direction: Direction) -> float:
    return 1.0 if direction == "up" else -1.0
