"""Benchmarks: the same work on both sides, honest numbers, and what got slower."""

import json
import os
from dataclasses import asdict, replace
from types import SimpleNamespace

import numpy as np
import pytest

from unisim.backend.raw import HasRaw
from unisim.backend.registry import load as backend
from unisim.bench import measure, timing
from unisim.bench.baseline import changes
from unisim.bench.memory import per_thousand
from unisim.bench.outcome import Cost, Memory, Once, Outcome, Row, load
from unisim.bench.table import comparison, table
from unisim.bench.timing import Course, in_turn
from unisim.bench.work import PLAIN, RAW, Pair, stripped
from unisim.cli import main
from unisim.config import KeyframesCfg, SceneCfg, TaskCfg
from unisim.errors import BadConfig, MissingFile, UnknownName
from unisim.report import plain
from unisim.scene.compose import compose

SCENE = """<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="arm" pos="0 0 .5"><joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom name="arm" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
    <body name="crate" pos="1 0 .15"><freejoint name="crate"/>
      <geom name="crate" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="20" kv="1"/></actuator>
  <sensor><framepos name="tip" objtype="geom" objname="arm"/></sensor>
  <keyframe><key name="up" qpos="-.4 1 0 .2 1 0 0 0" ctrl="-.3"/>
    <key name="down" qpos=".4 1 0 .2 1 0 0 0" ctrl=".3"/></keyframe>
</mujoco>"""


@pytest.fixture
def task(tmp_path):
    file = tmp_path / "scene.xml"
    file.write_text(SCENE, encoding="utf-8")
    scene = SceneCfg(model_file=file, keyframe="up")
    return TaskCfg(scene=scene, worlds=20, decimation=3)


@pytest.fixture
def pair(task):
    pair = Pair(task, compose(task.scene))
    yield pair
    pair.close()


@pytest.fixture
def config(task, tmp_path):
    file = tmp_path / "arm.toml"
    file.write_text(
        'decimation = 3\n[scene]\nmodel_file = "scene.xml"\nkeyframe = "up"\n',
        encoding="utf-8",
    )
    return file


@pytest.fixture
def quick(monkeypatch):
    """Commands that measure little and start no process."""
    monkeypatch.setattr(timing, "_UNIT", 1e-5)
    monkeypatch.setattr(measure, "per_thousand", lambda _task, raw: 2.5 if raw else 4.0)


def state(pair):
    """State and poses of both sides."""
    names = ("qpos", "qvel", "ctrl")
    batch = pair.raw._batch
    ours = {name: np.array(pair.sim.read(name)) for name in names}
    return ours, {name: np.array(batch.bind(name)) for name in names}


def row(wall, other, work="1 step", noise=0.0):
    costs = Cost(wall, 2 * wall), None if other is None else Cost(other, other)
    ratio = None if other is None else other / wall
    return Row(
        "mujoco", 64, None, work, "env-step", costs[0], RAW, costs[1], ratio, noise
    )


def outcome(*rows, **machine):
    where = {"processor": "abacus", "cores": "2", "system": "wood"} | machine
    once = Once("mujoco", 64, "compose, cold", 0.5)
    memory = Memory("mujoco", 64, 4.0, 2.5)
    return Outcome("arm", where, {"numpy": "1"}, rows, (once,), (memory,))


@pytest.mark.parametrize("number", range(4))
def test_steps_leave_both_sides_in_the_same_state(pair, number):
    job = pair.jobs()[number]
    pair.restart()
    for course in (job.ours, job.other):
        course.run(7)
    ours, raw = state(pair)
    for name, values in ours.items():
        np.testing.assert_array_equal(values, raw[name])
    steps = 7 * (1, 1, 3, 3)[number]
    assert (pair.sim.steps == steps).all()
    assert job.items == 20 * steps / 7
    if number in {1, 3}:
        np.testing.assert_array_equal(
            pair.sim.read("xpos"), pair.raw._batch.bind("xpos")
        )
        np.testing.assert_array_equal(
            pair.sim.read("sensordata"), pair.raw._batch.bind("sensordata")
        )


