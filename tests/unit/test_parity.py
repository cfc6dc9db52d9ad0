"""The replay, how far two paths are apart, and the reports of both."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest

import unisim
from unisim.backend import choice
from unisim.cli import main
from unisim.config import ContactQueryCfg, ParityCfg, PDCfg, SceneCfg, TaskCfg
from unisim.errors import MissingEngine
from unisim.options import OptionsCfg
from unisim.parity import contestants, measure
from unisim.parity.apart import compare
from unisim.parity.experiments import EXPERIMENTS
from unisim.parity.experiments.experiment import Experiment, check
from unisim.parity.measure import HALF_STEP, OTHER_CONE, SINGLE
from unisim.parity.replay import Path as Course
from unisim.parity.replay import play, record
from unisim.parity.table import glance_rows
from unisim.progress import Silent
from unisim.scene.compose import compose

ROOT = Path(__file__).resolve().parents[2]
SCENE = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="cart" pos="0 0 1">
      <joint name="rail" type="slide" axis="1 0 0" damping="1"/>
      <geom name="cart" type="box" size=".1 .1 .05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" range="-60 60" damping=".05"/>
        <geom name="pole" type="capsule" fromto="0 0 .1 0 0 .5" size=".02" mass=".2"/>
        <body name="knob" pos="0 0 .5"><joint name="ball" type="ball" damping=".01"/>
          <geom name="knob" size=".03" pos="0 0 .06" mass=".05"/></body></body>
    </body>
    <body name="crate" pos="1 0 .1"><freejoint name="crate"/>
      <geom name="crate" type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody>
  <actuator>
    <motor name="push" joint="rail" ctrlrange="-3 1" ctrllimited="true"/>
    <motor name="turn" joint="hinge" gear=".5"/>
  </actuator>
  <keyframe><key name="start" ctrl=".5 0"
    qpos=".3 .2 1 0 0 0 1 0 .1 1 0 0 0"/></keyframe>
</mujoco>"""
LAW = PDCfg(kp={"turn": 3.0}, kv={"turn": 0.1})
PARITY = ParityCfg(seconds=0.2, worlds=3, amplitude=0.5)


@pytest.fixture
def task(tmp_path):
    file = tmp_path / "scene.xml"
    file.write_text(SCENE, encoding="utf-8")
    return TaskCfg(
        scene=SceneCfg(model_file=file, keyframe="start"),
        decimation=5,
        parity=PARITY,
        seed=7,
    )


@pytest.fixture
def config(task, tmp_path):
    file = tmp_path / "cart.toml"
    file.write_text(
        'decimation = 5\n[scene]\nmodel_file = "scene.xml"\nkeyframe = "start"\n'
        "[parity]\nseconds = 0.1\nworlds = 2\n",
        encoding="utf-8",
    )
    return file


@pytest.fixture
def brief(monkeypatch):
    """One experiment instead of all; the list can be changed by the test."""
    found = [Experiment("right", "1 is 1", lambda _: iter([_one(1.0)]))]
    monkeypatch.setattr(measure, "EXPERIMENTS", found)
    return found


def _one(value):
    return check("one", "1", value, 1.0, within=0.5)


def course(qpos):
    return Course(np.asarray(qpos, np.float64), np.zeros(len(qpos), np.uint8))


def model_of(task):
    return compose(task.scene).model


def turned(axis, angle):
    """qpos of the scene with its ball turned about an axis, and the crate too."""
    quat = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.asarray(axis))])
    return np.concatenate([[0, 0], quat, [1, 0, 0.1], quat])


def test_controls_are_smooth_distinct_and_within_their_ranges(task):
    replay = record(task, compose(task.scene))
    assert replay.ctrl.shape == (3, 100, 2)
    # a command is held for a control step, and moves little from one to the next
    held = replay.ctrl.reshape(3, 20, 5, 2)
    assert (np.ptp(held, axis=2) == 0).all()
    assert 0 < np.abs(np.diff(held[:, :, 0], axis=1)).max() < 0.3
    assert (np.ptp(replay.ctrl, axis=0).max(axis=0) > 0.05).all()
    np.testing.assert_allclose(replay.ctrl[:, 0], np.tile([0.5, 0], (3, 1)))
    strong = replace(task, parity=replace(PARITY, amplitude=20.0, seconds=1.0))
    push = record(strong, compose(task.scene)).ctrl[..., 0]
    assert (push.min(), push.max()) == (-3.0, 1.0)


