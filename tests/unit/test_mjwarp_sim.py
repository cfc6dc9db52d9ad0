"""MuJoCo Warp on device arrays: addresses, masks, laws, faults, and MuJoCo's path."""

import os
import subprocess
import sys

import numpy as np
import pytest

from contract.scenes import composed
from mjwarp_sims import NEEDED, quadruped
from unisim import SceneCfg, TaskCfg, borrow, build
from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.base import BuildCfg, Fault
from unisim.backend.fields import QUANTITIES, STATE
from unisim.backend.layout import layout_of
from unisim.config import DelayCfg, KeyframesCfg, OptionsCfg
from unisim.errors import BadArray, BadConfig, Faulted
from unisim.probe.contract.worlds import commands

pytestmark = NEEDED
wp = pytest.importorskip("warp")
BAD = (np.nan, np.inf, -1e12)


@pytest.fixture(scope="module")
def shared_sim():
    with quadruped(faults="flag") as sim:
        yield sim


@pytest.fixture
def sim(shared_sim):
    shared_sim.reset()
    return shared_sim


def states(sim, names=STATE):
    return {name: host(sim.read(name)).copy() for name in names}


def test_a_run_follows_mujoco_within_float32(sim):
    reference = quadruped("mujoco")
    random = np.random.default_rng(0)
    for each in (sim, reference):
        each.reset(keyframe="home")
    for _ in range(20):
        ctrl = commands(reference, random)
        for each in (sim, reference):
            each.step(ctrl, 5)
    for name, atol in (("qpos", 5e-6), ("qvel", 5e-4), ("xpos", 5e-6)):
        got, expected = host(sim.read(name)), reference.read(name)
        np.testing.assert_allclose(got, expected, rtol=0, atol=atol, err_msg=name)
    assert np.ptp(reference.read("qpos")[:, 7]) > 1e-3
    reference.close()


def test_with_rk4_sensors_are_those_of_the_state_before_the_step():
    file = composed("quadruped").file
    options = OptionsCfg(integrator="RK4")
    scene = SceneCfg(model_file=file, options=options, keyframe="home")
    agreed = ("contact.convex",)
    ours, reference = (
        build(TaskCfg(scene=scene, backend=name, worlds=3, accept=agreed))
        for name in ("mjwarp", "mujoco")
    )
    random = np.random.default_rng(5)
    qvel, ctrl = random.normal(size=(3, 18)), commands(reference, random)
    for each in (ours, reference):
        each.reset(qvel=qvel)
        each.step(ctrl, 3)
    for name in ("sensordata", "qacc", "actuator_force"):
        expected = reference.read(name)
        atol = 1e-4 * np.abs(expected).max()
        np.testing.assert_allclose(host(ours.read(name)), expected, 0, atol, name)
    ours.close()
    reference.close()


def test_addresses_never_change(sim):
    before = {name: sim.read(name).ptr for name in QUANTITIES}
    faults, steps = sim.faults.ptr, sim.steps.ptr
    sim.step(None, 3)
    sim.reset([1], qvel=np.ones((1, 18)))
    sim.restore(sim.snapshot())
    assert {name: sim.read(name).ptr for name in QUANTITIES} == before
    assert (sim.faults.ptr, sim.steps.ptr) == (faults, steps)


def test_a_mask_on_the_device_resets_its_worlds_and_takes_rows_of_all(sim):
    random = np.random.default_rng(1)
    sim.step(commands(sim, random), 7)
    before = states(sim)
    values = random.normal(size=(4, 18)).astype(np.float32)
    mask = np.array([False, True, False, True])
    on_device = wp.array(mask, dtype=wp.bool, device="cpu")
    sim.reset(on_device, keyframe="home", qvel=wp.array(values, device="cpu"))
    after = states(sim)
    for name, array in before.items():
        assert np.array_equal(after[name][~mask], array[~mask]), name
    assert np.array_equal(after["qvel"][mask], values[mask])
    key = sim.built.scene.model.key("home")
    expected = np.tile(key.qpos.astype(np.float32), (2, 1))
    assert np.array_equal(after["qpos"][mask], expected)
    assert host(sim.steps).tolist() == [7, 0, 7, 0]


