"""Every kind of tile has the shape it promises, at every level."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from unisim.config import SceneCfg, validate
from unisim.errors import BadConfig, BadTerrain
from unisim.scene.terrain.grid import make_grid, tiles_of
from unisim.terrains import GridCfg
from unisim.tiles import (
    FlatCfg,
    GapsCfg,
    ObstaclesCfg,
    PitsCfg,
    PyramidSlopeCfg,
    PyramidStairsCfg,
    RoughCfg,
    SlopeCfg,
    SteppingStonesCfg,
    TileCfg,
    WavesCfg,
)

KINDS = {kind.kind: kind for kind in get_args(get_args(TileCfg)[0])}
SEEDED = {"rough", "stepping_stones", "pits", "discrete_obstacles"}
SIZE, BORDER, MARGIN, STEP = 6.0, 0.5, 0.4, 0.1
INNER = SIZE - 2 * BORDER


def grid(*tiles, levels=3, seed=3, **more):
    settings = {"size": SIZE, "border": BORDER, "margin": MARGIN, "resolution": STEP}
    return GridCfg(tiles=tiles, levels=levels, seed=seed, **settings | more)


def tile(cfg, level=0, kind=0):
    """Heights of one tile, and x and y of its samples from its middle."""
    made = next(t for t in tiles_of(cfg) if (t.level, t.type) == (level, kind))
    n = round(cfg.size / cfg.resolution)
    heights = make_grid(cfg).heights
    part = heights[made.row : made.row + n + 1, made.column : made.column + n + 1]
    at = (np.arange(n + 1) - n / 2) * cfg.resolution
    return part.astype(float), *np.meshgrid(at, at)


def rim(x, y):
    """Distance from the inner edge of a tile's border, negative on the border."""
    return INNER / 2 - np.maximum(abs(x), abs(y))


def test_the_kinds_are_those_tested_here():
    assert len(KINDS) == 10
    assert set(KINDS) > SEEDED


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_seed_makes_the_same_tiles_again(kind):
    first, second = (make_grid(grid(kind())).heights for _ in range(2))
    assert (first == second).all()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_another_seed_makes_other_tiles_where_chance_has_a_part(kind):
    first, second = (make_grid(grid(kind(), seed=s)).heights for s in (3, 4))
    assert (first != second).any() == (kind.kind in SEEDED)


@pytest.mark.parametrize("kind", sorted(SEEDED))
def test_levels_and_types_of_a_grid_get_random_numbers_of_their_own(kind):
    flat = {"depth": (0.2, 0.2)} if kind == "pits" else {"height": (0.2, 0.2)}
    if kind == "stepping_stones":
        flat = {"uneven": (0.1, 0.1), "gap": (0.2, 0.2), "stone": (0.5, 0.5)}
    cfg = grid(KINDS[kind](name="a", **flat), KINDS[kind](name="b", **flat), levels=2)
    parts = [tile(cfg, level, row)[0] for level in (0, 1) for row in (0, 1)]
    for i, first in enumerate(parts):
        assert all((first != second).any() for second in parts[i + 1 :])


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_borders_and_margins_are_flat_at_height_zero(kind):
    cfg = grid(kind(), kind(name="again"))
    for level in range(3):
        heights, x, y = tile(cfg, level)
        assert (heights[rim(x, y) <= 1e-9] == 0).all()
    whole, margin = make_grid(cfg).heights, round(MARGIN / STEP)
    assert whole.shape == (2 * 60 + 2 * margin + 1, 3 * 60 + 2 * margin + 1)
    inside = np.zeros(whole.shape, bool)
    inside[margin:-margin, margin:-margin] = True
    assert (whole[~inside] == 0).all()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_middle_of_every_tile_is_a_flat_platform(kind):
    heights, x, y = tile(grid(kind(platform=1.2)), 2)
    middle = heights[np.maximum(abs(x), abs(y)) <= 0.6 + 1e-9]
    assert middle.size == 13**2
    assert np.ptp(middle) == 0


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"flat", "gaps"}))
def test_a_higher_level_is_harder(kind):
    spread = [tile(grid(KINDS[kind]()), level)[0].std() for level in range(3)]
    assert spread[0] < spread[1] < spread[2]


