"""The control laws on a Warp device: what the numpy laws compute, as launches."""

import numpy as np
import warp as wp
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.device.arrays import DeviceArrays
from unisim.backend.device.lent import lent
from unisim.control.function import ControlFunction
from unisim.control.kinds import Kinds
from unisim.control.law import Batch, Memory, State
from unisim.control.motors import Motors
from unisim.control.pd import Gains
from unisim.errors import BadArray


@wp.kernel(enable_backward=False)
def _torques(
    columns: wp.array2d[wp.int32],
    gains: wp.array2d[wp.float32],
    command: wp.array2d[wp.float32],
    qpos: wp.array2d[wp.float32],
    qvel: wp.array2d[wp.float32],
    out: wp.array2d[wp.float32],
):
    """PD, then what a DC motor can give, then the limit, over gain times gear."""
    world, motor = wp.tid()
    at, qd = columns[0, motor], qvel[world, columns[2, motor]]
    target = wp.clamp(command[world, at], gains[3, motor], gains[4, motor])
    torque = gains[0, motor] * (target - qpos[world, columns[1, motor]])
    torque = torque - gains[1, motor] * qd
    drop = qd * gains[7, motor]
    torque = wp.max(wp.min(torque, gains[6, motor] - drop), -gains[6, motor] - drop)
    torque = wp.max(wp.min(torque, gains[2, motor]), -gains[2, motor])
    out[world, at] = torque / gains[5, motor]


@wp.kernel(enable_backward=False)
def _targets(
    columns: wp.array2d[wp.int32],
    qpos: wp.array2d[wp.float32],
    command: wp.array2d[wp.float32],
):
    """The pose of the motors' joints as their command."""
    world, motor = wp.tid()
    command[world, columns[0, motor]] = qpos[world, columns[1, motor]]


@wp.kernel(enable_backward=False)
def _shift(
    head: wp.array[wp.int32],
    fresh: wp.array[wp.bool],
    command: wp.array2d[wp.float32],
    line: wp.array3d[wp.float32],
    out: wp.array2d[wp.float32],
):
    """Take the oldest command from a line, and put the new one in its place."""
    world, column = wp.tid()
    value = command[world, column]
    if fresh[world]:
        for step in range(line.shape[0]):
            line[step, world, column] = value
    out[world, column] = line[head[0], world, column]
    line[head[0], world, column] = value


@wp.kernel(enable_backward=False)
def _turn(steps: int, head: wp.array[wp.int32]):
    """Go on to the next place of a ring."""
    head[0] = (head[0] + 1) % steps


@wp.kernel(enable_backward=False)
def _visit(
    rate: wp.float64,
    clock: wp.array[wp.int64],
    table: wp.array2d[wp.float32],
    command: wp.array2d[wp.float32],
    out: wp.array2d[wp.float32],
):
    """Interpolate between the rows of a table, cyclically, and add the command."""
    world, column = wp.tid()
    phase = wp.float64(clock[world]) * rate
    whole = wp.floor(phase)
    keys = table.shape[0]
    key = int(wp.int64(whole) % wp.int64(keys))
    start = table[key, column]
    change = table[(key + 1) % keys, column] - start
    part = change * wp.float32(phase - whole)
    out[world, column] = start + part + command[world, column]


class Passthrough:
    """The command is the control."""

    def __init__(self, batch: Batch) -> None:
        self.command_size = batch.nu
        self.memory: Memory = ()

    def apply(self, command: Array, _state: State, out: Array, /) -> None:
        """Copy the command."""
        wp.copy(out, command)

    def reset(self, _worlds: Worlds | None, /) -> None:
        """Do nothing: nothing is remembered."""

    def rest(self, _command: Array, _qpos: Array, /) -> None:
        """Do nothing: the command is what is put out."""


class PD:
    """See `unisim.control.pd.PD`, and `DCMotor` where the gains have a stall torque."""

    def __init__(self, motors: Motors, gains: Gains, batch: Batch) -> None:
        """Take k motors, their gains, and the sizes of the arrays."""
        self.motors, self.command_size = motors, batch.nu
        self.memory: Memory = ()
        arrays = device_arrays(batch)
        self._device = arrays.device
        rows = np.array([motors.ctrl, motors.qpos, motors.qvel], np.int32)
        self._columns = arrays.upload(rows)
        stall = gains.get("stall", np.full(len(motors.names), np.inf))
        slope = stall / gains["no_load"] if "no_load" in gains else 0 * motors.scale
        rows = [gains["kp"], gains["kv"], gains["limit"], motors.lower, motors.upper]
        table = np.array([*rows, motors.scale, stall, slope], np.float32)
        self._gains = arrays.upload(table)

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Write the controls whose joint torques are the law's."""
        wp.copy(out, command)
        dim = (out.shape[0], len(self.motors.names))
        inputs = [self._columns, self._gains, command, state.qpos, state.qvel, out]
        wp.launch(_torques, dim=dim, inputs=inputs, device=self._device)

    def reset(self, _worlds: Worlds | None, /) -> None:
        """Do nothing: nothing is remembered."""

    def rest(self, command: Array, qpos: Array, /) -> None:
        """Ask for the joint positions of the pose."""
        dim = (command.shape[0], len(self.motors.names))
        inputs = [self._columns, qpos, command]
        wp.launch(_targets, dim=dim, inputs=inputs, device=self._device)


