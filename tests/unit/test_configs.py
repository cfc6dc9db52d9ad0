"""The configs that the repository ships."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unisim
from unisim.config import load
from unisim.progress import Silent
from unisim.runtime.measure import measure

FOLDER = Path(__file__).resolve().parent.parent.parent / "configs"
FILES = {file.stem: file for file in sorted(FOLDER.glob("*.toml"))}
LOWEST = {
    "biped": 1.0,
    "cartpole": 0.3,
    "go1": 0.24,
    "quadruped": 0.28,
    "quadruped_rough": 0.28,
    "twoarm": 0.67,
}
"""Height [m] below which the body that the config watches has fallen."""


@pytest.fixture(params=FILES)
def config(request):
    """Name and task of every config, with three worlds and one second."""
    return request.param, shortened(request.param)


def shortened(name):
    task = load(FILES[name])
    return replace(task, worlds=3, run=replace(task.run, seconds=1.0))


def test_the_set_is_complete():
    assert set(FILES) == set(LOWEST)


def test_every_config_runs_a_second_without_fault_or_fall(config):
    name, task = config
    with unisim.build(task) as sim:
        measured = measure(sim, task.run, Silent())
        assert not sim.faults.any()
        assert np.allclose(sim.read("time"), 1.0)
    assert np.isfinite(measured.height.spread).all()
    assert measured.height.spread.min() > LOWEST[name]
    assert measured.followers


def test_worlds_of_a_config_differ_by_their_phase(config):
    _, task = config
    with unisim.build(task) as sim:
        measure(sim, task.run, Silent())
        qpos = sim.read("qpos")
        assert len(np.unique(qpos.round(9), axis=0)) == task.worlds


@pytest.mark.parametrize(
    "name", ["biped", "go1", "quadruped", "quadruped_rough", "twoarm"]
)
def test_every_contact_of_a_config_is_read_and_ground_carries_the_weight(name):
    task = shortened(name)
    with unisim.build(task) as sim:
        measured = measure(sim, task.run, Silent())
    assert [item.name for item in measured.touches] == [
        query.name for query in task.contacts
    ]
    assert not any(item.overflow for item in measured.touches)
    assert measured.force is not None
    settled = measured.force.mean[len(measured.time) // 2 :].mean()
    assert settled == pytest.approx(measured.ground.weight, rel=0.05)


def test_the_twoarm_starts_composed_of_its_key_and_both_grippers_keys():
    with unisim.build(replace(load(FILES["twoarm"]), worlds=2)) as sim:
        qpos, ctrl = sim.read("qpos"), sim.read("ctrl")

        def of(array, values, name):
            return values[:, sim.layout.columns(array, name)]

        for side in ("left", "right"):
            for jaw in ("jaw_a", "jaw_b"):
                assert (of("qpos", qpos, f"{side}_gripper_{jaw}") == 0.04).all()
            assert (of("ctrl", ctrl, f"{side}_gripper_grip") == 0.08).all()
            assert (of("ctrl", ctrl, f"{side}_elbow") == -1.2).all()


def test_the_biped_falls_without_its_control_law():
    task = load(FILES["biped"])
    task = replace(task, worlds=2, control=(), run=replace(task.run, seconds=1.0))
    with unisim.build(task) as sim:
        measured = measure(sim, task.run, Silent())
    assert measured.height.spread.min() < LOWEST["biped"]
