"""Room is what the reference takes, on unlike places of its ground too."""

import mujoco
import numpy as np
import pytest

from grounds import BALL, GRID, array, composed
from scene_files import no_cache  # noqa: F401
from unisim import TerrainCfg
from unisim.backend.capacity import Capacity, needed
from unisim.scene.terrain.places import spread
from unisim.scene.terrain.terrain import Terrain

BOX = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 {}"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
  </worldbody></mujoco>"""


def test_room_is_twice_what_is_seen_and_a_least():
    model = mujoco.MjModel.from_xml_string(BOX.format(99))
    assert needed(model, -1) == Capacity(16, 16)  # it falls, and touches nothing
    # four corners of 2 (3 - 1) rows each: twice that, and 16 more
    touching = needed(model, -1, places=[np.array([0.0, 0.0, -98.9])])
    assert touching == Capacity(24, 48)


def test_what_falls_from_high_up_is_followed_until_it_lies():
    model = mujoco.MjModel.from_xml_string(BOX.format(9))  # 1.4 s, 677 steps
    assert needed(model, -1) == Capacity(24, 48)


def test_places_of_a_grid_are_flat_and_on_every_type_the_hardest_first(tmp_path):
    scene = composed(tmp_path, GRID)
    terrain, places = Terrain(scene), np.array(spread(scene))
    types = len(GRID.tiles)
    assert len(places) == GRID.levels * types
    for i, place in enumerate(places):
        level, kind = GRID.levels - 1 - i // types, i % types
        apart = np.abs(terrain.patches[level, kind] - place).max(axis=-1)
        assert apart.min() < 1e-9


def test_places_of_a_field_are_inside_and_clear_of_the_ground(tmp_path):
    random = np.random.default_rng(0).uniform(0, 0.4, (31, 51))
    scene = composed(tmp_path, array(tmp_path, random, resolution=0.2))
    places = np.array(spread(scene))
    assert len(np.unique(places[:, :2], axis=0)) == 9  # two diagonals meet
    assert np.all(np.abs(places[:, :2]) < [5.0, 3.0])
    ground = random.max() + scene.model.geom("terrain").pos[2] - random.min()
    assert np.all(places[:, 2] > 0.3)
    assert np.all(places[:, 2] <= ground + 1e-6)


@pytest.mark.parametrize("kind", ["none", "plane"])
def test_other_grounds_are_the_same_everywhere(tmp_path, kind):
    assert spread(composed(tmp_path, TerrainCfg(kind=kind), BALL)) == []
