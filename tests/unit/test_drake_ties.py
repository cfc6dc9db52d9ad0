"""Equalities hold in Drake as in MuJoCo, where a solver has them."""

import numpy as np
import pytest

from drakes import Beside, profiles
from unisim.errors import UnsupportedFeature

BARS = """<mujoco>
  <option timestep="0.002"><flag contact="disable"/></option><worldbody>
  <body name="left" pos="0 0 1"><joint name="a" axis="0 1 0" damping=".05"/>
    <geom type="capsule" fromto="0 0 0 .3 0 -.2" size=".02"/>
    <site name="tip" pos=".3 0 -.2"/>
    <body name="middle" pos=".3 0 -.2"><joint name="b" axis="0 1 0" ref="10"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
      <site name="end" pos=".3 0 0"/>
    </body>
  </body>
  <body name="right" pos=".6 0 1"><joint name="c" axis="0 1 0" damping=".05"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02"/>
    <site name="low" pos="0 0 -.2"/>
  </body>
  <body name="ball" pos="1 0 1"><freejoint name="free"/><geom size=".05"/>
    <site name="mark" pos="-.7 0 -.2"/><site name="near" pos=".02 0 .05"/></body>
  <site name="spot" pos="1.02 0 1.05"/>
</worldbody><equality>{tie}</equality></mujoco>"""
POINTS = {
    "bodies": '<connect name="t" body1="middle" body2="right" anchor=".3 0 0"/>',
    "sites": '<connect name="t" site1="end" site2="low"/>',
    "world": '<connect name="t" body1="ball" anchor=".02 0 .05"/>',
    "world_first": '<connect name="t" site1="spot" site2="near"/>',
    "weld": '<weld name="t" site1="spot" site2="near"/>',
    "weld_two": '<weld name="t" body1="right" body2="ball"/>',
    "weld_sites": '<weld name="t" site1="tip" site2="mark" {hard}/>',
}


def scene(tie):
    # a long lever gives way in MuJoCo unless its tie is hard
    hard = 'solref=".004 1" solimp=".999 .9999 .001"'
    return BARS.format(tie=tie.format(hard=hard))


@pytest.mark.parametrize("name", sorted(POINTS))
def test_what_is_tied_stays_together(name):
    one = Beside(scene(POINTS[name]), worlds=1, profile="sap")
    free = Beside(scene(""), worlds=1, profile="sap")
    one.put()
    free.put()
    one.step(200)
    free.step(200)
    moved = np.abs(free.of("qpos") - one.of("qpos")).max()
    assert moved > 0.05  # the tie has an effect
    assert np.abs(one.guest.qpos - one.of("qpos")).max() < 0.06 * moved


def test_joints_are_coupled_as_stated():
    tie = '<joint name="t" joint1="c" joint2="a" polycoef=".1 -.5 0 0 0"/>'
    one = Beside(scene(tie), worlds=2, profile="sap")
    one.scatter(move=0.0, speed=0.0)
    one.step(200)
    a, c = (one.guest.qpos[:, one.model.joint(name).qposadr[0]] for name in "ac")
    np.testing.assert_allclose(c, 0.1 - 0.5 * a, atol=2e-3)
    np.testing.assert_allclose(one.guest.qpos, one.of("qpos"), atol=0.02)


def test_a_joint_is_held_where_it_is_stated():
    one = Beside(scene('<joint name="t" joint1="b" polycoef=".2 0 0 0 0"/>'), 1, "sap")
    one.put()
    one.step(200)
    at = one.guest.qpos[0, one.model.joint("b").qposadr[0]]
    assert at == pytest.approx(0.2 + np.deg2rad(10), abs=2e-3)


def test_equalities_are_switched_in_each_world_alone():
    one = Beside(scene(POINTS["weld"]), worlds=3, profile="sap")
    one.put()
    one.eq_active[1] = 0
    one.step(100)
    height = one.guest.qpos[:, one.model.joint("free").qposadr[0] + 2]
    assert np.abs(height[[0, 2]] - 1).max() < 0.01
    assert height[1] < 0.85
    one.eq_active[:] = 1
    one.eq_active[0] = 0
    before = one.guest.qpos.copy()
    one.step(50)
    assert one.guest.qpos[0, -5] < before[0, -5] - 0.02


@pytest.mark.parametrize(
    ("tie", "profile", "said"),
    [
        *(
            (POINTS["bodies"], name, "'t' .*: TAMSI has no constraints")
            for name in profiles("tamsi", "hydroelastic")
        ),
        (
            '<joint name="t" joint1="a" joint2="b" polycoef="0 1 2 0 0"/>',
            "sap",
            "linearly",
        ),
    ],
)
def test_what_the_solver_lacks_is_refused_by_name(tie, profile, said):
    with pytest.raises(UnsupportedFeature, match=said):
        Beside(scene(tie), profile=profile)


def test_equalities_that_the_options_switch_off_tie_nothing():
    text = scene(POINTS["weld"]).replace("<flag", '<flag equality="disable"')
    one = Beside(text, worlds=1)
    one.put()
    one.step(100)
    assert one.off() < 1e-8
