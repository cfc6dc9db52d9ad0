"""What grounds cost: to make, to compile, to look up; nothing is asserted.

`pytest tests/benchmarks/test_terrain.py -p no:xdist --benchmark-only` prints the times;
extra info has the sizes. The grid is one of 10 levels and 20 types.
"""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import unisim
from scene_files import write
from unisim import GridCfg, Heights, SceneCfg, Terrain
from unisim.scene.terrain.grid import make_grid
from unisim.tiles import TileCfg

KINDS = {kind.kind: kind for kind in get_args(get_args(TileCfg)[0])}
MAIN = """<mujoco><worldbody><body name="ball" pos="0 0 9"><freejoint/>
  <geom size=".05"/></body></worldbody></mujoco>"""


def grid(kinds, levels=10, rows=1):
    tiles = [kind(name=f"{kind.kind} {i}") for i in range(rows) for kind in kinds]
    return GridCfg(tiles=tuple(tiles), levels=levels, seed=1)


WHOLE = grid(KINDS.values(), rows=2)


def scene_of(folder: Path):
    file = write(folder, main=MAIN)
    return unisim.compose(SceneCfg(model_file=file, terrain=WHOLE))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_ten_levels_of_a_type_are_made(benchmark, kind):
    field = benchmark.pedantic(make_grid, args=(grid([kind]),), rounds=5)
    benchmark.extra_info.update(samples=field.heights.size, tiles=10)


def test_a_grid_of_10_by_20_is_made(benchmark):
    field = benchmark.pedantic(make_grid, args=(WHOLE,), rounds=5)
    bytes_ = field.heights.nbytes
    benchmark.extra_info.update(samples=field.heights.size, megabytes=bytes_ / 1e6)


def test_a_grid_of_10_by_20_is_composed(benchmark, tmp_path, monkeypatch):
    monkeypatch.setenv("UNISIM_CACHE", "off")
    scene = benchmark.pedantic(scene_of, args=(tmp_path,), rounds=3)
    info = {"megabytes": scene.model.hfield_data.nbytes / 1e6}
    benchmark.extra_info.update(info)


def test_a_grid_of_10_by_20_is_surveyed(benchmark, tmp_path):
    scene = scene_of(tmp_path)
    terrain = benchmark.pedantic(Terrain, args=(scene,), rounds=3)
    benchmark.extra_info.update(patches=int(terrain.patch_counts.sum()))


def test_a_million_heights_are_looked_up(benchmark, tmp_path):
    heights = Heights(scene_of(tmp_path).model)
    points = np.random.default_rng(0).uniform(-40, 40, (1_000_000, 2))
    benchmark.pedantic(heights, args=(points,), rounds=3)


def test_a_million_heights_are_looked_up_on_a_device(benchmark, tmp_path):
    wp = pytest.importorskip("warp")
    from unisim.backend.device.arrays import DeviceArrays

    arrays = DeviceArrays("cuda:0" if wp.get_cuda_devices() else "cpu")
    surface = arrays.surface(Heights(scene_of(tmp_path).model))
    points = np.random.default_rng(0).uniform(-40, 40, (1_000_000, 2))
    there = arrays.upload(points.astype(np.float32))

    def look():
        surface(there)
        wp.synchronize_device(arrays.device)

    benchmark.extra_info.update(device=str(arrays.device))
    benchmark.pedantic(look, rounds=3, warmup_rounds=1)
