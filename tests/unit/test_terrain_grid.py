"""A composed grid knows its tiles, where to start on them, and who is where."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unisim
from scene_files import no_cache, write  # noqa: F401
from unisim import Curriculum, GridCfg, SceneCfg, Terrain
from unisim.errors import BadArray, BadTerrain, OutOfRange
from unisim.runtime.start import start
from unisim.scene.export import export
from unisim.tiles import (
    FlatCfg,
    ObstaclesCfg,
    PyramidStairsCfg,
    RoughCfg,
    SteppingStonesCfg,
)

ROBOT = """<mujoco><worldbody>
<body name='a' pos='.1 .2 .3'><freejoint/><geom size='.1'/></body>
<body name='arm'><joint name='j'/><geom size='.1' pos='.1 0 0'/></body>
<body name='b' pos='-.2 0 .4'><freejoint/><geom size='.1'/></body>
</worldbody></mujoco>"""
GRID = GridCfg(
    tiles=(
        FlatCfg(platform=0.0),
        RoughCfg(height=(0.05, 0.2), platform=2.0),
        PyramidStairsCfg(name="up", rise=(0.1, 0.2), platform=1.0),
        PyramidStairsCfg(name="down", rise=(0.1, 0.2), platform=1.0, direction="down"),
        ObstaclesCfg(platform=0.0),
    ),
    levels=3,
    size=6.0,
    margin=1.0,
    pos=(2.0, -1.0, 0.5),
    yaw=90.0,
    seed=11,
)
CONFIGS = Path(__file__).resolve().parent.parent.parent / "configs"


def composed(folder, cfg=GRID):
    file = write(folder, main=ROBOT)
    return unisim.compose(SceneCfg(model_file=file, terrain=cfg))


@pytest.fixture(scope="module")
def terrain(tmp_path_factory):
    return Terrain(composed(tmp_path_factory.mktemp("grid")))


def local(terrain, points):
    """Points in the frame of the field's middle, which is turned by 90 degrees."""
    away = np.asarray(points) - terrain.cfg.pos
    return np.stack([away[..., 1], -away[..., 0], away[..., 2]], axis=-1)


def test_origins_are_the_middles_of_the_tiles(terrain):
    origins = local(terrain, terrain.origins)
    assert origins.shape == (3, 5, 3)
    levels, types = np.meshgrid([-6.0, 0.0, 6.0], 6.0 * np.arange(-2, 3), indexing="ij")
    assert origins[..., 0] == pytest.approx(levels)
    assert origins[..., 1] == pytest.approx(types)


def test_origins_lie_on_the_ground(terrain):
    origins = terrain.origins
    assert origins[..., 2] == pytest.approx(terrain.heights(origins[..., :2]))
    # seven treads of 0.3 m lead from the border, 2.5 m away, to the platform
    stairs = (origins[:, 2, 2] - 0.5) / [0.1, 0.15, 0.2]
    assert stairs == pytest.approx(np.full(3, 6), abs=1e-5)
    assert origins[:, 3, 2] - 0.5 == pytest.approx(-np.array([0.6, 0.9, 1.2]))


def test_patches_are_flat_and_inside_their_tile(terrain):
    half = terrain.cfg.patch / 2
    grid = np.linspace(-half, half, 13)
    square = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    around = terrain.patches[..., None, :2] + square
    heights = terrain.heights(around)
    assert np.isfinite(heights).all()
    assert np.ptp(heights, axis=-1).max() <= terrain.cfg.patch_step + 1e-9
    assert terrain.patches[..., 2] == pytest.approx(heights[..., 84], abs=1e-9)
    away = local(terrain, terrain.patches) - local(terrain, terrain.origins)[:, :, None]
    assert abs(away[..., :2]).max() <= 3.0 - half + 1e-9


def test_patches_of_a_tile_are_apart_and_the_middle_one_comes_first(terrain):
    for level, kind in np.ndindex(3, 5):
        count = terrain.patch_counts[level, kind]
        found = local(terrain, terrain.patches[level, kind])[:, :2]
        for i in range(count):
            away = abs(found[:i] - found[i]).max(axis=1)
            assert (away >= terrain.cfg.patch - 1e-9).all()
        assert (found[count:] == found[: len(found) - count]).all()
    first = terrain.patches[:, :4, 0, :2] - terrain.origins[:, :4, :2]
    assert abs(first).max() < 0.06


def test_a_flat_tile_has_all_its_patches_and_a_platform_as_many_as_fit(tmp_path):
    terrain = Terrain(composed(tmp_path, replace(GRID, patch=1.0)))
    assert (terrain.patch_counts[:, 0] == terrain.cfg.patches).all()
    # of the platforms of 2 m and 1 m only the square in the middle
    assert (terrain.patch_counts[:, 1:4] == 1).all()