def test_the_seed_alone_decides_what_is_replayed(task):
    first, again = (record(task, compose(task.scene)) for _ in range(2))
    other = record(replace(task, seed=8), compose(task.scene))
    assert (first.ctrl == again.ctrl).all()
    assert (first.qpos == again.qpos).all()
    assert (first.ctrl != other.ctrl).any()


def test_worlds_start_in_distinct_states_around_the_key_that_single_precision_holds(
    task,
):
    replay = record(task, compose(task.scene))
    key = model_of(task).key_qpos[0]
    np.testing.assert_allclose(replay.qpos[0], key, atol=1e-7)
    assert not replay.qvel[0].any()
    for a, b in ((0, 1), (0, 2), (1, 2)):
        moved = np.abs(replay.qpos[a] - replay.qpos[b])
        assert (moved[:5] > 0).all()
        assert moved[:6].max() < 0.05
        assert not moved[6:].any()  # the crate may not be pushed into the floor
    np.testing.assert_allclose(np.linalg.norm(replay.qpos[:, 2:6], axis=1), 1, 1e-6)
    for array in (replay.qpos, replay.qvel, replay.ctrl):
        assert (array == array.astype(np.float32)).all()


def test_worlds_start_on_tiles_of_their_own_where_the_ground_has_tiles():
    task = unisim.load(ROOT / "configs" / "quadruped_rough.toml")
    task = replace(task, parity=replace(task.parity, seconds=0.02))
    places = record(task, compose(task.scene)).qpos[:, :2]
    apart = np.linalg.norm(places[:, None] - places, axis=-1)
    assert apart[np.triu_indices(4, 1)].min() > 0.5


def test_controls_are_what_the_laws_put_out_in_every_substep(task):
    """The PD law's torque follows from the states that the replay passes through."""
    driven = replace(task, control=(LAW,))
    scene = compose(task.scene)
    replay = record(driven, scene)
    with unisim.build(replace(task, worlds=3), scene) as sim:
        path = play(sim, replay).qpos[..., 1]
        sim.reset(qpos=replay.qpos, qvel=replay.qvel)
    before = np.concatenate([replay.qpos[:, None, 1], path], axis=1)
    speed = np.diff(before, axis=1) / replay.timestep
    speed = np.concatenate([replay.qvel[:, None, 1], speed[:, :-1]], axis=1)
    torque = 0.5 * replay.ctrl[..., 1]
    target = (torque + 0.1 * speed) / 3.0 + before[:, :-1]
    held = target.reshape(3, 20, 5)
    assert np.ptp(held, axis=2).max() < 1e-5
    assert np.ptp(held, axis=1).max() > 0.01


def test_the_reference_repeats_its_replay_bit_by_bit_and_rounds_when_asked(task):
    scene = compose(task.scene)
    replay = record(task, scene)
    with unisim.build(replace(task, worlds=3), scene) as sim:
        paths = [play(sim, replay).qpos for _ in range(2)]
        rounded = play(sim, replay, rounded=True).qpos
    assert (paths[0] == paths[1]).all()
    assert (rounded == rounded.astype(np.float32)).all()
    assert 0 < np.abs(rounded - paths[0]).max() < 1e-4
    data = mujoco.MjData(scene.model)
    data.qpos, data.qvel = replay.qpos[2], replay.qvel[2]
    for step in range(replay.steps):
        data.ctrl = replay.ctrl[2, step]
        mujoco.mj_step(scene.model, data)
        assert (data.qpos == paths[0][2, step]).all()


