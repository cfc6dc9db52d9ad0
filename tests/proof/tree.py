"""The world of rigid bodies and of everything about them.

A site and a camera send out rays; there are sensors of touch and volume, water,
contacts, tendons, servos and masses that come from geoms, so that a value that is felt
shows. Elements named `n_...` can be renamed: their names are nothing else.
"""

from collections.abc import Mapping

_ON_SITE = [
    "touch",
    "accelerometer",
    "velocimeter",
    "gyro",
    "force",
    "torque",
    "magnetometer",
]
_ON_JOINT = ["jointpos", "jointvel", "jointactuatorfrc"]
_ON_LIMIT = ["jointlimitpos", "jointlimitvel", "jointlimitfrc"]
_ON_TENDON = [
    "tendonpos",
    "tendonvel",
    "tendonactuatorfrc",
    "tendonlimitpos",
    "tendonlimitvel",
    "tendonlimitfrc",
]
_FRAMED = [
    "framepos",
    "framequat",
    "framexaxis",
    "frameyaxis",
    "framezaxis",
    "framelinvel",
    "frameangvel",
    "framelinacc",
    "frameangacc",
]
_SENSORS = {
    **dict.fromkeys(_ON_SITE, 'site="n_site"'),
    "camprojection": 'site="n_site" camera="n_camera"',
    "rangefinder": 'site="n_ray"',
    **dict.fromkeys(_ON_JOINT, 'joint="n_hinge"'),
    **dict.fromkeys(_ON_LIMIT, 'joint="n_slide"'),
    **dict.fromkeys(("ballquat", "ballangvel"), 'joint="n_ball"'),
    **dict.fromkeys(_ON_TENDON, 'tendon="n_spatial"'),
    **dict.fromkeys(
        ("actuatorpos", "actuatorvel", "actuatorfrc"), 'actuator="n_motor"'
    ),
    **dict.fromkeys(_FRAMED, 'objtype="camera" objname="n_camera"'),
    **dict.fromkeys(("subtreecom", "subtreelinvel", "subtreeangmom"), 'body="n_arm"'),
    "insidesite": 'site="n_volume" objtype="geom" objname="n_geom" enclosed="true"',
    **dict.fromkeys(("distance", "normal", "fromto"), 'geom1="n_geom" geom2="n_floor"'),
    "contact": 'geom1="n_foot" data="found force pos" num="3"',
    **dict.fromkeys(("e_potential", "e_kinetic", "clock"), ""),
    "tactile": 'geom="n_foot" mesh="n_mesh"',
    "user": 'dim="2" needstage="pos"',
}
_DRIVES = {
    "general": 'joint="n_hinge" dyntype="filter" dynprm=".1" gainprm="2"',
    "motor": 'joint="n_hinge"',
    "position": 'joint="n_hinge" kp="3"',
    "velocity": 'joint="n_hinge" kv=".3"',
    "intvelocity": 'joint="n_slide" kp="3" actrange="-1 1"',
    "orientation": 'site="n_hand" refsite="n_site" kp="2"',
    "pid": 'joint="n_hinge" kp="3" kv=".2" ki="1"',
    "damper": 'joint="n_hinge" kv=".3" ctrlrange="0 1"',
    "cylinder": 'joint="n_slide" area=".1"',
    "muscle": 'tendon="n_spatial" lengthrange=".1 2"',
    "adhesion": 'body="n_leg" ctrlrange="0 1" gain="3"',
    "dcmotor": 'joint="n_hinge"',
}
_DC = 'motorconst=".1" resistance="2"'
_TAGS = [
    "mesh",
    "texture",
    "material",
    "joint",
    "geom",
    "site",
    "camera",
    "light",
    "pair",
    "equality",
    "tendon",
]


def _elements(rows: Mapping[str, str], *, classes: bool = False) -> str:
    return "\n".join(
        f'    <{tag} name="n_{tag}" {rest}{f" class={tag!r}" if classes else ""}/>'
        for tag, rest in rows.items()
    )


