"""Commands that go from keyframe to keyframe of the scene, over and over."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.layout import Layout
from unisim.config import KeyframesCfg
from unisim.control.law import Batch, Memory, State
from unisim.control.motors import Motors
from unisim.scene.scene import Scene


class Keyframes:
    """Interpolates between rows of a table, linearly and cyclically.

    Each world has its own clock, which counts physics steps since its last reset. The
    command is added.
    """

    def __init__(self, table: NDArray[np.float64], rate: float, batch: Batch) -> None:
        """Take the rows to visit.

        Args:
            table: A command per key. Shape (k, nu).
            rate: Keys visited per physics step.
            batch: Sizes of the arrays.
        """
        self.command_size = batch.nu
        self._rate = rate
        self._table = table.astype(batch.dtype)
        self._change = (np.roll(table, -1, axis=0) - table).astype(batch.dtype)
        self._clock = np.zeros(batch.worlds, np.int64)
        self._key = np.empty(batch.worlds, np.intp)
        self._phase = np.empty(batch.worlds)
        self._fraction = np.empty(batch.worlds)
        self._part = batch.empty(batch.nu)
        self.memory: Memory = (self._clock,)

    def apply(self, command: Array, _state: State, out: Array, /) -> None:
        """Write table row plus command; then the clocks go on by one step."""
        phase, fraction, part = self._phase, self._fraction, self._part
        np.multiply(self._clock, self._rate, out=phase)
        np.divmod(phase, 1.0, out=(phase, fraction))
        np.mod(phase, len(self._table), out=phase)
        np.copyto(self._key, phase, casting="unsafe")
        np.take(self._table, self._key, axis=0, out=out, mode="clip")
        np.take(self._change, self._key, axis=0, out=part, mode="clip")
        np.multiply(part, fraction[:, None], out=part)
        np.add(out, part, out=out)
        np.add(out, command, out=out)
        np.add(self._clock, 1, out=self._clock)

    def reset(self, worlds: Worlds | None, /) -> None:
        """Put the clocks of some worlds (None: all) back to the first key."""
        self._clock[slice(None) if worlds is None else worlds] = 0

    def rest(self, command: Array, _qpos: Array, /) -> None:
        """Add nothing to the keys."""
        command[...] = 0


def visited(
    cfg: KeyframesCfg, later: Sequence[Motors], scene: Scene, layout: Layout
) -> tuple[NDArray[np.float64], float]:
    """The command of each key, and how many keys are visited per physics step.

    Args:
        cfg: Keys and time between them.
        later: Motors that later laws drive to target positions: their columns are the
            keys' joint positions, all others the keys' ctrl.
        scene: The scene; its timestep turns physics steps into time.
        layout: Its layout.

    Raises:
        UnknownName: If the scene has no such key.
    """
    keys = [layout.index("key", name) for name in cfg.keys]
    table = scene.model.key_ctrl[keys].astype(np.float64)
    for motors in later:
        table[:, motors.ctrl] = scene.model.key_qpos[keys][:, motors.qpos]
    return table, float(scene.model.opt.timestep) / cfg.seconds
