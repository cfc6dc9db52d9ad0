"""What a sim refuses, and that a refusal changes nothing."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

from contract.scenes import FILES, composed
from unisim import ContactQueryCfg, Record, SceneCfg, TaskCfg, build
from unisim.backend.fields import STATE
from unisim.errors import (
    BadArray,
    BadControl,
    Closed,
    NotDeclared,
    OutOfRange,
    UnknownName,
)
from unisim.probe.contract.worlds import everything, future, same, scatter

N = 4


def built(name="sink", **task):
    scene = composed(name)
    cfg = SceneCfg(model_file=scene.file)
    return build(TaskCfg(scene=cfg, worlds=N, **task), scene)


REFUSED = {
    "short ctrl": (BadArray, "ctrl", lambda s: s.step(np.zeros((N, 3)))),
    "whole ctrl": (BadArray, "int64", lambda s: s.step(np.zeros((N, 4), int))),
    "no steps": (OutOfRange, "count 0", lambda s: s.step(count=0)),
    "half a step": (OutOfRange, "count 0.5", lambda s: s.step(count=0.5)),
    "a word for a count": (OutOfRange, "count a", lambda s: s.step(count="a")),
    "a word for a law": (BadControl, "'pd'", lambda s: s.step(control="pd")),
    "no snapshot": (BadArray, "snapshot", lambda s: s.restore(None)),
    "record": (UnknownName, "'qpos'", lambda s: s.step(record=["qpo"])),
    "record one": (UnknownName, "'qpos'", lambda s: s.step(record="qpo")),
    "record a number": (UnknownName, "'5'", lambda s: s.step(record=[5])),
    "record a list": (UnknownName, "'qpos'", lambda s: s.step(record=[["qpos"]])),
    "record in a number": (BadArray, "record", lambda s: s.step(record=5)),
    "record of a number": (UnknownName, "'5'", lambda s: s.step(record=Record(5))),
    "record over a list": (
        UnknownName,
        "reduction",
        lambda s: s.step(record=Record("qpos", over=["min"])),
    ),
    "key by number": (UnknownName, "key '0'", lambda s: s.reset(keyframe=0)),
    "key in a list": (UnknownName, "'low'", lambda s: s.reset(keyframe=["low"])),
    "key": (UnknownName, "'low'", lambda s: s.reset(keyframe="lo")),
    "reset of a reading": (UnknownName, "'xpos'", lambda s: s.reset(xpos=1.0)),
    "reset by a short mask": (BadArray, "mask", lambda s: s.reset([True] * 3)),
    "reset of a world too many": (OutOfRange, "world 4", lambda s: s.reset([0, 4])),
    "reset twice": (BadArray, "world 1 twice", lambda s: s.reset([1, 1])),
    "reset with one bad array": (
        BadArray,
        "qvel",
        lambda s: s.reset([0], qpos=s.read("qpos")[:1], qvel=np.zeros((1, 2))),
    ),
    "write of too many": (
        BadArray,
        r"\(2, 18\)",
        lambda s: s.write("qvel", np.zeros((3, 18)), [1, 2]),
    ),
    "write of a reading": (UnknownName, "qacc", lambda s: s.write("qacc", 0.0)),
    "write to no world": (OutOfRange, "-1", lambda s: s.write("time", [0.0], [-1])),
    "half an equality": (
        BadArray,
        "0 or 1",
        lambda s: s.write("eq_active", np.full((N, 2), 0.5)),
    ),
    "read": (UnknownName, "'qpos'", lambda s: s.read("qposs")),
    "read a number": (UnknownName, "quantity '0'", lambda s: s.read(0)),
    "read a list": (UnknownName, "'qpos'", lambda s: s.read(["qpos"])),
    "write a list": (UnknownName, "'qpos'", lambda s: s.write(["qpos"], 0.0)),
    "vary a list": (NotDeclared, "opt.gravity", lambda s: s.vary(["x"], 1.0)),
    "sensor by number": (UnknownName, "'0'", lambda s: s.sensor(0)),
    "sensor in a list": (UnknownName, "'tip'", lambda s: s.sensor(["tip"])),
    "contact in a list": (NotDeclared, "has: q", lambda s: s.contact(["q"])),
    "index by number": (UnknownName, "'3'", lambda s: s.layout.index("body", 3)),
    "index of a kind": (UnknownName, "'body'", lambda s: s.layout.index("bodi", "a")),
    "columns of nothing": (UnknownName, "no", lambda s: s.layout.columns("no", "tip")),
    "sensor": (UnknownName, "'touch'", lambda s: s.sensor("touc")),
    "contact": (NotDeclared, "has: q", lambda s: s.contact("p")),
    "raw contacts": (OutOfRange, "world 4", lambda s: s.raw_contacts(4)),
    "half a world": (OutOfRange, "world 1.5", lambda s: s.raw_contacts(1.5)),
    "vary": (NotDeclared, "opt.gravity", lambda s: s.vary("body_mass", 1.0)),
    "vary in a wrong shape": (
        BadArray,
        r"\(4, 3\)",
        lambda s: s.vary("opt.gravity", np.zeros(3)),
    ),
}


@pytest.fixture(scope="module")
def pair():
    query = ContactQueryCfg(name="q", first="pebble")
    sims = [built(contacts=(query,), vary=("opt.gravity",)) for _ in range(2)]
    for sim in sims:
        scatter(sim)
    return sims


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_what_and_changes_nothing(pair, case):
    error, message, act = case
    sim, twin = pair
    with pytest.raises(error, match=message):
        act(sim)
    same(everything(twin), everything(sim))
    same(future(twin, 2), future(sim, 2))
    assert sim.steps.tolist() == twin.steps.tolist()


def test_after_it_is_closed_a_sim_does_nothing():
    sim = built()
    saved = sim.snapshot()
    sim.close()
    sim.close()
    calls = [
        sim.step,
        sim.reset,
        lambda: sim.read("qpos"),
        lambda: sim.write("time", np.zeros(N)),
        lambda: sim.sensor("tip"),
        lambda: sim.contact("q"),
        lambda: sim.raw_contacts(0),
        lambda: sim.vary("body_mass", 1.0),
        sim.snapshot,
        lambda: sim.restore(saved),
        lambda: sim.faults,
    ]
    for call in calls:
        with pytest.raises(Closed, match="This sim is closed"):
            call()


def test_a_with_block_closes_the_sim_and_frees_its_engine():
    with built("cartpole") as sim:
        batch = weakref.ref(sim.built.engine.handle)
        assert batch() is not None
    gc.collect()
    assert batch() is None
    with pytest.raises(Closed):
        sim.step()


def test_sensors_are_read_by_name_each_from_its_columns():
    with built() as sim:
        scatter(sim)
        whole = sim.read("sensordata")
        for name in sim.layout.names["sensor"]:
            columns = sim.layout.columns("sensordata", name)
            assert np.array_equal(sim.sensor(name), whole[:, columns])
        assert sim.sensor("tip").shape == (N, 3)
        tip = sim.built.scene.model.site("tip").id
        assert np.array_equal(sim.sensor("tip"), sim.read("site_xpos")[:, tip])


def test_single_precision_is_cast_and_read_back_as_it_was_cast():
    with built("cartpole") as sim:
        values = np.linspace(0, 1, 2 * N, dtype=np.float32).reshape(N, 2)
        sim.write("qvel", values)
        assert np.array_equal(sim.read("qvel"), values.astype(np.float64))


def test_lists_are_arrays():
    with built("cartpole") as sim:
        sim.write("qpos", [[0.1, 0.2]], [2])
        assert sim.read("qpos")[2].tolist() == [0.1, 0.2]
        sim.step([[0.5]] * N)
        assert np.all(sim.read("ctrl") == 0.5)


def test_every_part_of_the_state_can_be_passed_to_reset():
    with built() as sim:
        random = np.random.default_rng(0)
        scatter(sim)
        values = {name: random.normal(0, 1, sim.read(name)[:2].shape) for name in STATE}
        values["eq_active"] = 1 - sim.read("eq_active")[:2]
        sim.reset([3, 1], **values)
        for name, rows in values.items():
            assert np.array_equal(sim.read(name)[[3, 1]], rows), name


def test_a_single_item_can_be_recorded():
    with built("cartpole") as sim:
        taken = sim.step(count=3, record="time")
        assert list(taken) == ["time"]
        assert taken["time"].shape == (N, 3)
        last = Record("time", over="max")
        assert np.array_equal(sim.step(record=last)[last], sim.read("time"))


def test_a_generator_of_items_is_recorded_too():
    with built("cartpole") as sim:
        taken = sim.step(record=(name for name in ("time", "qpos")))
        assert {name: values.shape for name, values in taken.items()} == {
            "time": (N, 1),
            "qpos": (N, 1, 2),
        }


def test_a_control_function_that_closes_the_sim_ends_the_step():
    sim = built("cartpole")

    def control(command, _qpos, _qvel, _time):
        sim.close()
        return command.copy()

    with pytest.raises(Closed):
        sim.step(control=control, count=2)
    with pytest.raises(Closed):
        sim.step()


FORK = """
import os, signal, sys
from pathlib import Path
from unisim import SceneCfg, TaskCfg, build
from unisim.errors import Forked
scene = SceneCfg(model_file=Path(sys.argv[1]))
sim = build(TaskCfg(scene=scene, worlds=3, engine={"threads": 2}))
sim.step()
child = os.fork()
if child == 0:
    signal.alarm(60)  # rather than hang
    refused = 0
    for call in (sim.step, sim.reset, lambda: sim.read("qpos"), sim.snapshot):
        try:
            call()
        except Forked as error:
            assert str(os.getpid()) in str(error) and str(os.getppid()) in str(error)
            refused += 1
    sim.close()
    del sim
    os._exit(refused)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
sim.step()
print(sim.steps.tolist())
"""


def test_a_forked_process_is_told_so_and_its_parent_goes_on():
    command = [sys.executable, "-W", "ignore", "-c", FORK, str(FILES["cartpole"])]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split("\n")[:2] == ["4", "[2, 2, 2]"], done.stderr
