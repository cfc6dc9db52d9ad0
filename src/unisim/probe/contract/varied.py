"""A scene in which every field that can vary matters, and how MJCF states each."""

from collections.abc import Callable, Mapping
from functools import partial

import mujoco
import numpy as np
from numpy.typing import NDArray

SCENE = """<mujoco model="varied">
  <compiler autolimits="true" angle="radian"/>
  <option timestep="0.004" density="200" viscosity="0.5" wind=".5 .3 0"
    gravity=".2 0 -9.81"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1" friction=".6" margin=".002"/>
    <body name="crate" pos="0 0 .1"><freejoint name="crate"/>
      <inertial mass="2" pos="0 0 0" diaginertia=".03 .04 .05"/>
      <geom name="crate" type="box" size=".15 .1 .1" friction=".5" margin=".004"
        gap=".001" condim="6"/></body>
    <body name="ball" pos=".5 0 .08"><freejoint name="ball"/>
      <inertial mass="1" pos=".01 .02 .01" quat=".9 .1 .2 .1"
        diaginertia=".01 .02 .02"/>
      <geom name="ball" size=".08" margin=".003" condim="4"/></body>
    <body name="cart" pos="-1 0 1" gravcomp=".3">
      <inertial mass="1.5" pos="0 0 0" diaginertia=".02 .03 .03"/>
      <joint name="rail" type="slide" axis="1 0 0" range="-.01 .01" frictionloss=".4"
        damping="1" stiffness="2" springref=".1" armature=".1"/>
      <geom name="cart" type="box" size=".1 .1 .05"/>
      <body name="pole" pos=".05 0 0" gravcomp=".1">
        <inertial mass=".8" pos="0 .02 .2" diaginertia=".02 .02 .004"/>
        <joint name="hinge" axis="0 1 0" range="-.035 .035" damping=".1" armature=".02"
          frictionloss=".05" stiffness="1" springref=".17"/>
        <geom name="pole" type="capsule" fromto="0 0 0 0 0 .4" size=".03"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="rail" gear="8" ctrlrange="-.1 .1" forcerange="-.7 .7"/>
    <position name="servo" joint="hinge" kp="15" kv=".5" ctrlrange="-.15 .15"
      forcerange="-1 1"/>
  </actuator>
</mujoco>"""

Values = NDArray[np.float64]
Edit = Callable[[mujoco.MjSpec, mujoco.MjModel, Values], None]


def _set(
    kind: str,
    attribute: str,
    spec: mujoco.MjSpec,
    model: mujoco.MjModel,
    values: Values,
) -> None:
    names = [getattr(model, kind)(i).name for i in range(len(values))]
    for name, value in zip(names, values, strict=True):
        if name != "world":
            setattr(getattr(spec, kind)(name), attribute, value)


def _joint(
    attribute: str, spec: mujoco.MjSpec, model: mujoco.MjModel, values: Values
) -> None:
    of_dof = len(values) == model.nv
    for i, value in enumerate(values):
        number = model.dof_jntid[i] if of_dof else i
        if model.jnt_type[number] != mujoco.mjtJoint.mjJNT_FREE:
            joint = spec.joint(model.joint(number).name)
            before = getattr(joint, attribute)
            several = np.ndim(before) and not np.ndim(value)
            setattr(joint, attribute, [value, *before[1:]] if several else value)


def _springref(spec: mujoco.MjSpec, model: mujoco.MjModel, values: Values) -> None:
    for i in range(model.njnt):
        joint = spec.joint(model.joint(i).name)
        if joint is not None and joint.type != mujoco.mjtJoint.mjJNT_FREE:
            joint.springref = values[model.jnt_qposadr[i]]


def _option(
    attribute: str, spec: mujoco.MjSpec, _model: mujoco.MjModel, values: Values
) -> None:
    setattr(spec.option, attribute, values)


EDITS: Mapping[str, Edit] = {
    **{
        f"body_{name}": partial(_set, "body", name)
        for name in ("mass", "inertia", "ipos", "iquat", "gravcomp")
    },
    **{
        f"geom_{name}": partial(_set, "geom", name)
        for name in ("friction", "solref", "solimp", "margin", "gap")
    },
    **{
        f"actuator_{name}": partial(_set, "actuator", name)
        for name in ("gainprm", "biasprm", "gear", "ctrlrange", "forcerange")
    },
    "jnt_stiffness": partial(_joint, "stiffness"),
    "jnt_range": partial(_joint, "range"),
    "jnt_solref": partial(_joint, "solref_limit"),
    "jnt_solimp": partial(_joint, "solimp_limit"),
    "qpos_spring": _springref,
    "dof_damping": partial(_joint, "damping"),
    "dof_armature": partial(_joint, "armature"),
    "dof_frictionloss": partial(_joint, "frictionloss"),
    "opt.gravity": partial(_option, "gravity"),
    "opt.wind": partial(_option, "wind"),
}
"""How a field's values are stated, by field."""


def field_of(model: mujoco.MjModel, name: str) -> Values:
    """A copy of a field that can vary, by its name in `vary`."""
    owner = model.opt if name.startswith("opt.") else model
    return np.array(getattr(owner, name.removeprefix("opt.")), float)


def other_values(model: mujoco.MjModel, name: str, seed: int) -> Values:
    """Values of a field that differ from the model's wherever they may."""
    random = np.random.default_rng(seed)
    values = field_of(model, name)
    if name == "body_ipos":
        values[1:] += random.uniform(-0.03, 0.03, values[1:].shape)
    elif name == "body_iquat":
        values[1:] += random.uniform(-0.3, 0.3, values[1:].shape)
        values /= np.linalg.norm(values, axis=1, keepdims=True)
    elif name == "geom_gap":
        values += random.uniform(0.3, 0.5)
    elif name.endswith("inertia"):
        values *= random.uniform(1.3, 1.4, values.shape)
    elif name.endswith("solimp"):
        values[:, :2] -= random.uniform(0.1, 0.3, (len(values), 1))
    else:
        values *= random.uniform(1.2, 1.7, (len(values), *[1] * (values.ndim - 1)))
    if name.startswith(("jnt", "dof", "qpos")):
        _keep_free_joints(model, name, values)
    return values


def _keep_free_joints(model: mujoco.MjModel, name: str, values: Values) -> None:
    """A free joint states none of these."""
    free = model.jnt_type == mujoco.mjtJoint.mjJNT_FREE
    owner = {model.njnt: free, model.nv: free[model.dof_jntid]}.get(len(values))
    if name == "qpos_spring":
        owner = np.arange(model.nq) < 7 * free.sum()
    values[owner] = field_of(model, name)[owner]


def stated(name: str, values: Values) -> str:
    """The scene with these values of a field, as MJCF."""
    spec = mujoco.MjSpec.from_string(SCENE)
    EDITS[name](spec, spec.compile(), values)
    spec.compiler.savecompiled = False
    spec.compile()
    text = spec.to_xml()
    got = field_of(mujoco.MjModel.from_xml_string(text), name)
    np.testing.assert_array_equal(got, values, err_msg=f"{name} of the edited scene")
    return text
