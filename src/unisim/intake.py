"""Checks what users pass to a sim: worlds, shapes, dtypes and content."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.backend.arrays import HOST, Arrays, host, host_array
from unisim.backend.base import Array, Worlds
from unisim.backend.fields import QUANTITIES, STATE
from unisim.backend.layout import Layout, check_name
from unisim.errors import BadArray, NotDeclared, OutOfRange


@dataclass(frozen=True)
class Selection:
    """Some worlds of a sim.

    Attributes:
        index: Sorted indices (k,), int32; None for all; or a mask of the device (n,).
        count: How many rows of values belong to them: k, or n for a mask.
        order: What sorts rows that were passed in another order, None if sorted.
    """

    index: Worlds | None
    count: int
    order: Worlds | None = None


class Intake:
    """Turns user input into arrays of the sim's shape and dtype, or refuses it."""

    def __init__(
        self, layout: Layout, worlds: int, dtype: str, arrays: Arrays = HOST
    ) -> None:
        """Know the shapes of n worlds of a layout, and the kind of arrays."""
        self._worlds, self._dtype, self._arrays = worlds, dtype, arrays
        self.all = Selection(None, worlds)
        self._tails = {
            name: tuple(
                layout.sizes[size] if isinstance(size, str) else size
                for size in quantity.shape
            )
            for name, quantity in QUANTITIES.items()
        }

    def empty(self, name: str) -> Array:
        """Zeros in the shape of a quantity. Shape (n, ...)."""
        return self._arrays.zeros((self._worlds, *self._tails[name]), self._dtype)

    def state(self, name: str, values: ArrayLike, to: Selection) -> Array:
        """Rows of a writable quantity, one per selected world.

        Raises:
            UnknownName: If there is no such writable quantity.
            BadArray: If shape, dtype or content are wrong.
        """
        check_name("writable quantity", name, STATE)
        rows = self.rows(name, values, self._tails[name], to)
        if name == "eq_active":
            seen = host(rows)
            if not np.isin(seen, (0, 1)).all():
                raise BadArray(name, "0 or 1", f"{seen[~np.isin(seen, (0, 1))][0]}")
        return rows

    def rows(
        self, name: str, values: ArrayLike, tail: tuple[int, ...], to: Selection
    ) -> Array:
        """Rows (k, ...), cast to the sim's dtype (time to float64); no integers."""
        dtype = "float64" if name == "time" else self._dtype
        array = self._arrays.rows(name, values, (to.count, *tail), dtype)
        return array if to.order is None else self._arrays.pick(array, to.order)

    def world(self, world: int) -> int:
        """One world by its index.

        Raises:
            OutOfRange: If it is not in [0, n).
        """
        if not whole(world) or not 0 <= world < self._worlds:
            raise OutOfRange("world", world, f"0 to {self._worlds - 1}")
        return world

    def worlds(self, worlds: ArrayLike | None) -> Selection:
        """Worlds named by index (k,), by mask (n,), or None for all.

        Raises:
            BadArray: If it is neither, or names a world twice.
            OutOfRange: If an index is not in [0, n).
        """
        if worlds is None:
            return self.all
        mask = self._arrays.mask(worlds, self._worlds)
        if mask is not None:
            return Selection(mask, self._worlds)
        index = host_array("worlds", worlds)
        if index.dtype == np.bool_:
            if index.shape != (self._worlds,):
                expected = f"a mask of shape ({self._worlds},)"
                raise BadArray("worlds", expected, f"shape {index.shape}")
            index = np.flatnonzero(index).astype(np.int32)
            return Selection(index, len(index))
        if index.shape == (0,):
            return Selection(np.zeros(0, np.int32), 0)
        if index.ndim != 1 or index.dtype.kind not in "iu":
            got = f"{index.dtype} of shape {index.shape}"
            raise BadArray("worlds", "integer indices of shape (k,), or a mask", got)
        return self._indices(index.astype(np.int64))

    def _indices(self, index: NDArray[np.int64]) -> Selection:
        rising = bool((index[1:] > index[:-1]).all())
        low, high = (index[0], index[-1]) if rising else (index.min(), index.max())
        if low < 0 or high >= self._worlds:
            outside = index[(index < 0) | (index >= self._worlds)]
            wrong = ", ".join(map(str, outside.tolist()))
            raise OutOfRange("world", wrong, f"0 to {self._worlds - 1}")
        if rising:
            return Selection(index.astype(np.int32), len(index))
        order = np.argsort(index, kind="stable").astype(np.int32)
        rows = index[order].astype(np.int32)
        twice = rows[1:][rows[1:] == rows[:-1]]
        if twice.size:
            raise BadArray("worlds", "every world once", f"world {twice[0]} twice")
        return Selection(rows, len(rows), order)


def whole(number: object) -> bool:
    """Whether it is a whole number."""
    return isinstance(number, int | np.integer)


def check_declared(what: str, name: object, known: Collection[str], where: str) -> None:
    """Refuse what the task does not declare there.

    Raises:
        NotDeclared: Then, with what it does declare.
    """
    if not isinstance(name, str) or name not in known:
        has = ", ".join(known) or "none"
        raise NotDeclared(what, str(name), f"{where} has: {has}.")
