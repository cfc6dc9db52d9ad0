"""What a control law is, and what it may look at."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisim.backend.arrays import HOST, Arrays
from unisim.backend.base import Array, Worlds

Memory = tuple[NDArray[np.generic], ...]
"""The arrays that a law carries from one physics step to the next."""


@dataclass(frozen=True, slots=True)
class State:
    """What a law sees of n worlds before a physics step; it may not write to it.

    Attributes:
        qpos: [m] and [rad], quaternions wxyz. Shape (n, nq).
        qvel: [m/s] and [rad/s]. Shape (n, nv).
        time: Simulated time [s]. Shape (n,).
    """

    qpos: Array
    qvel: Array
    time: Array


@dataclass(frozen=True)
class Batch:
    """Sizes of the arrays that a law works on.

    Attributes:
        worlds: Number of worlds n.
        nu: Columns of ctrl.
        dtype: `float64` or `float32`.
        arrays: The kind of arrays.
    """

    worlds: int
    nu: int
    dtype: str
    arrays: Arrays = HOST

    def empty(self, columns: int) -> Array:
        """An array for one row per world. Shape (n, columns)."""
        return self.arrays.zeros((self.worlds, columns), self.dtype)

    def tile(self, values: NDArray[np.float64]) -> Array:
        """The same row for every world: equal shapes are far faster than broadcasts.

        Args:
            values: The row. Shape (k,).

        Returns:
            Shape (n, k).
        """
        return np.tile(values.astype(self.dtype), (self.worlds, 1))


@runtime_checkable
class Law(Protocol):
    """A control law that runs in n worlds at once."""

    @property
    def command_size(self) -> int:
        """Columns of the command it takes."""
        ...

    @property
    def memory(self) -> Memory:
        """All that `apply` changes in itself; empty when nothing is remembered.

        Always the same arrays: whoever overwrites their content continues as the law
        would have from there.
        """
        ...

    def apply(self, command: Array, state: State, out: Array, /) -> None:
        """Turn a command into controls, for the physics step about to be made.

        Args:
            command: What the law is told, never written to. Shape (n, command_size).
            state: The worlds before the step.
            out: Where the controls go; no part of `command`. Shape (n, nu).
        """
        ...

    def reset(self, worlds: Worlds | None, /) -> None:
        """Forget what was remembered of some worlds (None: all)."""
        ...

    def rest(self, command: Array, qpos: Array, /) -> None:
        """Turn what the law should put out into the command that holds a pose.

        Args:
            command: Holds the law's output, receives its command. Shape (k, nu).
            qpos: The pose to hold. Shape (k, nq).
        """
        ...


class Passthrough:
    """The command is the control."""

    def __init__(self, nu: int) -> None:
        self.command_size = nu
        self.memory: Memory = ()

    def apply(self, command: Array, _state: State, out: Array, /) -> None:
        """Copy the command."""
        np.copyto(out, command)

    def reset(self, _worlds: Worlds | None, /) -> None:
        """Do nothing: nothing is remembered."""

    def rest(self, _command: Array, _qpos: Array, /) -> None:
        """Do nothing: the command is what is put out."""
