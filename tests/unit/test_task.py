"""A task is built from its own scene, and what fails on the way leaves nothing."""

import gc
import weakref
from dataclasses import replace

import pytest

import unisim.task as building
from contract.scenes import FILES, composed
from unisim import OptionsCfg, SceneCfg, TaskCfg, build, compose
from unisim.backend.choice import settled
from unisim.errors import AuditFailed, BadConfig

CARTPOLE = SceneCfg(model_file=FILES["cartpole"])
OTHERS = {
    "timestep": (
        TaskCfg(scene=CARTPOLE, timestep=0.0123),
        r"scene.options.timestep: the task says 0.0123, .* composed with None",
    ),
    "option": (
        TaskCfg(scene=replace(CARTPOLE, options=OptionsCfg(wind=(1.0, 0.0, 0.0)))),
        r"scene.options.wind: the task says \(1.0, 0.0, 0.0\), .* with None",
    ),
    "file": (
        TaskCfg(scene=SceneCfg(model_file=FILES["quadruped"])),
        r"scene.model_file: the task says .*scene.xml.*composed with .*cartpole.xml",
    ),
    "keyframe": (
        TaskCfg(scene=replace(CARTPOLE, keyframe="home")),
        "scene.keyframe: the task says 'home', .* with None",
    ),
}


@pytest.mark.parametrize(("task", "message"), OTHERS.values(), ids=OTHERS)
def test_a_scene_of_another_config_is_refused_and_told_apart(task, message):
    with pytest.raises(BadConfig, match=message) as error:
        build(task, composed("cartpole"))
    assert len(error.value.problems) == 2


def test_a_scene_of_the_tasks_own_config_is_taken():
    task = TaskCfg(scene=CARTPOLE, timestep=0.003)
    with build(task, compose(building.scene_cfg(task))) as sim:
        assert sim.timestep == 0.003


def test_a_scene_made_by_hand_is_taken_as_it_is():
    scene = replace(composed("cartpole"), cfg=None)
    with build(TaskCfg(scene=SceneCfg(model_file=FILES["biped"])), scene) as sim:
        assert sim.built.scene is scene


def test_an_engine_that_fails_its_audit_is_closed(monkeypatch):
    engines, batches = [], []

    def fail(_scene, _layout, _backend, engine, *_, **__):
        engines.append(engine)
        batches.append(weakref.ref(engine.handle))
        raise AuditFailed("mujoco", ["a difference"], "a table")

    monkeypatch.setattr(building, "audit", fail)
    with pytest.raises(AuditFailed):
        build(TaskCfg(scene=CARTPOLE))
    gc.collect()
    assert len(engines) == 1
    assert batches[0]() is None


def test_a_task_says_what_it_leaves_to_its_backend(tmp_path):
    scene = SceneCfg(model_file=tmp_path / "ball.xml")
    warp = settled(TaskCfg(scene=scene, backend="mjwarp"))
    assert (warp.profile, warp.dtype) == ("default", "float32")
    host = settled(TaskCfg(scene=scene, backend="mujoco"))
    assert (host.profile, host.dtype) == ("default", "float64")
    asked = TaskCfg(scene=scene, backend="mujoco", dtype="float32")
    assert settled(asked).dtype == "float32"