def test_both_sides_start_at_the_key(pair):
    for job in pair.jobs():
        job.ours.run(1)
    pair.restart()
    for found in state(pair):
        np.testing.assert_array_equal(
            found["qpos"], np.tile([-0.4, 1, 0, 0.2, 1, 0, 0, 0], (20, 1))
        )
        assert (found["ctrl"] == -0.3).all()


def test_a_reset_takes_another_random_tenth_each_time_on_both_sides(pair):
    job = pair.jobs()[4]
    assert (job.items, job.item) == (2, "reset world")
    seen = []
    for course, back in ((job.ours, 0), (job.other, 1)):
        pair.sim.step(count=50)
        pair.raw.step(np.full((20, 1), 0.5), 50, refresh=False)
        course.run(3)
        moved = np.abs(state(pair)[back]["qpos"][:, 0] + 0.4) > 1e-6
        assert 14 <= moved.sum() < 20
        seen.append(frozenset(np.flatnonzero(~moved).tolist()))
    assert len(seen[0]) > 2
    assert seen[0] != seen[1]


def test_a_law_moves_as_the_servos_do_and_the_tasks_own_are_used(task):
    scene = compose(task.scene)
    pair = Pair(task, scene)
    law, servos = pair.jobs()[5].ours, pair.jobs()[5].other
    assert pair.jobs()[5].beside == PLAIN
    paths = []
    for course in (law, servos):
        pair.restart()
        course.run(5)
        paths.append(np.array(pair.sim.read("qpos")))
    pair.close()
    np.testing.assert_array_equal(*paths)
    keys = KeyframesCfg(keys=("up", "down"))
    pair = Pair(replace(task, control=(keys,)), scene)
    job = pair.jobs()[5]
    pair.restart()
    job.ours.run(5)
    np.testing.assert_allclose(pair._driven.read("ctrl"), -0.3 + 0.6 * 14 * 0.004)
    job.other.run(5)
    assert (pair.sim.read("ctrl") == -0.3).all()
    pair.restart()
    assert (pair._driven.steps == 0).all()
    pair.close()


def test_what_a_raw_engine_does_not_do_is_left_out(task):
    full = replace(task, vary=("body_mass",), control=(KeyframesCfg(keys=("up",)),))
    bare = stripped(full)
    assert (bare.vary, bare.control, bare.contacts) == ((), (), ())
    assert bare.engine == full.engine


def test_a_backend_without_a_raw_engine_is_measured_alone(task):
    assert isinstance(backend("mujoco"), HasRaw)
    assert not isinstance(backend("fake"), HasRaw)
    pair = Pair(replace(task, backend="fake", accept=("*",)), compose(task.scene))
    others = [job.other is not None for job in pair.jobs()]
    pair.close()
    assert others == [False, False, False, False, False, True]


def test_works_take_turns_and_the_median_is_without_the_first_rounds(monkeypatch):
    clock = {"wall": 0.0, "cpu": 0.0}
    order = []

    def work(name, first, wall):
        def run():
            order.append(name)
            # the first calls are slow, one later call is interrupted
            slow = first if order.count(name) < 4 or order.count(name) == 6 else 0
            clock["wall"] += wall + slow
            clock["cpu"] += 2 * wall

        return Course(run, lambda: None)

    monkeypatch.setattr(timing, "perf_counter", lambda: clock["wall"])
    monkeypatch.setattr(timing, "process_time", lambda: clock["cpu"])
    found = in_turn([work("a", 9.0, 1.0), work("b", 5.0, 4.0)], 60.0)
    assert found.costs == ((1.0, 2.0), (4.0, 8.0))
    assert found.ratio == 4.0
    assert "".join(order[-8:]) in {"abbaabba", "baabbaab"}


