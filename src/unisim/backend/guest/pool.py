"""Worlds that are stepped one by one, on threads."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array

_CHUNKS = 4
"""Parts of the worlds per thread, so that none waits long for another."""


class World(Protocol):
    """One world of an engine."""

    def step(self, state: Array, force: Array, count: int) -> None:
        """Advance, and put the new state in the place of the old one.

        Args:
            state: As the engine has it. Shape (size,).
            force: Joint forces, held. Shape (nv,).
            count: Physics steps.
        """
        ...

    def give_up(self, state: Array) -> None:
        """Do not try; leave velocities that are NaN."""
        ...


class Pool:
    """Worlds, and the threads that step them."""

    def __init__(self, worlds: Sequence[World], threads: int) -> None:
        """Take the worlds over.

        Args:
            worlds: All of them.
            threads: How many; 0 is one per processor.
        """
        self._worlds: Sequence[World] = tuple(worlds)
        self._threads = min(threads or os.cpu_count() or 1, len(self._worlds))
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None

    def step(
        self,
        which: NDArray[np.integer],
        arrays: tuple[Array, Array, NDArray[np.bool_]],
        count: int,
    ) -> None:
        """Advance some worlds.

        Args:
            which: Their indices. Shape (k,).
            arrays: Of these the states, old in, new out, shape (k, nq + nv); joint
                forces, shape (k, nv); and whether to try, shape (k,).
            count: Physics steps.
        """
        rows = range(len(which))
        if self._pool is None or len(which) < self._threads:
            self._chunk(which, arrays, count, rows)
            return
        size = -(-len(which) // (self._threads * _CHUNKS))
        parts = [rows[i : i + size] for i in range(0, len(which), size)]
        running = [
            self._pool.submit(self._chunk, which, arrays, count, part) for part in parts
        ]
        wait(running)
        for part in running:
            part.result()

    def close(self) -> None:
        """End the threads and forget the worlds."""
        if self._pool is not None:
            self._pool.shutdown()
        self._worlds = ()

    def _chunk(
        self,
        which: NDArray[np.integer],
        arrays: tuple[Array, Array, NDArray[np.bool_]],
        count: int,
        rows: range,
    ) -> None:
        state, force, fit = arrays
        for row in rows:
            world = self._worlds[int(which[row])]
            if fit[row]:
                world.step(state[row], force[row], count)
            else:
                world.give_up(state[row])
