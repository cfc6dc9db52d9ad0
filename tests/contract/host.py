"""A sim whose arrays lie on a device, read as the contract reads: numpy, read-only."""

from dataclasses import replace

import numpy as np

from unisim import Sim
from unisim.backend.arrays import host
from unisim.control import Law, State


def seen(array):
    """A read-only numpy view."""
    view = host(array).view()
    view.flags.writeable = False
    return view


class HostSim:
    """Delegates to a sim; what is read comes as numpy views of the same memory."""

    def __init__(self, sim: Sim) -> None:
        self._sim = sim

    def __getattr__(self, name):
        return getattr(self._sim, name)

    @property
    def faults(self):
        return seen(self._sim.faults)

    @property
    def steps(self):
        return seen(self._sim.steps)

    def read(self, name):
        return seen(self._sim.read(name))

    def sensor(self, name):
        return seen(self._sim.sensor(name))

    def contact(self, name):
        reading = self._sim.contact(name)
        fields = {k: seen(v) for k, v in reading.fields.items()}
        found, overflow = seen(reading.found), seen(reading.overflow)
        return replace(reading, found=found, overflow=overflow, fields=fields)

    def step(self, ctrl=None, count=1, *, control=None, record=()):
        if isinstance(control, Law):
            control = HostLaw(control)
        elif control is not None:
            control = on_host(control)
        taken = self._sim.step(ctrl, count, control=control, record=record)
        return {item: host(array) for item, array in taken.items()}


class HostLaw:
    """A law of numpy arrays, for a sim whose arrays are on the CPU device."""

    def __init__(self, law):
        self.command_size, self.memory = law.command_size, law.memory
        self.reset, self.rest, self._law = law.reset, law.rest, law

    def apply(self, command, state, out, /):
        before = State(seen(state.qpos), seen(state.qvel), seen(state.time))
        self._law.apply(seen(command), before, host(out))


def on_host(function):
    """A function of numpy arrays, for a sim whose arrays are on the CPU device."""
    import warp as wp

    def called(*arrays):
        result = function(*map(seen, arrays))
        return wp.from_numpy(np.asarray(result)) if np.size(result) else result

    return called