class Delay:
    """See `unisim.control.delay.Delay`."""

    def __init__(self, steps: int, batch: Batch) -> None:
        """Make a line for commands of nu columns; `steps` is at least 1."""
        self.command_size, self._arrays = batch.nu, device_arrays(batch)
        self._line = self._arrays.zeros((steps, batch.worlds, batch.nu), "float32")
        self._head = wp.zeros(1, dtype=wp.int32, device=self._arrays.device)
        self._fresh = self._arrays.zeros((batch.worlds,), "bool")
        self._fresh.fill_(True)  # noqa: FBT003
        self.memory: Memory = (self._line, self._head, self._fresh)

    def apply(self, command: Array, _state: State, out: Array, /) -> None:
        """Take the oldest command from the line and put the new one in its place."""
        device = self._arrays.device
        inputs = [self._head, self._fresh, command, self._line, out]
        wp.launch(_shift, dim=out.shape, inputs=inputs, device=device)
        inputs = [self._line.shape[0], self._head]
        wp.launch(_turn, dim=1, inputs=inputs, device=device)
        self._fresh.zero_()

    def reset(self, worlds: Worlds | None, /) -> None:
        """Let the next command of some worlds (None: all) fill their line."""
        self._arrays.fill(self._fresh, 1, worlds)

    def rest(self, _command: Array, _qpos: Array, /) -> None:
        """Do nothing: the command is what is put out later."""


class Keyframes:
    """See `unisim.control.keyframes.Keyframes`."""

    def __init__(self, table: NDArray[np.float64], rate: float, batch: Batch) -> None:
        """Take a command per key (k, nu), and keys visited per physics step."""
        self.command_size, self._arrays = batch.nu, device_arrays(batch)
        self._rate = wp.float64(rate)
        self._table = self._arrays.upload(table.astype(np.float32))
        self._clock = self._arrays.zeros((batch.worlds,), "int64")
        self.memory: Memory = (self._clock,)

    def apply(self, command: Array, _state: State, out: Array, /) -> None:
        """Write table row plus command; then the clocks go on by one step."""
        inputs = [self._rate, self._clock, self._table, command, out]
        wp.launch(_visit, dim=out.shape, inputs=inputs, device=self._arrays.device)
        self._arrays.add(self._clock, 1)

    def reset(self, worlds: Worlds | None, /) -> None:
        """Put the clocks of some worlds (None: all) back to the first key."""
        self._arrays.fill(self._clock, 0, worlds)

    def rest(self, command: Array, _qpos: Array, /) -> None:
        """Add nothing to the keys."""
        command.zero_()


class FunctionLaw:
    """See `unisim.control.function.FunctionLaw`; the function works on the device."""

    def __init__(self, function: ControlFunction, size: int, batch: Batch) -> None:
        """Take the function, the columns of its command, and the kind of arrays."""
        self.command_size, self._arrays = size, device_arrays(batch)
        self.memory: Memory = ()
        self._function = function
        self._views: dict[int, wp.array] = {}

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Call the function; its result comes in as any array that a user passes.

        Raises:
            BadArray: If the result is no device array of `out`'s shape and dtype.
        """
        given = (command, state.qpos, state.qvel, state.time)
        result = self._function(*map(self._view, given))
        name = "ctrl of the control function"
        if not hasattr(result, "__dlpack__"):
            got = f"a {type(result).__name__}"
            raise BadArray(name, f"an array of shape {out.shape}", got)
        wp.copy(out, self._arrays.rows(name, result, out.shape, "float32"))

    def reset(self, _worlds: Worlds | None, /) -> None:
        """Do nothing: nothing is remembered."""

    def rest(self, _command: Array, _qpos: Array, /) -> None:
        """Do nothing: what the function makes of a command is its own affair."""

    def _view(self, array: wp.array) -> wp.array:
        """A view to hand out, made once for each array."""
        if self._views.get(id(array)) is None:
            self._views[id(array)] = lent(array)
        return self._views[id(array)]


def device_arrays(batch: Batch) -> DeviceArrays:
    """The batch's arrays.

    Raises:
        BadArray: If they do not lie on a Warp device.
    """
    if not isinstance(batch.arrays, DeviceArrays):
        raise BadArray("arrays", "those of a Warp device", type(batch.arrays).__name__)
    return batch.arrays


KINDS = Kinds(
    passthrough=Passthrough,
    pd=PD,
    motor=PD,
    delay=Delay,
    keyframes=Keyframes,
    function=FunctionLaw,
)
"""The laws that work on Warp arrays."""