def test_differences_are_counted_by_kind_of_joint(task):
    base = np.tile(turned([0, 0, 1], 0.0), (2, 3, 1))
    other = base.copy()
    other[0, 1, 0] += 0.3  # the slide
    other[1, 2, 1] -= 0.1  # the hinge
    other[1, 1] = turned([0, 1, 0], 0.02)
    other[1, 1, 6:9] += [0.03, 0, -0.04]
    other[0, 2, 2:6] *= -1  # the same rotation
    found = compare(model_of(task), course(other), course(base), np.arange(3.0), 9)
    curves = {curve.name: curve for curve in found.curves}
    expected = {
        "hinges": ("rad", [0, 0, 0.1]),
        "slides": ("m", [0, 0.3, 0]),
        "balls": ("rad", [0, 0.02, 0]),
        "base position": ("m", [0, 0.05, 0]),
        "base orientation": ("rad", [0, 0.02, 0]),
    }
    assert curves.keys() == expected.keys()
    for name, (unit, largest) in expected.items():
        assert curves[name].unit == unit
        np.testing.assert_allclose(curves[name].largest, largest, atol=1e-12)
        np.testing.assert_allclose(
            curves[name].rmse, np.divide(largest, np.sqrt(2)), atol=1e-12
        )


def test_the_joint_that_differs_most_is_named_though_another_differs_more_often():
    hinge = "<body><joint name='{0}' axis='0 1 0'/><geom size='.1' pos='0 0 1'/></body>"
    bodies = "".join(map(hinge.format, ("left", "right")))
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody>{bodies}</worldbody></mujoco>"
    )
    base = np.zeros((2, 4, 2))
    other = base.copy()
    other[0, :, 0] = 0.01
    other[1, 2, 1] = -0.02
    (curve,) = compare(model, course(other), course(base), np.arange(4.0), 9).curves
    assert curve.joint == "right"
    assert curve.most == pytest.approx(np.sqrt((0.01**2 + 0.02**2) / 4))


def test_the_horizon_ends_where_a_joint_leaves_and_the_base_does_not_count(task):
    time = np.array([0.1, 0.2, 0.3, 0.4])
    base = np.tile(turned([0, 0, 1], 0.0), (4, 4, 1))
    other = base.copy()
    other[0, 2:, 1] = 0.02
    other[1, 1, 0] = -0.02  # back again later
    other[2, :, 6] += 5.0
    other[3, 3, 1] = np.nan
    found = compare(model_of(task), course(other), course(base), time, 0.01)
    np.testing.assert_array_equal(found.horizon, [0.3, 0.2, np.inf, 0.4])
    assert (found.first, found.middle) == (0.2, 0.3)


def test_the_horizon_is_the_bases_where_there_are_no_joints(tmp_path):
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
        "</mujoco>"
    )
    base = np.tile([0.0, 0, 1, 1, 0, 0, 0], (1, 3, 1))
    other = base.copy()
    other[0, 2, 0] = 0.02
    found = compare(model, course(other), course(base), np.arange(3.0), 0.01)
    assert found.horizon == [2.0]


def test_backends_are_those_that_simulate_unless_named():
    assert "mujoco" in choice.choose(())
    assert "fake" not in choice.choose(())
    assert choice.choose(("fake", "mujoco", "fake")) == ("fake", "mujoco")


def test_a_named_engine_that_is_not_installed_is_missed_by_name(monkeypatch):
    monkeypatch.setattr(choice, "installed", lambda name: name == "fake")
    assert choice.choose(()) == ()
    with pytest.raises(MissingEngine, match="Install it with: pip install"):
        choice.choose(("mujoco",))


def test_settings_of_the_tasks_backend_stay_with_it(task):
    own = replace(task, engine={"threads": 1}, profile="default", device="cpu")
    assert contestants.task_on(own, "mujoco").engine == {"threads": 1}
    other = contestants.task_on(own, "fake")
    assert (other.engine, other.profile, other.backend) == ({}, "default", "fake")
    single = replace(task, backend="fake", dtype="float32")
    assert contestants.task_on(single, "fake").dtype == "float32"
    assert contestants.task_on(single, "mujoco").dtype == "float64"


