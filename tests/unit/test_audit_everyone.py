"""Worlds beyond the first are audited too: a lie in one of a thousand is named."""

import numpy as np
import pytest

from audit_scene import ROBOT, Liar, build, inspect, scene
from unisim.errors import AuditFailed

MANY, LIAR = 100, 61


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    return scene(tmp_path_factory.mktemp("robot"), ROBOT)


class One:
    """An engine of which one world, beyond the first, lies in one thing."""

    def __init__(self, engine):
        self.engine = engine

    def __getattr__(self, name):
        return getattr(self.engine, name)


class Deaf(One):
    """It gets the controls of its neighbour."""

    def step(self, ctrl, count):
        ctrl = np.array(ctrl if ctrl is not None else self.engine.read("ctrl"))
        ctrl[LIAR] = ctrl[LIAR - 1]
        self.engine.step(ctrl, count)


class Frozen(One):
    """It stays where it is."""

    def step(self, ctrl, count):
        before = self.engine.read("qpos")[LIAR : LIAR + 1].copy()
        self.engine.step(ctrl, count)
        self.engine.write("qpos", before, np.array([LIAR], np.int32))


class Late(One):
    """Its clock is late."""

    def read(self, name):
        found = np.array(self.engine.read(name))
        if name == "time":
            found[LIAR] *= 0.5
        return found


class Misplaced(One):
    """Its bodies are elsewhere."""

    def read(self, name):
        found = np.array(self.engine.read(name))
        if name == "xpos":
            found[LIAR, 3] += 1e-4
        return found


LIES = {Deaf: "qvel", Frozen: "qpos", Late: "time", Misplaced: "xpos"}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_lie_of_one_world_beyond_the_first_names_that_world(robot, lie):
    with pytest.raises(AuditFailed) as failed:
        inspect(robot, lie(build(robot, MANY)), Liar(robot))
    found = {item.field: item.got for item in failed.value.differences}
    assert found[f"all worlds ({LIES[lie]})"] == f"1 worlds differ: {LIAR}"


def test_other_masses_in_one_world_beyond_the_first_show_in_its_motion(robot):
    engine = build(robot, MANY)
    engine.handle.expand("body_mass")[LIAR, 3] *= 1.2
    engine.handle.set_const(np.array([LIAR], np.int32))
    with pytest.raises(AuditFailed) as failed:
        inspect(robot, engine, Liar(robot))
    found = {item.field: item.got for item in failed.value.differences}
    assert found["all worlds (qvel)"] == f"1 worlds differ: {LIAR}"


@pytest.mark.parametrize("worlds", [8, 9, 23, 24, 25, 70])
def test_an_honest_batch_of_any_size_goes_on_equally(robot, worlds):
    report = inspect(robot, build(robot, worlds))
    others = worlds > 8
    assert ("all worlds" in report.residuals) == (others and worlds != 24)
    assert report.residuals.get("all worlds", 0) == 0
    assert report.residuals["joint force"] == 0
