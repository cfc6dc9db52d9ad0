"""Scenes that have at least one of everything the audit compares."""

import copy
import dataclasses
from collections.abc import Callable
from pathlib import Path

import mujoco

from unisim.backend.audit import AuditReport, audit, expected
from unisim.backend.base import Backend, BuildCfg, Engine, Readback
from unisim.backend.layout import layout_of
from unisim.backend.manifest import Manifest
from unisim.backend.mujoco import BACKEND
from unisim.scene.names import named
from unisim.scene.scene import Scene, Sources
from unisim.scene.source import parse

WORLDS = 4
HEAVY = """<mujoco><option timestep="0.001"/><worldbody>
  <geom name="floor" type="plane" size="0 0 1"/>
  <body name="foot" pos="0 0 .0499">
    <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide"/>
    <joint name="tilt" axis="0 1 0"/>
    <geom name="sole" type="box" size=".15 .1 .05" mass="10"/>
    <body name="hip" pos="0 0 .1">
      <joint name="first" axis="0 1 0" stiffness="20" damping="10" armature=".01"/>
      <inertial pos="0 0 .05" mass=".8" diaginertia=".0005 .0005 .0005"/>
      <body name="back" pos="0 0 .05">
        <joint name="second" axis="1 0 0" stiffness="30" damping="10" armature=".01"/>
        <inertial pos="0 0 .35" mass="84" diaginertia="1.6 1.6 .6"/>
        <body name="arm" pos=".14 .22 .48"><joint name="swing" armature=".01"/>
          <inertial pos="0 -.1 -.08" mass="4" diaginertia=".01 .01 .01"/></body>
      </body>
    </body>
  </body>
</worldbody></mujoco>"""
"""Much weight on light bodies, standing."""
RICH = """<mujoco>
  <option timestep="0.002" integrator="implicitfast" wind="0.1 0 0" density="0.1"
          magnetic="0.1 0.2 0.3" viscosity="0.01" impratio="2" cone="elliptic"
          actuatorgroupdisable="3"/>
  <size nuserdata="3"/>
  <asset>
    <hfield name="hills" nrow="3" ncol="4" size="1 1 0.2 0.1"
            elevation="0 1 0 1  1 0 1 0  0 1 1 0"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.8"/>
    <geom name="ground" type="hfield" hfield="hills" pos="8 0 0"/>
    <site name="anchor" pos="0 0 2" quat="0.8 0.6 0 0"/>
    <body name="target" mocap="true" pos="0 3 1" quat="0.8 0 0.6 0"/>
    <body name="trunk" pos="0 0 0.6" gravcomp="0.1">
      <freejoint name="root"/>
      <inertial pos="0.01 0.02 0" mass="3" fullinertia="0.03 0.05 0.06 0.002 0.001 0"/>
      <geom name="belly" type="box" size="0.2 0.1 0.05" condim="4" priority="1"
            solref="0.03 1.1" solimp="0.8 0.9 0.01" margin="0.002" gap="0.001"
            friction="0.9 0.01 0.001"/>
      <site name="imu" pos="0.05 0 0.05" quat="0.6 0 0.8 0"/>
      <body name="thigh" pos="0.2 0.1 0" quat="0.98 0 0.199 0">
        <joint name="hip" axis="0 1 0.1" pos="0 0 0.01" range="-60 70" damping="0.3"
               armature="0.02" frictionloss="0.1" stiffness="2" springref="10"
               actuatorfrcrange="-40 40" margin="0.01" solreflimit="0.03 1"
               solimplimit="0.85 0.95 0.002" solreffriction="0.03 1"
               solimpfriction="0.8 0.9 0.002"/>
        <geom name="upper" type="capsule" size="0.03" fromto="0 0 0 0 0 -0.25"/>
        <body name="shin" pos="0 0 -0.25">
          <joint name="knee" axis="0 1 0" range="-120 -5" damping="0.2"
                 armature="0.01" ref="-40"/>
          <geom name="lower" type="capsule" size="0.02" fromto="0 0 0 0.02 0 -0.25"
                mass="0.4"/>
          <geom name="foot" type="sphere" size="0.03" pos="0.02 0 -0.25"
                friction="1.1"/>
          <site name="toe" pos="0.02 0 -0.28"/>
        </body>
      </body>
      <body name="head" pos="0.3 0 0.1">
        <joint name="neck" type="ball" damping="0.1" range="0 60"/>
        <geom name="skull" type="ellipsoid" size="0.05 0.06 0.07"
              fluidshape="ellipsoid"/>
      </body>
      <body name="rail" pos="-0.2 0 0">
        <joint name="slider" type="slide" axis="-1 0 0.2" range="0 0.3" damping="3"
               armature="0.1"/>
        <geom name="block" size="0.04 0.03" type="cylinder"/>
        <site name="hook"/>
      </body>
      <body name="mimic" pos="0 -0.2 0">
        <joint name="copy" axis="1 0 0" range="-60 60" damping="0.05" armature="0.01"/>
        <geom name="wing" size="0.03" pos="0 -0.1 0"/>
      </body>
    </body>
    <body name="box" pos="1 0 0.3"><freejoint name="boxfree"/>
      <geom name="cube" type="box" size="0.1 0.1 0.1"/></body>
    <body name="post" pos="-1 0 1"><joint name="post" axis="0 1 0" damping="0.2"/>
      <geom name="post" size="0.05" pos="0 0 -0.2"/></body>
    <body name="held" pos="-2 0 1"><joint name="held" axis="0 1 0" damping="0.1"/>
      <geom name="held" size="0.05" pos="0 0 -0.2"/></body>
  </worldbody>
  <contact>
    <pair name="tread" geom1="foot" geom2="floor" condim="4" friction="0.7 0.7 0.01"
          solref="0.03 1" solreffriction="0.02 1" solimp="0.8 0.9 0.01" margin="0.001"
          gap="0.0005"/>
    <exclude body1="thigh" body2="head"/>
  </contact>
  <tendon>
    <fixed name="belt" range="-2 2" limited="true" stiffness="1" damping="0.1"
           frictionloss="0.02" armature="0.001" springlength="0.1"
           actuatorfrcrange="-9 9" margin="0.001">
      <joint joint="hip" coef="0.5"/><joint joint="knee" coef="-0.3"/>
    </fixed>
    <spatial name="cord" stiffness="3" springlength="0.4 0.6">
      <site site="imu"/><geom geom="block" sidesite="hook"/><site site="hook"/>
      <pulley divisor="2"/><site site="anchor"/><site site="toe"/>
    </spatial>
  </tendon>
  <equality>
    <joint name="follow" joint1="copy" joint2="hip" polycoef="0 0.5 0.1 0 0"
           solref="0.03 1" solimp="0.8 0.9 0.01"/>
    <weld name="grip" body1="held" body2="target" active="false"/>
  </equality>
  <actuator>
    <position name="hip" joint="hip" kp="30" kv="1" ctrlrange="-1 1"
              forcerange="-35 35" armature="0.001" damping="0.01" delay="0.004"
              nsample="3"/>
    <motor name="knee" joint="knee" gear="2 0 0 0 0 0" ctrlrange="-8 8"/>
    <general name="slider" joint="slider" dyntype="filter" dynprm="0.05" gainprm="20"
             biastype="affine" biasprm="1 -15 -0.5" actlimited="true" actrange="-1 1"
             actearly="true"/>
    <muscle name="muscle" tendon="cord" ctrlrange="0 1" force="5" lengthrange="0.2 4"/>
    <motor name="thrust" site="imu" refsite="hook" gear="0 0 1 0 0.1 0"/>
    <general name="crank" cranksite="toe" slidersite="hook" cranklength="0.9"
             gainprm="0.1"/>
  </actuator>
  <sensor>
    <gyro name="gyro" site="imu" cutoff="30"/>
    <framepos name="relative" objtype="site" objname="toe" reftype="body"
              refname="trunk" delay="0.004" nsample="3" interval="0.004"/>
    <jointpos name="angle" joint="hip"/>
    <contact name="ground" geom1="foot" geom2="floor" data="found force" num="2"/>
    <touch name="press" site="toe"/>
    <insidesite name="near" site="hook" objtype="body" objname="box"/>
  </sensor>
  <keyframe>
    <key name="home" time="0.1" qvel="0.1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
         qpos="0 0 0.5 1 0 0 0 0.3 -0.9 1 0 0 0 0.1 0.159 1 0 0.1 1 0 0 0 0.2 0.3"
         ctrl="0.3 0.1 0.2 0.1 0.2 0.3" act="0.1 0.2" mpos="0 3 1.1"
         mquat="0.8 0 0.6 0"/>
  </keyframe>
</mujoco>"""
ROBOT = """<mujoco>
  <option timestep="0.004"/>
  <default><joint damping="0.5" armature="0.01"/><geom friction="0.9"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="trunk" pos="0 0 0.5">
      <freejoint name="root"/>
      <geom name="belly" type="box" size="0.2 0.1 0.05" mass="4" pos="0.03 0 0.02"/>
      <body name="thigh_l" pos="0.1 0.12 0">
        <joint name="hip_l" axis="0 1 0" range="-90 60"/>
        <geom name="upper_l" type="capsule" size="0.03" fromto="0 0 0 0.05 0 -0.2"/>
        <body name="shin_l" pos="0.05 0 -0.2">
          <joint name="knee_l" axis="0 1 0" range="-130 0"/>
          <geom name="lower_l" type="capsule" size="0.02" fromto="0 0 0 0 0 -0.2"/>
          <geom name="foot_l" size="0.03" pos="0 0 -0.2"/>
        </body>
      </body>
      <body name="thigh_r" pos="-0.1 -0.12 0">
        <joint name="hip_r" axis="0 1 0" range="-80 70"/>
        <geom name="upper_r" type="capsule" size="0.03" fromto="0 0 0 0 0 -0.2"/>
        <body name="shin_r" pos="0 0 -0.2">
          <joint name="knee_r" axis="0 1 0.2" range="-120 5"/>
          <geom name="lower_r" type="capsule" size="0.02" fromto="0 0 0 0 0 -0.2"/>
          <geom name="foot_r" size="0.03" pos="0 0 -0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="hip_l" joint="hip_l" kp="40" kv="1" ctrlrange="-1.5 1"/>
    <position name="knee_l" joint="knee_l" kp="50" kv="1" ctrlrange="-2 0"/>
    <motor name="hip_r" joint="hip_r" gear="2" ctrlrange="-5 5"/>
    <general name="knee_r" joint="knee_r" dyntype="filter" dynprm="0.03" gainprm="30"
             biastype="affine" biasprm="0 -30 -1" ctrlrange="-2 0"/>
  </actuator>
</mujoco>"""
SOFT = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing="0.1 0.1 0.1" radius="0.01"
              pos="0 0 0.5" mass="1" dim="2">
      <edge damping="0.1"/>
      <elasticity young="100" poisson="0.1" thickness="0.01" elastic2d="both"
                  damping="0.1"/>
    </flexcomp>
    <flexcomp name="jelly" type="grid" count="2 2 2" spacing="0.2 0.2 0.2" mass="1"
              radius="0.01" pos="1 0 1" dim="3" dof="trilinear">
      <elasticity young="1000" poisson="0.1" damping="0.1"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


