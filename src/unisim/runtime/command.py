"""The command that a run gives, and the targets that it becomes."""

import numpy as np

from unisim.backend.base import Array, Worlds
from unisim.config import RunCfg
from unisim.control.law import State
from unisim.control.pd import PD
from unisim.sim import Sim


class Command:
    """The resting command of every world, plus a sine with a phase per world."""

    def __init__(self, sim: Sim, cfg: RunCfg) -> None:
        """Find the resting command of a sim whose worlds have just been reset."""
        self._rest = sim.read("ctrl").copy()
        sim.built.law.rest(self._rest, sim.read("qpos"))
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

    def __init__(self, sim: Sim) -> None:
        """Take over the laws of a sim."""
        chain = sim.built.law
        self._laws, self.memory, self.command_size = (
            chain.laws,
            chain.memory,
            chain.command_size,
        )
        self.targets = np.zeros_like(sim.read("ctrl"))
        self._buffers = [np.empty_like(self.targets) for _ in self._laws[:-1]]
        motors = [law.motors for law in self._laws if isinstance(law, PD)]
        self.columns = frozenset(int(i) for item in motors for i in item.ctrl)

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Run all laws in turn."""
        for law, buffer in zip(self._laws, (*self._buffers, out), strict=True):
            if isinstance(law, PD):
                motors = law.motors
                self.targets[:, motors.ctrl] = np.clip(
                    command[:, motors.ctrl], motors.lower, motors.upper
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