def test_a_mask_and_its_indices_do_the_same(sim):
    sim.step(commands(sim, np.random.default_rng(1)), 5)
    saved = sim.snapshot()
    sim.reset([0, 2])
    sim.step(None, 4)
    first = states(sim, ("qpos", "qvel", "sensordata", "qacc"))
    sim.restore(saved)
    sim.reset(wp.array([True, False, True, False], dtype=wp.bool, device="cpu"))
    sim.step(None, 4)
    for name, array in states(sim, first).items():
        assert np.array_equal(array, first[name]), name


def test_nothing_is_copied_to_the_host(sim, monkeypatch):
    mask = wp.array([True, False, True, False], dtype=wp.bool, device="cpu")
    ctrl = wp.array(np.zeros((4, 12), np.float32), device="cpu")

    def refuse(*_args, **_kwargs):
        raise AssertionError("a copy to the host, or a wait")

    for owner, name in ((wp.array, "numpy"), (wp.array, "list"), (wp, "synchronize")):
        monkeypatch.setattr(owner, name, refuse)
    monkeypatch.setattr(wp, "synchronize_device", refuse)
    sim.step(ctrl, 2)
    sim.reset(mask, keyframe="home")
    for name in QUANTITIES:
        sim.read(name)
    sim.step(None, 1, record=["qpos", "sensordata"])


def test_torch_goes_in_and_out_without_a_copy(sim):
    torch = pytest.importorskip("torch")
    ctrl = torch.linspace(-1, 1, 48).reshape(4, 12)
    sim.step(ctrl)
    assert np.array_equal(host(sim.read("ctrl")), ctrl.numpy())
    qpos = torch.from_dlpack(borrow(sim.read("qpos")))
    assert qpos.data_ptr() == sim.read("qpos").ptr
    before = qpos.clone()
    sim.step()
    assert not torch.equal(before, qpos)
    sim.reset(torch.tensor([True, False, False, False]), qvel=torch.ones(4, 18))
    assert host(sim.read("qvel"))[0].tolist() == [1.0] * 18


def test_what_is_exported_is_a_copy_and_what_numpy_sees_is_read_only(sim):
    torch = pytest.importorskip("torch")
    for array in (sim.read("qpos"), sim.sensor("imu_gyro"), sim.steps, sim.faults):
        before = host(array).copy()
        tensor = torch.from_dlpack(array)
        assert np.array_equal(tensor.numpy(), before)
        tensor += 1
        assert np.array_equal(host(array), before)
        for view in (np.asarray(array), host(array)):
            with pytest.raises(ValueError, match="read-only"):
                view[...] = 1
        with pytest.raises(BufferError, match=r"unisim\.borrow"):
            np.from_dlpack(array, copy=False)


def test_time_does_not_drift_from_the_count_of_steps(sim):
    sim.step(count=30)
    expected = 0.0
    for _ in range(30):
        expected += sim.timestep
    assert host(sim.read("time")).tolist() == [expected] * 4


def test_the_laws_of_a_task_run_on_the_device():
    laws = (KeyframesCfg(keys=("home",), seconds=0.1), DelayCfg(steps=2))
    with quadruped(control=laws) as sim, quadruped("mujoco", control=laws) as twin:
        random = np.random.default_rng(0)
        for _ in range(3):
            ctrl = random.normal(0, 0.1, (4, 12))
            got, want = (each.step(ctrl, 3, record=["ctrl"]) for each in (sim, twin))
            np.testing.assert_allclose(host(got["ctrl"]), want["ctrl"], atol=1e-6)


def engine_of(**settings):
    scene = composed("quadruped")
    request = BuildCfg(
        scene=scene, worlds=4, profile="default", dtype="float32", settings=settings
    )
    return registry.load("mjwarp").build(request, layout_of(scene.model))


def test_a_pool_that_is_too_small_flags_every_world():
    engine = engine_of(contacts_per_world=2)
    engine.reset(None, 0)
    high = host(engine.read("qpos")).copy()
    high[3, 2] += 5.0  # this world needs no contact, but shares the pool
    engine.write("qpos", high, None)
    engine.step(None, 60)
    assert host(engine.faults).tolist() == [int(Fault.CAPACITY)] * 4


def test_too_few_rows_flag_the_worlds_that_lack_them():
    engine = engine_of(rows_per_world=16)  # 12 are of dry friction
    engine.reset(None, 0)
    high = host(engine.read("qpos")).copy()
    high[3, 2] += 5.0
    engine.write("qpos", high, None)
    engine.step(None, 60)
    assert host(engine.faults).tolist() == [int(Fault.CAPACITY)] * 3 + [0]
    engine.reset(np.array([1], np.int32), 0)
    assert host(engine.faults)[1] == 0