def test_a_replay_is_open_loop_and_nothing_that_moves_nothing_is_built(task):
    query = ContactQueryCfg(name="floor", first="crate", second="floor")
    full = replace(task, control=(LAW,), contacts=(query,), vary=("body_mass",))
    on = contestants.task_on(full, "mujoco")
    assert (on.control, on.contacts, on.vary) == ((), (), ())
    assert (on.worlds, on.faults) == (3, "flag")


def test_the_reference_is_nowhere_apart_and_its_floors_are(task, brief):
    outcome = measure.measure(task, "cart", ("mujoco",), Silent())
    (side,) = outcome.sides
    assert outcome.passed
    assert side.audit.fields > 100
    assert all((curve.largest == 0).all() for curve in side.replay.apart.curves)
    assert (side.replay.apart.horizon == np.inf).all()
    half, single = (outcome.floors[name] for name in (HALF_STEP, SINGLE))
    for a, b in zip(half.curves, single.curves, strict=True):
        if a.name in {"hinges", "slides", "balls"}:
            assert 1e-6 < a.rmse[-1] < 1e-2
            assert 0 < b.rmse[-1] < a.rmse[-1]
    assert outcome.time[-1] == pytest.approx(0.2)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_the_floor_of_the_other_cone_is_what_mujoco_makes_of_it(task, brief, cone):
    task = replace(task, scene=replace(task.scene, options=OptionsCfg(cone=cone)))
    outcome = measure.measure(task, "cart", ("mujoco",), Silent())
    (apart,) = (
        curve
        for curve in outcome.floors[OTHER_CONE].curves
        if curve.name == "base position"
    )
    replay = record(task, compose(task.scene))
    ends = [
        _ends(task, replay, int(kind)) for kind in mujoco.mjtCone.__members__.values()
    ]
    off = np.linalg.norm(ends[0] - ends[1], axis=1)
    assert off.max() > 1e-5
    assert apart.rmse[-1] == pytest.approx(np.sqrt(np.mean(off**2)), rel=1e-6)


def _ends(task, replay, cone):
    """Where MuJoCo's C engine leaves the crate with one of its cones. Shape (n, 3)."""
    model = compose(task.scene).model
    model.opt.cone = cone
    ends = []
    for qpos, qvel, ctrl in zip(replay.qpos, replay.qvel, replay.ctrl, strict=True):
        data = mujoco.MjData(model)
        data.qpos, data.qvel = qpos, qvel
        for row in ctrl:
            data.ctrl = row
            mujoco.mj_step(model, data)
        ends.append(data.joint("crate").qpos[:3].copy())
    return np.array(ends)


def test_a_reference_that_refuses_the_other_cone_has_no_such_floor(
    task, brief, monkeypatch
):
    monkeypatch.setattr(measure, "_other_cone", lambda *_: None)
    outcome = measure.measure(task, "cart", ("mujoco",), Silent())
    assert set(outcome.floors) == {HALF_STEP, SINGLE}
    assert {row[-1] for row in glance_rows(outcome)} == {"refused"}


def test_halving_the_step_halves_the_difference_to_the_next_half(task, brief):
    """Euler is of first order: x(h) - x(h/2) is twice x(h/2) - x(h/4)."""
    file = task.scene.model_file
    file.write_text(
        SCENE.replace('pos="1 0 .1"', 'pos="1 0 9"').replace(".1 1 0 0 0", "9 1 0 0 0")
    )
    found = [
        measure.measure(replace(task, timestep=dt), "cart", ("mujoco",), Silent())
        .floors[HALF_STEP]
        .curves[0]
        .rmse[-1]
        for dt in (0.002, 0.001)
    ]
    assert found[0] / found[1] == pytest.approx(2, rel=0.3)


