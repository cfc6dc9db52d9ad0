"""Stepping: counts, reads in between, recordings, repetition."""

import numpy as np
import pytest

from unisim.config import DelayCfg, PDCfg
from unisim.errors import OutOfRange, UnknownName
from unisim.probe.contract.build import needs
from unisim.probe.contract.worlds import (
    commands,
    everything,
    future,
    same,
    scatter,
    state,
)
from unisim.record import Record

LAWS = {"none": (), "delay": (DelayCfg(steps=3),)}
READS = {
    "no reads": (),
    "state": ("qpos",),
    "derived": ("site_linvel", "sensordata", "qacc"),
}


@pytest.mark.parametrize("reads", READS.values(), ids=READS)
@pytest.mark.parametrize("control", LAWS.values(), ids=LAWS)
def test_many_steps_are_single_steps(build_sim, scene_name, control, reads):
    sim, single = (build_sim(scene_name, control=control) for _ in range(2))
    for each in (sim, single):
        scatter(each)
    random = np.random.default_rng(2)
    for count in (1, 4, 3):
        ctrl = commands(sim, random)
        sim.step(ctrl, count)
        for _ in range(count):
            single.step(ctrl)
            everything(single, reads)
        same(state(sim), state(single))
    same(everything(sim), everything(single))


def test_no_command_holds_the_last_one(build_sim, scene_name):
    sim, twin = build_sim(scene_name), build_sim(scene_name)
    ctrl = commands(sim, np.random.default_rng(0))
    sim.step(ctrl, 2)
    sim.step()
    twin.step(ctrl, 2)
    twin.step(ctrl)
    same(everything(sim), everything(twin))


def test_equal_runs_are_bit_equal(build_sim, scene_name):
    sim, twin = build_sim(scene_name), build_sim(scene_name)
    for each in (sim, twin):
        scatter(each)
    same(future(sim, 20), future(twin, 20))


@pytest.mark.parametrize("control", LAWS.values(), ids=LAWS)
def test_recording_changes_nothing_and_equals_reading(build_sim, scene_name, control):
    sim, twin = (build_sim(scene_name, control=control) for _ in range(2))
    for each in (sim, twin):
        scatter(each)
    names = ["qpos", "sensordata", "qacc", "geom_linvel"]
    ctrl = commands(sim, np.random.default_rng(4))
    recorded = sim.step(ctrl, 4, record=names)
    taken = []
    for _ in range(4):
        twin.step(ctrl)
        taken.append(everything(twin, names))
    for name in names:
        expected = np.stack([arrays[name] for arrays in taken], axis=1)
        np.testing.assert_array_equal(recorded[name], expected, strict=True)
    same(everything(twin), everything(sim))


def test_recordings_reduce_over_the_steps(build_sim):
    sim = build_sim("pile")
    scatter(sim)
    items = ["qacc", *(Record("qacc", over) for over in ("all", "min", "max", "any"))]
    got = sim.step(None, 5, record=items)
    whole = got["qacc"]
    assert whole.shape == (5, 5, sim.layout.sizes["nv"])
    np.testing.assert_array_equal(got[items[1]], whole)
    np.testing.assert_array_equal(got[items[2]], whole.min(axis=1))
    np.testing.assert_array_equal(got[items[3]], whole.max(axis=1))
    np.testing.assert_array_equal(got[items[4]], (whole != 0).any(axis=1))
    assert len(np.unique(whole[0, :, 0])) == 5


def test_any_tells_in_which_worlds_something_happened(build_sim):
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .1"><freejoint/><geom size=".1"/><site name="s" size=".12"/></body>
      </worldbody><sensor><touch name="foot" site="s"/></sensor></mujoco>"""
    sim = build_sim(xml)
    qpos = sim.read("qpos").copy()
    qpos[[1, 3], 2] = 5.0
    sim.reset(qpos=qpos)
    touched = Record("sensordata", "any")
    got = sim.step(count=10, record=[touched])[touched]
    assert got[:, 0].tolist() == [1, 0, 1, 0, 1]


@needs("snapshot.exact", "deterministic")
def test_nothing_happens_when_a_step_is_refused(build_sim):
    xml = """<mujoco><worldbody><body><joint name="a"/><geom size=".1" pos=".1 0 0"/>
      </body></worldbody><actuator><motor name="a" joint="a"/></actuator></mujoco>"""
    law = PDCfg(kp={"*": 3.0}, kv={"*": 0.1})
    sim = build_sim(xml, control=(law,))
    sim.step(np.linspace(-1, 1, 5)[:, None], 3)
    twin = sim.snapshot()
    other = np.full((5, 1), 7.0)
    with pytest.raises(OutOfRange, match="count 0"):
        sim.step(other, 0)
    with pytest.raises(OutOfRange, match=r"count 1\.5"):
        sim.step(other, 1.5)
    with pytest.raises(UnknownName, match=r"qposs.*'qpos'"):
        sim.step(other, 2, record=["qposs"])
    with pytest.raises(UnknownName, match=r"reduction.*'mean'.*max"):
        sim.step(other, 2, record=[Record("qpos", "mean")])
    after = future_held(sim)
    sim.restore(twin)
    same(future_held(sim), after)


def future_held(sim):
    sim.step(None, 4)
    return everything(sim)
