"""Scenes that are built in Drake, without contacts once `free` made them so."""

CHAIN = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="crank" pos="0 0 1" quat=".9 .1 .2 .3">
    <joint name="yaw" axis="1 2 0" pos=".1 0 .05" ref="20" damping=".1" armature=".02"
      stiffness="3" springref="10"/>
    <joint name="pitch" axis="0 0 1" pos="0 .1 0"/>
    <joint name="lift" type="slide" axis="0 1 1" ref=".1" stiffness="30" damping="1"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <body name="swing" pos=".2 0 .1" quat=".5 .5 .2 .1">
      <joint name="shoulder" type="ball" pos="0 0 .1" {ball}/>
      <geom type="box" size=".1 .05 .03"/>
      <body name="stuck" pos="0 .1 0" quat="1 2 3 4">
        <geom type="capsule" size=".02 .1"/></body>
      <body name="wrist" pos=".1 0 .1"><joint name="flick" axis="0 1 0"/>
        <geom type="capsule" size=".03 .1"/></body>
    </body>
  </body>
</worldbody></mujoco>"""
FLYER = """<mujoco><option timestep="0.002" gravity="1 -2 -9"/><worldbody>
  <body name="hull" pos="1 0 2" quat=".3 .2 .9 .1"><freejoint name="root"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <body name="wing" pos=".1 .2 .3"><joint name="flap" axis="1 0 0"/>
      <geom type="ellipsoid" size=".1 .2 .02"/></body>
  </body>
  <body name="other" pos="0 1 0"><freejoint name="loose"/><geom size=".1"/></body>
</worldbody></mujoco>"""
PLANAR = """<mujoco><option timestep="0.004"/><worldbody>
  <body name="torso" pos="0 0 1">
    <joint name="x" type="slide" axis="1 0 0"/>
    <joint name="z" type="slide" axis="0 0 1" ref="1"/>
    <joint name="turn" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 .4" size=".05"/>
    <body name="thigh"><joint name="hip" axis="0 1 0" damping=".5" armature=".1"/>
      <geom type="capsule" fromto="0 0 0 .1 0 -.4" size=".04"/></body>
  </body>
</worldbody></mujoco>"""
DRIVEN = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="upper" pos="0 0 1" gravcomp=".6">
    <joint name="one" axis="0 1 0" damping=".3"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    <site name="high" pos=".1 0 .05"/>
    <body name="lower" pos=".3 0 0">
      <joint name="two" axis="0 1 .2" armature=".01" actuatorfrcrange="-2 2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body name="tip" pos=".3 0 0">
        <joint name="three" type="slide" axis="1 0 0" stiffness="50"/>
        <geom size=".04"/><site name="end"/></body>
    </body>
  </body></worldbody>
  <tendon>
    <fixed name="both" stiffness="4" damping=".2">
      <joint joint="one" coef="1"/><joint joint="two" coef="-.5"/></fixed>
    <spatial name="string" stiffness="20" springlength=".2">
      <site site="high"/><site site="end"/></spatial>
  </tendon>
  <actuator>
    <motor name="m" joint="one" gear="3" ctrlrange="-.5 .5" ctrllimited="true"/>
    <position name="p" joint="two" kp="20" kv=".3" forcerange="-5 5"/>
    <velocity name="v" joint="three" kv="2"/>
    <motor name="pull" tendon="both"/>
    <general name="slow" joint="one" dyntype="filter" dynprm=".05" gainprm="2"/>
    <motor name="push" site="end" gear="1 .5 0 0 0 .1"/>
  </actuator>
</mujoco>"""
ARM = """<mujoco><option timestep="0.01" integrator="implicitfast"/><worldbody>
  <body name="upper" pos="0 0 1"><joint name="one" axis="0 1 0" damping=".3"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    <body name="lower" pos=".3 0 0">
      <joint name="two" axis="0 1 .2" armature=".01" actuatorfrcrange="-20 20"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body name="tip" pos=".3 0 0"><joint name="three" type="slide" axis="1 0 0"/>
        <geom size=".04"/></body>
    </body>
  </body></worldbody>
  <actuator>
    <position joint="one" kp="200" kv="20" gear="1.5" {limit}/>
    <position joint="two" kp="20" kv="3"/><velocity joint="three" kv="20"/>
  </actuator>
</mujoco>"""
WELDED = """<mujoco><option timestep=".002"/><worldbody>
  <body name="arm" pos="0 0 1"><joint name="arm" axis="0 1 0"/>
    <inertial mass="1" pos=".1 0 .2" diaginertia=".01 .02 .03"/>
    <body name="tool" pos="0 .1 .2" quat=".9 .1 .2 .3">
      <inertial mass="0" pos="0 0 .1" diaginertia=".01 .025 .02"/>
      <body name="hand"><joint name="hand" axis="1 0 0"/>
        <inertial mass=".5" pos="0 0 .2" diaginertia=".01 .01 .01"/></body>
    </body></body></worldbody></mujoco>"""