def scene(folder: Path, xml: str, keyframe: str | None = None) -> Scene:
    """A scene from one text whose elements have names."""
    file = folder / "scene.xml"
    root = parse(xml, file)
    elements = {
        (kind, element.attributes.get("name", "")): element
        for kind, element, _ in named(root)
    }
    model = mujoco.MjModel.from_xml_string(xml)
    sources = Sources(elements, {}, root)
    return Scene(file, xml, {}, model, sources, "", keyframe)


def build(composed: Scene, worlds: int = WORLDS) -> Engine:
    """Build a scene on MuJoCo."""
    request = BuildCfg(scene=composed, worlds=worlds, profile="default")
    return BACKEND.build(request, layout_of(composed.model))


def inspect(composed: Scene, engine: Engine, backend: Backend = BACKEND) -> AuditReport:
    """Audit an engine under the only profile."""
    profile = BACKEND.manifest.profile(None)
    return audit(composed, layout_of(composed.model), backend, engine, profile)


@dataclasses.dataclass(frozen=True)
class Liar:
    """A backend that reads back what the scene states, whatever it built."""

    scene: Scene
    name: str = "liar"

    @property
    def manifest(self) -> Manifest:
        """The engine it drives is MuJoCo."""
        return BACKEND.manifest

    def readback(self, handle: object) -> Readback:
        """The reference's own values."""
        return expected(self.scene)


def build_wrong(
    composed: Scene, change: Callable[[mujoco.MjModel], None], worlds: int = WORLDS
) -> Engine:
    """Build a changed model as if it were the scene's."""
    model = copy.copy(composed.model)
    change(model)
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return build(dataclasses.replace(composed, model=model), worlds)
