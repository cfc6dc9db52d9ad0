"""Engines whose contacts, limits and dry friction yield by a law of their own."""

import dataclasses

import mujoco
import numpy as np
import pytest

from audit_scene import HEAVY, ROBOT, Liar, build, build_wrong, scene
from unisim.backend.audit import audit
from unisim.backend.audit.oracle import Oracle, States
from unisim.backend.audit.smooth import Smooth
from unisim.backend.layout import layout_of
from unisim.backend.mujoco import BACKEND
from unisim.errors import AuditFailed

MUJOCO = BACKEND.manifest.profile(None)
OWN = dataclasses.replace(MUJOCO, compliance="own")
BOXES = """<mujoco><option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.6"/>
    <geom name="wall" type="box" size=".02 1 1" pos="-3 0 1" contype="0"
          conaffinity="0"/>
    <body name="box" pos="0 0 0.102"><freejoint name="box"/>
      <geom name="box" type="box" size=".2 .2 .1" friction="0.6"/></body>
    <body name="top" pos="0 0 0.252"><freejoint name="top"/>
      <geom name="top" type="box" size=".1 .1 .05" friction="0.6"/></body>
    <body name="ball" pos="1 0 0.11"><freejoint name="ball"/>
      <geom name="ball" size=".1" friction="0.5"/>
      <geom name="shell" size=".1" contype="4" conaffinity="4" mass="0"/></body>
    <body name="slab" pos="-1 0 0.051"><freejoint name="slab"/>
      <geom name="slab" type="box" size=".2 .2 .05" friction="0.3" priority="1"/></body>
    <body name="arm" pos="2 0 2"><joint name="arm" axis="0 1 0" range="-80 60"
          damping=".1"/><geom name="arm" type="capsule" size=".03"
          fromto="0 0 0 .1 0 -.4" contype="0" conaffinity="0"/>
      <body name="hand" pos=".1 0 -.4"><joint name="hand" type="slide" axis="0 0 1"
            range="-.05 .1" damping="1"/><geom name="hand" size=".04" contype="0"
            conaffinity="0"/></body></body>
  </worldbody></mujoco>"""
DRY = """<mujoco><option timestep="0.002"/>
  <worldbody>
    <body name="one" pos="0 0 2"><joint name="one" axis="0 1 0" frictionloss=".3"
        range="-80 60"/>
      <geom name="one" type="capsule" size=".03" fromto="0 0 0 .1 0 -.4"/>
      <body name="two" pos=".1 0 -.4"><joint name="two" axis="0 1 0"
          damping=".02"/><geom name="two" type="capsule" size=".03"
          fromto="0 0 .1 .1 0 -.3"/></body></body>
    <body name="red" pos="1 0 2"><joint name="red" axis="0 1 0" damping=".1"/>
      <geom name="red" size=".05" pos=".3 0 0"/></body>
    <body name="blue" pos="2 0 2"><joint name="blue" axis="0 1 0" damping=".1"/>
      <geom name="blue" size=".05" pos=".2 0 0"/></body>
  </worldbody>{ties}</mujoco>"""
TIES = """<equality><joint name="gear" joint1="red" joint2="blue"
  polycoef="0 -1 0 0 0"/></equality>"""
TURNING = BOXES.replace(
    'name="ball" size=".1" friction="0.5"',
    'name="ball" size=".1" condim="6" friction="0.5 0.05 0.05"',
)
SCENES = {
    "turning": TURNING,
    "robot": ROBOT,
    "implicit": ROBOT.replace("<option", '<option integrator="implicitfast"'),
    "boxes": BOXES,
    "dry": DRY.format(ties=""),
    "tied": DRY.format(ties=TIES),
}


def stiffer(model):
    """Another law: stiffer contacts, stops and friction, another cone."""
    model.geom_solref[:] = 0.009, 1.0
    model.geom_solimp[:, :2] = 0.95, 0.99
    model.jnt_solref[:] = 0.009, 1.0
    model.dof_solref[:] = 0.009, 1.0
    model.eq_solref[:] = 0.009, 1.0
    model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    model.opt.impratio = 5


def inspected(composed, engine, profile=OWN, accept=()):
    layout = layout_of(composed.model)
    return audit(composed, layout, Liar(composed), engine, profile, accept)


def with_law(composed, change=None):
    """The scene on an engine with the other law, wrong in one more way."""

    def both(model):
        stiffer(model)
        if change is not None:
            change(model)

    return build_wrong(composed, both)


