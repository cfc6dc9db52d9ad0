"""MotrixSim's trees are MuJoCo's: motion, and what each world has of its own."""

import numpy as np
import pytest

from motrixes import Beside

CHAIN = """<mujoco><option timestep="0.002" gravity="1 -2 -9"/><worldbody>
  <body name="crank" pos="0 0 1" quat=".9 .1 .2 .3">
    <joint name="yaw" axis="1 2 0" pos=".1 0 .05" ref="20" damping=".1" armature=".02"
      stiffness="3" springref="10"/>
    <joint name="pitch" axis="0 0 1" pos="0 .1 0"/>
    <joint name="lift" type="slide" axis="0 1 1" ref=".1" stiffness="30" damping="1"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <body name="swing" pos=".2 0 .1" quat=".5 .5 .2 .1">
      <joint name="shoulder" type="ball" pos="0 0 .1"/>
      <geom type="box" size=".1 .05 .03" contype="0" conaffinity="0"/>
      <body name="stuck" pos="0 .1 0" quat="1 2 3 4">
        <geom type="capsule" size=".02 .1" contype="0" conaffinity="0"/></body>
      <body name="wrist" pos=".1 0 .1"><joint name="flick" axis="0 1 0"/>
        <geom type="capsule" size=".03 .1" contype="0" conaffinity="0"/></body>
    </body>
  </body>
</worldbody></mujoco>"""
FLYER = """<mujoco><option timestep="0.002" gravity="1 -2 -9"/><worldbody>
  <body name="hull" pos="1 0 2" quat=".3 .2 .9 .1"><freejoint name="root"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <body name="wing" pos=".1 .2 .3"><joint name="flap" axis="1 0 0"/>
      <inertial pos=".1 0 0" mass=".3" diaginertia=".001 .002 .0015"/></body>
  </body>
</worldbody></mujoco>"""
ARM = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="upper" pos="0 0 1" gravcomp=".6">
    <joint name="one" axis="0 1 0" {one}/>
    <inertial pos=".15 0 0" mass="1" diaginertia=".01 .01 .01"/>
    <body name="lower" pos=".3 0 0">
      <joint name="two" axis="0 1 .2" {two}/>
      <inertial pos=".15 0 0" mass=".8" diaginertia=".01 .01 .01"/>
    </body>
  </body></worldbody>{more}</mujoco>"""
BALL = """<mujoco><option timestep="0.004"/><worldbody>
  <body name="a" pos="0 0 1"><joint name="j" type="{kind}" {more}/>
    <inertial pos=".1 .02 .05" mass="1.2" diaginertia=".01 .02 .015"/></body>
