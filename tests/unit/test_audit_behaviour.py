"""Engines that lie in one thing each, and read back the truth, are caught by name."""

import numpy as np
import pytest

from audit_scene import RICH, ROBOT, Liar, build, build_wrong, inspect, scene
from unisim.errors import AuditFailed


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    return scene(tmp_path_factory.mktemp("robot"), ROBOT)


class Wrapped:
    """An engine that passes everything on; liars override one thing."""

    def __init__(self, engine):
        self.engine = engine

    def __getattr__(self, name):
        return getattr(self.engine, name)


class Swapped(Wrapped):
    """Two joints change places, on the way in and on the way out."""

    def _swap(self, name, values):
        values = np.array(values)
        if name in ("qpos", "qvel"):
            first, second = (7, 9) if name == "qpos" else (6, 8)
            values[:, [first, second]] = values[:, [second, first]]
        return values

    def read(self, name):
        return self._swap(name, self.engine.read(name))

    def write(self, name, values, worlds):
        self.engine.write(name, self._swap(name, values), worlds)


class Xyzw(Wrapped):
    """The root's quaternion is taken and given as xyzw."""

    def read(self, name):
        values = np.array(self.engine.read(name))
        if name == "qpos":
            values[:, 3:7] = values[:, [4, 5, 6, 3]]
        return values

    def write(self, name, values, worlds):
        values = np.array(values)
        if name == "qpos":
            values[:, 3:7] = values[:, [6, 3, 4, 5]]
        self.engine.write(name, values, worlds)


class Unwritten(Wrapped):
    """Only reads give the other order."""

    read = Xyzw.read


class OfTheCentre(Wrapped):
    """Bodies' velocities are those of their centres of mass."""

    def read(self, name):
        if name != "body_linvel":
            return self.engine.read(name)
        arm = self.engine.read("xipos") - self.engine.read("xpos")
        spin = self.engine.read("body_angvel")
        return self.engine.read("body_linvel") + np.cross(spin, arm)


class InBodyFrame(Wrapped):
    """Angular velocities are in world instead of the body's frame in qvel."""

    def write(self, name, values, worlds):
        values = np.array(values)
        if name == "qvel":
            values[:, 3:6] = values[:, [4, 5, 3]]
        self.engine.write(name, values, worlds)

    def read(self, name):
        values = np.array(self.engine.read(name))
        if name == "qvel":
            values[:, 3:6] = values[:, [5, 3, 4]]
        return values


class SwappedControls(Wrapped):
    """Two actuators change places."""

    def step(self, ctrl, count):
        swapped = None if ctrl is None else ctrl[:, [2, 1, 0, 3]]
        self.engine.step(swapped, count)


class FirstWorldOnly(Wrapped):
    """All worlds get the state of the first."""

    def write(self, name, values, worlds):
        self.engine.write(name, np.repeat(values[:1], len(values), axis=0), worlds)


class KeepsVelocity(Wrapped):
    """A reset leaves the velocities."""

    def reset(self, worlds, key):
        qvel = np.array(self.engine.read("qvel"))[worlds]
        self.engine.reset(worlds, key)
        self.engine.write("qvel", qvel, worlds)


WRAPPERS = {
    Swapped: ("xquat", "body", "thigh_l"),
    Xyzw: ("xquat", "body", "trunk"),
    Unwritten: ("state read back (qpos)", "joint", "root"),
    OfTheCentre: ("body_linvel", "body", "trunk"),
    InBodyFrame: ("body_angvel", "body", "trunk"),
    SwappedControls: ("joint force", "joint", "hip_l"),
    FirstWorldOnly: ("state read back (qpos)", "joint", "knee_r"),
    KeepsVelocity: ("reset (qvel)", "joint", "hip_r"),
}


@pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda w: w.__name__)
def test_an_engine_that_misplaces_the_state_is_caught_by_name(robot, wrapper):
    engine = wrapper(build(robot))
    if wrapper is KeepsVelocity:
        engine.write("qvel", np.full((4, robot.model.nv), 0.3), np.arange(4))
    with pytest.raises(AuditFailed) as failed:
        inspect(robot, engine, Liar(robot))
    found = [(item.field, item.kind, item.name) for item in failed.value.differences]
    assert WRAPPERS[wrapper] in found


class MocapXyzw(Wrapped):
    """Mocap quaternions are taken and given as xyzw."""

    def write(self, name, values, worlds):
        order = [1, 2, 3, 0] if name == "mocap_quat" else slice(None)
        self.engine.write(name, np.array(values)[..., order], worlds)

    def read(self, name):
        values = np.array(self.engine.read(name))
        return values[..., [3, 0, 1, 2]] if name == "mocap_quat" else values


