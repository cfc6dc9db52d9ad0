"""Checks what users pass to a sim: worlds, shapes, dtypes and content."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.fields import QUANTITIES, STATE
from unisim.backend.layout import Layout, check_name
from unisim.errors import BadArray, NotDeclared, OutOfRange


@dataclass(frozen=True)
class Selection:
    """Some worlds of a sim.

    Attributes:
        index: Sorted indices, None for all. Shape (k,), int32.
        count: How many, k.
        order: What sorts rows that were passed in another order, None if sorted.
    """

    index: Worlds | None
    count: int
    order: NDArray[np.intp] | None = None

    @property
    def where(self) -> Worlds | slice:
        """What indexes the first axis of an array of all worlds."""
        return slice(None) if self.index is None else self.index


class Intake:
    """Turns user input into arrays of the sim's shape and dtype, or refuses it."""

    def __init__(self, layout: Layout, worlds: int, dtype: str) -> None:
        """Know the shapes of n worlds of a layout."""
        self._worlds, self._dtype = worlds, np.dtype(dtype)
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
        return np.zeros((self._worlds, *self._tails[name]), self._dtype)

    def state(self, name: str, values: ArrayLike, to: Selection) -> Array:
        """Rows of a writable quantity, one per selected world.

        Raises:
            UnknownName: If there is no such writable quantity.
            BadArray: If shape, dtype or content are wrong.
        """
        check_name("writable quantity", name, STATE)
        rows = self.rows(name, values, self._tails[name], to)
        if name == "eq_active" and not np.isin(rows, (0, 1)).all():
            raise BadArray(name, "0 or 1", f"{rows[~np.isin(rows, (0, 1))][0]}")
        return rows

    def rows(
        self, name: str, values: ArrayLike, tail: tuple[int, ...], to: Selection
    ) -> Array:
        """Rows of shape (k, *tail), cast to the sim's dtype; integers are refused."""
        array = _array(name, values)
        shape = (to.count, *tail)
        if array.dtype.kind != "f" or array.shape != shape:
            got = f"{array.dtype} of shape {array.shape}"
            raise BadArray(name, f"floats of shape {shape}", got)
        array = array.astype(self._dtype, copy=False)
        return array if to.order is None else array[to.order]

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
        index = _array("worlds", worlds)
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
        order = np.argsort(index, kind="stable")
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


def _array(name: str, values: ArrayLike) -> NDArray[np.generic]:
    try:
        return np.asarray(values)
    except ValueError:
        raise BadArray(name, "an array", "rows of different lengths") from None
