"""Which joints follow a target, and how well they do."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.runtime.command import Tap
from unisim.runtime.seen import Seen

_JOINT, _TENDON = int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_TENDON)
_HINGE, _SLIDE = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
_FIXED, _AFFINE = int(mujoco.mjtGain.mjGAIN_FIXED), int(mujoco.mjtBias.mjBIAS_AFFINE)


@dataclass(frozen=True)
class Follower:
    """An actuator that moves a joint or a tendon to a target.

    Attributes:
        name: Name of the actuator.
        unit: `rad` or `m`.
        ctrl: Its column of `ctrl`.
        array: `qpos` or `ten_length`.
        column: Column of that array.
        driven: Whether a PD law drives it; else it is a servo of the file.
        slope, offset: Of a servo, target = slope ctrl + offset.
        lower, upper: Range of a servo's ctrl.
    """

    name: str
    unit: str
    ctrl: int
    array: str
    column: int
    driven: bool
    slope: float = 1.0
    offset: float = 0.0
    lower: float = -np.inf
    upper: float = np.inf


class Tracker:
    """Compares targets with what the followers do.

    Attributes:
        followers: All of them; there may be none.
    """

    def __init__(self, sim: Seen, tap: Tap) -> None:
        """Find the followers of a scene."""
        model = sim.built.scene.model
        found = (_follower(sim, i, tap.columns) for i in range(model.nactuator))
        self.followers = tuple(item for item in found if item is not None)
        self._tap, self._sim = tap, sim

    def now(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Targets of the last physics step and positions after it. Both (n, k)."""
        ctrl = self._sim.read("ctrl")
        target = np.empty((self._sim.worlds, len(self.followers)))
        actual = np.empty_like(target)
        for i, item in enumerate(self.followers):
            if item.driven:
                target[:, i] = self._tap.targets[:, item.ctrl]
            else:
                held = np.clip(ctrl[:, item.ctrl], item.lower, item.upper)
                target[:, i] = item.slope * held + item.offset
            actual[:, i] = self._sim.read(item.array)[:, item.column]
        return target, actual


def _follower(sim: Seen, actuator: int, driven: frozenset[int]) -> Follower | None:
    model, layout = sim.built.scene.model, sim.layout
    name = layout.names["actuator"][actuator]
    columns = layout.slices.get(("ctrl", name))
    if columns is None or columns.stop - columns.start != 1:
        return None
    place = _place(model, actuator)
    if place is None:
        return None
    array, column, unit, gear = place
    ctrl = columns.start
    if ctrl in driven:
        return Follower(name, unit, ctrl, array, column, driven=True)
    gain, bias = model.actuator_gainprm[actuator, 0], model.actuator_biasprm[actuator]
    kinds = (
        int(model.actuator_gaintype[actuator]),
        int(model.actuator_biastype[actuator]),
    )
    if kinds != (_FIXED, _AFFINE) or gain == 0 or bias[1] >= 0:
        return None
    lower, upper = -np.inf, np.inf
    if model.actuator_ctrllimited[actuator]:
        lower, upper = map(float, model.actuator_ctrlrange[actuator])
    scale = -bias[1] * gear
    slope, offset = float(gain / scale), float(bias[0] / scale)
    return Follower(
        name,
        unit,
        ctrl,
        array,
        column,
        driven=False,
        slope=slope,
        offset=offset,
        lower=lower,
        upper=upper,
    )


def _place(model: mujoco.MjModel, actuator: int) -> tuple[str, int, str, float] | None:
    """Array, column, unit and gear of what an actuator moves, if it is a scalar."""
    target = int(model.actuator_trnid[actuator, 0])
    gear = float(model.actuator_gear[actuator, 0])
    kind = int(model.actuator_trntype[actuator])
    if gear == 0:
        return None
    if kind == _TENDON:
        return "ten_length", target, "m", gear
    if kind != _JOINT or int(model.jnt_type[target]) not in {_HINGE, _SLIDE}:
        return None
    unit = "rad" if model.jnt_type[target] == _HINGE else "m"
    return "qpos", int(model.jnt_qposadr[target]), unit, gear