def test_a_mocap_body_that_turns_otherwise_is_named(tmp_path):
    composed = scene(tmp_path, RICH)
    with pytest.raises(AuditFailed) as failed:
        inspect(composed, MocapXyzw(build(composed)), Liar(composed))
    found = [(item.field, item.name) for item in failed.value.differences]
    assert found == [("mocap", "target")]


def dof(model, joint):
    return model.joint(joint).dofadr[0]


def heavier(model):
    model.body_mass[model.body("shin_l").id] *= 1.01


def off_centre(model):
    model.body_ipos[model.body("trunk").id, 0] += 0.002


def armature(model):
    model.dof_armature[dof(model, "knee_l")] += 0.001


def undamped(model):
    model.dof_damping[dof(model, "hip_r")] = 0


def turned_axis(model):
    model.jnt_axis[model.joint("hip_l").id] = (0, 1, 0.01) / np.sqrt(1.0001)


def gain(model):
    i = model.actuator("knee_l").id
    model.actuator_gainprm[i, 0] *= 1.01
    model.actuator_biasprm[i, 1] *= 1.01


def gear(model):
    model.actuator_gear[model.actuator("hip_r").id, 0] *= 1.05


def springy(model):
    model.jnt_stiffness[model.joint("knee_r").id] = 1


def slow_filter(model):
    model.actuator_dynprm[model.actuator("knee_r").id, 0] = 0.04


def wider(model):
    model.jnt_range[model.joint("hip_r").id] *= 1.1


def narrower(model):
    model.jnt_range[model.joint("hip_r").id] *= 0.9


def softer_stop(model):
    model.jnt_solref[model.joint("knee_l").id, 0] *= 1.5


def slippery(model):
    model.geom_friction[:, 0] *= 0.5


def passing(model):
    for name in ("foot_l", "lower_l"):
        model.geom_contype[model.geom(name).id] = 0
        model.geom_conaffinity[model.geom(name).id] = 0


def soft_ground(model):
    model.geom_solref[model.geom("foot_r").id, 0] = 0.05


def lighter_gravity(model):
    model.opt.gravity[2] = -9.7


def other_integrator(model):
    model.opt.integrator = 3


LIES = {
    heavier: ("joint force", "knee_l", "body shin_l"),
    off_centre: ("joint force", "root", "body trunk"),
    armature: ("joint force", "knee_l", "armature"),
    undamped: ("joint force", "hip_r", "damping"),
    turned_axis: ("xquat", "thigh_l", "axis"),
    gain: ("joint force", "knee_l", "gain, gear, bias"),
    gear: ("joint force", "hip_r", "actuator of hip_r"),
    springy: ("joint force", "knee_r", "stiffness"),
    slow_filter: ("activation", "knee_r", "dynprm"),
    wider: ("limit force", "hip_r", "range"),
    narrower: ("limit force", "hip_r", "range"),
    softer_stop: ("limit force", "knee_l", "solref"),
    slippery: ("tangential force", "floor", "friction"),
    passing: ("touching pairs", "floor", "foot_l"),
    soft_ground: ("normal force", "floor", "foot_r"),
    lighter_gravity: ("joint force", "root", "mass"),
    other_integrator: ("joint force", "knee_l", ""),
}


@pytest.mark.parametrize("change", LIES, ids=lambda c: c.__name__)
def test_an_engine_that_moves_otherwise_is_caught_by_name(robot, change):
    engine = build_wrong(robot, change)
    with pytest.raises(AuditFailed) as failed:
        inspect(robot, engine, Liar(robot))
    field, name, note = LIES[change]
    found = [
        item.note
        for item in failed.value.differences
        if (item.field, item.name) == (field, name) and note in item.note
    ]
    assert found, str(failed.value)


def test_a_single_joint_fault_names_no_other_joint(robot):
    engine = build_wrong(robot, armature)
    with pytest.raises(AuditFailed) as failed:
        inspect(robot, engine, Liar(robot))
    forces = [d.name for d in failed.value.differences if d.field == "joint force"]
    assert forces == ["knee_l"]


def test_an_honest_engine_is_left_as_it_was(robot):
    engine = build(robot)
    qvel = np.arange(engine.read("qvel").size).reshape(engine.read("qvel").shape)
    engine.write("qvel", 1e-3 * qvel, None)
    engine.step(0.1 * np.ones_like(engine.read("ctrl")), 3)
    state = np.array(engine.handle.state)
    faults = engine.faults.copy()
    report = inspect(robot, engine, Liar(robot))
    assert np.array_equal(engine.handle.state, state)
    assert np.array_equal(engine.faults, faults)
    assert max(report.residuals.values()) < 1e-9
    assert {"joint force", "limit force", "contact force"} <= report.residuals.keys()


def test_an_engine_that_fails_is_left_as_it_was(robot):
    engine = build_wrong(robot, gear)
    state = np.array(engine.handle.state)
    with pytest.raises(AuditFailed):
        inspect(robot, engine, Liar(robot))
    assert np.array_equal(engine.handle.state, state)