_KNOWN = '<default class="{name}">{inner}</default>'
_CLASS = '<geom friction=".4"/><joint damping=".2"/>'
_DRIVEN = f"<dcmotor {_DC}/>"
_INNER = {
    **{tag: f"<{tag}/>" for tag in _DRIVES},
    "dcmotor": _DRIVEN,
    **dict.fromkeys(("n_class", "n_twin"), _CLASS),
    **dict.fromkeys(("n_driven", "n_two"), _DRIVEN),
}
_DEFAULTS = f"""<default class="main">
    {"".join(f"<{tag}/>" for tag in _TAGS)}
    <default class="layered"><material>
      <layer role="rgb" texture="n_texture"/></material></default>
    {"".join(_KNOWN.format(name=name, inner=inner) for name, inner in _INNER.items())}
  </default>"""

TREE = f"""<mujoco model="m">
  <compiler usethread="false"><lengthrange/></compiler>
  <option timestep=".004" density="900" viscosity=".01"><flag/></option>
  <size/><statistic/>
  <visual><global/><quality/><headlight/><map/><scale/><rgba/></visual>
  {_DEFAULTS}
  <extension>
    <plugin plugin="mujoco.pid"><instance name="n_pid"><config key="kp" value="2"/>
      </instance></plugin>
    <plugin plugin="mujoco.sensor.touch_grid"/>
  </extension>
  <custom>
    <numeric name="n_numeric" data="1 2" size="3"/><text name="n_text" data="a"/>
    <tuple name="n_tuple"><element objtype="body" objname="n_arm" prm="1"/></tuple>
  </custom>
  <asset>
    <mesh name="n_mesh" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2  .2 .2 .2"/>
    <mesh name="n_obj" file="a.obj"/><mesh name="n_solid"
      vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
    <hfield name="n_hfield" file="a.bin" size="1 1 .2 .1"/>
    <texture name="n_texture" builtin="checker" mark="random" random=".5" type="2d"
      width="8" height="8"/>
    <texture name="n_file" file="a.png" type="2d"/>
    <texture name="n_cube" type="cube" fileright="a.png" fileleft="a.png"
      fileup="a.png" filedown="a.png" filefront="a.png" fileback="a.png"/>
    <texture name="n_grid" type="cube" file="grid.png" gridsize="6 1"
      gridlayout="RLUDFB"/>
    <material name="n_clear" rgba="1 1 1 0"/>
    <material name="n_material" texture="n_texture"/>
    <material name="n_layers"><layer role="rgb" texture="n_texture"/></material>
    <material name="n_layered" class="layered"/>
    <model name="n_model" file="part.xml" content_type="text/xml"/>
  </asset>
  <worldbody>
    <geom name="n_floor" type="plane" size="3 3 .1"/>
    <geom name="n_ground" type="hfield" hfield="n_hfield" pos="5 0 0"/>
    <geom name="n_wall" type="box" size=".1 1 1" pos="2 0 1" contype="0"
      conaffinity="0"/>
    <camera name="n_camera" pos="0 -2 1" xyaxes="1 0 0 0 0 1" resolution="4 3"
      mode="targetbody" target="n_arm"/>
    <light name="n_light" pos="0 0 3" mode="targetbody" target="n_arm"
      texture="n_texture"/>
    <light name="n_lamp"/><site name="n_site" pos="0 .1 1.3"/>
    <site name="n_volume" type="box" size=".3 .4 .5" pos="0 0 1"/>
    <body name="n_arm" pos="0 0 1" user="1">
      <joint name="n_hinge" axis="0 1 0"/>
      <geom name="n_geom" type="capsule" size=".04" fromto="0 0 0 .3 0 0" condim="6"/>
      <geom name="n_shape" type="mesh" mesh="n_mesh" pos="0 .5 .2" contype="0"
        conaffinity="0"/>
      <body name="n_fore" pos=".4 0 0">
        <joint name="n_ball" type="ball" pos="-.1 0 0"/>
        <site name="n_ray" pos=".1 .02 .05" zaxis="1 0 0"/><site name="n_hand"/>
        <geom name="n_round" type="ellipsoid" size=".05 .06 .07" pos=".1 0 0"
          fluidshape="ellipsoid" mass=".3"/>
        <geom name="n_knob" size=".03" pos=".05 0 .1" contype="0" conaffinity="0"/>
      </body>
    </body>
    <body name="n_leg" pos=".6 .3 .15">
      <joint name="n_slide" type="slide" axis="0 0 1" range="-.1 .1"/>
      <geom name="n_foot" type="sphere" size=".2"/>
    </body>
    <body name="n_loose" pos="-.6 .3 .3"><freejoint name="n_free"/>
      <inertial pos="0 .01 0" mass="1" diaginertia=".01 .012 .013"/>
      <geom name="n_box" type="box" size=".1 .1 .1"/>
    </body>
    <body name="n_mocap" pos="-1.2 0 1" mocap="true"><geom size=".1"/>
      <site name="n_down" pos="1.25 .55 3" zaxis="0 0 -1"/>
      <camera name="n_watcher" pos="1.2 -3 .5" xyaxes="1 0 0 0 .2 1" focal=".006 .006"
        sensorsize=".01 .01" resolution="12 12"/></body>
    <frame name="n_frame" pos="0 0 .5" childclass="n_class">
      <body name="n_framed" pos="-.5 -1 .2"><joint/><geom size=".1"/></body>
    </frame>
    <replicate count="2" offset=".3 0 0" sep="_" childclass="n_class">
      <body name="n_copy" pos="-1 -1 .3"><joint axis="1 0 0" pos="0 .1 0"/>
        <geom size=".1"/></body>
    </replicate>
    <body name="n_carrier" pos="1 1 1" childclass="n_class"><geom size=".05"/>
      <attach model="n_model" body="n_child" prefix="p_"/></body>
  </worldbody>
  <deformable>
    <skin name="n_skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"
      texcoord="0 0 1 0 0 1">
      <bone body="n_arm" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"
        vertweight="1 1 1"/>
      <bone body="n_leg" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2"
        vertweight="1 1 1"/></skin>
    <skin name="n_skn" file="a.skn"/>
  </deformable>
  <contact>
    <pair name="n_pair" geom1="n_floor" geom2="n_foot"/>
    <exclude name="n_exclude" body1="n_arm" body2="n_loose"/>
  </contact>
  <tendon>
    <fixed name="n_fixed" range="-.1 .1" limited="true"><joint joint="n_hinge"
      coef="1"/></fixed>
    <spatial name="n_spatial" range="0 .4" limited="true"><site site="n_site"/>
      <geom geom="n_knob"/><site site="n_ray"/><pulley divisor="2"/>
      <site site="n_site"/><site site="n_hand"/></spatial>
  </tendon>
  <equality>
    <connect name="n_connect" body1="n_framed" anchor=".1 0 0"/>
    <weld name="n_weld" body1="n_loose" body2="n_mocap"/>
    <joint name="n_couple" joint1="n_hinge" joint2="n_slide"/>
    <tendon name="n_tie" tendon1="n_fixed" tendon2="n_spatial"/>
  </equality>
  <actuator>
{_elements(_DRIVES, classes=True)}
    <plugin name="n_plug" joint="n_hinge" instance="n_pid" actdim="0"/>
  </actuator>
  <sensor>
{_elements(_SENSORS)}
    <rangefinder name="n_picture" camera="n_camera"/>
    <rangefinder name="n_panorama" camera="n_watcher"/>
    <touch name="n_felt" site="n_volume"/><rangefinder name="n_hit" site="n_down"/>
    <camprojection name="n_pixel" site="n_site" camera="n_watcher"/>
    <plugin name="n_skinned" plugin="mujoco.sensor.touch_grid" objtype="site"
      objname="n_ray"><config key="size" value="3 3"/><config key="fov" value="9 9"/>
      <config key="gamma" value="0"/><config key="nchannel" value="1"/></plugin>
  </sensor>
  <keyframe><key name="n_key"/></keyframe>
</mujoco>"""
"""Rigid bodies and everything about them."""
