"""What a run measures, against closed forms."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unisim
from unisim.config import (
    ContactQueryCfg,
    KeyframesCfg,
    PDCfg,
    RunCfg,
    SceneCfg,
    TaskCfg,
)
from unisim.errors import CannotWrite, Faulted, OutOfRange, UnknownName
from unisim.progress import Silent
from unisim.report.folder import staged
from unisim.runtime.command import Command
from unisim.runtime.ground import find_ground, force_on_second
from unisim.runtime.measure import measure
from unisim.runtime.run import run
from unisim.runtime.seen import Seen

BOX = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 .1"><freejoint/><geom name="box" type="box"
      size=".1 .1 .1" mass="2"/></body>
  </worldbody>
</mujoco>"""
SERVOS = """<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="a"><joint name="a" damping="5"/><geom size=".1" mass="1"/></body>
    <body name="b" pos="0 2 0"><joint name="b" damping="5"/><geom size=".1" mass="1"/>
      </body>
  </worldbody>
  <actuator>
    <motor name="a" joint="a" gear="2"/>
    <position name="b" joint="b" kp="50" ctrlrange="-.1 .1"/>
  </actuator>
  <keyframe><key name="start" qpos=".3 .05" ctrl="0 .05"/></keyframe>
</mujoco>"""
FIELDS = ("force", "normal", "tangent")


def task_of(folder, xml, **fields):
    """A task of an inline scene."""
    file = Path(folder) / "scene.xml"
    file.write_text(xml, encoding="utf-8")
    scene = SceneCfg(model_file=file, keyframe=fields.pop("keyframe", None))
    return TaskCfg(scene=scene, **fields)


def query(**fields):
    return ContactQueryCfg(name="q", **({"fields": FIELDS, "slots": 4} | fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"first": "box", "second": "floor"},
        {"first": "box", "second": "floor", "reduce": "netforce", "slots": 1},
        {"first": "box", "second": "world", "kind": "subtree"},
    ],
)
def test_the_ground_carries_exactly_the_weight_of_a_box_at_rest(tmp_path, fields):
    task = task_of(tmp_path, BOX, worlds=2, contacts=(query(**fields),))
    with unisim.build(task) as sim:
        ground = find_ground(Seen(sim))
        sim.step(None, 1000)
        assert ground.carried == ("box",)
        assert ground.weight == pytest.approx(2 * 9.81)
        assert ground.force(sim) == pytest.approx([2 * 9.81] * 2, rel=1e-6)


def test_a_query_whose_second_moves_is_not_of_the_ground(tmp_path):
    task = task_of(tmp_path, BOX, contacts=(query(first="floor", second="box"),))
    with unisim.build(task) as sim:
        assert find_ground(Seen(sim)).queries == ()
        sim.step(None, 1000)
        force = force_on_second(sim.contact("q"))
    assert force == pytest.approx(np.array([[0, 0, 2 * 9.81]]), rel=1e-6, abs=1e-6)


def test_the_height_of_a_falling_body_is_that_of_free_fall(tmp_path):
    xml = BOX.replace("0 0 .1", "0 0 9", 1)
    task = task_of(tmp_path, xml, worlds=3, decimation=5)
    with unisim.build(task) as sim:
        measured = measure(sim, RunCfg(seconds=0.5), Silent())
    dt, t = 0.002, measured.time
    expected = 9 - 9.81 / 2 * t * (t + dt)
    assert measured.body == "box"
    assert t[-1] == pytest.approx(0.5)
    assert measured.height.spread == pytest.approx(np.tile(expected, (5, 1)).T)
    assert measured.height.one == pytest.approx(expected)


def test_the_command_is_a_sine_around_the_keyframe_with_a_phase_per_world(tmp_path):
    task = task_of(tmp_path, SERVOS, worlds=4, keyframe="start")
    cfg = RunCfg(amplitude=0.5, frequency=2.0)
    with unisim.build(task) as sim:
        command = Command(Seen(sim), cfg).at(0.1)
    phase = 2 * np.pi * np.arange(4) / 4
    wave = 0.5 * np.sin(2 * np.pi * 2.0 * 0.1 + phase)
    assert command == pytest.approx(np.stack([wave, 0.05 + wave], axis=1))


