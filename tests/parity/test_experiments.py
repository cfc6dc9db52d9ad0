"""Every backend is held to the experiments with known answers."""

import mujoco
import numpy as np
import pytest

from parity.conftest import CONSENT, FAILS, LACKING, REQUIRED
from unisim.backend.choice import installed
from unisim.config import OptionsCfg
from unisim.errors import AuditFailed, MissingEngine, UnsupportedFeature
from unisim.parity.experiments import EXPERIMENTS, Bench

RUNS_ALL = "mujoco"


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda item: item.name)
def test_what_comes_out_is_what_must(request, bench, experiment):
    """What a backend refuses is skipped with its reasons, unless it is required."""
    wrong = FAILS.get((bench.backend, bench.profile), {})
    if why := wrong.get(experiment.name):
        raises = (AssertionError, AuditFailed)
        mark = pytest.mark.xfail(raises=raises, strict=True, reason=why)
        request.applymarker(mark)
    try:
        checks = list(experiment.run(bench))
    except UnsupportedFeature as refusal:
        if LACKING.get(bench.backend, frozenset()).issuperset(refusal.features):
            return  # nothing is wrong in silence
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


@pytest.mark.parametrize("backend", ["drake", "motrix"])
def test_a_box_slides_as_far_as_coulomb_says_within_a_percent(backend):
    if not installed(backend):
        pytest.skip(f"needs {backend}")
    (slide,) = (item for item in EXPERIMENTS if item.name == "slide to rest")
    way = next(slide.run(Bench(backend, accept=CONSENT[backend])))
    assert way.what == "way to rest"
    np.testing.assert_allclose(way.measured, way.expected, rtol=0.01)
