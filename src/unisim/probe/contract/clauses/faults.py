"""One world goes wrong: it is named, and no other changes by a bit."""

import numpy as np
import pytest

from unisim.backend.base import Fault
from unisim.config import ContactQueryCfg
from unisim.errors import Faulted
from unisim.probe.contract.worlds import commands, everything, same, scatter, state

BAD = {"nan": np.nan, "inf": np.inf, "minus inf": -np.inf, "huge": 1e12}
KINDS = {
    "qpos": Fault.STATE,
    "qvel": Fault.STATE,
    "act": Fault.STATE,
    "ctrl": Fault.CONTROL,
    "qfrc_applied": Fault.STATE,
    "xfrc_applied": Fault.STATE,
    "mocap_pos": Fault.STATE,
    "mocap_quat": Fault.STATE,
}
OTHERS = [0, 1, 3, 4]


def spoil(sim, name, value, world=2):
    values = sim.read(name)[[world]].copy()
    values[0].flat[-1] = value
    sim.write(name, values, [world])


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
@pytest.mark.parametrize("name", KINDS)
def test_a_bad_value_flags_its_world_and_no_other_changes(
    build_sim, full_scene, name, value
):
    sim, twin = (build_sim(full_scene, faults="flag") for _ in range(2))
    if not sim.read(name).size:
        assert full_scene != "sink"
        return
    for each in (sim, twin):
        scatter(each)
    spoil(sim, name, value)
    assert sim.faults.tolist() == [0, 0, int(KINDS[name]), 0, 0]
    random = np.random.default_rng(0)
    for count in (1, 3):
        ctrl = commands(sim, random)
        for each in (sim, twin):
            each.step(ctrl, count)
            each.reset([4])
        same(everything(twin), everything(sim), OTHERS)
        assert sim.faults[OTHERS].tolist() == [0] * 4
        assert sim.faults[2] & KINDS[name]


@pytest.mark.parametrize("name", ["qpos", "ctrl"])
def test_bad_values_are_flagged_on_every_scene(build_sim, scene_name, name):
    sim, twin = (build_sim(scene_name, faults="flag") for _ in range(2))
    for each in (sim, twin):
        scatter(each)
    if not sim.read(name).size:
        assert name == "ctrl"
        return
    spoil(sim, name, np.nan)
    for each in (sim, twin):
        each.step(None, 2)
    assert sim.faults[2] & KINDS[name]
    assert sim.faults[OTHERS].tolist() == [0] * 4
    same(state(twin), state(sim), OTHERS)


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_a_bad_command_flags_its_world(build_sim, value):
    sim, twin = (build_sim("rails", faults="flag") for _ in range(2))
    ctrl = np.linspace(-1, 1, 5)[:, None]
    twin.step(ctrl, 3)
    ctrl[2] = value
    sim.step(ctrl, 3)
    assert sim.faults.tolist() == [0, 0, int(Fault.CONTROL), 0, 0]
    assert np.isfinite(sim.read("qpos")).all()
    same(everything(twin), everything(sim), OTHERS)


def test_faults_stay_until_a_reset_which_heals(build_sim, full_scene):
    sim, twin = (build_sim(full_scene, faults="flag") for _ in range(2))
    for each in (sim, twin):
        scatter(each)
    spoil(sim, "ctrl", np.nan)
    sim.step(np.zeros((5, sim.layout.sizes["nu"])), 3)
    sim.reset([0])
    assert sim.faults.tolist() == [0, 0, int(Fault.CONTROL), 0, 0]
    spoil(sim, "qpos", np.inf)
    for each in (sim, twin):
        each.step(None, 2)
        each.reset([2])
    assert sim.faults.tolist() == [0] * 5
    same(everything(twin), everything(sim), [2])
    for each in (sim, twin):
        each.step(commands(twin, np.random.default_rng(1)), 4)
    same(everything(twin), everything(sim), [2])
    assert sim.faults.tolist() == [0] * 5


def test_writing_a_good_value_does_not_heal(build_sim):
    sim = build_sim("rails", faults="flag")
    good = sim.read("qpos").copy()
    spoil(sim, "qpos", np.nan)
    sim.write("qpos", good)
    sim.step()
    assert sim.faults.tolist() == [0, 0, int(Fault.STATE), 0, 0]


def test_no_world_is_repaired_behind_the_users_back(build_sim):
    sim = build_sim("rails", faults="flag")
    scatter(sim)
    time = sim.read("time").copy()
    spoil(sim, "qvel", np.nan)
    sim.step(None, 3)
    assert np.isnan(sim.read("qvel")[2]).any()
    assert np.all(sim.read("time") > time)


def test_reads_raise_and_name_kinds_and_worlds(build_sim):
    query = ContactQueryCfg(name="touch", first="ball", second="crate")
    sim = build_sim("pile", contacts=(query,))
    qvel = sim.read("qvel")[[4, 1]].copy()
    qvel[:, 0] = 1e12, np.nan
    sim.write("qvel", qvel, [4, 1])
    reads = (
        lambda: sim.read("time"),
        lambda: sim.sensor("ball"),
        lambda: sim.contact("touch"),
        lambda: sim.step(None, 1, record=["qpos"]),
    )
    for read in reads:
        with pytest.raises(Faulted, match=r"STATE in 2 of 5 worlds: 1, 4") as error:
            read()
        assert error.value.by_kind == {"STATE": [1, 4]}
    sim.step(None, 2)
    sim.reset([1])
    with pytest.raises(Faulted, match=r"STATE in 1 of 5 worlds: 4"):
        sim.read("qpos")
    sim.reset(np.arange(5) == 4)
    assert np.isfinite(sim.read("qpos")).all()


def test_a_fault_is_raised_at_the_read_and_not_before(build_sim):
    sim = build_sim("rails")
    spoil(sim, "qvel", np.inf)
    sim.step(None, 2)
    sim.write("qpos", np.zeros((1, 2)), [0])
    assert sim.faults[2] == int(Fault.STATE)
    with pytest.raises(Faulted):
        sim.read("qpos")


@pytest.mark.parametrize("worlds", [5, 40])
@pytest.mark.parametrize("name", KINDS)
def test_the_bound_is_1e10(build_sim, full_scene, name, worlds):
    sim = build_sim(full_scene, worlds=worlds, faults="flag")
    if not sim.read(name).size:
        assert full_scene != "sink"
        return
    spoil(sim, name, 9e9, world=1)
    assert not sim.faults.any()
    spoil(sim, name, -2e10, world=2)
    assert np.flatnonzero(sim.faults).tolist() == [2]
    assert sim.faults[2] == int(KINDS[name])


@pytest.mark.parametrize("worlds", [5, 40])
def test_the_users_own_numbers_may_be_anything(build_sim, full_scene, worlds):
    sim = build_sim(full_scene, worlds=worlds)
    sim.write("userdata", np.full((worlds, 3), [np.nan, np.inf, 1e300]))
    sim.step()
    assert not sim.faults.any()