def test_a_backend_that_differs_is_measured_apart(task, brief):
    task = replace(task, accept=("*",))
    outcome = measure.measure(task, "cart", ("mujoco", "fake"), Silent())
    fake = outcome.sides[1]
    assert fake.state == "passed"
    assert fake.replay.apart.first < 0.2
    assert outcome.sides[0].replay.apart.first == np.inf


def test_a_refusal_fails_only_what_was_named(task, brief, monkeypatch):
    named = measure.measure(task, "cart", ("fake",), Silent())
    assert named.sides[0].state == "refused"
    assert "joint.damping" in named.sides[0].reason
    assert not named.passed
    monkeypatch.setattr(measure, "choose", lambda names: names or ("fake",))
    unnamed = measure.measure(task, "cart", (), Silent())
    assert unnamed.sides[0].state == "refused"
    assert unnamed.passed


def test_a_faulted_replay_fails(task, brief):
    faulty = replace(
        task,
        backend="fake",
        accept=("*",),
        engine={"fault_world": 1, "fault_after": 3},
    )
    outcome = measure.measure(faulty, "cart", ("fake",), Silent())
    assert outcome.sides[0].state == "failed"
    assert outcome.sides[0].replay.faults == {"injected": 1}
    assert not outcome.passed


def test_the_command_writes_everything_and_says_yes(config, tmp_path, brief, capsys):
    folder, copy = tmp_path / "out", tmp_path / "ci" / "parity.xml"
    arguments = ["parity", str(config), "--out", str(folder), "--junit", str(copy)]
    assert main([*arguments, "--backend", "mujoco"]) == 0
    names = {path.name for path in folder.iterdir()}
    assert names == {"report.html", "result.json", "table.txt", "junit.xml"}
    table = (folder / "table.txt").read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"{table}report: {folder / 'report.html'}\n"
    for part in ("mujoco: 1 of 1 experiments pass", HALF_STEP, SINGLE, "over 0.1 s"):
        assert part in table
    assert copy.read_bytes() == (folder / "junit.xml").read_bytes()
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["passed"] is True
    curves = result["noise_floor"][HALF_STEP]["curves"]
    assert len(curves["hinges"]["rmse"]) == len(result["time"]) == 50
    assert result["backends"]["mujoco"]["replay"]["horizon"] == [None, None]
    residuals = result["backends"]["mujoco"]["audit"]["residuals"]
    assert residuals


def test_the_page_stands_alone_and_draws_every_floor(config, tmp_path, brief):
    folder = tmp_path / "out"
    main(["parity", str(config), "--out", str(folder), "--backend", "mujoco"])
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert not re.findall(r'(?:src|href)="(?!data:|#)', page)
    for part in (f"mujoco at {HALF_STEP}", "1 is 1", "Residuals on mujoco", "digest"):
        assert part in page


def test_a_failure_is_named_everywhere_and_the_answer_is_no(
    config, tmp_path, brief, capsys
):
    brief.append(Experiment("wrong <way>", "2 is 1", lambda _: iter([_one(2.0)])))
    folder = tmp_path / "out"
    arguments = ["parity", str(config), "--out", str(folder), "--backend", "mujoco"]
    assert main([*arguments, "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    tried = result["backends"]["mujoco"]["experiments"]
    assert [item["state"] for item in tried] == ["passed", "failed"]
    assert tried[1]["checks"][0]["share"] == 2
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    (case,) = [item for item in suite if item.find("failure") is not None]
    assert case.get("name") == "wrong <way>"
    assert "one: 2 1, expected 1 ± 0.5" in case.find("failure").text
    assert "wrong &lt;way&gt;" in (folder / "report.html").read_text(encoding="utf-8")
    text = (folder / "table.txt").read_text(encoding="utf-8")
    assert "FAILED, 2 times the tolerance" in text


def test_an_unknown_backend_is_wrong_usage_and_leaves_nothing(config, tmp_path, capsys):
    arguments = ["parity", str(config), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--backend", "mujuco"]) == 2
    assert "Did you mean 'mujoco'?" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_names_of_experiments_are_unique():
    names = [item.name for item in EXPERIMENTS]
    assert len(set(names)) == len(names)
