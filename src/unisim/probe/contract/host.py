"""A sim whose arrays lie on a device, read as the contract reads: numpy, read-only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.backend.arrays import Arrays, host
from unisim.backend.base import Array, ContactReading, Worlds
from unisim.control import Law, State
from unisim.control.function import ControlFunction
from unisim.record import Record
from unisim.sim import Sim

T = TypeVar("T", bound=np.generic)


def seen(array: NDArray[T]) -> NDArray[T]:
    """A read-only numpy view, or a copy where the device has a memory of its own."""
    view = host(array).view()
    view.flags.writeable = False
    return view


class HostSim:
    """Delegates to a sim; what is read comes as numpy arrays."""

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._arrays = sim.built.law.batch.arrays

    def __getattr__(self, name: str) -> object:
        """What is no array is the sim's own."""
        return getattr(self._sim, name)

    @property
    def faults(self) -> NDArray[np.uint8]:
        """See `unisim.Sim`."""
        return seen(self._sim.faults)

    @property
    def steps(self) -> Array:
        """See `unisim.Sim`."""
        return seen(self._sim.steps)

    def read(self, name: str) -> Array:
        """See `unisim.Sim`."""
        return seen(self._sim.read(name))

    def sensor(self, name: str) -> Array:
        """See `unisim.Sim`."""
        return seen(self._sim.sensor(name))

    def contact(self, name: str) -> ContactReading:
        """See `unisim.Sim`."""
        reading = self._sim.contact(name)
        fields = {key: seen(values) for key, values in reading.fields.items()}
        found, overflow = seen(reading.found), seen(reading.overflow)
        return replace(reading, found=found, overflow=overflow, fields=fields)

    def step(
        self,
        ctrl: ArrayLike | None = None,
        count: int = 1,
        *,
        control: Law | ControlFunction | None = None,
        record: Sequence[str | Record] | Record = (),
    ) -> Mapping[str | Record, Array]:
        """See `unisim.Sim`; laws and functions are given, and give, numpy arrays."""
        if isinstance(control, Law):
            control = HostLaw(control, self._arrays)
        elif control is not None:
            control = on_host(control, self._arrays)
        taken = self._sim.step(ctrl, count, control=control, record=record)
        return {item: host(array) for item, array in taken.items()}


class HostLaw:
    """A law of numpy arrays, for a sim whose arrays lie on a device."""

    def __init__(self, law: Law, arrays: Arrays) -> None:
        self.command_size, self.memory = law.command_size, law.memory
        self._law, self._arrays = law, arrays

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Let the law write into an array of the host, and move that to the device."""
        before = State(seen(state.qpos), seen(state.qvel), seen(state.time))
        ctrl = np.full(out.shape, np.nan, seen(out).dtype)
        self._law.apply(seen(command), before, ctrl)
        rows = self._arrays.rows("ctrl", ctrl, ctrl.shape, ctrl.dtype.name)
        self._arrays.put(out, rows, None)

    def reset(self, worlds: Worlds | None, /) -> None:
        """See `unisim.control.Law`."""
        self._law.reset(worlds)

    def rest(self, command: Array, qpos: Array, /) -> None:
        """See `unisim.control.Law`."""
        self._law.rest(command, qpos)


def on_host(function: ControlFunction, arrays: Arrays) -> Callable[..., Array]:
    """A function of numpy arrays, for a sim whose arrays lie on a device."""

    def called(*given: Array) -> Array:
        result = function(*map(seen, given))
        if np.size(result) == 0:
            return result
        ctrl = np.asarray(result)
        return arrays.rows("ctrl", ctrl, ctrl.shape, ctrl.dtype.name)

    return called
