"""Reset: which worlds, to what, and that nothing else moves."""

import mujoco
import numpy as np
import pytest

from unisim.backend.fields import STATE
from unisim.config import DelayCfg
from unisim.probe.contract.worlds import everything, future, same, scatter, state

SUBSETS = {
    "one": [2],
    "unsorted": [4, 0, 3],
    "none": [],
    "mask": np.array([True, False, False, True, False]),
    "empty mask": np.zeros(5, bool),
    "unsigned": np.array([3, 1], np.uint8),
}
VARIED = ("body_mass", "geom_friction")


def chosen(worlds):
    return sorted(np.arange(5)[np.asarray(worlds, None if len(worlds) else int)])


@pytest.mark.parametrize("worlds", SUBSETS.values(), ids=SUBSETS)
def test_other_worlds_stay_as_they_are(build_sim, scene_name, worlds):
    sim, twin = build_sim(scene_name), build_sim(scene_name)
    for each in (sim, twin):
        scatter(each)
    before = everything(twin)
    sim.reset(worlds)
    others = np.setdiff1d(np.arange(5), chosen(worlds))
    assert len(others) >= 2
    same(before, everything(sim), others)
    same(future(twin), future(sim), others)


@pytest.mark.parametrize("worlds", SUBSETS.values(), ids=SUBSETS)
def test_a_reset_world_is_as_in_a_sim_never_touched(build_sim, scene_name, worlds):
    sim, fresh = build_sim(scene_name), build_sim(scene_name)
    scatter(sim)
    sim.reset(worlds)
    same(everything(fresh), everything(sim), chosen(worlds))
    same(future(fresh), future(sim), chosen(worlds))


@pytest.mark.parametrize("keyframe", ["high", "low"])
def test_reset_goes_to_a_key_by_name(build_sim, full_scene, keyframe):
    sim = build_sim(full_scene)
    scatter(sim)
    sim.reset([3, 1], keyframe=keyframe)
    model = sim.built.scene.model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(keyframe).id)
    for name in STATE:
        found = sim.read(name)
        expected = np.array(getattr(data, name), found.dtype)
        for world in (1, 3):
            assert np.array_equal(found[world], expected), name


def test_a_sim_starts_at_the_key_of_its_scene_and_resets_to_it(build_sim, full_scene):
    sim, other = build_sim(full_scene, keyframe="low"), build_sim(full_scene)
    start = state(sim)
    key = sim.built.scene.model.key("low")
    expected = np.tile(key.qpos, (5, 1)).astype(start["qpos"].dtype)
    assert np.array_equal(start["qpos"], expected)
    scatter(sim)
    sim.reset()
    same(start, state(sim))
    assert not np.array_equal(start["qpos"], other.read("qpos"))


def test_what_is_passed_to_reset_follows_the_order_of_the_worlds(build_sim, full_scene):
    sim = build_sim(full_scene)
    scatter(sim)
    values = np.random.default_rng(0).normal(size=(3, sim.layout.sizes["nv"]))
    values = values.astype(sim.read("qvel").dtype)
    times = np.array([10.0, 20.0, 30.0])
    sim.reset([4, 0, 3], qvel=values, time=times)
    assert np.array_equal(sim.read("qvel")[[4, 0, 3]], values)
    assert np.array_equal(sim.read("time")[[4, 0, 3]], times)
    sim.reset(np.arange(5) >= 3, time=times[:2])
    assert np.array_equal(sim.read("time")[3:], times[:2])


def test_what_is_passed_may_be_a_view_of_the_sim_itself(build_sim, full_scene):
    sim = build_sim(full_scene)
    scatter(sim)
    before = sim.read("qpos").copy()
    sim.reset(qpos=sim.read("qpos"))
    assert np.array_equal(sim.read("qpos"), before)
    assert np.all(sim.read("time") == 0)


def test_steps_are_counted_per_world_since_its_reset(build_sim):
    sim = build_sim("rails")
    sim.step(count=3)
    sim.reset([1, 4])
    sim.step(record=["time"], count=2)
    assert sim.steps.tolist() == [5, 2, 5, 5, 2]
    assert np.array_equal(
        sim.read("time"), np.cumsum(np.full((6, 5), sim.timestep), 0)[sim.steps - 1, 0]
    )


def test_varied_fields_stay(build_sim):
    sim = build_sim("sink", vary=VARIED)
    random = np.random.default_rng(0)
    for name in VARIED:
        values = sim.read(name)
        sim.vary(name, values * random.uniform(1, 2, (5, *[1] * (values.ndim - 1))))
    before = everything(sim, VARIED)
    sim.reset([1, 2])
    sim.reset()
    same(before, everything(sim, VARIED))
    assert len(np.unique(before["body_mass"][:, 1])) == 5


def test_laws_forget_the_worlds_that_are_reset(build_sim):

    sim = build_sim("rails", control=(DelayCfg(steps=2),))
    sim.step(np.full((5, 1), 0.5), 2)
    sim.reset([1, 3])
    sim.step(np.arange(5.0)[:, None] / 10)
    assert np.allclose(sim.read("ctrl")[:, 0], [0.5, 0.1, 0.5, 0.3, 0.5])