def test_the_room_is_that_of_the_reference_with_head_room_and_can_be_set():
    room = engine_of().handle.capacity
    assert room.contacts > 4
    assert room.rows > 4 * 4
    assert engine_of(contacts_per_world=99).handle.capacity.contacts == 99
    with pytest.raises(BadConfig, match="contacts_per_world"):
        quadruped(engine={"contacts_per_world": 0})


@pytest.mark.parametrize("name", ["contacts_per_world", "rows_per_world"])
def test_room_beyond_what_an_array_counts_is_refused(name):
    with pytest.raises(
        BadConfig, match=f"{name}: 2,000,000,000 per world .* less room"
    ):
        quadruped(engine={name: 2_000_000_000})


def test_one_bad_world_is_flagged_and_named():
    with quadruped() as sim:
        qvel = host(sim.read("qvel"))[[2]].copy()
        qvel[0, 3] = np.nan
        sim.write("qvel", qvel, [2])
        with pytest.raises(Faulted, match="STATE in 1 of 4 worlds: 2"):
            sim.read("qpos")
        assert host(sim.faults).tolist() == [0, 0, int(Fault.STATE), 0]


WRONG = [(name, value) for name in ("qpos", "qvel", "ctrl") for value in BAD]


@pytest.mark.parametrize(("name", "bad"), WRONG)
def test_a_bad_number_in_one_world_changes_no_other_by_a_bit(sim, name, bad):
    sim.reset(keyframe="home")
    sim.step(commands(sim, np.random.default_rng(4)), 20)  # on their feet
    saved, others = sim.snapshot(), [0, 1, 3]
    sim.step(None, 8)
    want = states(sim, QUANTITIES)
    assert not host(sim.faults).any()
    sim.restore(saved)
    rows = host(sim.read(name))[[2]].copy()
    rows[0, 4] = bad
    sim.write(name, rows, [2])
    sim.step(None, 8)
    fault = Fault.CONTROL if name == "ctrl" else Fault.STATE
    assert host(sim.faults).tolist() == [0, 0, int(fault), 0]
    for quantity, array in states(sim, QUANTITIES).items():
        np.testing.assert_array_equal(array[others], want[quantity][others], quantity)
    sim.reset([2], keyframe="home")
    assert not host(sim.faults).any()
    sim.step(None, 3)
    assert np.isfinite(host(sim.read("qpos"))).all()
    assert not host(sim.faults).any()


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_command_is_not_applied_and_goes_to_no_other_world(sim, bad):
    sim.reset(keyframe="home")
    ctrl = commands(sim, np.random.default_rng(5)).astype(np.float32)
    saved = sim.snapshot()
    sim.step(ctrl, 6)
    want = states(sim)
    sim.restore(saved)
    ctrl[1, 7] = bad
    sim.step(ctrl, 6)
    assert host(sim.faults).tolist() == [0, int(Fault.CONTROL), 0, 0]
    for name, array in states(sim).items():
        np.testing.assert_array_equal(array[[0, 2, 3]], want[name][[0, 2, 3]], name)
    assert np.isfinite(host(sim.read("qpos"))).all()


def test_a_mask_of_the_wrong_size_is_refused(sim):
    with pytest.raises(BadArray, match="worlds"):
        sim.reset(wp.zeros(3, dtype=wp.bool, device="cpu"))


THREADS = """
import threading
from mjwarp_sims import quadruped
from unisim.backend.arrays import host


def walk(sim, found):
    sim.reset(keyframe="home")
    for _ in range(300):
        sim.step(None, 2)
        sim.read("xpos")
    found.append(host(sim.read("qpos")).tobytes())


sims, found = [quadruped(), quadruped()], []
for sim in sims:
    walk(sim, found)
threads = [threading.Thread(target=walk, args=(sim, found)) for sim in sims]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found), len(set(found)))
"""


def test_threads_may_step_sims_of_their_own():
    command = [sys.executable, "-c", THREADS]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        command, env=env, capture_output=True, text=True, check=False, timeout=300
    )
    assert (run.returncode, run.stdout) == (0, "4 1\n"), run.stderr