def test_a_tile_without_a_flat_place_is_refused_by_its_name(tmp_path):
    tiles = (FlatCfg(), RoughCfg(name="gravel", height=(0.1, 0.2), platform=0.0))
    scene = composed(tmp_path, replace(GRID, tiles=tiles))
    with pytest.raises(BadTerrain, match=r"'gravel 0': it has no square of 0.6 m"):
        Terrain(scene)
    Terrain(composed(tmp_path, replace(GRID, tiles=tiles, patch_step=1.0)))


def test_a_tolerance_of_zero_finds_what_is_exactly_flat(tmp_path):
    terrain = Terrain(composed(tmp_path, replace(GRID, patch_step=0.0)))
    assert terrain.patch_counts.min() >= 1


def test_only_a_grid_has_tiles(tmp_path):
    file = write(tmp_path, main=ROBOT)
    with pytest.raises(BadTerrain, match=r"main.xml: .*kind 'none'.*'grid'"):
        Terrain(unisim.compose(SceneCfg(model_file=file)))


def test_a_grid_too_large_is_refused_before_it_is_made(tmp_path):
    huge = replace(GRID, levels=100_000)
    with pytest.raises(
        BadTerrain, match=r"321 x 6000021 = 1926006741 samples would take 7704026964 by"
    ):
        composed(tmp_path, huge)
    size = 321 * 201
    composed(tmp_path, replace(GRID, max_cells=size))
    with pytest.raises(BadTerrain, match=rf"allows {size - 1} samples"):
        composed(tmp_path, replace(GRID, max_cells=size - 1))


def test_names_and_seeds_of_tiles_are_recorded(tmp_path):
    export(composed(tmp_path), tmp_path / "out")
    found = json.loads((tmp_path / "out" / "scene.json").read_text())["terrain"]
    assert found["seed"] == 11
    assert found["tiles"][2]["rise"] == [0.1, 0.2]
    assert [item["name"] for item in found["made"]][5:8] == ["rough 2", "up 0", "up 1"]
    assert found["made"][7]["seed"] == [11, 2, 1]
    assert found["made"][7]["difficulty"] == 0.5


def test_another_seed_composes_another_scene(tmp_path, monkeypatch):
    monkeypatch.setenv("UNISIM_CACHE", str(tmp_path / "cache"))
    first, again, other = (
        composed(tmp_path, replace(GRID, seed=seed)) for seed in (11, 11, 12)
    )
    assert first.digest == again.digest != other.digest
    assert (first.model.hfield_data == again.model.hfield_data).all()
    assert (first.model.hfield_data != other.model.hfield_data).any()


def test_spawn_takes_the_middle_or_a_seeded_choice(terrain):
    levels, types = np.array([2, 0, 0, 1]), np.array([0, 3, 0, 2])
    middle = terrain.spawn(levels, types)
    assert (middle == terrain.patches[levels, types, 0]).all()
    many = np.zeros(200, int)
    first, again, other = (terrain.spawn(many, many, s) for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    assert len(np.unique(first, axis=0)) == terrain.patch_counts[0, 0]


BAD = [
    ([3], [0], OutOfRange, "terrain levels 3 is out of range: allowed is 0 to 2"),
    ([-1], [0], OutOfRange, "terrain levels -1"),
    ([0], [5], OutOfRange, "terrain types 5 is out of range: allowed is 0 to 4"),
    ([0.0], [0], BadArray, "levels: expected integers"),
    ([0, 1], [0], BadArray, "types: expected as many as levels, 2, got 1"),
]


@pytest.mark.parametrize(("levels", "types", "error", "message"), BAD)
def test_tiles_that_are_not_there_are_refused(terrain, levels, types, error, message):
    with pytest.raises(error, match=message):
        terrain.spawn(levels, types)


def test_placing_moves_all_that_is_free_and_nothing_else(terrain):
    qpos = np.arange(15.0)
    points = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])
    moved = terrain.place(qpos, points)
    expected = np.tile(qpos, (2, 1))
    expected[:, :3] += points
    expected[:, 8:11] += points
    assert (moved == expected).all()
    assert (terrain.place(expected, -points) == qpos).all()
    assert (qpos == np.arange(15.0)).all()


@pytest.mark.parametrize(
    ("qpos", "points"), [(np.zeros(14), np.zeros((2, 3))), (np.zeros(15), np.zeros(3))]
)
def test_placing_what_does_not_fit_is_refused(terrain, qpos, points):
    with pytest.raises(BadArray, match="shape"):
        terrain.place(qpos, points)


