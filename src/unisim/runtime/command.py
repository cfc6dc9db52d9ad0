"""The command that a run gives, and the targets that it becomes."""

from typing import Protocol, runtime_checkable

import numpy as np

from unisim.backend.arrays import host
from unisim.backend.base import Array, Worlds
from unisim.config import RunCfg
from unisim.control.law import State
from unisim.control.motors import Motors
from unisim.runtime.seen import Seen


@runtime_checkable
class _Drives(Protocol):
    """A PD law, on whatever device."""

    motors: Motors


class Command:
    """The resting command of every world, plus a sine with a phase per world."""

    def __init__(self, sim: Seen, cfg: RunCfg) -> None:
        """Find the resting command of a sim whose worlds have just been reset."""
        self._rest = sim.rest()
        self._sine = cfg.amplitude
        self._rate = 2 * np.pi * cfg.frequency
        self._phase = 2 * np.pi * np.arange(sim.worlds)[:, None] / sim.worlds

    def at(self, time: float) -> Array:
        """The command at a time since the reset [s]. Shape (n, nu)."""
        wave = self._sine * np.sin(self._rate * time + self._phase)
        return self._rest + wave.astype(self._rest.dtype)


class Tap:
    """The laws of a sim, run as they are, with what reaches its PD laws written down.

    Attributes:
        targets: Target of every actuator that a PD law drives, in its column, within
            the joint's range; others are 0. Shape (n, nu).
        columns: Which columns a PD law drives.
    """

    def __init__(self, sim: Seen) -> None:
        """Take over the laws of a sim."""
        chain = sim.built.law
        self._laws, self.memory, self.command_size = (
            chain.laws,
            chain.memory,
            chain.command_size,
        )
        self.targets = np.zeros_like(sim.read("ctrl"))
        nu = chain.batch.nu
        self._buffers = [chain.batch.empty(nu) for _ in self._laws[:-1]]
        motors = [law.motors for law in self._laws if isinstance(law, _Drives)]
        self.columns = frozenset(int(i) for item in motors for i in item.ctrl)

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Run all laws in turn."""
        for law, buffer in zip(self._laws, (*self._buffers, out), strict=True):
            if isinstance(law, _Drives):
                motors = law.motors
                wanted = host(command)[:, motors.ctrl]
                self.targets[:, motors.ctrl] = np.clip(
                    wanted, motors.lower, motors.upper
                )
            law.apply(command, state, buffer)
            command = buffer

    def reset(self, worlds: Worlds | None, /) -> None:
        """Let the laws forget what they remember of some worlds (None: all)."""
        for law in self._laws:
            law.reset(worlds)

    def rest(self, command: Array, qpos: Array, /) -> None:
        """Turn controls into the command that holds a pose."""
        for law in reversed(self._laws):
            law.rest(command, qpos)
