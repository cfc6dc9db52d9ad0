"""A snapshot continues as if nothing had happened in between."""

import numpy as np
import pytest

from unisim.backend.base import Fault
from unisim.config import DelayCfg, KeyframesCfg
from unisim.errors import BadArray
from unisim.probe.contract.build import needs
from unisim.probe.contract.worlds import (
    commands,
    everything,
    future,
    same,
    scatter,
    state,
)

VARIED = ("body_mass", "geom_friction")
EXACT = needs("snapshot.exact", "deterministic")


def disturb(sim):
    scatter(sim, seed=77, steps=3)
    everything(sim)
    sim.reset([1, 4])
    sim.step(commands(sim, np.random.default_rng(5)), 4)


@EXACT
def test_a_snapshot_continues_bit_exactly(build_sim, scene_name, engine):
    sim = build_sim(scene_name, engine=engine)
    scatter(sim)
    saved = sim.snapshot()
    first = everything(sim), future(sim)
    disturb(sim)
    for _ in range(2):
        sim.restore(saved)
        same(first[0], everything(sim))
        same(first[1], future(sim))


@EXACT
def test_taking_a_snapshot_changes_nothing(build_sim, scene_name):
    sim, twin = build_sim(scene_name), build_sim(scene_name)
    for each in (sim, twin):
        scatter(each)
        each.write("qvel", each.read("qvel") * 1.01)
    sim.snapshot()
    same(future(twin), future(sim))


@EXACT
@pytest.mark.parametrize("reads", [(), ("qacc", "sensordata")])
def test_reads_after_a_restore_are_those_of_the_moment(build_sim, reads):
    sim = build_sim("pile")
    scatter(sim)
    sim.step(None, 1)
    everything(sim, reads)
    saved = sim.snapshot()
    expected = everything(sim)
    sim.reset([0, 2])
    sim.step()
    sim.restore(saved)
    same(expected, everything(sim))


@EXACT
def test_varied_fields_go_back_and_what_follows_from_them(build_sim):
    sim = build_sim("sink", vary=VARIED)
    random = np.random.default_rng(1)

    def vary():
        for name in VARIED:
            values = sim.read(name)
            scale = random.uniform(1, 2, (5, *[1] * (values.ndim - 1)))
            sim.vary(name, values * scale)

    vary()
    scatter(sim)
    saved = sim.snapshot()
    first = everything(sim, VARIED), future(sim)
    vary()
    disturb(sim)
    sim.restore(saved)
    same(first[0], everything(sim, VARIED))
    same(first[1], future(sim))


@EXACT
def test_delay_lines_clocks_commands_and_counts_go_back(build_sim, full_scene):
    laws = (KeyframesCfg(keys=("high", "low"), seconds=0.02), DelayCfg(steps=3))
    sim = build_sim(full_scene, control=laws)
    scatter(sim)
    sim.step(commands(sim, np.random.default_rng(3)), 2)
    sim.reset([2])
    sim.step()

    def held():
        path = [sim.step(None, 2, record=["ctrl", "qpos"]) for _ in range(4)]
        return {f"{k} {i}": v for i, item in enumerate(path) for k, v in item.items()}

    saved, steps = sim.snapshot(), sim.steps.copy()
    first = held()
    disturb(sim)
    sim.restore(saved)
    assert np.array_equal(sim.steps, steps)
    same(first, held())
    assert len(np.unique(first["ctrl 0"])) >= first["ctrl 0"].size // 4 + 1


@EXACT
def test_faults_go_back(build_sim):
    sim = build_sim("rails", faults="flag")
    healthy = sim.snapshot()
    sim.write("qvel", np.full((1, 2), np.nan), [3])
    ill = sim.snapshot()
    sim.restore(healthy)
    assert sim.faults.tolist() == [0] * 5
    sim.restore(ill)
    assert sim.faults.tolist() == [0, 0, 0, int(Fault.STATE), 0]


@EXACT
def test_a_snapshot_of_another_sim_is_refused_and_nothing_changes(build_sim):
    sim = build_sim("rails")
    scatter(sim)
    others = build_sim("rails", worlds=1), build_sim("pile")
    before = state(sim)
    for other in others:
        with pytest.raises(BadArray, match="snapshot: expected one of this sim"):
            sim.restore(other.snapshot())
    same(before, state(sim))


@EXACT
def test_a_snapshot_of_an_equal_sim_is_as_good_as_ones_own(build_sim, full_scene):
    sim, twin = build_sim(full_scene), build_sim(full_scene)
    scatter(sim)
    twin.restore(sim.snapshot())
    same(future(sim), future(twin))


@EXACT
@pytest.mark.parametrize("name", ["qpos", "qvel", "ctrl"])
def test_a_world_that_was_healed_by_a_restore_stays_healthy(build_sim, name):
    sim = build_sim("rails", faults="flag")
    healthy = sim.snapshot()
    bad = np.array(sim.read(name))
    bad[3] = np.nan
    sim.write(name, bad)
    sim.step(None, 3)
    assert sim.faults[3]
    sim.restore(healthy)
    sim.step(None, 3)
    assert sim.faults.tolist() == [0] * 5
    sim.write(name, bad)
    sim.step(None, 3)
    assert sim.faults.astype(bool).tolist() == [False, False, False, True, False]