def found(composed, engine, accept=()):
    with pytest.raises(AuditFailed) as failed:
        inspected(composed, engine, accept=accept)
    return {(item.name, item.field) for item in failed.value.differences}


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("worlds", [1, 3])
def test_another_law_passes_where_it_is_declared_and_fails_where_it_is_not(
    tmp_path, name, worlds
):
    composed = scene(tmp_path, SCENES[name])
    inspected(composed, build_wrong(composed, stiffer, worlds))
    with pytest.raises(AuditFailed):
        inspected(composed, build_wrong(composed, stiffer, worlds), MUJOCO)


@pytest.mark.parametrize("name", SCENES)
def test_mujoco_itself_is_one_of_the_laws(tmp_path, name):
    composed = scene(tmp_path, SCENES[name])
    inspected(composed, build(composed))


def geom(name, **values):
    def change(model):
        for field, value in values.items():
            getattr(model, f"geom_{field}")[model.geom(name).id] = value

    return change


def moved(name, by):
    def change(model):
        model.geom_pos[model.geom(name).id] += by

    return change


def less_friction(*names):
    def change(model):
        for name in names:
            model.geom_friction[model.geom(name).id, 0] *= 0.5

    return change


def joint(name, **values):
    def change(model):
        for field, value in values.items():
            getattr(model, f"jnt_{field}")[model.joint(name).id] = value

    return change


def dof(name, **values):
    def change(model):
        for field, value in values.items():
            getattr(model, f"dof_{field}")[model.joint(name).dofadr[0]] = value

    return change


def apart(model):
    """No contact between top and box."""
    geom("top", contype=2, conaffinity=0)(model)
    geom("floor", conaffinity=3)(model)


def heavier(model):
    model.body_mass[model.body("slab").id] *= 1.05


def weightless(model):
    model.opt.gravity[:] = 0