def test_the_first_rounds_do_not_count(monkeypatch):
    clock = SimpleNamespace(now=0.0, calls=0)

    def work():
        clock.calls += 1
        clock.now += 100.0 if clock.calls <= 4 else 1.0

    monkeypatch.setattr(timing, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(timing, "_FEWEST", 2)
    ((wall, _),) = in_turn([Course(work, lambda: None)], 1e-9).costs
    assert wall == 1.0


def test_short_work_is_called_often_enough_to_be_measured(monkeypatch):
    clock = SimpleNamespace(now=0.0, calls=0)

    def work():
        clock.now += 1e-4
        clock.calls += 1

    monkeypatch.setattr(timing, "perf_counter", lambda: clock.now)
    ((wall, _),) = in_turn([Course(work, lambda: None)], 0.05).costs
    assert wall == pytest.approx(1e-4)
    assert clock.calls > 5 * timing._UNIT / 1e-4


def test_the_wait_belongs_to_the_time(monkeypatch):
    clock = SimpleNamespace(now=0.0)

    def wait():
        clock.now += 3.0

    monkeypatch.setattr(timing, "perf_counter", lambda: clock.now)
    ((wall, _),) = in_turn([Course(lambda: None, wait)], 1.0).costs
    assert wall == 3.0


def test_a_machine_that_gets_busy_does_not_change_the_ratio(monkeypatch):
    """Everything takes longer from round to round; one takes twice as long always."""
    clock = SimpleNamespace(now=0.0, pace=1.0)

    def work(wall):
        def run():
            clock.now += wall * clock.pace
            clock.pace *= 1.001

        return Course(run, lambda: None)

    monkeypatch.setattr(timing, "perf_counter", lambda: clock.now)
    found = in_turn([work(1.0), work(2.0)], 1.0)
    assert found.ratio == pytest.approx(2.0, rel=2e-3)
    assert found.noise < 1e-2


def test_slower_is_judged_beside_the_raw_engine_where_there_is_one():
    then = outcome(row(4.0, 4.0), row(2.0, None, "law"), row(1.0, 1.0, "gone"))
    now = outcome(row(8.0, 8.0), row(3.0, None, "law"), row(1.0, 1.0, "new"))
    found = {item.row.work: item for item in changes(now, then)}
    assert found.keys() == {"1 step", "law"}
    assert (found["1 step"].wall, found["1 step"].ratio) == (2.0, 1.0)
    assert found["1 step"].slower == 1.0  # the machine was busy, the raw engine too
    assert found["law"].slower == 1.5
    text = comparison(now, then)
    assert "1 got slower by more than 10% and noise" in text
    assert "law (mujoco, 64 worlds, config's), 1.50 times the wall time" in text
    assert "0 got quicker" in text


def test_what_may_be_chance_is_not_called_slower():
    then = outcome(row(4.0, 4.0, noise=0.2), row(1.0, 1.0, "law", noise=0.01))
    now = outcome(row(5.2, 4.0, noise=0.1), row(1.2, 1.0, "law", noise=0.02))
    found = {item.row.work: item for item in changes(now, then)}
    assert found["1 step"].noise == pytest.approx(0.4)
    assert found["1 step"].verdict == "as quick"
    assert found["law"].verdict == "slower"
    back = {item.row.work: item.verdict for item in changes(then, now)}
    assert back == {"1 step": "as quick", "law": "quicker"}


def test_walls_of_different_machines_are_not_compared():
    then = outcome(row(4.0, 4.0), row(2.0, None, "law"), processor="quipu")
    found = changes(outcome(row(8.0, 4.0), row(9.0, None, "law")), then)
    assert [item.wall for item in found] == [None, None]
    assert [item.slower for item in found] == [2.0, 1.0]


def test_what_is_saved_is_loaded(tmp_path):
    file = tmp_path / "bench.json"
    now = outcome(row(4.0, 3.0), row(1.0, None, "law"))
    file.write_text(plain.text(asdict(now)), encoding="utf-8")
    assert load(file) == now


@pytest.mark.parametrize(
    ("content", "error"),
    [(None, MissingFile), ("{", BadConfig), ('{"name": 3}', BadConfig)],
)
def test_a_bad_baseline_is_named(tmp_path, content, error):
    file = tmp_path / "bench.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(error, match=r"bench\.json"):
        load(file)


def test_the_table_has_every_number():
    text = table(outcome(row(4.0, 3.0), row(1.25, None, "law")))
    line = next(x for x in text.splitlines() if "1 step" in x)
    words = " ".join(line.split())
    assert words == "mujoco 64 config's 1 step 4 8 env-step raw engine 3 3 0.750 0.375"
    for part in ("abacus, 2 cores", "compose, cold  0.500 s", "4.0 MB", "2.5 MB"):
        assert part in text


def test_threads_are_asked_for_only_where_they_can_be_set(task):
    plan = measure.Plan(threads=(1, 2))
    measure._check_threads(task, plan.threads)
    with pytest.raises(UnknownName, match="setting of fake 'threads'"):
        measure._check_threads(replace(task, backend="fake"), plan.threads)
    on = measure._on(replace(task, engine={"persistent": True}), 5, 2)
    assert (on.worlds, on.engine) == (5, {"persistent": True, "threads": 2})


def test_composing_cold_does_not_touch_the_users_cache(task, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    monkeypatch.setenv("UNISIM_CACHE", str(cache))
    found = {item.work: item.seconds for item in measure._start(task)}
    assert os.environ["UNISIM_CACHE"] == str(cache)
    assert not cache.exists()
    assert found.keys() == {
        "compose, cold",
        "compose, warm",
        "build and audit",
        "first steps",
    }


def test_memory_grows_with_what_a_world_holds(task):
    """A thousand worlds with 100 kB of user data each take 100 MB more."""
    file = task.scene.model_file
    file.write_text(
        SCENE.replace("<worldbody>", '<size nuserdata="12500"/><worldbody>'),
        encoding="utf-8",
    )
    many = replace(task, worlds=300)
    raw, ours = (per_thousand(many, raw=raw) for raw in (True, False))
    assert 95 < raw < 250
    assert 95 < ours < 400
    assert per_thousand(replace(task, worlds=1), raw=False) is None


def test_the_command_prints_saves_and_compares(config, tmp_path, quick, capsys):
    file = tmp_path / "out" / "bench.json"
    arguments = ["bench", str(config), "--worlds", "1,10", "--seconds", "0.001"]
    assert main([*arguments, "--threads", "1", "--save", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "memory per thousand worlds 4.0 MB, of the raw engine 2.5 MB" in shown
    saved = load(file)
    assert {(item.worlds, item.threads) for item in saved.rows} == {(1, 1), (10, 1)}
    assert len(saved.rows) == 12
    assert all(item.ours.wall > 0 for item in saved.rows)
    content = json.loads(file.read_text(encoding="utf-8"))
    for item in content["rows"]:
        item["ours"]["wall"] /= 1000
        item["ratio"] *= 1000
    file.write_text(json.dumps(content), encoding="utf-8")
    assert main([*arguments, "--threads", "1", "--baseline", str(file)]) == 0
    assert "12 got slower by more than 10% and noise" in capsys.readouterr().out
    again = [*arguments, "--threads", "1", "--baseline", str(file), "--json"]
    assert main(again) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["changes"]) == len(found["rows"]) == 12


@pytest.mark.parametrize(
    "arguments",
    [
        ["--worlds", "0"],
        ["--worlds", "1,many"],
        ["--worlds", ","],
        ["--threads", "-1"],
        ["--seconds", "0"],
    ],
)
def test_wrong_numbers_are_wrong_usage(config, arguments, capsys):
    assert main(["bench", str(config), *arguments]) == 2
    assert arguments[0].strip("-") in capsys.readouterr().err
