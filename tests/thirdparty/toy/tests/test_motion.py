"""The toy moves as MuJoCo does, though by code of its own."""

from pathlib import Path

import numpy as np

from unisim import SceneCfg, TaskCfg, build
from unisim.probe.contract.scenes import RAILS


def test_driven_worlds_go_where_mujocos_go(tmp_path: Path) -> None:
    (tmp_path / "rails.xml").write_text(RAILS)
    scene = SceneCfg(model_file=tmp_path / "rails.xml", keyframe="high")
    toy, mujoco = (
        build(TaskCfg(scene=scene, backend=backend, worlds=3))
        for backend in ("toy", "mujoco")
    )
    random = np.random.default_rng(0)
    push = random.normal(0, 1, (3, 3, 6))
    for sim in (toy, mujoco):
        sim.write("xfrc_applied", push)
    for _ in range(40):
        ctrl = random.normal(0, 1, (3, 1))
        for sim in (toy, mujoco):
            sim.step(ctrl, 5)
    for name in ("qpos", "qvel", "qacc", "site_linvel", "sensordata", "time"):
        np.testing.assert_allclose(toy.read(name), mujoco.read(name), 1e-10, 1e-12)
    assert np.ptp(toy.read("qpos"), axis=0).min() > 0.01
