"""A delay line: commands take effect some physics steps after they are given."""

import numpy as np

from unisim.backend.base import Array, Worlds
from unisim.control.law import Batch, Memory, State


class Delay:
    """Puts out the command of `steps` physics steps ago.

    Until that many steps after a reset have passed, the first command given after the
    reset counts as having been given for ever.
    """

    def __init__(self, steps: int, batch: Batch) -> None:
        """Make a line for commands of nu columns; `steps` is at least 1."""
        self.command_size = batch.nu
        self._line = np.zeros((steps, batch.worlds, batch.nu), batch.dtype)
        self._head = np.zeros(1, np.int64)
        self._fresh = np.ones(batch.worlds, np.bool_)
        self.memory: Memory = (self._line, self._head, self._fresh)

    def apply(self, command: Array, _state: State, out: Array, /) -> None:
        """Take the oldest command from the line and put the new one in its place."""
        if self._fresh.any():
            fresh = np.flatnonzero(self._fresh)
            self._line[:, fresh] = command[fresh]
            self._fresh[:] = False
        slot = self._line[self._head[0]]
        np.copyto(out, slot)
        np.copyto(slot, command)
        self._head[0] = (self._head[0] + 1) % len(self._line)

    def reset(self, worlds: Worlds | None, /) -> None:
        """Let the next command of some worlds (None: all) fill their line."""
        self._fresh[slice(None) if worlds is None else worlds] = True

    def rest(self, _command: Array, _qpos: Array, /) -> None:
        """Do nothing: the command is what is put out later."""
