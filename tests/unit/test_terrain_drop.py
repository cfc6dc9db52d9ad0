"""Rows of a height field are where they belong, on every engine: balls rest on it."""

from itertools import product

import numpy as np
import pytest

import unisim
from mjwarp_sims import REQUIRED
from scene_files import no_cache, write  # noqa: F401
from unisim import FieldCfg, Heights, SceneCfg, TaskCfg
from unisim.backend.arrays import host
from unisim.config import OptionsCfg

BALL = "<body name='{}' pos='0 0 {}'><freejoint/><geom size='.05'/></body>"
BALLS = "".join(BALL.format(name, 9 + 3 * i) for i, name in enumerate("abc"))
MAIN = f"<mujoco><worldbody>{BALLS}</worldbody></mujoco>"
"""As many dofs as the quadruped has: its kernels serve."""
PLATEAUS = [[0.1, 0.5, 0.2], [0.4, 0.9, 0.7], [0.3, 0.8, 0.6]]
CORNERS = np.kron(PLATEAUS, np.ones((4, 6)))
"""Twelve rows, eighteen columns: plateaus of nine heights."""
BACKENDS = [
    "mujoco",
    pytest.param(
        "mjwarp",
        marks=pytest.mark.skipif(
            "mjwarp" not in REQUIRED, reason="UNISIM_REQUIRE=mjwarp asks for it"
        ),
    ),
]


@pytest.mark.parametrize("backend", BACKENDS)
def test_balls_come_to_rest_at_the_heights_of_unlike_plateaus(tmp_path, backend):
    np.save(tmp_path / "h.npy", CORNERS)
    field = FieldCfg(file=tmp_path / "h.npy", resolution=0.2, pos=(0.4, 0.3, 1.0))
    scene = SceneCfg(
        model_file=write(tmp_path, main=MAIN),
        terrain=field,
        options=OptionsCfg(timestep=0.002),
    )
    task = TaskCfg(scene=scene, backend=backend, worlds=2, accept=("geom.type.hfield",))
    # the middle of the field is at (0.4, 0.3); four corners, two middles of edges
    x, y = (-0.8, 0.4, 1.6), (-0.5, 0.3, 1.1)
    places = np.array([*product(x[::2], y[::2]), (x[1], y[0]), (x[0], y[1])])
    wanted = 1.0 + np.array([0.1, 0.3, 0.2, 0.6, 0.5, 0.4])
    with unisim.build(task) as sim:
        heights = Heights(sim.built.scene.model)(places)
        assert heights == pytest.approx(wanted, abs=1e-6)
        qpos = np.tile([0.0, 0, 0, 1, 0, 0, 0], (2, 3, 1))
        qpos[..., :2], qpos[..., 2] = places.reshape(2, 3, 2), 2.0
        sim.reset(qpos=qpos.reshape(2, 21))
        sim.step(count=1000)
        rest = np.array(host(sim.read("qpos"))).reshape(6, 7)
        still = np.abs(host(sim.read("qvel"))).max()
    assert rest[:, :2] == pytest.approx(places, abs=1e-3)
    assert rest[:, 2] - 0.05 == pytest.approx(wanted, abs=1e-3)
    assert still < 1e-2
