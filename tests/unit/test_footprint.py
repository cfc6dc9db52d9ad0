"""Worlds that do not fit into memory are refused by a sentence."""

import subprocess
import sys
from dataclasses import replace

import pytest

import unisim
from unisim.backend import registry
from unisim.config import ContactQueryCfg, SceneCfg, TaskCfg
from unisim.errors import OutOfMemory
from unisim.footprint import footprint
from unisim.task import build_cfg

BALL = '<mujoco><worldbody><body name="b"><freejoint/><geom name="g" size=".1"/></body>\
</worldbody></mujoco>'
TIGHT = """
import resource, sys
import unisim
from unisim.config import SceneCfg, TaskCfg
from unisim.errors import OutOfMemory

scene = SceneCfg(model_file=sys.argv[1])
unisim.build(TaskCfg(scene=scene)).close()
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 200_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    unisim.build(TaskCfg(scene=scene, worlds=5_000_000))
except OutOfMemory as error:
    print(error)
"""


@pytest.fixture
def task(tmp_path):
    file = tmp_path / "ball.xml"
    file.write_text(BALL, encoding="utf-8")
    return TaskCfg(scene=SceneCfg(model_file=file))


def test_the_footprint_of_a_world_is_that_of_all_it_can_be_asked_for(task):
    with unisim.build(task) as sim:
        names = [name for name in unisim.sim.QUANTITIES if sim.read(name).size]
        held = sum(sim.read(name).nbytes for name in names)
        request = build_cfg(task, sim.built.scene)
        assert footprint(sim.layout, request) == held
        assert footprint(sim.layout, replace(request, dtype="float32")) == held / 2


def test_slots_and_delay_lines_count(task, tmp_path):
    motor = '<actuator><motor joint="j" name="m"/></actuator></mujoco>'
    slide = BALL.replace("<freejoint/>", '<joint name="j" type="slide"/>')
    (tmp_path / "ball.xml").write_text(slide.replace("</mujoco>", motor))
    query = ContactQueryCfg(name="c", first="g", fields=("force", "dist"), slots=50)
    with unisim.build(task) as sim:
        request = build_cfg(task, sim.built.scene)
        fuller = footprint(sim.layout, replace(request, contacts=(query,)), 300)
        more = fuller - footprint(sim.layout, request)
    assert more == 8 * (50 * (1 + 3 + 1) + 300)


def test_worlds_that_the_machine_cannot_hold_are_refused_before_they_are_made(
    task, monkeypatch
):
    with unisim.build(task) as sim:
        each = footprint(sim.layout, build_cfg(task, sim.built.scene))
    monkeypatch.setattr("unisim.footprint._memory", lambda: 7 * each)
    unisim.build(replace(task, worlds=7)).close()
    with pytest.raises(OutOfMemory, match=r"^8 worlds do not fit") as caught:
        unisim.build(replace(task, worlds=8))
    assert (caught.value.worlds, caught.value.each) == (8, each)


def test_an_engine_that_runs_out_of_memory_is_a_typed_error(task, monkeypatch):
    def build(*_):
        raise MemoryError

    monkeypatch.setattr(registry.load("mujoco"), "build", build, raising=False)
    with pytest.raises(OutOfMemory, match=r"^1 worlds"):
        unisim.build(task)


def test_what_the_engine_says_when_memory_ends_is_understood(task):
    done = subprocess.run(
        [sys.executable, "-c", TIGHT, str(task.scene.model_file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout.startswith("5,000,000 worlds do not fit into memory"), (
        done.stderr
    )
