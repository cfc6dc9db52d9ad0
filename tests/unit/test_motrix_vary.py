"""Worlds of MotrixSim differ in what varies, each as MuJoCo's does."""

import mujoco
import numpy as np
import pytest

from motrixes import Beside

ARM = """<mujoco><option timestep="0.004" gravity="1 -2 -9"/><worldbody>
  <geom name="floor" type="plane" size="0 0 1" pos="0 0 -9"/>
  <body name="a" pos="0 0 1"><joint name="h" axis="0 1 0" damping=".4"
      frictionloss=".02" armature=".01"/>
    <inertial pos=".1 .02 .05" mass="1.2" diaginertia=".01 .02 .015"/>
    <body name="b" pos="0 .1 .3"><joint name="k" type="ball" damping=".1"/>
      <inertial pos=".1 .02 .05" mass="1.2" diaginertia=".01 .02 .015"/>
    </body></body></worldbody>
  <actuator><position name="u" joint="h" kp="3" forcerange="-9 9"/>
    <position name="v" joint="h" kp="3" kv=".2" timeconst=".1"/></actuator>
  </mujoco>"""
FACTORS = np.array([0.5, 1.0, 2.0])
FIELDS = (
    *("body_mass", "body_ipos", "body_inertia", "dof_damping", "dof_armature"),
    *("dof_frictionloss", "actuator_gainprm", "actuator_biasprm", "opt.gravity"),
)


@pytest.mark.parametrize("integrator", ["euler", "implicitfast"])
@pytest.mark.parametrize("name", FIELDS)
def test_a_varied_field_moves_every_world_as_it_moves_mujocos(name, integrator):
    both = Beside(ARM, vary=(name,), integrator=integrator)
    short = name.removeprefix("opt.")
    base = np.array(getattr(both.model.opt if "." in name else both.model, short))
    values = base * FACTORS.reshape(-1, *[1] * base.ndim)
    left = both.guest.vary(name, values, None)
    assert left.shape == values.shape
    both.scatter(move=0.1, speed=1)
    for data in both.datas[1:]:
        data.qpos[:], data.qvel[:] = both.datas[0].qpos, both.datas[0].qvel
        data.ctrl[:] = both.datas[0].ctrl
    both.put()
    expected = []
    inputs = both.inputs()
    for world, data in enumerate(both.datas):
        if name.startswith("actuator"):
            getattr(both.rest, name)[...] = left[world]
            for rest in both.rests:
                rest.act[:], rest.ctrl[:] = 0, both.datas[0].ctrl
            inputs.push[world] = both.inputs().push[world]
        model = both.model.__copy__()
        held = model.opt if "." in name else model
        getattr(held, short)[...] = values[world]
        mujoco.mj_setConst(model, mujoco.MjData(model))
        own = mujoco.MjData(model)
        own.qpos[:], own.qvel[:], own.ctrl[:] = data.qpos, data.qvel, data.ctrl
        mujoco.mj_step(model, own)
        expected.append(own.qvel)
    both.guest.step(inputs, 1, None)
    assert np.ptp(expected, axis=0).max() > 1e-5
    # the last of them may be what is left to the reference
    assert np.abs(both.guest.qvel - expected).max() < 2e-5


def test_friction_differs_between_worlds():
    xml = """<mujoco><option timestep="0.002"/><worldbody>
      <geom name="floor" type="plane" size="0 0 1" friction=".05"/>
      <body pos="0 0 .1"><freejoint/>
        <geom name="g" type="box" size=".1 .1 .1" friction=".2"/></body>
      </worldbody></mujoco>"""
    both = Beside(xml, vary=("geom_friction",))
    friction = np.tile(both.model.geom_friction, (3, 1, 1))
    friction[:, 1, 0] = (0.1, 0.2, 0.4)
    both.guest.vary("geom_friction", friction, None)
    for data in both.datas:
        data.qvel[0] = 1
    both.put()
    both.step(700)
    expected = 1 / (2 * friction[:, 1, 0] * 9.81)
    assert np.allclose(both.guest.qpos[:, 0], expected, rtol=0.02)


def test_some_worlds_may_be_varied_alone():
    both = Beside(ARM, vary=("body_mass",))
    mass = np.tile(both.model.body_mass, (1, 1))
    both.guest.vary("body_mass", 3 * mass, np.array([1], np.int32))
    link = both.guest.handle.model.get_link("b")
    held = link.get_mass_override(both.guest.handle.data)
    assert np.allclose(held, [1.2, 3.6, 1.2])


def test_what_varies_stays_when_worlds_are_put_anew():
    both = Beside(ARM, vary=("body_mass",))
    both.guest.vary("body_mass", 2 * np.tile(both.model.body_mass, (3, 1)), None)
    both.put()
    link = both.guest.handle.model.get_link("b")
    assert np.allclose(link.get_mass_override(both.guest.handle.data), 2.4)
