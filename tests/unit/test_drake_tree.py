"""Drake's trees are MuJoCo's: poses, motion, and what each world has of its own."""

import mujoco
import numpy as np
import pytest

from drake_scenes import CHAIN, DRIVEN, EVERY, free
from drakes import Beside, profiles
from unisim.errors import UnsupportedFeature

STEPS = 200
RUBBED = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="bar"><joint axis="0 1 0" frictionloss="{load}" armature=".01"/>
    <inertial pos=".3 0 0" mass="1" diaginertia=".02 .02 .02"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("name", sorted(EVERY))
def test_bodies_are_where_mujoco_has_them(name):
    one = Beside(free(EVERY[name]))
    one.scatter()
    one.guest.step(one.inputs(), 1, None)
    for world, qpos in enumerate(one.guest.qpos):
        data = mujoco.MjData(one.model)
        data.qpos = qpos
        mujoco.mj_kinematics(one.model, data)
        where, turned = one.poses(world)
        np.testing.assert_allclose(where, data.xpos, atol=1e-9)
        np.testing.assert_allclose(turned, data.xmat.reshape(-1, 3, 3), atol=1e-9)


@pytest.mark.parametrize("profile", profiles("tamsi", "sap", "hydroelastic"))
@pytest.mark.parametrize("name", sorted(EVERY))
def test_trees_move_as_in_mujoco(name, profile):
    one = Beside(free(EVERY[name]), profile=profile)
    one.scatter()
    one.step(STEPS)
    assert one.off() < 1e-9


def test_balls_with_dampers_move_as_in_mujoco_where_dampers_are_implicit():
    one = Beside(free(CHAIN.format(ball='damping=".05"')), profile="sap")
    one.scatter()
    one.step(STEPS)
    assert one.off() < 1e-9


def test_a_ball_passes_through_every_pose():
    still = CHAIN.format(ball="").replace("<option", '<option gravity="0 0 0"', 1)
    one = Beside(free(still), worlds=4)
    for turn, data in enumerate(one.datas):  # pitches near and at a quarter turn
        angle = np.pi / 2 + (turn - 1.5) * 1e-3 if turn else np.pi / 2
        start = one.model.joint("shoulder").qposadr[0]
        data.qpos[start : start + 4] = np.cos(angle / 2), 0, np.sin(angle / 2), 0
        data.qvel[:] = 0.5 + 0.1 * turn
    one.put()
    one.step(STEPS)
    assert one.off() < 1e-9


@pytest.mark.parametrize("load", [0.5, 2.8, 2.9])
def test_dry_friction_slows_as_in_mujoco(load):
    one = Beside(free(RUBBED.format(load=load)), worlds=1, profile="sap")
    one.put()
    one.step(500)
    moved = one.of("qpos")[0, 0]
    assert abs(moved) > 0.15
    assert one.guest.qpos[0, 0] == pytest.approx(moved, rel=0.04)


@pytest.mark.parametrize("load", [3.0, 4.0])
def test_dry_friction_holds_as_in_mujoco(load):
    one = Beside(free(RUBBED.format(load=load)), worlds=1, profile="sap")
    one.put()
    one.step(500)
    crept = one.of("qpos")[0, 0]
    assert abs(crept) < 0.03
    assert one.guest.qpos[0, 0] == pytest.approx(crept, rel=0.01)


def test_what_implicitfast_couples_is_refused_by_name():
    fast = DRIVEN.replace("<option", '<option integrator="implicitfast"', 1)
    with pytest.raises(UnsupportedFeature, match="tendon 'both'"):
        Beside(free(fast))


def test_armature_of_an_actuator_on_no_joint_is_refused():
    text = DRIVEN.replace('name="pull"', 'name="pull" armature=".1"')
    with pytest.raises(UnsupportedFeature, match="'pull': its armature") as refused:
        Beside(free(text))
    assert refused.value.features == ("actuator.armature",)