LOW, HIGH = np.radians((-80, 60))
WIDE = 0.05 * (HIGH - LOW)
WRONG = {
    "friction of one geom": (less_friction("slab"), ("floor", "sliding friction")),
    "friction of two": (less_friction("box", "floor"), ("floor", "sliding friction")),
    "more friction": (geom("slab", friction=0.6), ("floor", "friction bound")),
    "a pair left out": (apart, ("box", "touching pairs")),
    "a pair more": (geom("shell", contype=5), ("floor", "touching pairs")),
    "a geom higher": (moved("ball", (0, 0, 0.01)), ("ball", "height at rest")),
    "a geom lower": (moved("ball", (0, 0, -0.01)), ("ball", "distance")),
    "a smaller geom": (geom("box", size=(0.2, 0.2, 0.09)), ("box", "height at rest")),
    "a larger geom": (geom("box", size=(0.2, 0.2, 0.11)), ("box", "distance")),
    "a push from afar": (geom("ball", margin=0.004), ("ball", "distance")),
    "a mass": (heavier, ("slab", "joint force in contact")),
    "no gravity": (weightless, ("box", "joint force")),
    "no stop": (joint("arm", limited=0), ("arm", "limit force")),
    "a stop later": (joint("arm", range=(LOW, HIGH + WIDE)), ("arm", "limit force")),
    "a stop sooner": (
        joint("arm", range=(LOW, HIGH - WIDE)),
        ("arm", "force before a limit"),
    ),
    "other ends": (joint("arm", range=(-HIGH, -LOW)), ("arm", "limit force")),
    "a rail": (joint("hand", range=(-0.0575, 0.1)), ("hand", "limit force")),
    "a short rail": (
        joint("hand", range=(-0.0425, 0.1)),
        ("hand", "force before a limit"),
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_under_any_law_is_found(tmp_path, what):
    composed = scene(tmp_path, BOXES)
    change, named = WRONG[what]
    assert named in found(composed, with_law(composed, change))


def test_a_geom_that_touches_what_it_is_far_from_is_found(tmp_path):
    composed = scene(tmp_path, BOXES)
    engine = with_law(composed, geom("ball", size=(0.85, 0, 0)))
    with pytest.raises(
        AuditFailed, match=r"ball +touching pairs +apart +touching .*geom box"
    ):
        inspected(composed, engine)


def test_a_stop_that_cannot_bear_its_joint_is_found(tmp_path):
    composed = scene(tmp_path, BOXES)

    def soft(model):
        stiffer(model)
        model.jnt_solref[:] = -0.2, -0.02
        model.jnt_solimp[:, :2] = 0.02

    assert ("hand", "limit force") in found(composed, build_wrong(composed, soft))


class Single:
    """An engine that holds and tells its state in single precision."""

    def __init__(self, engine):
        self.engine = engine

    def __getattr__(self, name):
        return getattr(self.engine, name)

    def read(self, name):
        return self.engine.read(name).astype(np.float32)

    def write(self, name, values, worlds):
        self.engine.write(name, values.astype(np.float64), worlds)

    def step(self, ctrl, count):
        for _ in range(count):
            for name in ("qpos", "qvel", "act"):
                values = self.read(name).astype(float)
                if values.size:
                    self.engine.write(name, values, None)
            self.engine.step(None if ctrl is None else ctrl.astype(float), 1)


@pytest.mark.parametrize("name", SCENES)
def test_an_engine_of_single_precision_passes(tmp_path, name):
    composed = scene(tmp_path, SCENES[name])
    inspected(composed, Single(build_wrong(composed, stiffer)))


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_a_force_is_known_by_the_velocity_that_it_leads_to(integrator):
    text = DRY.format(ties="").replace('frictionloss=".3"', 'damping="40"')
    text = text.replace("<option", f'<option integrator="{integrator}"')
    smooth = Smooth(Oracle(mujoco.MjModel.from_xml_string(text), -1))
    rng = np.random.default_rng(0)
    qpos, qvel, force = rng.normal(size=(3, 2, 4))
    none = np.zeros((2, 0))
    states = States(qpos, qvel, none, none, np.zeros((2, 4)))
    pushed = dataclasses.replace(states, applied=force)
    after = smooth.oracle.step(pushed).qvel
    assert smooth.added(states, after) == pytest.approx(force, abs=1e-9)


class Turned:
    """An engine that tells its contacts otherwise."""

    def __init__(self, engine, change):
        self.engine, self.change = engine, change

    def __getattr__(self, name):
        return getattr(self.engine, name)

    def raw_contacts(self, world):
        raw = self.engine.raw_contacts(world)
        return dataclasses.replace(raw, **self.change(raw))


TOLD = {
    "normals turned": (lambda raw: {"normal": -raw.normal}, "normal"),
    "forces turned": (lambda raw: {"force": -raw.force}, "contact force"),
    "both turned": (
        lambda raw: {"normal": -raw.normal, "force": -raw.force},
        "normal",
    ),
    "geoms swapped": (lambda raw: {"geoms": raw.geoms[:, ::-1]}, "normal"),
    "forces too large": (
        lambda raw: {"force": 1.05 * raw.force},
        "joint force in contact",
    ),
    "elsewhere": (
        lambda raw: {"pos": raw.pos + np.array([0.05, 0, 0])},
        "joint force in contact",
    ),
    "nothing": (
        lambda raw: {
            name: getattr(raw, name)[:0]
            for name in ("geoms", "dist", "pos", "normal", "force")
        },
        "touching pairs",
    ),
}


@pytest.mark.parametrize("what", TOLD)
def test_contacts_that_are_told_wrongly_are_found(tmp_path, what):
    composed = scene(tmp_path, BOXES)
    change, field = TOLD[what]
    engine = Turned(with_law(composed), change)
    assert field in {field for _, field in found(composed, engine)}


def test_dry_friction_that_is_dropped_or_more_than_stated_is_found(tmp_path):
    composed = scene(tmp_path, SCENES["dry"])
    for other in (0.0, 0.15, 0.6):
        wrong = with_law(composed, dof("one", frictionloss=other))
        assert ("one", "dry friction") in found(composed, wrong)
    damped = with_law(composed, dof("two", damping=0.03))
    assert ("two", "joint force") in found(composed, damped)
    assert ("one", "dry friction") not in found(composed, damped)


def test_an_equality_that_is_dropped_or_binds_other_joints_is_found(tmp_path):
    composed = scene(tmp_path, SCENES["tied"])

    def dropped(model):
        model.eq_active0[:] = 0

    def other(model):
        model.eq_data[0, 1] = 1.0

    assert ("gear", "equality") in found(composed, with_law(composed, dropped))
    names = {name for name, _ in found(composed, with_law(composed, other))}
    assert names & {"red", "blue"}


AGREED = {
    "geom.friction": (less_friction("slab"), "friction"),
    "joint.range": (joint("arm", limited=0), "joint limits"),
}


@pytest.mark.parametrize("feature", AGREED)
def test_what_was_agreed_to_is_left_out_and_named_and_nothing_else_is(
    tmp_path, feature
):
    composed = scene(tmp_path, BOXES)
    change, what = AGREED[feature]
    report = inspected(composed, with_law(composed, change), accept=(feature,))
    assert what in {item.what for item in report.unaudited}
    for other, (wrong, _) in AGREED.items():
        if other != feature:
            assert found(composed, with_law(composed, wrong), (feature,))
    assert found(composed, with_law(composed, heavier), (feature,))


def test_dry_friction_and_equalities_that_were_agreed_to_are_left_out(tmp_path):
    composed = scene(tmp_path, SCENES["dry"])
    agreed = ("joint.frictionloss",)
    less = with_law(composed, dof("one", frictionloss=0.1))
    report = inspected(composed, less, accept=agreed)
    assert ("dry friction", ("one",)) in {(x.what, x.names) for x in report.unaudited}
    assert ("one", "dry friction") in found(composed, less, ("joint.range",))
    damped = with_law(composed, dof("two", damping=0.03))
    assert ("two", "joint force") in found(composed, damped, agreed)
    tied = scene(tmp_path, SCENES["tied"])

    def dropped(model):
        model.eq_active0[:] = 0

    report = inspected(tied, with_law(tied, dropped), accept=("equality.joint",))
    assert "equality" in {item.what for item in report.unaudited}


def test_margins_that_were_agreed_to_may_not_hold_anything_up(tmp_path):
    kept = BOXES.replace(
        '"box" size=".2 .2 .05"', '"box" margin=".006" size=".2 .2 .05"'
    )
    composed = scene(tmp_path, kept)

    def unfelt(model):
        model.geom_margin[:] = 0

    def sunk(model):
        unfelt(model)
        moved("slab", (0, 0, 0.01))(model)

    agreed = ("geom.margin",)
    report = inspected(composed, with_law(composed, unfelt), accept=agreed)
    assert "height at rest" in report.residuals
    lower = with_law(composed, sunk)
    assert ("slab", "height at rest") in found(composed, lower, (*agreed, "geom.pos"))


def test_what_rests_is_looked_at_and_what_does_not_is_named(tmp_path):
    composed = scene(tmp_path, BOXES)
    report = inspected(composed, with_law(composed))
    assert {"height at rest", "friction", "distance"} <= report.residuals.keys()
    assert "rest" not in {item.what for item in report.unaudited}
    falls = BOXES.replace('pos="1 0 0.11"', 'pos="1 0 30"')
    composed = scene(tmp_path, falls)
    report = inspected(composed, with_law(composed))
    assert ("rest", ("ball",)) in {(x.what, x.names) for x in report.unaudited}


class Lawless(Liar):
    """An engine that has no numbers of MuJoCo's law."""

    def readback(self, handle):
        found = super().readback(handle)
        values = {
            x: y
            for x, y in found.values.items()
            if "_sol" not in x or x.startswith("opt_")
        }
        return dataclasses.replace(found, values=values)


def test_a_law_without_mujocos_numbers_passes_and_they_are_named(tmp_path):
    composed = scene(tmp_path, SCENES["robot"])
    layout, engine = layout_of(composed.model), build(composed)
    report = audit(composed, layout, Lawless(composed), engine, OWN)
    named = {name for item in report.unaudited for name in item.names}
    assert {"geom_solref", "jnt_solimp", "dof_solref", "eq_solref"} <= named
    with pytest.raises(AuditFailed, match="not read back"):
        audit(composed, layout, Lawless(composed), engine, MUJOCO)


def test_a_clock_does_not_tell_of_a_law(tmp_path):
    text = DRY.format(ties='<sensor><clock name="clock"/></sensor>')
    composed = scene(tmp_path, text)
    inspected(composed, build_wrong(composed, stiffer))


def heavier_back(model):
    model.body_mass[model.body("back").id] *= 1.01


LIGHT = {
    "a mass": lambda composed: Single(with_law(composed, heavier_back)),
    "forces too large": lambda composed: Turned(
        Single(with_law(composed)), lambda raw: {"force": 1.03 * raw.force}
    ),
}


@pytest.mark.parametrize("what", LIGHT)
def test_what_is_wrong_is_found_where_rounding_leaves_much(tmp_path, what):
    composed = scene(tmp_path, HEAVY)
    inspected(composed, Single(with_law(composed)))
    failing = found(composed, LIGHT[what](composed))
    assert "joint force in contact" in {field for _, field in failing}


TINY = """<mujoco><worldbody><body pos="0 0 1"><joint name="arm" axis="0 1 0"/>
  <inertial pos=".5 0 0" mass="20" diaginertia="1 1 1"/>
  <body name="tip" pos="1 0 0"><joint name="tip" axis="0 1 0"/>
    <inertial pos=".001 0 0" mass=".001" diaginertia="1e-6 1e-6 1e-6"/>
  </body></body></worldbody></mujoco>"""


def test_what_turns_a_tiny_body_wrongly_is_found_by_its_velocity(tmp_path):
    composed = scene(tmp_path, TINY)
    inspected(composed, Single(build_wrong(composed, stiffer)))

    def change(model):
        model.body_inertia[model.body("tip").id] *= 2

    failing = found(composed, Single(with_law(composed, change)))
    assert ("tip", "velocity") in failing
    assert ("tip", "joint force") not in failing
