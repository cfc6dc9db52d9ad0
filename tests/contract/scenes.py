"""The scenes that the contract is held to."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from unisim import SceneCfg, compose
from unisim.scene.scene import Scene

REPO = Path(__file__).resolve().parents[2]
SHARED = REPO.parent / "shared"

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

TEXTS: Mapping[str, str] = {"sink": SINK, "pile": PILE}
FILES: Mapping[str, Path] = {
    "quadruped": REPO / "models/quadruped/scene.xml",
    "biped": REPO / "models/biped/scene.xml",
    "cartpole": REPO / "models/cartpole/cartpole.xml",
}
REAL: Mapping[str, Path] = {
    "go1": SHARED
    / "policies/go1/mujoco_playground/_src/locomotion/go1/xmls"
    / "scene_mjx_feetonly_flat_terrain.xml",
    "cassie": SHARED / "models/menagerie__agility_cassie/scene.xml",
}
OURS: tuple[str, ...] = (*TEXTS, *FILES)
"""Scenes that need nothing but this repository."""
CHOSEN: Mapping[str, tuple[str, ...]] = {"mjwarp": ("sink",)}
"""By backend that compiles kernels for every number of dofs: the scenes of each run.

It has activations, delays, mocap and equalities, and the 18 dofs of the quadruped that
other tests run, so that they share kernels. `UNISIM_CONTRACT=full` takes all scenes.
"""
_FOLDER = TemporaryDirectory(prefix="unisim-contract-")


@cache
def composed(name: str, keyframe: str | None = None) -> Scene:
    """A scene by its name here, or of a given MJCF text; composed once."""
    text = name if name.startswith("<mujoco") else TEXTS.get(name)
    if text is None:
        file = {**FILES, **REAL}[name]
    else:
        file = Path(_FOLDER.name) / f"{sha256(text.encode()).hexdigest()[:12]}.xml"
        file.write_text(text)
    return compose(SceneCfg(model_file=file, keyframe=keyframe))
