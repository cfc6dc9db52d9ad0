"""Every experiment notices an engine that is a little wrong."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.special import ellipk

from unisim.config import OptionsCfg, TerrainCfg
from unisim.parity.experiments import EXPERIMENTS, Bench
from unisim.parity.experiments.experiment import check
from unisim.parity.experiments.pendulum import PERIOD, RATE, SWINGS
from unisim.sim import Sim

HEAVY, DRAG = {"gravity": (0.0, 0.0, -10.2)}, {"density": 30.0, "viscosity": 0.01}
WRONG = {
    "free fall": HEAVY,
    "free fall, Euler": {"integrator": "RK4"},
    "free fall, RK4": {"integrator": "Euler"},
    "other gravity": HEAVY,
    "pendulum": HEAVY,
    "pendulum, RK4": {"integrator": "Euler"},
    "spin": DRAG,
    "spin, RK4": {"integrator": "Euler"},
    "axes of a spin": DRAG,
    "slide to rest": 1.1,
    "incline of 15°, pyramidal cone": 1.1,
    "incline of 15°, elliptic cone": 1.1,
    "incline of 30°, pyramidal cone": 1.1,
    "incline of 30°, elliptic cone": 1.1,
    "rest on an incline": 1.1,
    "boxes at rest": {"o_margin": 0.02, "override": True},
    "weights": HEAVY,
    "corners": HEAVY,
    "arm": "controls",
}
"""By experiment: other options, a factor of the ground's friction, other controls."""


@dataclass(frozen=True)
class WrongBench(Bench):
    """Builds something else than what is asked for."""

    wrong: object = None

    def build(self, scene, worlds, options, **setup):
        if isinstance(self.wrong, float):
            slide, *rest = setup["terrain"].friction
            friction = (self.wrong * slide, *rest)
            setup["terrain"] = replace(setup["terrain"], friction=friction)
        elif isinstance(self.wrong, dict):
            changed = dict(self.wrong)
            if changed.pop("override", False):
                changed["flags"] = {"override": "enable"}
            options = replace(options, **changed)
        return super().build(scene, worlds, options, **setup)


def test_every_experiment_has_a_wrong_engine():
    assert list(WRONG) == [item.name for item in EXPERIMENTS]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda item: item.name)
def test_an_experiment_notices_a_wrong_engine(experiment, monkeypatch):
    wrong = WRONG[experiment.name]
    if wrong == "controls":
        step = Sim.step
        monkeypatch.setattr(
            Sim, "step", lambda sim, ctrl, *a, **k: step(sim, 1.05 * ctrl, *a, **k)
        )
    checks = list(experiment.run(WrongBench("mujoco", wrong=wrong)))
    assert not all(item.passed for item in checks)


def test_the_period_of_a_large_swing_is_its_elliptic_integral():
    exact = 4 / RATE * ellipk(np.sin(SWINGS / 2) ** 2)
    np.testing.assert_allclose(PERIOD, exact, rtol=1e-13)


def test_single_precision_has_tolerances_of_its_own():
    assert Bench("mujoco").precise(1e-9, 1e-4) == 1e-9
    assert Bench("mujoco", dtype="float32").precise(1e-9, 1e-4) == 1e-4


def test_a_bench_without_a_precision_takes_what_the_backend_has():
    assert not Bench("mujoco").single
    assert Bench("fake", dtype="float32").single


def test_a_check_takes_the_worst_of_all_numbers():
    found = check("way", "m", [[1.0, 2.0], [3.1, 4.0]], [1.0, 3.0], within=[0.5, 2.0])
    np.testing.assert_allclose(found.share, [[0.0, 0.5], [4.2, 0.5]])
    assert found.worst == 2
    assert not found.passed
    assert check("way", "m", [1.25], 1.0, within=0.25).passed


def test_what_is_not_a_number_never_passes():
    assert not check("way", "m", [1.0, np.nan], 1.0, within=0.5).passed
    assert check("way", "m", [1.0, np.nan], 1.0, within=0.5).worst == 1


def test_a_bench_builds_the_ground_that_is_asked_for():
    ground = TerrainCfg(kind="plane", friction=(0.3, 0.01, 0.002))
    with Bench("mujoco").build("box.xml", 2, OptionsCfg(), terrain=ground) as sim:
        geom = sim.layout.index("geom", "terrain")
        friction = sim.built.scene.model.geom_friction[geom]
    np.testing.assert_allclose(friction, (0.3, 0.01, 0.002))