def test_a_pd_law_rests_at_the_keyframes_positions(tmp_path):
    pd = PDCfg(kp={"a": 40.0}, kv={"a": 4.0})
    task = task_of(tmp_path, SERVOS, worlds=2, keyframe="start", control=(pd,))
    with unisim.build(task) as sim:
        assert Command(Seen(sim), RunCfg()).at(0.0) == pytest.approx(
            np.array([[0.3, 0.05]] * 2)
        )
    keys = KeyframesCfg(keys=("start",))
    with unisim.build(replace(task, control=(keys, pd))) as sim:
        assert not Command(Seen(sim), RunCfg()).at(0.0).any()


def test_targets_are_what_laws_and_servos_really_follow(tmp_path):
    pd = PDCfg(kp={"a": 40.0}, kv={"a": 4.0})
    task = task_of(tmp_path, SERVOS, worlds=2, keyframe="start", control=(pd,))
    run_cfg = RunCfg(seconds=4.0, amplitude=0.2, frequency=0.01, picture_world=1)
    with unisim.build(task) as sim:
        measured = measure(sim, run_cfg, Silent())
        qpos = sim.read("qpos")[1]
    assert [item.name for item in measured.followers] == ["a", "b"]
    wave = 0.2 * np.sin(2 * np.pi * 0.01 * (measured.time - 0.002) + np.pi)
    assert measured.target[:, 0] == pytest.approx(0.3 + wave)
    assert measured.target[:, 1] == pytest.approx(np.clip(0.05 + wave, -0.1, 0.1))
    assert measured.actual[-1] == pytest.approx(qpos)
    assert measured.actual[-1] == pytest.approx(measured.target[-1], abs=0.02)


def test_a_tapped_law_moves_the_worlds_as_the_sim_itself_does(tmp_path):
    pd = PDCfg(kp={"a": 40.0}, kv={"a": 4.0})
    task = task_of(tmp_path, SERVOS, worlds=3, keyframe="start", control=(pd,))
    cfg = RunCfg(seconds=0.2, amplitude=0.2)
    with unisim.build(task) as sim:
        measure(sim, cfg, Silent())
        tapped = sim.read("qpos").copy()
        sim.reset()
        command = Command(Seen(sim), cfg)
        for i in range(100):
            sim.step(command.at(i * 0.002))
        assert np.array_equal(tapped, sim.read("qpos"))


def test_a_faulted_world_is_counted_and_left_out(tmp_path):
    task = task_of(tmp_path, BOX, worlds=3, faults="flag")
    with unisim.build(task) as sim:
        sim.write("qvel", np.full((1, 6), np.nan), [1])
        measured = measure(sim, RunCfg(seconds=0.1), Silent())
    assert measured.faults == {"state": 1}
    assert np.isfinite(measured.height.spread).all()


def test_a_fault_ends_a_run_that_does_not_ask_for_flags(tmp_path):
    with unisim.build(task_of(tmp_path, BOX, worlds=3)) as sim:
        sim.write("qvel", np.full((1, 6), np.nan), [1])
        with pytest.raises(Faulted):
            measure(sim, RunCfg(seconds=0.1), Silent())


def test_a_camera_on_no_body_is_refused(tmp_path):
    task = task_of(tmp_path, BOX)
    task = replace(task, camera=replace(task.camera, body="bux"))
    with pytest.raises(UnknownName, match=r"camera\.body: .* no body 'bux'.*'box'"):
        unisim.build(task)


def test_a_pictured_world_that_is_not_there_is_refused(tmp_path):
    task = task_of(tmp_path, BOX, worlds=2, run=RunCfg(picture_world=2))
    with pytest.raises(OutOfRange, match=r"run\.picture_world 2"):
        run(task, "box", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_gets_all_files_or_none(tmp_path):
    out = tmp_path / "deep" / "out"
    with pytest.raises(ZeroDivisionError), staged(out) as stage:
        (stage / "half.txt").write_text(f"{1 / 0}", encoding="utf-8")
    assert not (tmp_path / "deep").exists()
    out.mkdir(parents=True)
    (out / "kept.txt").write_text("kept", encoding="utf-8")
    (out / "new.txt").write_text("old", encoding="utf-8")
    with staged(out) as stage:
        (stage / "new.txt").write_text("new", encoding="utf-8")
        assert (out / "new.txt").read_text(encoding="utf-8") == "old"
    assert {x.name: x.read_text(encoding="utf-8") for x in out.iterdir()} == {
        "kept.txt": "kept",
        "new.txt": "new",
    }


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path):
    file = tmp_path / "out"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(CannotWrite, match="file"), staged(file):
        pytest.fail("the block must not run")
    assert file.read_text(encoding="utf-8") == "mine"
