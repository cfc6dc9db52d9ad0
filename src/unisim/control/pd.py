"""PD control of joints, with and without the limits of a DC motor."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.layout import Layout
from unisim.config import DCMotorCfg, PDCfg
from unisim.control.gains import assign, compare
from unisim.control.law import Batch, Memory, State
from unisim.control.motors import Motors, motors_of, refusals
from unisim.errors import BadControl
from unisim.scene.scene import Scene

Gains = Mapping[str, NDArray[np.float64]]
"""By field of the config, a value per motor. Each of shape (k,)."""
Columns = slice | NDArray[np.intp]


class PD:
    """torque = kp (target - q) - kv qd, between -limit and limit.

    The target is the motor's column of the command, clamped to the joint's range. What
    the file states of the actuator itself (its ranges, delay, damping) still applies.
    Columns of other actuators pass through.

    Gain and gear of the actuators and the joints' ranges are those of the scene, in
    every world: an `actuator_gainprm` or `actuator_gear` that is varied makes a motor
    stronger or weaker than the law expects, and a `jnt_range` that is varied moves the
    joint's stop and not the clamp of the target.
    """

    def __init__(self, motors: Motors, gains: Gains, batch: Batch) -> None:
        """Take k motors, their gains kp, kv, limit, and the sizes of the arrays."""
        self.motors = motors
        self.command_size = batch.nu
        self.memory: Memory = ()
        count = len(motors.names)
        self._ctrl = _columns(motors.ctrl)
        self._qpos = _columns(motors.qpos)
        self._qvel = _columns(motors.qvel)
        self._kp, self._kv = batch.tile(gains["kp"]), batch.tile(gains["kv"])
        self._limit, self._floor = _both(gains["limit"], batch)
        self._lower, self._upper = batch.tile(motors.lower), batch.tile(motors.upper)
        self._scale = batch.tile(motors.scale)
        self._ranged = bool(np.isfinite([motors.lower, motors.upper]).any())
        self._clamped = bool(np.isfinite(gains["limit"]).any())
        self._mixed = count < batch.nu
        self._torque, self._picked = batch.empty(count), batch.empty(count)
        self._damping = batch.empty(count)

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Write the controls whose joint torques are the law's."""
        torque = self._torque
        target = _pick(command, self._ctrl, torque)
        if self._ranged:
            target = np.minimum(target, self._upper, out=torque)
            np.maximum(target, self._lower, out=torque)
        q = _pick(state.qpos, self._qpos, self._picked)
        np.subtract(target, q, out=torque)
        np.multiply(torque, self._kp, out=torque)
        qd = _pick(state.qvel, self._qvel, self._picked)
        np.multiply(qd, self._kv, out=self._damping)
        np.subtract(torque, self._damping, out=torque)
        self._clamp(torque, qd)
        np.divide(torque, self._scale, out=torque)
        if self._mixed:
            np.copyto(out, command)
        out[:, self._ctrl] = torque

    def reset(self, _worlds: Worlds | None, /) -> None:
        """Do nothing: nothing is remembered."""

    def rest(self, command: Array, qpos: Array, /) -> None:
        """Ask for the joint positions of the pose."""
        command[:, self.motors.ctrl] = qpos[:, self.motors.qpos]

    def _clamp(self, torque: Array, _qd: Array) -> None:
        """Clamp torques (n, k) at joint speeds (n, k), in place."""
        if self._clamped:
            np.minimum(torque, self._limit, out=torque)
            np.maximum(torque, self._floor, out=torque)


class DCMotor(PD):
    """PD whose torque stays within stall (±1 - qd / no_load), then within ±limit."""

    def __init__(self, motors: Motors, gains: Gains, batch: Batch) -> None:
        """Take the gains of PD and also stall and no_load."""
        super().__init__(motors, gains, batch)
        self._stall, self._back_stall = _both(gains["stall"], batch)
        self._slope = batch.tile(gains["stall"] / gains["no_load"])
        self._bound = batch.empty(len(motors.names))

    def _clamp(self, torque: Array, qd: Array) -> None:
        drop = np.multiply(qd, self._slope, out=self._damping)
        np.minimum(torque, np.subtract(self._stall, drop, out=self._bound), out=torque)
        np.subtract(self._back_stall, drop, out=self._bound)
        np.maximum(torque, self._bound, out=torque)
        super()._clamp(torque, qd)


def driven(
    cfg: PDCfg | DCMotorCfg, scene: Scene, layout: Layout
) -> tuple[Motors, Gains]:
    """The actuators that the kp patterns match, and their gains.

    Raises:
        BadControl: If a pattern matches nothing or as well as another, an actuator
            has other fields than it needs, or cannot be driven by torque.
    """
    problems: list[str] = []
    names = layout.names["actuator"]
    kp = assign("kp", cfg.kp, names, scene, problems)
    values = {"kp": kp}
    for field, patterns in _fields(cfg).items():
        values[field] = assign(field, patterns, names, scene, problems)
        needed = field != "limit"
        compare(field, values[field], kp, scene, problems, needed=needed)
    problems += refusals(list(kp), scene, layout)
    if not cfg.kp:
        problems.append("kp is empty: name the actuators to drive.")
    if problems:
        raise BadControl(cfg.kind, problems)
    gains = {
        field: np.array([found.get(name, np.inf) for name in kp])
        for field, found in values.items()
    }
    return motors_of(list(kp), scene, layout), gains


def _fields(cfg: PDCfg | DCMotorCfg) -> dict[str, dict[str, float]]:
    """The fields besides kp."""
    fields = {"kv": cfg.kv, "limit": cfg.limit}
    if isinstance(cfg, DCMotorCfg):
        fields |= {"stall": cfg.stall, "no_load": cfg.no_load}
    return fields


def _both(values: NDArray[np.float64], batch: Batch) -> tuple[Array, Array]:
    return batch.tile(values), batch.tile(-values)


def _columns(index: NDArray[np.intp]) -> Columns:
    """Columns as a slice if they lie side by side: a view needs no copy."""
    first = int(index[0])
    side_by_side = np.array_equal(index, np.arange(first, first + len(index)))
    return slice(first, first + len(index)) if side_by_side else index


def _pick(array: Array, columns: Columns, out: Array) -> Array:
    """Some columns of an array: a view, or `out` filled with them."""
    if isinstance(columns, slice):
        return array[:, columns]
    return np.take(array, columns, axis=1, out=out, mode="clip")
