"""Reads back joints and dofs."""

import motrixsim as mx
import mujoco
import numpy as np
from motrixsim import msd
from numpy.typing import NDArray

from unisim.backend.guest.soft import rubbing, told
from unisim.backend.motrix.acting import DAMPER
from unisim.backend.motrix.mend import links_of
from unisim.backend.motrix.order import Order
from unisim.backend.motrix.parts import Handle

Worlds = dict[str, NDArray[np.float64]]
_JNT, _OBJ = mujoco.mjtJoint, mujoco.mjtObj
_KINDS = {0: int(_JNT.mjJNT_HINGE), 1: int(_JNT.mjJNT_SLIDE), 2: int(_JNT.mjJNT_BALL)}
"""What the engine's numbers of joint types are."""


def read_joints(
    model: mujoco.MjModel, handle: Handle, worlds: Worlds
) -> tuple[str, ...]:
    """Fill in the joints of a model.

    Args:
        model: What to fill in.
        handle: The engine's objects.
        worlds: Takes values that differ between worlds.

    Returns:
        Names of the joints.
    """
    held = handle.model
    names = [str(joint.name) for joint in held.joints]
    free = [str(base.name) for base in held.floating_bases]
    for base in held.floating_bases:
        _free(model, str(base.name), base.dof_vel_start)
    stated = {
        str(joint.name): joint
        for link in links_of(handle.world)
        for joint in link.joints
    }
    bodies = {
        str(joint.name): str(link.name)
        for link in links_of(handle.world)
        for joint in link.joints
    }
    for body in handle.world.hierarchy.bodies:
        if body.free is not None:
            bodies[str(body.free.name)] = str(body.link.name)
    low = held.low
    starts = list(low.joint_dof_vel_indices)
    axes = np.asarray(low.joint_axes, np.float64).reshape(-1, 3)
    kinds = list(low.joint_types)
    for name in names:
        index = _index(model, name)
        if index < 0:
            continue
        place = starts.index(held.get_joint(name).dof_vel_index)
        model.jnt_type[index] = _KINDS[kinds[place]]
        model.jnt_axis[index] = axes[place]
        model.jnt_pos[index] = stated[name].pos
    for name in (*names, *free):
        index = _index(model, name)
        if index >= 0 and name in bodies:
            body = mujoco.mj_name2id(model, _OBJ.mjOBJ_BODY, bodies[name])
            model.jnt_bodyid[index] = body
    start = np.asarray(held.compute_init_dof_pos(), np.float32)[None]
    model.qpos0[:] = Order(handle.rest, handle.shift).ours(start)[0]
    _dofs(model, handle, worlds)
    _limits(model, handle)
    ours = [model.joint(i).name for i in range(model.njnt)]
    theirs = {*names, *free}
    return (*(n for n in ours if n in theirs), *(theirs - set(ours)))


def _free(model: mujoco.MjModel, name: str, start: int) -> None:
    index = _index(model, name)
    if index >= 0 and model.jnt_dofadr[index] == start:
        model.jnt_type[index] = int(_JNT.mjJNT_FREE)
        model.jnt_axis[index], model.jnt_pos[index] = (0, 0, 1), 0