def test_rough_ground_fills_its_range_and_no_more():
    cfg = grid(RoughCfg(height=(0.0, 0.08), spacing=0.2))
    assert (tile(cfg, 0)[0] == 0).all()
    for level in (1, 2):
        heights, most = tile(cfg, level)[0], 0.04 * level
        assert 0.95 * most < heights.max() <= most + 1e-9
        assert 0.95 * most < -heights.min() <= most + 1e-9


def test_rough_ground_is_straight_between_the_points_of_its_lattice():
    heights, _, _ = tile(grid(RoughCfg(spacing=0.5, platform=0.0)), 2)
    cell = heights[10:16, 10:16]
    assert np.ptp(np.diff(cell, axis=0), axis=0) == pytest.approx(0, abs=1e-7)
    assert np.ptp(np.diff(cell, axis=1), axis=1) == pytest.approx(0, abs=1e-7)
    assert np.ptp(np.diff(heights[10:17, 10])) > 1e-3


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_slope_rises_to_the_middle_along_x(level):
    heights, x, y = tile(grid(SlopeCfg(slope=(0.1, 0.5), platform=1.0)), level)
    slope = 0.1 + 0.2 * level
    expected = slope * np.minimum(INNER / 2 - abs(x), INNER / 2 - 0.5)
    inside = rim(x, y) > 1e-9
    assert heights[inside] == pytest.approx(expected[inside], abs=1e-6)


@pytest.mark.parametrize(("direction", "sign"), [("up", 1), ("down", -1)])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_pyramid_slopes_to_its_platform(direction, sign, level):
    cfg = PyramidSlopeCfg(slope=(0.1, 0.5), platform=1.0, direction=direction)
    heights, x, y = tile(grid(cfg), level)
    run = np.clip(rim(x, y), 0, INNER / 2 - 0.5)
    assert heights == pytest.approx(sign * (0.1 + 0.2 * level) * run, abs=1e-6)


@pytest.mark.parametrize(("direction", "sign"), [("up", 1), ("down", -1)])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_stairs_have_one_rise_per_tread(direction, sign, level):
    cfg = PyramidStairsCfg(
        rise=(0.04, 0.2), tread=0.4, platform=1.0, direction=direction
    )
    heights, x, y = tile(grid(cfg), level)
    run = np.clip(rim(x, y), 0, INNER / 2 - 0.5)
    steps = np.floor(run / 0.4 + 1e-6)
    assert steps.max() == 5
    assert heights == pytest.approx(sign * (0.04 + 0.08 * level) * steps, abs=1e-6)


def test_waves_are_a_product_of_sines():
    cfg = WavesCfg(height=(0.0, 0.2), count=2, platform=0.0)
    heights, x, y = tile(grid(cfg), 1)
    inside = rim(x, y) > 1e-9
    phase = 2 * np.pi * 2 / INNER
    expected = 0.1 * np.sin(phase * (x - INNER / 2)) * np.sin(phase * (y - INNER / 2))
    # next to the middle the waves are faded out
    inside &= np.maximum(abs(x), abs(y)) > STEP * 1.5
    assert heights[inside] == pytest.approx(expected[inside], abs=1e-6)


def test_stones_are_as_wide_as_stated_and_as_far_apart():
    cfg = SteppingStonesCfg(
        stone=(0.8, 0.4), gap=(0.2, 0.4), uneven=(0.0, 0.05), depth=0.7, platform=0.0
    )
    for level, stone, gap in ((0, 8, 2), (2, 4, 4)):
        heights, _, _ = tile(grid(cfg), level)
        hole = heights < -0.5
        assert heights[hole] == pytest.approx(-0.7)
        assert abs(heights[~hole]).max() <= 0.025 * level + 1e-9
        row = next(row for row in hole[8:] if not row[8:-8].all())
        runs = np.diff(np.flatnonzero(np.diff(row.astype(int))))
        assert set(runs[1:-1].tolist()) == {stone + 1, gap - 1}


def test_a_stone_is_level():
    heights, _, _ = tile(grid(SteppingStonesCfg(platform=0.0)), 2)
    tops = np.unique(heights[heights > -0.5])
    assert len(tops) > 20


def test_gaps_ring_the_platform_and_widen():
    cfg = GapsCfg(width=(0.2, 0.6), walk=0.8, depth=0.5, platform=1.0)
    for level in range(3):
        heights, x, y = tile(grid(cfg), level)
        away = np.maximum(abs(x), abs(y)) - 0.5
        width = 0.2 + 0.2 * level
        place = np.mod(away, width + 0.8)
        low = (away > 1e-9) & (place > 1e-9) & (place < width - 1e-9)
        low &= (width + 0.8 - place > 1e-9) & (rim(x, y) > 1e-9)
        assert low.any()
        assert heights == pytest.approx(np.where(low, -0.5, 0.0))


