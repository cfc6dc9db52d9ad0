"""How a probe is set in motion: the same on both sides and in both scenes, by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STARTS = 3
"""Initial states, each in a world of its own."""
_ANGLE, _OFFSET, _SPEED = 0.5, 0.5, 1.0
_CTRL, _SWAY, _RATE = 1.5, 0.5, 0.05
_FREE, _BALL = mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL
_SLIDING = np.array([1.0, 1.0, 0.0, 0.1, 0.1, 1.0])
"""Of the velocity of what lies on a floor, so that it slides and spins on it."""
CONSTANTS = (STARTS, _ANGLE, _OFFSET, _SPEED, _CTRL, _SWAY, _RATE, *_SLIDING.tolist())
"""What every start depends on."""


@dataclass(frozen=True)
class Drive:
    """Initial state and controls of all worlds.

    Attributes:
        state: Values by writable quantity. Shapes (STARTS, ...).
        mean: Mean of the controls. Shape (STARTS, nu).
        phase: Phase of what sways about it [rad]. Shape (STARTS, nu).
    """

    state: Mapping[str, Array]
    mean: Array
    phase: Array

    def ctrl(self, step: int) -> Array:
        """Controls during one physics step. Shape (STARTS, nu)."""
        return self.mean + _SWAY * np.sin(_RATE * step + self.phase)


def drive(
    model: mujoco.MjModel, names: Mapping[str, str], *, bent: bool, shake: float = 0.0
) -> Drive:
    """Make the initial states and controls of a scene.

    What belongs to a name depends on the name alone: a joint that both scenes have
    starts alike in both, and so it does in a sheet.

    Args:
        model: The reference model.
        names: By name in the model: the name that the numbers are drawn for.
        bent: Whether joints start away from their rest.
        shake: Size of a disturbance of every number, relative to at least 1.
    """
    qpos, qvel = np.tile(model.qpos0, (STARTS, 1)), np.zeros((STARTS, model.nv))
    for joint in range(model.njnt):
        name = names[joint_name(model, joint)]
        draw = [_numbers(name, start) for start in range(STARTS)]
        _joint(model, joint, np.array(draw), (qpos, qvel), bent=bent)
    state = {"qpos": qpos, "qvel": qvel}
    mean, phase = np.zeros((STARTS, model.nu)), np.zeros((STARTS, model.nu))
    for index in range(model.nactuator):
        name = actuator_name(model, index)
        first, count = model.actuator_ctrladr[index], model.actuator_ctrlnum[index]
        for start in range(STARTS):
            draw = _numbers(names[name], start)
            mean[start, first : first + count] = _CTRL * draw[0]
            phase[start, first : first + count] = np.pi * draw[1]
    if model.nmocap:
        bodies = np.argsort(model.body_mocapid)[-model.nmocap :]
        offsets = np.array([_numbers("mocap", start)[:3] for start in range(STARTS)])
        state["mocap_pos"] = model.body_pos[bodies] + 0.1 * offsets[:, None]
    rng = np.random.default_rng(0)
    if shake:
        state = {name: _shaken(values, shake, rng) for name, values in state.items()}
    return Drive(state, mean, phase)


def joint_name(model: mujoco.MjModel, joint: int) -> str:
    """Name of a joint; of one that a flexcomp made, after its body."""
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
    if name:
        return name
    body = int(model.jnt_bodyid[joint])
    owner = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body)
    return f"{owner} {joint - int(model.body_jntadr[body])}"


def actuator_name(model: mujoco.MjModel, actuator: int) -> str:
    """Name of an actuator."""
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, actuator) or ""


def _shaken(values: Array, shake: float, rng: np.random.Generator) -> Array:
    size = shake * np.maximum(1.0, np.abs(values))
    return values + size * rng.uniform(-1.0, 1.0, values.shape)


def _numbers(name: str, start: int) -> Array:
    """Twelve numbers between -1 and 1 of a name. Shape (12,)."""
    seed = int.from_bytes(sha256(f"{name} {start}".encode()).digest()[:8], "little")
    return np.random.default_rng(seed).uniform(-1.0, 1.0, 12)


def _joint(
    model: mujoco.MjModel,
    joint: int,
    draw: Array,
    state: tuple[Array, Array],
    *,
    bent: bool,
) -> None:
    """Place and move one joint of all starts. `draw` has shape (STARTS, 12)."""
    (qpos, qvel), kind = state, int(model.jnt_type[joint])
    at, dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    if kind == _FREE:
        speed = draw[:, 3:9] if bent else draw[:, 3:9] * _SLIDING
        qvel[:, dof : dof + 6] = _SPEED * speed
        at += 3
    elif kind == _BALL:
        qvel[:, dof : dof + 3] = _SPEED * draw[:, 3:6]
    else:
        qvel[:, dof] = _SPEED * draw[:, 3]
        if mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint):
            # the same number whatever the joint's reference
            qpos[:, at] = _OFFSET * draw[:, 0] * bent
        return
    for row in range(STARTS) if bent else ():
        turned = np.empty(4)
        axis = draw[row, :3] / np.linalg.norm(draw[row, :3])
        mujoco.mju_axisAngle2Quat(turned, axis, _ANGLE)
        before = qpos[row, at : at + 4].copy()
        mujoco.mju_mulQuat(qpos[row, at : at + 4], before, turned)