</worldbody></mujoco>"""


def drives(text):
    return f"<actuator>{text}</actuator>"


def test_a_tree_of_every_joint_moves_as_mujoco_moves_it():
    both = Beside(CHAIN)
    both.scatter(move=0.5, speed=2)
    both.step()
    assert both.off() < 2e-5
    both.step(29)
    assert both.off() < 2e-3


def test_a_slider_that_rests_elsewhere_is_only_counted_otherwise():
    """The engine by itself moves wrongly what turns above such a slider."""
    xml = """<mujoco><option timestep="0.002"/><worldbody>
      <body name="a"><joint name="y" axis="1 2 0"/>
        <inertial pos=".1 .02 .05" mass="1.2" diaginertia=".01 .02 .015"/>
        <body name="b" pos=".1 .1 .1">
          <joint name="l" type="slide" axis="0 1 1" ref=".3" range=".1 2" stiffness="9"
            springref=".2"/>
          <inertial pos=".1 0 .05" mass="1" diaginertia=".01 .02 .015"/></body></body>
      </worldbody><tendon><fixed name="f" stiffness="3" springlength=".4">
        <joint joint="l" coef="2"/><joint joint="y" coef="1"/></fixed></tendon>
      <actuator><position joint="l" kp="20" kv="1" gear="2" forcerange="-9 9"/>
        <position tendon="f" kp="10"/></actuator></mujoco>"""
    both = Beside(xml, integrator="implicitfast")
    both.scatter(move=0.2, speed=0.5)
    both.step(30)
    assert both.off() < 1e-3


def test_a_free_root_moves_as_mujoco_moves_it():
    both = Beside(FLYER)
    both.scatter()
    both.step(100)
    assert both.off() < 2e-3


def test_a_world_keeps_what_is_its_own():
    both = Beside(CHAIN)
    both.scatter()
    both.step(5)
    speeds = both.guest.qvel
    assert np.abs(speeds[0] - speeds[1]).max() > 0.1
    assert np.abs(speeds[1] - speeds[2]).max() > 0.1


@pytest.mark.parametrize("kind", ["hinge", "slide", "ball", "free"])
def test_a_force_on_every_dof_pushes_as_in_mujoco(kind):
    both = Beside(BALL.format(kind=kind, more=""))
    both.scatter(speed=0.5)
    rng = np.random.default_rng(1)
    for data in both.datas:
        data.qfrc_applied[:] = rng.normal(size=both.model.nv) * 3
        data.xfrc_applied[1] = rng.normal(size=6)
    both.step()
    assert both.off() < 1e-5


@pytest.mark.parametrize("kind", ["hinge", "slide", "ball"])
def test_dampers_of_every_joint_are_implicit(kind):
    """An explicit one of this size would overshoot."""
    both = Beside(BALL.format(kind=kind, more='damping="30"'))
    both.scatter()
    both.step()
    assert both.off() < 1e-4


@pytest.mark.parametrize("kind", ["hinge", "ball"])
def test_springs_of_every_joint_pull(kind):
    more = 'stiffness="20"' if kind == "ball" else 'stiffness="20" springref="30"'
    both = Beside(BALL.format(kind=kind, more=more))
    both.scatter(speed=0.5)
    both.step(3)
    assert both.off() < 1e-4


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('<motor joint="one" gear="3" ctrlrange="-.2 .2"/>', 1),
        ('<position joint="one" kp="40" kv="3" gear="1.5"/>', 1),
        ('<position joint="two" kp="40" kv="3" forcerange="-2 2"/>', 1),
        ('<velocity joint="two" kv="2" ctrlrange="-.5 .5"/>', 1),
        ('<general joint="two" gainprm="2" biastype="affine" biasprm="1 -3 -.2"/>', 1),
        ('<general joint="one" gaintype="affine" gainprm="2 1"/>', 0),
        ('<general joint="one" dyntype="filter" dynprm=".1" gainprm="4"/>', 0),
        ('<muscle joint="one" lengthrange="-1 1" force="3"/>', 0),
        ('<intvelocity joint="two" kp="5" actrange="-1 1"/>', 0),
    ],
)
def test_actuators_push_as_in_mujoco_whoever_does_them(text, count):
    xml = ARM.format(one="", two='armature=".02"', more=drives(text))
    both = Beside(xml, integrator="implicitfast" if count else "euler")
    assert both.guest.handle.share.actuators.sum() == count
    both.scatter(speed=1)
    both.step(30)
    assert both.off() < 1e-3


def test_a_joint_limits_what_all_its_actuators_do():
    text = '<motor joint="one" gear="9"/><position joint="one" kp="9"/>'
    both = Beside(
        ARM.format(one='actuatorfrcrange="-.7 .5"', two="", more=drives(text))
    )
    both.scatter(ctrl=5)
    both.step(30)
    assert both.off() < 1e-3


def test_a_servo_that_saturates_is_not_slowed_by_its_own_damping():
    text = '<position joint="one" kp="400" kv="20" forcerange="-3 3"/>'
    xml = ARM.format(one="", two="", more=drives(text))
    both = Beside(xml, integrator="implicitfast")
    both.scatter(speed=0.5)
    both.datas[0].ctrl[:] = both.rests[0].ctrl[:] = both.guest.qpos[0, 0]
    both.datas[0].qvel[:] = 0  # this one does not saturate
    both.put()
    both.step()
    assert both.off() < 1e-5
    assert both.guest.brakes
    assert np.allclose(both.guest.braking()[:, 0], [20, 0, 0])
    both.step(30)
    assert both.off() < 1e-3
    both.scatter(seed=3, speed=0.5)
    both.step(30)
    assert both.off() < 1e-3


def test_servos_damp_explicitly_where_the_file_says_euler():
    text = '<position joint="two" kp="40" kv="1"/>'
    both = Beside(ARM.format(one="", two="", more=drives(text)))
    assert not both.guest.handle.share.actuators.any()
    both.scatter(speed=1)
    both.step()
    assert both.off() < 1e-5


@pytest.mark.parametrize(
    "flag", ["actuation", "spring", "damper", "gravity", "frictionloss", "clampctrl"]
)
def test_flags_switch_off_what_they_do_in_mujoco(flag):
    one = 'stiffness="30" damping="1" frictionloss=".3"'
    more = drives('<motor joint="two" gear="5" ctrlrange="-.1 .1"/>')
    more += f'<option><flag {flag}="disable"/></option>'
    both = Beside(ARM.format(one=one, two="", more=more))
    both.scatter(speed=1)
    both.step(5)
    assert both.off() < 1e-2


def test_dry_friction_slows_and_holds_as_in_mujoco():
    both = Beside(ARM.format(one='frictionloss=".4"', two='frictionloss=".2"', more=""))
    both.scatter(speed=1)
    both.step(100)
    assert both.off() < 0.02


def test_a_stop_stops_where_mujocos_does():
    both = Beside(ARM.format(one='range="-10 10"', two='range="-20 30"', more=""))
    both.scatter(move=0, speed=1)
    both.step(400)
    assert np.abs(both.guest.qpos - both.of("qpos")).max() < 3e-3
    assert np.abs(both.guest.qpos).max() < np.radians(32)


def test_a_world_that_is_not_finite_stays_so_and_touches_no_other():
    both, alone = Beside(CHAIN), Beside(CHAIN)
    for item in (both, alone):
        item.scatter()
    lost = np.full((1, both.model.nq), np.nan)
    both.guest.put(lost, np.zeros((1, both.model.nv)), np.array([1], np.int32))
    inputs = alone.inputs()
    for item in (both, alone):
        item.guest.step(inputs, 3, None)
    assert np.isnan(both.guest.qvel[1]).all()
    for world in (0, 2):
        assert np.array_equal(both.guest.qpos[world], alone.guest.qpos[world])


def test_worlds_that_are_not_named_do_not_move():
    both = Beside(FLYER)
    both.scatter()
    before = both.guest.qpos.copy()
    both.guest.step(both.inputs(), 2, np.array([1], np.int32))
    moved = (both.guest.qpos != before).any(axis=1)
    assert moved.tolist() == [False, True, False]


def test_a_step_that_is_tried_moves_nothing():
    both = Beside(FLYER)
    both.scatter()
    before, inputs = both.guest.qpos.copy(), both.inputs()
    speeds = both.guest.forward(inputs, np.array([0, 2], np.int32)).copy()
    assert np.array_equal(both.guest.qpos, before)
    both.guest.step(inputs, 1, None)
    assert np.array_equal(speeds, both.guest.qvel[[0, 2]])


def test_a_mocap_body_is_where_it_is_put():
    xml = """<mujoco><option timestep="0.004"/><worldbody>
      <body name="hand" mocap="true" pos="0 0 1"/>
      <body name="held" pos="0 0 1"><freejoint/><geom size=".1" mass="1"/></body>
      </worldbody><equality><weld body1="hand" body2="held"/></equality></mujoco>"""
    both = Beside(xml)
    for world, data in enumerate(both.datas):
        data.mocap_pos[0] = (0.05 * world, 0.1, 1.1)
    both.put()
    both.step(300)
    assert np.abs(both.guest.qpos[:, :3] - both.of("mocap_pos")[:, 0]).max() < 0.02
    assert np.abs(both.guest.qpos - both.of("qpos")).max() < 5e-3


def test_a_quaternion_need_not_be_of_unit_length():
    both = Beside(FLYER)
    both.scatter()
    qpos = both.of("qpos")
    qpos[:, 3:7] *= 2.5
    both.guest.put(qpos, both.of("qvel"), None)
    both.step()
    assert both.off() < 1e-5


def test_an_equality_is_switched_world_by_world():
    xml = """<mujoco><option timestep="0.002"/><worldbody>
      <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/>
        <inertial pos=".1 0 0" mass="1" diaginertia=".01 .01 .01"/></body>
      <body name="b" pos="0 1 1"><joint name="k" axis="0 1 0" damping=".1"/>
        <inertial pos=".1 0 0" mass="1" diaginertia=".01 .01 .01"/></body>
      </worldbody>
      <equality><joint name="e" joint1="j" joint2="k"/></equality></mujoco>"""
    both = Beside(xml)
    both.scatter(move=0, speed=0.3)
    both.eq_active = np.array([[1], [0], [1]])
    for data, on in zip(both.datas, both.eq_active, strict=True):
        data.eq_active[:] = on
    both.step(200)
    apart = np.abs(both.guest.qpos[:, 0] - both.guest.qpos[:, 1])
    assert (apart < 5e-3).tolist() == [True, False, True]
    assert np.abs(both.guest.qpos - both.of("qpos"))[1].max() < 1e-3
    both.eq_active[:] = 1
    for data in both.datas:
        data.eq_active[:] = 1
    both.step(400)
    apart = np.abs(both.guest.qpos[:, 0] - both.guest.qpos[:, 1])
    assert (apart < 0.02).all()
    assert np.isfinite(both.guest.forward(both.inputs(), np.arange(3))).all()


PILE = """<mujoco><option timestep="0.004"/><worldbody>
  <geom name="floor" type="plane" size="0 0 1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos=".03 .02 .28"><freejoint/><geom type="box" size=".08 .08 .08"/></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("times", [1, 3, 12])
def test_a_world_that_is_put_anew_moves_as_one_never_touched(times):
    """Whatever its solver would have started from; and no other moves otherwise."""
    both, fresh = Beside(PILE), Beside(PILE)
    both.put()
    fresh.put()
    start, still = both.of("qpos")[:1], both.of("qvel")[:1]
    for _ in range(times):
        both.guest.step(both.inputs(), 7, None)
        both.guest.put(start, still, np.array([1], np.int32))
    both.guest.step(both.inputs(), 9, None)
    fresh.guest.step(fresh.inputs(), 9, None)
    assert np.array_equal(both.guest.qpos[1], fresh.guest.qpos[1])
    fresh.put()
    for _ in range(times):
        fresh.guest.step(fresh.inputs(), 7, None)
    fresh.guest.step(fresh.inputs(), 9, None)
    assert np.array_equal(both.guest.qpos[0], fresh.guest.qpos[0])
