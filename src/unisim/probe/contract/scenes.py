"""The suite's own scenes: texts that ship with it."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from unisim.config import SceneCfg
from unisim.scene.compose import compose
from unisim.scene.scene import Scene

SINK = """<mujoco model="sink">
  <option timestep="0.004" density="3" viscosity="0.2"/>
  <size nuserdata="3"/>
  <default><geom density="300"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="hand" mocap="true" pos="0 0 1"><geom size=".02" contype="0"
      conaffinity="0"/></body>
    <body name="load" pos="0 0 1"><freejoint name="load"/>
      <geom name="load" type="box" size=".1 .06 .04" pos=".05 0 .02"/>
      <site name="tip" pos=".1 .03 -.02" euler="20 30 40"/>
      <body name="tail" pos="-.1 0 0"><joint name="tail" type="ball" damping=".01"/>
        <geom name="tail" type="capsule" fromto="0 0 0 -.2 0 .05" size=".02"/></body>
    </body>
    <body name="cart" pos="1 0 .5" gravcomp=".5">
      <joint name="rail" type="slide" axis="1 0 0" range="-.3 .3" limited="true"
        frictionloss=".3" damping="1"/>
      <geom name="cart" type="box" size=".08 .05 .05"/>
      <body name="pole" pos="0 .1 0">
        <joint name="hinge" axis="0 1 0" stiffness="2" springref="10" armature=".01"/>
        <geom name="pole" type="capsule" fromto="0 0 0 .1 0 .4" size=".03"/>
        <site name="top" pos=".1 0 .4"/>
        <body name="wrist" pos=".1 0 .4"><joint name="wrist" axis="1 0 0"/>
          <geom name="wrist" size=".05" pos="0 .03 .02"/></body>
      </body>
    </body>
    <body name="pebble" pos="-1 0 .06"><freejoint name="pebble"/>
      <geom name="pebble" size=".06"/></body>
  </worldbody>
  <tendon>
    <fixed name="gear"><joint joint="hinge" coef="1"/><joint joint="wrist" coef="-.5"/>
    </fixed>
    <spatial name="rope" stiffness="3" damping=".1"><site site="tip"/><site site="top"/>
    </spatial>
  </tendon>
  <equality>
    <weld name="grip" body1="hand" body2="load"/>
    <joint name="mimic" joint1="wrist" joint2="hinge" polycoef="0 .5 0 0 0"
      active="false"/>
  </equality>
  <actuator>
    <motor name="push" joint="rail" gear="5" ctrlrange="-1 1" ctrllimited="true"/>
    <position name="servo" joint="hinge" kp="20" kv="1" delay=".012" nsample="4"/>
    <general name="slow" joint="wrist" dyntype="filterexact" dynprm=".05"/>
    <general name="sum" tendon="gear" dyntype="integrator" actlimited="true"
      actrange="-1 1"/>
  </actuator>
  <sensor>
    <accelerometer name="acc" site="tip"/>
    <framepos name="tip" objtype="site" objname="tip"/>
    <touch name="touch" site="tip"/>
    <framelinvel name="vel" objtype="site" objname="top"/>
    <jointpos name="late" joint="hinge" delay=".008" nsample="3"/>
    <force name="force" site="top"/>
    <subtreelinvel name="momentum" body="load"/>
    <e_kinetic name="energy"/>
    <tendonpos name="rope" tendon="rope"/>
    <actuatorfrc name="servo" actuator="servo"/>
    <clock name="clock"/>
  </sensor>
  <keyframe>
    <key name="high" time="1.5" qpos="0 0 1 1 0 0 0 1 0 0 0 .1 .2 .3 -1 0 .3 1 0 0 0"
      ctrl=".1 .2 .3 .4" act=".5 .6" mpos="0 0 1.1" mquat="1 0 0 0"/>
    <key name="low" qpos="0 0 .5 1 0 0 0 1 0 0 0 -.1 -.2 0 -1 0 .1 1 0 0 0"
      ctrl="-.1 0 .1 .2"/>
  </keyframe>
</mujoco>"""
"""Activations, delays, mocap, equalities, user data, tendons, sensors of all stages."""

PILE = """<mujoco model="pile">
  <option timestep="0.005" cone="elliptic"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="crate" pos="0 0 .1"><freejoint name="crate"/>
      <geom name="crate" type="box" size=".2 .2 .1" friction=".4"/>
      <geom name="lid" type="box" size=".1 .1 .02" pos="0 .05 .12"/></body>
    <body name="ball" pos=".05 0 .4"><freejoint name="ball"/>
      <geom name="ball" size=".08" condim="6"/></body>
    <body name="rod" pos="0 -.4 .05"><freejoint name="rod"/>
      <geom name="rod" type="capsule" size=".04 .2" euler="90 0 0"/></body>
    <body name="slab" pos=".5 0 .2" euler="0 20 0"><freejoint name="slab"/>
      <geom name="slab" type="box" size=".15 .1 .05"/></body>
  </worldbody>
  <sensor><framepos name="ball" objtype="body" objname="ball"/>
    <framelinacc name="crate" objtype="body" objname="crate"/></sensor>
</mujoco>"""
"""Bodies that touch all the time."""

RAILS = """<mujoco model="rails">
  <option timestep="0.004" gravity=".5 0 -9.81"/>
  <size nuserdata="3"/>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <inertial mass="2" pos=".1 0 0" diaginertia=".02 .03 .03"/>
      <joint name="rail" type="slide" axis="1 0 0" damping="3" stiffness="40"
        springref=".1" armature=".3"/>
      <geom name="cart" size=".1" contype="0" conaffinity="0"/>
      <site name="front" pos=".2 0 0"/>
      <body name="lift" pos="0 0 .3">
        <inertial mass=".7" pos="0 .1 0" diaginertia=".01 .01 .02"/>
        <joint name="mast" type="slide" axis=".6 0 .8" damping="1" stiffness="60"/>
        <site name="top" pos="0 0 .1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="rail" gear="5" ctrlrange="-1 1" ctrllimited="true"/>
  </actuator>
  <sensor>
    <jointpos name="rail" joint="rail"/>
    <framepos name="top" objtype="site" objname="top"/>
    <framelinvel name="speed" objtype="site" objname="top"/>
  </sensor>
  <keyframe>
    <key name="high" time="1.5" qpos=".2 .1" qvel=".3 -.2" ctrl=".4"/>
    <key name="low" qpos="-.1 -.2" ctrl="-.3"/>
  </keyframe>
</mujoco>"""
"""Two masses that slide and never touch or turn: what nearly any engine can do."""

TEXTS: Mapping[str, str] = {"sink": SINK, "pile": PILE, "rails": RAILS}
"""The scenes by name."""
_FOLDERS: list[TemporaryDirectory[str]] = []


@cache
def composed(scene: Path | str, keyframe: str | None = None) -> Scene:
    """A scene from a file, from a text of MJCF, or of the suite by its name.

    It is composed once.
    """
    return compose(SceneCfg(model_file=_file(scene), keyframe=keyframe))


@cache
def _file(scene: Path | str) -> Path:
    if isinstance(scene, Path):
        return scene
    if not _FOLDERS:
        _FOLDERS.append(TemporaryDirectory(prefix="unisim-contract-"))
    text = TEXTS.get(scene, scene)
    file = Path(_FOLDERS[0].name) / f"{sha256(text.encode()).hexdigest()[:12]}.xml"
    file.write_text(text, encoding="utf-8")
    return file
