"""Engines that go on otherwise than they say are caught, whatever they read back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unisim
from audit_scene import inspect
from unisim.backend.base import BuildCfg
from unisim.backend.layout import layout_of
from unisim.backend.mujoco import BACKEND
from unisim.errors import AuditFailed

QUADRUPED = Path(__file__).parents[2] / "models" / "quadruped" / "scene.xml"
GRIPPER = QUADRUPED.parents[1] / "gripper" / "gripper.xml"
WORLDS = 5


class Liar:
    """An engine that does everything as MuJoCo does, until a lie overrides it."""

    def __init__(self, engine):
        self.engine = engine

    def __getattr__(self, name):
        return getattr(self.engine, name)


class Frozen(Liar):
    def step(self, ctrl, count):
        before = self.engine.read("qpos").copy()
        self.engine.step(ctrl, count)
        self.engine.write("qpos", before, None)


class Drifting(Liar):
    def step(self, ctrl, count):
        self.engine.step(ctrl, count)
        self.engine.write("qpos", self.engine.read("qpos") + 1e-3, None)


class OneMore(Liar):
    def step(self, ctrl, count):
        self.engine.step(ctrl, count + (count > 1))


class OneOnly(Liar):
    def step(self, ctrl, _count):
        self.engine.step(ctrl, 1)


class Forgetful(Liar):
    def step(self, ctrl, count):
        held = ctrl if ctrl is not None else np.zeros_like(self.engine.read("ctrl"))
        self.engine.step(held, count)


class Timeless(Liar):
    def read(self, name):
        found = self.engine.read(name)
        return np.zeros_like(found) if name == "time" else found


class Unrestored(Liar):
    def restore(self, _snapshot):
        pass


class RestoresOne(Liar):
    """Brings one world back, and leaves the others where they are."""

    def restore(self, snapshot):
        now = {name: self.engine.read(name).copy() for name in ("qpos", "qvel")}
        self.engine.restore(snapshot)
        for name, values in now.items():
            self.engine.write(name, values[1:], np.arange(1, WORLDS, dtype=np.int32))


class Backwards(Liar):
    """Normals of raw contacts point from geom2 to geom1."""

    def raw_contacts(self, world):
        found = self.engine.raw_contacts(world)
        return replace(found, normal=-found.normal)


class ResetsAll(Liar):
    def reset(self, worlds, key):
        self.engine.reset(None, key)


class IgnoresOne(Liar):
    def write(self, name, values, worlds):
        if worlds is None or len(worlds) > 1:
            self.engine.write(name, values, worlds)


class Keeps(Liar):
    """A reset that forgets a part of the state."""

    def __init__(self, engine, name):
        super().__init__(engine)
        self.name = name

    def reset(self, worlds, key):
        kept = self.engine.read(self.name).copy()
        self.engine.reset(worlds, key)
        self.engine.write(self.name, kept, None)


class Drops(Liar):
    """A write that goes nowhere."""

    def __init__(self, engine, name):
        super().__init__(engine)
        self.name = name

    def write(self, name, values, worlds):
        if name != self.name:
            self.engine.write(name, values, worlds)


class Misreads(Liar):
    """A quantity that is another after the first step."""

    def __init__(self, engine, name):
        super().__init__(engine)
        self.name = name

    def read(self, name):
        found = self.engine.read(name)
        return np.roll(found, 1, axis=1) * 1.1 if name == self.name else found


LIES = {
    "frozen": (Frozen, "several steps"),
    "drifting": (Drifting, "several steps"),
    "one step more": (OneMore, "time"),
    "one step only": (OneOnly, "time"),
    "controls not held": (Forgetful, "several steps"),
    "no time": (Timeless, "time"),
    "restores nothing": (Unrestored, "restore (qpos)"),
    "restores one world": (RestoresOne, "restore (qvel)"),
    "normals backwards": (Backwards, "directed normal force"),
    "resets all": (ResetsAll, "reset of some worlds (qpos)"),
    "ignores one world": (IgnoresOne, "write of some worlds (time)"),
    **{
        f"reset keeps {name}": (lambda e, n=name: Keeps(e, n), f"reset ({name})")
        for name in ("time", "xfrc_applied", "qfrc_applied")
    },
    **{
        f"drops {name}": (lambda e, n=name: Drops(e, n), f"state read back ({name})")
        for name in ("time", "xfrc_applied", "qfrc_applied")
    },
    **{
        f"misreads {name}": (lambda e, n=name: Misreads(e, n), name)
        for name in (
            "sensordata", "site_xpos", "site_xmat", "site_linvel", "site_angvel",
            "geom_xpos", "geom_xmat", "geom_linvel", "geom_angvel", "xipos", "qacc",
            "qfrc_actuator", "qfrc_passive",
        )
    },
}  # fmt: skip


def built(file):
    scene = unisim.compose(unisim.SceneCfg(model_file=file))
    request = BuildCfg(scene=scene, worlds=WORLDS, profile="default")
    return scene, BACKEND.build(request, layout_of(scene.model))


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_how_worlds_go_on_is_named(lie):
    wrap, check = LIES[lie]
    scene, engine = built(QUADRUPED)
    with pytest.raises(AuditFailed) as failed:
        inspect(scene, wrap(engine))
    assert check in {item.field for item in failed.value.differences}


@pytest.mark.parametrize("name", ["ten_length", "eq_active"])
def test_a_lie_about_tendons_and_equalities_is_named(name):
    scene, engine = built(GRIPPER)
    wrong = Drops(engine, name) if name == "eq_active" else Misreads(engine, name)
    check = f"state read back ({name})" if name == "eq_active" else name
    with pytest.raises(AuditFailed) as failed:
        inspect(scene, wrong)
    assert check in {item.field for item in failed.value.differences}


@pytest.mark.parametrize("file", [QUADRUPED, GRIPPER])
def test_an_honest_engine_goes_on_as_the_reference(file):
    scene, engine = built(file)
    report = inspect(scene, engine)
    assert report.residuals["several steps"] < 1e-6
    assert report.residuals["time"] == 0
    assert report.residuals["sensordata"] == 0
