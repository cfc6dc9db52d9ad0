"""Reads back the actuators that the engine has itself."""

import motrixsim as mx
import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.motrix.acting import BRAKE, DAMPER, PUSH
from unisim.backend.motrix.parts import Handle
from unisim.errors import BadArray

Worlds = dict[str, NDArray[np.float64]]
_OBJ, _TRN = mujoco.mjtObj, mujoco.mjtTrn
_TARGETS = {
    "joint": (_TRN.mjTRN_JOINT, _OBJ.mjOBJ_JOINT),
    "tendon": (_TRN.mjTRN_TENDON, _OBJ.mjOBJ_TENDON),
}
_BIAS, _GAIN = mujoco.mjtBias, mujoco.mjtGain
_OURS = (BRAKE, DAMPER, PUSH)


def read_drives(
    model: mujoco.MjModel, handle: Handle, worlds: Worlds
) -> tuple[str, ...]:
    """Fill in the engine's actuators; the others stay as the reference has them.

    Args:
        model: What to fill in.
        handle: The engine's objects.
        worlds: Takes values that differ between worlds.

    Returns:
        Names of all actuators.
    """
    _check_ours(handle)
    held = {
        str(item.name): item
        for item in handle.model.actuators
        if not str(item.name).startswith(_OURS)
    }
    count = 1 if handle.data is None else handle.data.shape[0]
    gains = np.tile(model.actuator_gainprm, (count, 1, 1))
    biases = np.tile(model.actuator_biasprm, (count, 1, 1))
    for row in np.flatnonzero(handle.share.actuators).tolist():
        item = held.get(model.actuator(row).name)
        if item is None:
            gains[:, row] = np.nan
            continue
        _drive(model, row, item, handle)
        gains[:, row], biases[:, row] = 0, 0
        for column, value in _law(item, handle):
            table = gains if column < 0 else biases
            table[:, row, max(column, 0)] = value
        biases[:, row, 0] -= biases[:, row, 1] * handle.shift.drives[row]
        affine = bool(biases[:, row].any()) or _was_affine(handle, row)
        kind = _BIAS.mjBIAS_AFFINE if affine else _BIAS.mjBIAS_NONE
        model.actuator_biastype[row] = int(kind)
    for item in handle.model.actuators:
        if str(item.name).startswith(BRAKE):
            row = int(str(item.name).removeprefix(BRAKE))
            biases[:, row, 2] = dict(_law(item, handle))[2]
    for name, values in (("actuator_gainprm", gains), ("actuator_biasprm", biases)):
        worlds[name] = values[0] if (values == values[:1]).all() else values
    names = [model.actuator(i).name for i in range(model.nactuator)]
    own = np.flatnonzero(handle.share.actuators).tolist()
    missing = {names[i] for i in own} - set(held)
    kept = [name for name in names if name not in missing]
    return (*kept, *(set(held) - set(names)))


def _check_ours(handle: Handle) -> None:
    """The motors that carry forces from outside, and the dampers, are as they are made.

    Raises:
        BadArray: If one is not.
    """
    model = handle.rest
    for item in handle.model.actuators:
        name = str(item.name)
        if not name.startswith((PUSH, DAMPER)):
            continue
        held = handle.model.low.actuators[item.index]
        dof = int(name.removeprefix(PUSH).removeprefix(DAMPER))
        joint = int(model.dof_jntid[dof])
        want = [0.0, 0.0, 0.0]
        want[(dof - int(model.jnt_dofadr[joint])) % 3] = 1.0
        gain = 1.0 if name.startswith(PUSH) else 0.0
        # of what pushes nothing else is there, of what damps that is read as such
        damping = 0.0 if gain else held.damping
        wanted = [*want, gain, 0.0, 0.0, damping]
        got = [*held.gear, held.gain, held.bias, held.stiffness, held.damping]
        if got != wanted or np.isfinite([*held.force_range, *held.control_range]).any():
            where = f"joint {model.joint(joint).name}"
            raise BadArray(f"{name} of {where}", f"{wanted}", f"{got}")


def _was_affine(handle: Handle, row: int) -> bool:
    """Whether the intermediate says that the actuator has a bias, if of zeros."""
    name = handle.rest.actuator(row).name
    for item in handle.world.actuators:
        if str(item.name) == name:
            return "Affine" in str(item.actuator_type.value.bias)
    return False


def _law(item: mx.Actuator, handle: Handle) -> list[tuple[int, NDArray[np.float64]]]:
    """Gain (-1), constant, stiffness and damping in MuJoCo's sense, of every world."""
    low = handle.model.low.actuators[item.index]
    if handle.data is None or not isinstance(item, mx.GeneralActuator):
        return [(-1, low.gain), (0, low.bias), (1, -low.stiffness), (2, -low.damping)]
    data = handle.data
    return [
        (-1, item.get_gain_override(data)),
        (0, item.get_bias_override(data)),
        (1, -np.asarray(item.get_stiffness_override(data))),
        (2, -np.asarray(item.get_damping_override(data))),
    ]


def _drive(model: mujoco.MjModel, row: int, item: mx.Actuator, handle: Handle) -> None:
    kind, target = _TARGETS.get(item.target_type, (_TRN.mjTRN_UNDEFINED, None))
    low = handle.model.low.actuators[item.index]
    model.actuator_trntype[row] = int(kind)
    found = -1
    if target is not None:
        found = mujoco.mj_name2id(model, target, item.target_name)
    model.actuator_trnid[row] = (found, -1)
    out, control = model.actuator_outadr[row], model.actuator_ctrladr[row]
    model.actuator_gear[out] = 0
    model.actuator_gear[out, :3] = low.gear
    model.actuator_gaintype[row] = int(_GAIN.mjGAIN_FIXED)
    _range(
        model.actuator_ctrllimited, model.actuator_ctrlrange, control, low.control_range
    )
    _range(model.actuator_forcelimited, model.actuator_forcerange, row, low.force_range)


def _range(
    limited: NDArray[np.uint8], spans: NDArray[np.float64], row: int, held: list[float]
) -> None:
    limited[row] = bool(np.isfinite(held).any())
    if limited[row]:
        spans[row] = held