"""A body that has moments of inertia, and its mass in what it is welded to."""
FREE = '<freejoint name="root"/>'
GEARED = """<mujoco><option timestep="0.01"/><worldbody>
  <body name="upper" pos="0 0 1">
    <joint name="one" axis="0 1 0" damping=".3" armature=".02"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    <body name="lower" pos=".3 0 0"><joint name="two" axis="0 1 .2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body name="tip" pos=".3 0 0"><joint name="three" type="slide" axis="1 0 0"/>
        <geom size=".04"/></body>
    </body>
  </body></worldbody>
  <actuator>
    <motor joint="one" gear="3" armature=".01" damping=".05"/>
    <motor joint="one" gear="-1.5" armature=".02" group="3"/>
    <motor joint="two" gear=".7" damping=".5"/>
    <position joint="three" kp="30" kv="2" gear="2" armature=".1" {limit}/>
  </actuator>
</mujoco>"""
"""Actuators with armature and damping of their own."""
EVERY = {
    "chain": CHAIN.format(ball=""),
    "flyer": FLYER,
    "heavy_flyer": FLYER.replace(FREE, '<joint type="free" armature=".3"/>'),
    "braked_flyer": FLYER.replace(FREE, '<joint type="free" damping=".3"/>'),
    "planar": PLANAR,
    "driven": DRIVEN,
    "welded": WELDED,
    "geared": GEARED.format(limit=""),
    "geared_servos": GEARED.format(limit='damping=".3" forcerange="-9 9"').replace(
        "<option", '<option integrator="implicitfast"'
    ),
    "servos": ARM.format(limit=""),
    "servos_at_their_limit": ARM.format(limit='forcerange="-30 30"'),
}


def free(xml):
    """Without contacts."""
    return xml.replace(
        "<option", '<option><flag contact="disable"/></option><option', 1
    )


MIXED = """<mujoco>
  <option timestep="0.002"><flag contact="disable"/></option><worldbody>
  <body name="hand" mocap="true" pos="0 0 1"><geom size=".05"/></body>
  <body name="hull" pos="1 0 2" quat=".3 .2 .9 .1">
    <joint name="root" type="free" damping=".1" armature=".02"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <body name="arm" pos=".1 .2 .3">
      <joint name="hinge" axis="1 0 0" stiffness="2" springref="20" damping=".1"
        armature=".02"/>
      <geom type="box" size=".1 .2 .02" mass=".5"/>
      <body name="rod" pos=".1 0 0"><joint name="slide" type="slide" stiffness="40"/>
        <geom size=".05" mass=".3"/></body>
      <body name="bob" pos="0 0 .2"><joint name="ball" type="ball"/>
        <geom type="box" size=".1 .05 .03" mass=".2"/></body></body>
  </body>
</worldbody></mujoco>"""
