"""An arm for tests of control laws, and what runs a law on it."""

from pathlib import Path

import mujoco
import numpy as np

from unisim.backend.layout import Layout, layout_of
from unisim.control import Batch, Chain, State, bind
from unisim.scene.scene import Scene, Sources
from unisim.scene.source import parse

N = 5
ARM = """<mujoco>
  <option timestep="0.01" gravity="0 0 0"/>
  <worldbody>
    <body><freejoint name="root"/><geom size="0.1"/>
      <body pos="1 0 0"><geom size="0.1"/>
        <joint name="hip" axis="0 1 0" range="-29 40"/>
        <body pos="1 0 0"><joint name="knee" axis="1 0 1"/><geom size="0.1"/>
          <body><joint name="foot" type="slide" range="-0.2 0.3"/><geom size="0.1"/>
          </body></body></body>
      <body pos="0 1 0"><joint name="neck"/><geom size="0.1"/></body>
      <body pos="0 2 0"><joint name="eye" type="ball"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="rope"><joint joint="neck" coef="1"/></fixed></tendon>
  <actuator>
    <pid name="servo" joint="neck" kp="3" input="pos vel"/>
    <general name="foot" joint="foot" gainprm="4" gear="-2"/>
    <motor name="knee" joint="knee" gear="3"/>
    <motor name="hip" joint="hip"/>
    <motor name="look" joint="eye"/>
    <motor name="pull" tendon="rope"/>
    <position name="hold" joint="neck" kp="1"/>
    <general name="slow" joint="neck" dyntype="filter" dynprm="1"/>
    <motor name="off" joint="neck" gear="0"/>
  </actuator>
  <keyframe>
    <key name="low" qpos="0 0 0 1 0 0 0  0.1 0.2 0.3 0.4  1 0 0 0"
         ctrl="1 2 3 4 5 6 7 8 9 10"/>
    <key name="high" qpos="0 0 0 1 0 0 0  -0.3 0.6 0.1 0.8  1 0 0 0"
         ctrl="11 22 33 44 55 66 77 88 99 0"/>
  </keyframe>
</mujoco>"""
"""Ten controls of nine actuators; the driven ones lie in another order than joints."""


def scene_of(xml: str) -> Scene:
    root = parse(xml, Path("arm.xml"))
    elements = {
        ("actuator", element.attributes["name"]): element
        for section in root.sections("actuator")
        for element in section.children
    }
    model = mujoco.MjModel.from_xml_string(xml)
    return Scene(Path("arm.xml"), xml, {}, model, Sources(elements, {}, root), "")


def bound(*cfgs, xml: str = ARM, worlds: int = N, dtype: str = "float64") -> Chain:
    scene = scene_of(xml)
    layout = layout_of(scene.model)
    return bind(cfgs, scene, layout, Batch(worlds, layout.sizes["nu"], dtype))


def state_of(layout: Layout, seed: int = 0, dtype: str = "float64") -> State:
    """A random state, another one in every world, that nobody may write to."""
    random = np.random.default_rng(seed)
    qpos = random.uniform(-1, 1, (N, layout.sizes["nq"])).astype(dtype)
    qvel = random.uniform(-2, 2, (N, layout.sizes["nv"])).astype(dtype)
    for array in (qpos, qvel):
        array.flags.writeable = False
    return State(qpos, qvel, np.arange(N) / 10)


def command_of(seed: int, dtype: str = "float64", size: int = 10):
    command = np.random.default_rng(seed).uniform(-1, 1, (N, size)).astype(dtype)
    command.flags.writeable = False
    return command


def run(law, command, state=None):
    """Controls of one physics step, on an array that held nothing but NaN."""
    state = state_of(LAYOUT) if state is None else state
    out = np.full(command.shape, np.nan, command.dtype)
    law.apply(command, state, out)
    return out


LAYOUT = layout_of(scene_of(ARM).model)
