"""Every backend is held to the experiments with known answers."""

import mujoco
import numpy as np
import pytest

from parity.conftest import REQUIRED
from unisim.config import OptionsCfg
from unisim.errors import MissingEngine, UnsupportedFeature
from unisim.parity.experiments import EXPERIMENTS, Bench

RUNS_ALL = "mujoco"


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda item: item.name)
def test_what_comes_out_is_what_must(bench, experiment):
    """What a backend refuses is skipped with its reasons, unless it is required."""
    try:
        checks = list(experiment.run(bench))
    except UnsupportedFeature as refusal:
        if bench.backend in {RUNS_ALL, *REQUIRED}:
            raise
        pytest.skip(str(refusal))
    except MissingEngine as missing:
        if bench.backend in REQUIRED:
            raise
        pytest.skip(str(missing))
    assert checks
    for check in checks:
        assert check.measured.size
        np.testing.assert_array_less(
            check.share, 1 + 1e-12, f"{check.what}, as shares of the tolerance"
        )


def test_the_reference_is_bit_equal_to_mujocos_c_engine():
    steps, worlds = 200, 3
    with Bench(RUNS_ALL).build("arm.xml", worlds, OptionsCfg(timestep=0.001)) as sim:
        model = sim.built.scene.model
        qpos = np.random.default_rng(3).uniform(-0.5, 0.5, (worlds, model.nq))
        ctrl = np.random.default_rng(4).uniform(-0.5, 0.5, (worlds, model.nu))
        sim.reset(qpos=qpos)
        path = sim.step(ctrl, steps, record=("qpos",))["qpos"]
    for world in range(worlds):
        data = mujoco.MjData(model)
        data.qpos, data.ctrl = qpos[world], ctrl[world]
        for step in range(steps):
            mujoco.mj_step(model, data)
            assert (data.qpos == path[world, step]).all()