def _dofs(model: mujoco.MjModel, handle: Handle, worlds: Worlds) -> None:
    """Springs, dampers, rotor inertias and dry friction."""
    low, share = handle.model.low, handle.share
    model.dof_damping[share.dampers] = 0
    model.dof_damping[:] += low.dof_force_dampings
    damped = np.tile(model.dof_damping, (_worlds(handle), 1))
    for actuator in handle.model.actuators:
        name = str(actuator.name)
        if name.startswith(DAMPER) and isinstance(actuator, mx.GeneralActuator):
            dof = int(name.removeprefix(DAMPER))
            damped[:, dof] = (
                low.actuators[actuator.index].damping
                if handle.data is None
                else actuator.get_damping_override(handle.data)
            )
    model.jnt_stiffness[share.joints] = 0
    for spring in low.dof_springs:
        joint = model.dof_jntid[spring.dof_vel_index]
        model.jnt_stiffness[joint] += spring.stiffness
        if share.joints[joint]:
            place = spring.dof_pos_index
            model.qpos_spring[place] = spring.target_pos + handle.shift.qpos[place]
    armature = _per_dof(handle, model, "armature")
    friction = _per_dof(handle, model, "frictionloss")
    step = float(handle.model.options.timestep)
    for rub in low.friction_losses:
        dof = rub.dof_vel_index
        if int(model.jnt_type[model.dof_jntid[dof]]) == int(_JNT.mjJNT_FREE):
            friction[:, dof] = rub.friction_loss
        stated = handle.rest.dof_solref[dof], handle.rest.dof_solimp[dof]
        found = rubbing(stated, (rub.damping, rub.impedance), step)
        model.dof_solref[dof], model.dof_solimp[dof] = found
    model.dof_armature[:], model.dof_frictionloss[:] = armature[0], friction[0]
    for name, values in (
        ("dof_armature", armature),
        ("dof_frictionloss", friction),
        ("dof_damping", damped),
    ):
        worlds[name] = values[0] if (values == values[:1]).all() else values


def _per_dof(handle: Handle, model: mujoco.MjModel, what: str) -> NDArray[np.float64]:
    """Values that worlds may override, by dof; of free joints, the model's."""
    data, low = handle.data, handle.model.low
    found = np.zeros((_worlds(handle), model.nv))
    if what == "armature":
        starts = list(low.joint_dof_vel_indices)
        for base in handle.model.floating_bases:
            first = base.dof_vel_start
            for offset in (0, 3):
                value = low.joint_armatures[starts.index(first + offset)]
                found[:, first + offset : first + offset + 3] = value
    for joint in handle.model.joints:
        own = slice(joint.dof_vel_index, joint.dof_vel_index + joint.num_dof_vel)
        read = getattr(joint, f"get_{what}_override")
        values = getattr(joint, what) if data is None else read(data)
        found[:, own] = np.reshape(values, (-1, 1))
    return found


def _worlds(handle: Handle) -> int:
    return 1 if handle.data is None else handle.data.shape[0]


def _limits(model: mujoco.MjModel, handle: Handle) -> None:
    held = handle.model
    ranges = {str(joint.name): np.ravel(joint.range) for joint in held.joints}
    for limit in held.low.dof_limits:
        index = int(model.dof_jntid[limit.dof_vel_index])
        span = ranges.get(model.joint(index).name, np.array([np.nan, np.nan]))
        model.jnt_limited[index] = 1
        model.jnt_margin[index] = limit.lower - span[0]
        model.jnt_range[index] = span + handle.shift.joints[index]
        _soft(model, handle, index, limit.force.coeff)
    stated = {
        str(joint.name): joint
        for link in links_of(handle.world)
        for joint in link.joints
        if joint.type_ == msd.JointType.Ball
    }
    for limit in held.low.spherical_limits:
        index = int(model.dof_jntid[limit.dof_vel_index])
        joint = stated.get(model.joint(index).name)
        if joint is None or not np.isfinite(limit.limit) or limit.limit >= np.pi:
            continue
        model.jnt_limited[index] = 1
        model.jnt_margin[index] = joint.margin
        model.jnt_range[index] = (0, limit.limit + joint.margin)
        _soft(model, handle, index, limit.force.coeff)


def _soft(
    model: mujoco.MjModel, handle: Handle, index: int, coeff: list[float]
) -> None:
    step = float(handle.model.options.timestep)
    model.jnt_solref[index] = told(handle.rest.jnt_solref[index], coeff, step)
    model.jnt_solimp[index] = coeff[2:7]


def _index(model: mujoco.MjModel, name: str) -> int:
    return mujoco.mj_name2id(model, _OBJ.mjOBJ_JOINT, name)
