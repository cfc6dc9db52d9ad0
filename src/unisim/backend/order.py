"""The order of columns and of quaternions: what adapters of other engines translate.

Arrays are (n, columns), a row per world. `Order` moves columns between our order, the
reference model's, and an engine's; where both hold quaternions, their components too.
The twin on a device is `unisim.backend.device.order.DeviceOrder`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.errors import BadArray

_XYZW = (1, 2, 3, 0)
"""Which components of wxyz stand where in xyzw."""


class Order:
    """How an engine's columns lie among ours.

    Attributes:
        ours: Our column of each of the engine's. Shape (columns,), int32.
        theirs: The engine's column of each of ours. Shape (columns,), int32.
    """

    def __init__(self, ours: Sequence[int], quats_xyzw: Sequence[int] = ()) -> None:
        """Take a permutation, and where the engine holds quaternions.

        Args:
            ours: Our column of each of the engine's. Where a quaternion starts, the
                four of them in the order wxyz, as if the engine held them so.
            quats_xyzw: The engine's columns at which quaternions start that it holds
                as xyzw; ours are wxyz.

        Raises:
            BadArray: If that is no permutation, or a quaternion is not whole or lies
                on another.
        """
        columns = np.array(ours, np.int32)
        if sorted(columns.tolist()) != list(range(len(columns))):
            raise BadArray("order", "every column once", f"{columns.tolist()}")
        taken: set[int] = set()
        for start in quats_xyzw:
            four = set(range(start, start + 4))
            if start < 0 or start + 4 > len(columns) or four & taken:
                got = f"a start at {start} of {len(columns)} columns"
                raise BadArray("quats_xyzw", "four columns of its own each", got)
            taken |= four
            columns[start : start + 4] = columns[start : start + 4][list(_XYZW)]
        self.ours: NDArray[np.int32] = columns
        self.theirs: NDArray[np.int32] = np.argsort(columns).astype(np.int32)

    def to_engine(self, rows: Array) -> Array:
        """Our rows in the engine's order, a copy. Shape (n, columns)."""
        return _picked(rows, self.ours)

    def to_ours(self, rows: Array) -> Array:
        """The engine's rows in our order, a copy. Shape (n, columns)."""
        return _picked(rows, self.theirs)


def xyzw(quats: Array) -> Array:
    """Quaternions wxyz as xyzw, a copy. Shape (..., 4)."""
    return np.roll(quats, -1, axis=-1)


def wxyz(quats_xyzw: Array) -> Array:
    """Quaternions xyzw as wxyz, a copy. Shape (..., 4)."""
    return np.roll(quats_xyzw, 1, axis=-1)


def check_rows(shape: Sequence[int], columns: int) -> None:
    """Refuse rows of another width.

    Raises:
        BadArray: Then.
    """
    if len(shape) != 2 or shape[1] != columns:  # noqa: PLR2004
        raise BadArray("rows", f"shape (n, {columns})", f"{tuple(shape)}")


def _picked(rows: Array, index: NDArray[np.int32]) -> Array:
    check_rows(rows.shape, len(index))
    return rows[:, index]
