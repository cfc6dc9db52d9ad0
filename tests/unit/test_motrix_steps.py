"""MotrixSim's steps are MuJoCo's Euler or implicitfast, as the file says."""

import mujoco
import numpy as np
import pytest

from motrixes import Beside, request_of
from physics import scene_from
from unisim.backend.layout import layout_of
from unisim.backend.motrix.build import build
from unisim.errors import UnsupportedFeature

INTEGRATORS = ("euler", "implicitfast")
ARM = """<mujoco><option timestep="0.004"{option}><flag {flag}/></option><worldbody>
  <body name="upper" pos="0 0 1">
    <joint name="one" axis="0 1 0" damping="3" {one}/>
    <inertial pos=".15 0 0" mass="1" diaginertia=".01 .01 .01"/>
    <body name="lower" pos=".3 0 0"><joint name="two" axis="0 1 .2"/>
      <site name="tip"/><inertial pos=".15 0 0" mass=".8" diaginertia=".01 .01 .01"/>
    </body>
  </body></worldbody>{more}</mujoco>"""
TIED = """<tendon><fixed name="t" damping="4"><joint joint="one" coef="2"/>
  <joint joint="two" coef="1"/></fixed></tendon>"""


def arm(more="", flag="", one="", option=""):
    return ARM.format(more=more, flag=flag, one=one, option=option)


def explicit(xml):
    """How far MuJoCo is off itself with the other integrator, after one step."""
    found = []
    for integrator in INTEGRATORS:
        both = Beside(xml, integrator=integrator)
        both.scatter(speed=1)
        mujoco.mj_step(both.model, both.datas[0])
        found.append(np.array(both.datas[0].qvel))
    return np.abs(found[0] - found[1]).max()


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("flag", ["", 'eulerdamp="disable"'])
def test_dampers_of_joints_act_when_the_flag_says(flag, integrator):
    both = Beside(arm(flag=flag), integrator=integrator)
    both.scatter(speed=1)
    both.step()
    assert both.off() < 1e-5
    assert bool(explicit(arm(flag=flag)) > 1e-3) == bool(flag)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_dampers_of_tendons_act_when_the_integrator_says(integrator):
    both = Beside(arm(TIED), integrator=integrator)
    both.scatter(speed=1)
    both.step()
    assert both.off() < 1e-5
    assert explicit(arm(TIED)) > 1e-3


@pytest.mark.parametrize("flag", ["", 'eulerdamp="disable"'])
def test_accelerations_are_of_the_damping_that_a_world_has(flag):
    scene = scene_from(arm(flag=flag))
    engine = build(request_of(scene, 1, ("dof_damping",)), layout_of(scene.model))
    engine.vary("dof_damping", 2 * scene.model.dof_damping[None], None)
    engine.write("qvel", np.float32([[1, -2]]), None)
    scene.model.dof_damping *= 2
    data = mujoco.MjData(scene.model)
    data.qvel[:] = 1, -2
    mujoco.mj_forward(scene.model, data)
    assert engine.read("qacc")[0] == pytest.approx(data.qacc, rel=1e-4)


def act(text):
    return f"<actuator>{text}</actuator>"


DRIVE = '<general name="u" {} biastype="affine" biasprm="0 0 -2"/>'
EXPLICIT = {
    "a site": (
        arm(act(DRIVE.format('site="tip"'))),
        r"actuator 'u' \(scene.xml:\d+\)",
    ),
    "an affine gain": (
        arm(act('<general name="u" joint="one" gaintype="affine" gainprm="1 0 1"/>')),
        "actuator 'u'",
    ),
    "a joint with a limit": (
        arm(act(DRIVE.format('joint="one"')), one='actuatorfrcrange="-1 1"'),
        "actuator 'u'",
    ),
    "a spatial tendon": (
        arm(
            '<tendon><spatial name="s" damping="1"><site site="tip"/><site site="o"/>'
            "</spatial></tendon>"
        ).replace("<worldbody>", '<worldbody><site name="o"/>'),
        r"tendon 's' \(scene.xml:\d+\)",
    ),
    "a fluid": (arm(option=' density="9"'), r"option.*\(scene.xml:1\).*fluid"),
}
FILTERED = 'dyntype="filter" dynprm=".1" gear="3"'
BRAKES = {
    "a joint": arm(act(DRIVE.format(f'joint="two" {FILTERED}'))),
    "a tendon": arm(TIED + act(DRIVE.format(f'tendon="t" {FILTERED}'))),
}


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("what", BRAKES)
def test_a_servo_with_dynamics_brakes_when_the_integrator_says(what, integrator):
    both = Beside(BRAKES[what], integrator=integrator)
    assert not both.guest.handle.share.actuators.any()
    both.scatter(speed=1)
    for data, other in zip(both.datas, both.rests, strict=True):
        data.act[:] = other.act[:] = 0.3
    both.step()
    assert both.off() < 1e-5
    assert explicit(BRAKES[what]) > 1e-3


ALONE = """<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/>
  <inertial pos=".1 0 0" mass="1" diaginertia=".02 .02 {third}"/>{more}</body>
  </worldbody></mujoco>"""
JOINTED = """<body><joint axis="0 1 0"/>
  <inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/></body>"""


@pytest.mark.parametrize("what", EXPLICIT)
def test_what_the_engine_takes_explicitly_is_refused_under_implicitfast(what):
    xml, named = EXPLICIT[what]
    Beside(xml)
    with pytest.raises(
        UnsupportedFeature, match=f'{named}.*state integrator = "Euler"'
    ):
        Beside(xml, integrator="implicitfast")


def test_a_body_that_spins_alone_is_refused_under_implicitfast_if_it_is_uneven():
    with pytest.raises(UnsupportedFeature, match=r"body 'a'.*moments of inertia"):
        Beside(ALONE.format(third=0.01, more=""), integrator="implicitfast")
    for third, more in ((0.02, ""), (0.01, JOINTED)):
        both = Beside(ALONE.format(third=third, more=more), integrator="implicitfast")
        both.scatter()
        both.step()
        assert both.off() < 1e-5
