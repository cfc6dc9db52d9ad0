"""What is written is what is read, and writing it back changes nothing."""

import numpy as np
import pytest

from unisim.backend.fields import QUANTITIES, STATE
from unisim.config import PDCfg
from unisim.probe.contract.worlds import (
    all_differ,
    everything,
    future,
    same,
    scatter,
    state,
)

MOTOR = """<mujoco><worldbody><body><joint name="a"/>
  <geom size=".1" pos=".1 0 0"/></body></worldbody>
  <actuator><motor name="a" joint="a"/></actuator></mujoco>"""


def test_worlds_of_these_tests_all_differ(build_sim, scene_name):
    sim = build_sim(scene_name)
    scatter(sim)
    assert all_differ(state(sim))


@pytest.mark.parametrize("name", STATE)
def test_writing_what_was_read_changes_nothing(build_sim, scene_name, name):
    sim, twin = build_sim(scene_name), build_sim(scene_name)
    for each in (sim, twin):
        scatter(each)
    before = state(sim)
    sim.write(name, sim.read(name))
    same(before, state(sim))
    same(future(twin), future(sim))


def test_writing_what_was_read_changes_nothing_under_a_control_law(build_sim):
    law = PDCfg(kp={"*": 3.0}, kv={"*": 0.1})
    sim, twin = (build_sim(MOTOR, control=(law,)) for _ in range(2))
    for each in (sim, twin):
        each.step(np.linspace(-1, 1, 5)[:, None], 3)
    sim.write("ctrl", sim.read("ctrl"))
    for each in (sim, twin):
        each.step(None, 3)
    same(state(twin), state(sim))


@pytest.mark.parametrize("name", STATE)
@pytest.mark.parametrize("worlds", [None, [3, 0], np.arange(5) > 2])
def test_what_is_written_is_read_back_and_the_rest_stays(
    build_sim, full_scene, name, worlds
):
    sim = build_sim(full_scene)
    scatter(sim)
    before = state(sim)
    random = np.random.default_rng(3)
    chosen = np.arange(5) if worlds is None else np.arange(5)[worlds]
    tail = before[name].shape[1:]
    values = random.normal(0.5, 1, (len(chosen), *tail))
    if name == "eq_active":
        values = 1 - before[name][chosen]
    sim.write(name, values, worlds)
    expected = {**before, name: before[name].copy()}
    expected[name][chosen] = values
    same(expected, state(sim))
    assert values.size > 0 or full_scene != "sink"


def test_arrays_are_read_only(build_sim, full_scene):
    sim = build_sim(full_scene)
    for name in QUANTITIES:
        with pytest.raises(ValueError, match="read-only"):
            sim.read(name)[...] = 0
    for array in (sim.faults, sim.steps):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_arrays_of_the_state_are_borrowed_not_copied(build_sim, full_scene):
    sim = build_sim(full_scene)
    qpos = sim.read("qpos")
    assert np.shares_memory(qpos, sim.read("qpos"))
    before = qpos.copy()
    sim.step()
    assert np.array_equal(qpos, sim.read("qpos"))
    assert not np.array_equal(qpos, before)


def test_quantities_have_the_shape_that_their_table_states(
    build_sim, full_scene, engine
):
    sim = build_sim(full_scene, engine=engine)
    sizes = sim.layout.sizes
    for name, item in QUANTITIES.items():
        tail = tuple(sizes[s] if isinstance(s, str) else s for s in item.shape)
        assert sim.read(name).shape == (5, *tail), name
        assert sim.read(name).size > 0 or full_scene != "sink", name
        dtype = "float64" if name == "time" else sim.built.task.dtype
        assert sim.read(name).dtype == dtype, name


def test_reading_never_changes_what_comes(build_sim, scene_name):
    sim, twin = build_sim(scene_name), build_sim(scene_name)
    for each in (sim, twin):
        scatter(each)
    for seed in range(4):
        everything(twin)
        random = np.random.default_rng(seed)
        kick = random.normal(0, 0.1, sim.read("qvel").shape)
        for each in (sim, twin):
            each.write("qvel", each.read("qvel") + kick)
        everything(twin)
        for each in (sim, twin):
            each.step(None, 2)
        same(state(sim), state(twin))