@pytest.mark.parametrize(
    ("cfg", "sign"),
    [(PitsCfg(depth=(0.1, 0.3)), -1), (ObstaclesCfg(height=(0.1, 0.3)), 1)],
)
def test_pits_and_obstacles_are_as_deep_and_high_as_stated(cfg, sign):
    for level in range(3):
        heights, _, _ = tile(grid(cfg), level)
        size = sign * (0.1 + 0.1 * level)
        assert np.unique(heights) == pytest.approx(sorted([0.0, size]))
        assert 0.05 < (heights != 0).mean() < 0.6


def test_one_obstacle_covers_what_its_edge_says():
    cfg = ObstaclesCfg(count=1, edge=(0.7, 0.7), platform=0.0)
    heights, _, _ = tile(grid(cfg), 2)
    rows, columns = np.nonzero(heights)
    assert (np.ptp(rows), np.ptp(columns)) == (7, 7)


def test_a_single_level_is_the_easiest():
    cfg = grid(ObstaclesCfg(height=(0.1, 0.3)), levels=1)
    assert tile(cfg)[0].max() == pytest.approx(0.1)


COARSE = {
    "gap": SteppingStonesCfg(gap=(0.1, 0.3)),
    "stone": SteppingStonesCfg(stone=(0.5, 0.04)),
    "width": GapsCfg(width=(0.14, 0.5)),
    "tread": PyramidStairsCfg(tread=0.04),
    "edge": PitsCfg(edge=(0.04, 1.0)),
}


@pytest.mark.parametrize(("what", "cfg"), COARSE.items(), ids=COARSE)
def test_what_the_cells_are_too_coarse_for_is_refused(what, cfg):
    with pytest.raises(BadTerrain, match=rf"{cfg.kind} \d'.*{what} of .*cells of 0.1"):
        make_grid(grid(FlatCfg(), cfg))


def test_an_obstacle_as_large_as_the_tile_is_refused():
    with pytest.raises(BadTerrain, match="edge of 5 m does not fit"):
        make_grid(grid(ObstaclesCfg(edge=(1.0, 5.0))))


WRONG = [
    ({"size": 6.05}, "size must be a whole number of cells of 0.1 m"),
    ({"border": 0.0}, "border: Input should be greater than 0"),
    ({"border": 0.25}, "border must be a whole number"),
    ({"margin": 0.33}, "margin must be a whole number"),
    ({"border": 3.0}, "no room between its borders"),
    ({"patch": 7.0}, "no room"),
    ({"levels": 0}, "levels: Input should be greater than 0"),
    ({"tiles": []}, "tiles: Tuple should have at least 1 item"),
    ({"tiles": [{"kind": "flat"}, {"kind": "flat"}]}, "types of tiles are named flat"),
    ({"tiles": [{"kind": "flat", "platform": 5.5}]}, "platform of flat is wider"),
    ({"tiles": [{"kind": "lava"}]}, "Input tag 'lava' found"),
    ({"tiles": [{"kind": "rough", "height": [0.2, 0.1]}]}, "must not be easier"),
    ({"tiles": [{"kind": "rough", "height": [-0.2, 0.1]}]}, "greater than or equal"),
    ({"tiles": [{"kind": "rough", "hight": [0.2, 0.1]}]}, "hight: Unexpected"),
    (
        {"tiles": [{"kind": "stepping_stones", "stone": [0.2, 0.3]}]},
        "must not be easier",
    ),
    ({"tiles": [{"kind": "pits", "edge": [2.0, 0.3]}]}, "the smallest comes first"),
    ({"max_cells": 0}, "max_cells: Input should be greater than 0"),
    ({"replase": "floor"}, "replase: Unexpected"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_wrong_grid_says_where_and_what(change, message):
    table = {"kind": "grid", "tiles": [{"kind": "flat"}], "size": SIZE, **change}
    scene = {"model_file": "a.xml", "terrain": table}
    with pytest.raises(BadConfig, match=message) as caught:
        validate(SceneCfg, scene, Path("c.toml"))
    assert "terrain.grid" in str(caught.value)
