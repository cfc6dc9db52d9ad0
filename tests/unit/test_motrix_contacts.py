"""What touches in MotrixSim, where, and with what force."""

import mujoco
import numpy as np
import pytest

from motrixes import Beside

STACK = """<mujoco><option timestep="0.004"/><worldbody>
  <geom name="floor" type="plane" size="0 0 1"/>
  <body name="low" pos="0 0 .0999"><freejoint/>
    <geom name="under" type="box" size=".1 .1 .1" mass="2"/></body>
  <body name="high" pos=".02 .01 .2798"><freejoint/>
    <geom name="over" type="{shape}" size=".08 .08 .08" mass="1"/></body>
  </worldbody></mujoco>"""
SLIDE = """<mujoco><option timestep="0.002"/><worldbody>
  <geom name="floor" type="plane" size="0 0 1" friction="{floor}" {first}/>
  <body name="a" pos="0 0 .1"><freejoint/>
    <geom name="g" type="box" size=".1 .1 .1" mass="2" friction="{box}" {second}/>
  </body></worldbody></mujoco>"""
WEIGHT = 9.81


def settled(xml, steps=300):
    both = Beside(xml)
    both.put()
    both.step(steps)
    return both, both.guest.contacts(None)


@pytest.mark.parametrize("shape", ["box", "cylinder", "ellipsoid", "sphere"])
def test_a_stack_rests_as_high_as_in_mujoco_and_weighs_what_it_weighs(shape):
    both, found = settled(STACK.format(shape=shape))
    heights = both.guest.qpos[:, [2, 9]] - both.of("qpos")[:, [2, 9]]
    assert np.abs(heights).max() < 1e-3
    for world in range(3):
        mine = found.world == world
        for pair, weight in (((0, 1), 3 * WEIGHT), ((1, 2), WEIGHT)):
            rows = mine & (found.geoms == pair).all(axis=1)
            total = found.force[rows].sum(axis=0)
            assert abs(total[2] - weight) < 0.02 * weight
            assert np.abs(total[:2]).max() < 0.02 * weight


def test_normals_point_from_geom1_to_geom2_and_forces_push_geom2():
    _, found = settled(STACK.format(shape="box"))
    assert len(found.world) == 3 * 8
    assert (found.geoms[:, 0] < found.geoms[:, 1]).all()
    assert (found.normal[:, 2] > 0.99).all()
    assert (found.force[:, 2] >= 0).all()
    assert (np.diff(found.world) >= 0).all()
    assert (found.dist < 1e-4).all()
    assert (found.dist > -2e-3).all()


def test_what_stands_still_may_have_the_higher_index():
    xml = """<mujoco><option timestep="0.004"/><worldbody>
      <body name="a" pos="0 0 .0999"><freejoint/>
        <geom name="ball" size=".1" mass="2"/></body>
      <body name="b"><geom name="ground" type="box" size="1 1 .1" pos="0 0 -.1"/></body>
      </worldbody></mujoco>"""
    both, found = settled(xml)
    assert found.geoms.tolist() == [[0, 1]] * 3
    assert (found.normal[:, 2] < -0.99).all()
    assert np.allclose(found.force[:, 2], -2 * WEIGHT, rtol=0.01)
    assert np.abs(both.guest.qpos[:, 2] - both.of("qpos")[:, 2]).max() < 1e-3


def test_friction_pulls_the_way_it_does():
    both = Beside(SLIDE.format(floor=0.3, box=0.1, first="", second=""))
    for world, data in enumerate(both.datas):
        data.qvel[0] = 1 + 0.2 * world
    both.put()
    both.step(50)
    found = both.guest.contacts(None)
    for world in range(3):
        force = found.force[found.world == world].sum(axis=0)
        assert abs(force[0] + 0.3 * 2 * WEIGHT) < 0.02 * WEIGHT
        assert abs(force[2] - 2 * WEIGHT) < 0.05 * WEIGHT


@pytest.mark.parametrize(
    ("floor", "box", "first", "second", "friction"),
    [
        (0.1, 0.1, "", "", 0.1),
        (0.2, 0.4, "", "", 0.4),
        (0.2, 0.4, 'priority="1"', "", 0.2),
        (0.2, 0.4, "", 'priority="1"', 0.4),
    ],
)
def test_a_box_stops_where_coulomb_says(floor, box, first, second, friction):
    both = Beside(SLIDE.format(floor=floor, box=box, first=first, second=second))
    for data in both.datas:
        data.qvel[0] = 1
    both.put()
    both.step(700)
    expected = 1 / (2 * friction * WEIGHT)
    assert np.allclose(both.guest.qpos[:, 0], expected, rtol=0.01)
    assert np.abs(both.guest.qvel[:, 0]).max() < 1e-3


def test_a_margin_is_felt_and_a_distance_is_from_the_surfaces():
    xml = SLIDE.format(floor=1, box=1, first='margin=".01"', second="")
    both, found = settled(xml.replace(' pos="0 0 .1"', ' pos="0 0 .108"'), 1)
    assert np.abs(both.guest.qvel[:, 2] - both.of("qvel")[:, 2]).max() < 0.01
    assert np.allclose(found.dist, 0.008, atol=1e-4)


def test_a_tried_step_tells_its_contacts_and_then_the_last_step_does_again():
    both, found = settled(STACK.format(shape="box"))
    lifted = both.of("qpos")
    lifted[:, [2, 9]] += 1
    both.guest.put(lifted, both.of("qvel"), None)
    both.guest.forward(both.inputs(), np.array([0, 2], np.int32))
    tried = both.guest.contacts(np.array([0, 2], np.int32))
    assert set(tried.world.tolist()) == {0, 2}
    assert not (tried.geoms == 0).any()
    assert (found.geoms == 0).any()


def test_nothing_of_the_references_constraints_enters_the_engine():
    """The engine's motion is the same whatever the reference makes of contacts."""
    off = mujoco.mjtDisableBit
    both, other = (Beside(STACK.format(shape="box")) for _ in range(2))
    flags = off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_EQUALITY
    other.rest.opt.disableflags &= ~int(off.mjDSBL_CONSTRAINT)
    both.rest.opt.disableflags |= flags
    for item in (both, other):
        item.put()
        item.step(50)
    assert np.array_equal(both.guest.qpos, other.guest.qpos)
