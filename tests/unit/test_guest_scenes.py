"""Scenes in which guests once went wrong, built and audited as a user builds them."""

import numpy as np
import pytest

from guests import GUESTS, adapter
from physics import scene_from
from robots.guests import consents
from unisim import SceneCfg, TaskCfg, build
from unisim.errors import UnsupportedFeature

SEEN = """<mujoco><worldbody>
  <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/>
    <geom name="solid" size=".05" pos=".2 0 0"/>
    <geom name="shown" type="box" size=".02 .02 .02" contype="0" conaffinity="0"/>
  </body>
  </worldbody><sensor><framepos name="s" objtype="geom" objname="shown"/></sensor>
  </mujoco>"""
LIGHT = """<mujoco><worldbody><body name="a" pos="0 0 1" gravcomp="1">
  <joint name="j" axis="0 1 0"/>
  <inertial mass="1" pos=".1 0 0" diaginertia=".01 .01 .01"/>
  </body></worldbody></mujoco>"""
DRAG = """<mujoco><option integrator="implicitfast" density="100"/><worldbody>
  <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/>
    <geom size=".05" pos=".2 0 0"/></body></worldbody></mujoco>"""


def built(text, backend, **task):
    adapter(backend)
    scene = scene_from(text)
    cfg = SceneCfg(model_file=scene.file)
    accept = consents(scene, backend)
    return build(TaskCfg(scene=cfg, backend=backend, accept=accept, **task), scene)


@pytest.mark.parametrize("backend", GUESTS)
def test_a_sensor_may_tell_of_a_geom_that_touches_nothing(backend):
    with built(SEEN, backend) as sim:
        np.testing.assert_allclose(sim.sensor("s")[0], [0, 0, 1], atol=1e-6)


@pytest.mark.parametrize("backend", GUESTS)
def test_a_body_without_weight_has_none_wherever_its_centre_is(backend):
    with built(LIGHT, backend, worlds=2, vary=("body_ipos",)) as sim:
        moved = np.array(sim.read("body_ipos"))[[1]]
        moved[0, 1, 0] = 0.4
        sim.vary("body_ipos", moved, [1])
        sim.step(None, 50)
        np.testing.assert_allclose(sim.read("qpos"), 0, atol=1e-5)


def test_drag_that_brakes_at_the_end_of_a_step_is_refused_by_drake():
    with pytest.raises(UnsupportedFeature, match="drag of a fluid"):
        built(DRAG, "drake")