def test_a_curriculum_spreads_types_and_starts_low(terrain):
    course = Curriculum(terrain, 12, 0)
    assert course.levels.tolist() == [0] * 12
    assert np.bincount(course.types).tolist() == [3, 3, 2, 2, 2]
    high = Curriculum(terrain, 300, 0, highest=2)
    assert set(high.levels.tolist()) == {0, 1, 2}
    again, other = (Curriculum(terrain, 300, s, highest=2).levels for s in (0, 1))
    assert (again == high.levels).all()
    assert (other != high.levels).any()


def test_promotion_and_demotion_touch_the_named_worlds_only(terrain):
    course = Curriculum(terrain, 4, 0)
    course.promote(np.array([True, False, True, False]))
    assert course.levels.tolist() == [1, 0, 1, 0]
    course.promote([2, 3])
    assert course.levels.tolist() == [1, 0, 2, 1]
    course.demote([0, 1, 2])
    assert course.levels.tolist() == [0, 0, 1, 1]
    course.demote([])
    assert course.types.tolist() == [0, 1, 2, 3]


def test_from_the_top_a_world_goes_to_a_random_level_or_stays(terrain):
    course = Curriculum(terrain, 300, 5)
    stays = Curriculum(terrain, 300, 5, at_top="stay")
    for _ in range(3):
        course.promote(np.ones(300, bool))
        stays.promote(np.ones(300, bool))
    assert set(course.levels.tolist()) == {0, 1, 2}
    assert set(stays.levels.tolist()) == {2}
    again = Curriculum(terrain, 300, 5)
    for _ in range(3):
        again.promote(np.ones(300, bool))
    assert (again.levels == course.levels).all()


def test_origins_and_places_of_worlds_follow_their_level(terrain):
    course = Curriculum(terrain, 5, 0)
    course.promote([1, 4])
    expected = terrain.origins[[0, 1, 0, 0, 1], [0, 1, 2, 3, 4]]
    assert (course.origins() == expected).all()
    assert (course.origins([4, 2]) == expected[[4, 2]]).all()
    mask = np.array([False, True, False, True, False])
    assert (course.origins(mask) == expected[mask]).all()
    place = course.spawn([4])
    assert (terrain.patches[1, 4] == place).all(axis=-1).any()


@pytest.mark.parametrize(
    ("worlds", "error", "message"),
    [
        ([5], OutOfRange, "world 5"),
        ([-1], OutOfRange, "world -1"),
        ([1, 1], BadArray, "every world once"),
        ([0.5], BadArray, "indices of shape"),
        (np.ones(4, bool), BadArray, "a mask of shape"),
    ],
)
def test_worlds_that_are_not_there_are_refused(terrain, worlds, error, message):
    course = Curriculum(terrain, 5, 0)
    for verb in (course.promote, course.demote, course.origins, course.spawn):
        with pytest.raises(error, match=message):
            verb(worlds)
    assert course.levels.tolist() == [0] * 5


@pytest.mark.parametrize(
    ("worlds", "highest", "message"), [(0, 0, "worlds 0"), (1, 3, "highest 3")]
)
def test_a_curriculum_that_cannot_be_is_refused(terrain, worlds, highest, message):
    with pytest.raises(OutOfRange, match=message):
        Curriculum(terrain, worlds, 0, highest=highest)


def test_stones_have_room_to_start_on(tmp_path):
    cfg = replace(GRID, tiles=(SteppingStonesCfg(),))
    terrain = Terrain(composed(tmp_path, cfg))
    assert terrain.patches[:, 0, 0, 2] == pytest.approx(np.full(3, 0.5))


def test_the_quadruped_stands_on_its_own_tile_of_the_shipped_config():
    task = replace(unisim.load(CONFIGS / "quadruped_rough.toml"), worlds=36)
    with unisim.build(task) as sim:
        flat = sim.read("qpos")[:, 2].copy()
        start(sim)
        terrain = Terrain(sim.built.scene)
        ground = terrain.heights(sim.read("qpos")[:, None, :2])[:, 0]
        assert sim.read("qpos")[:, 2] - ground == pytest.approx(flat, abs=1e-9)
        assert len(np.unique(sim.read("qpos")[:, :2].round(3), axis=0)) > 18
        sim.step(np.zeros((36, 12)), 250)
        ground = terrain.heights(sim.read("qpos")[:, None, :2])[:, 0]
        assert sim.read("qpos")[:, 2] - ground == pytest.approx(flat, abs=0.03)
        assert all(sim.contact(foot).found.all() for foot in ("FR", "FL", "RR", "RL"))
        assert not sim.faults.any()
