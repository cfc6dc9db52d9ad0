"""Assembles the tiles of a grid to one height field."""

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from unisim.scene.terrain.field import Field, check_size
from unisim.scene.terrain.lattice import Lattice
from unisim.scene.terrain.shapes import shape
from unisim.terrains import AnyTerrainCfg, GridCfg


@dataclass(frozen=True)
class Tile:
    """One tile of a grid.

    Attributes:
        name: Its type and level, as `rough 2`.
        level: Column of the grid, from 0.
        type: Row of the grid, from 0.
        difficulty: From 0 at the lowest level to 1 at the highest.
        seed: What its random numbers start from: the grid's seed, type, level.
        row: First row of its samples in the field.
        column: First column of its samples.
    """

    name: str
    level: int
    type: int
    difficulty: float
    seed: tuple[int, int, int]
    row: int
    column: int


def tiles_of(cfg: GridCfg) -> list[Tile]:
    """All tiles, type by type; a grid of a single level has difficulty 0."""
    n, margin = cells(cfg, cfg.size), cells(cfg, cfg.margin)
    return [
        Tile(
            name=f"{name} {level}",
            level=level,
            type=kind,
            difficulty=level / max(1, cfg.levels - 1),
            seed=(cfg.seed, kind, level),
            row=margin + kind * n,
            column=margin + level * n,
        )
        for kind, name in enumerate(cfg.names)
        for level in range(cfg.levels)
    ]


def make_grid(cfg: GridCfg) -> Field:
    """The height field of a grid; its size is checked before it is made.

    Raises:
        BadTerrain: If it has more samples than allowed, or the cells are too coarse
            for what a tile shows.
    """
    n, border = cells(cfg, cfg.size), cells(cfg, cfg.border)
    rim = 2 * cells(cfg, cfg.margin) + 1
    size = (len(cfg.tiles) * n + rim, cfg.levels * n + rim)
    check_size("terrain", size, cfg.max_cells)
    heights = np.zeros(size, np.float32)
    inner = n - 2 * border
    for tile in tiles_of(cfg):
        rng = np.random.default_rng(tile.seed)
        lattice = Lattice(tile.name, inner, cfg.resolution, tile.difficulty, rng)
        made = shape(cfg.tiles[tile.type], lattice)
        # what lies on the border's own line belongs to the border
        rows = slice(tile.row + border + 1, tile.row + border + inner)
        columns = slice(tile.column + border + 1, tile.column + border + inner)
        heights[rows, columns] = made[1:-1, 1:-1]
    return Field(heights, cfg.resolution)


def record(cfg: AnyTerrainCfg) -> dict[str, object]:
    """What a ground was made from, as plain values: its config, and every tile."""
    values: dict[str, object] = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in asdict(cfg).items()
    }
    if isinstance(cfg, GridCfg):
        values["made"] = [asdict(tile) for tile in tiles_of(cfg)]
    return values


def cells(cfg: GridCfg, length: float) -> int:
    """A length that the config has checked, in cells."""
    return round(length / cfg.resolution)
