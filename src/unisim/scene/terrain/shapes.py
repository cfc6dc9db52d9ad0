"""The generators of tiles: from a config and a difficulty to heights.

Each takes a tile's config and its samples, and returns heights [m], shape
(n + 1, n + 1), the row growing with y.
"""

from functools import singledispatch

import numpy as np

from unisim.scene.terrain.lattice import Heights, Lattice
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
def shape(cfg: object, lattice: Lattice) -> Heights:
    """Heights of one tile, made as its config says [m]. Shape (n + 1, n + 1).

    Raises:
        BadTerrain: If the cells are too coarse for what the tile shows.
    """
    raise TypeError(f"{lattice.name}: {type(cfg).__name__} has no generator")


@shape.register
def _flat(_cfg: FlatCfg, lattice: Lattice) -> Heights:
    return lattice.flat()


@shape.register
def _rough(cfg: RoughCfg, lattice: Lattice) -> Heights:
    heights = lattice.now(cfg.height) * noise(lattice, cfg.spacing)
    return _with_platform(heights, lattice, cfg.platform)


@shape.register
def _slope(cfg: SlopeCfg, lattice: Lattice) -> Heights:
    run = np.minimum(lattice.inwards(), lattice.platform(cfg.platform))
    return lattice.flat() + lattice.now(cfg.slope) * lattice.resolution * run


@shape.register
def _pyramid_slope(cfg: PyramidSlopeCfg, lattice: Lattice) -> Heights:
    run = np.minimum(lattice.edge(), lattice.platform(cfg.platform))
    slope = lattice.now(cfg.slope) * _sign(cfg.direction)
    return slope * lattice.resolution * run


@shape.register
def _pyramid_stairs(cfg: PyramidStairsCfg, lattice: Lattice) -> Heights:
    run = np.minimum(lattice.edge(), lattice.platform(cfg.platform))
    rise = lattice.now(cfg.rise) * _sign(cfg.direction)
    return rise * (run // lattice.count(cfg.tread, "tread"))


@shape.register
def _waves(cfg: WavesCfg, lattice: Lattice) -> Heights:
    wave = np.sin(2 * np.pi * cfg.count * np.arange(lattice.n + 1) / lattice.n)
    outwards = lattice.platform(cfg.platform) - lattice.edge()
    fading = max(1, lattice.up(cfg.platform / 2))
    weight = np.clip(outwards / fading, 0.0, 1.0)
    return lattice.now(cfg.height) * weight * np.outer(wave, wave)


@shape.register
def _stepping_stones(cfg: SteppingStonesCfg, lattice: Lattice) -> Heights:
    stone = lattice.count(lattice.now(cfg.stone), "stone")
    gap = lattice.count(lattice.now(cfg.gap), "gap", least=2)
    tops, hole = stones(lattice, stone, gap)
    heights = np.where(hole, -cfg.depth, lattice.now(cfg.uneven) * tops)
    return _with_platform(heights, lattice, cfg.platform)


@shape.register
def _gaps(cfg: GapsCfg, lattice: Lattice) -> Heights:
    width = lattice.count(lattice.now(cfg.width), "width", least=2)
    walk = lattice.count(cfg.walk, "walk")
    outwards = lattice.platform(cfg.platform) - lattice.edge()
    place = outwards % (width + walk)
    trench = (outwards > 0) & (place > 0) & (place < width)
    return np.where(trench, -cfg.depth, 0.0)


@shape.register
def _pits(cfg: PitsCfg, lattice: Lattice) -> Heights:
    covered = boxes(lattice, cfg.count, cfg.edge)
    heights = np.where(covered, -lattice.now(cfg.depth), 0.0)
    return _with_platform(heights, lattice, cfg.platform)


@shape.register
def _obstacles(cfg: ObstaclesCfg, lattice: Lattice) -> Heights:
    covered = boxes(lattice, cfg.count, cfg.edge)
    heights = np.where(covered, lattice.now(cfg.height), 0.0)
    return _with_platform(heights, lattice, cfg.platform)


def _with_platform(heights: Heights, lattice: Lattice, width: float) -> Heights:
    if not width:
        return heights
    return np.where(lattice.edge() >= lattice.platform(width), 0.0, heights)


def _sign(direction: Direction) -> float:
    return 1.0 if direction == "up" else -1.0
