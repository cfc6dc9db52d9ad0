"""Columns of things that stand side by side."""

import numpy as np
from numpy.typing import NDArray

Index = NDArray[np.int64]


def columns(
    *parts: tuple[NDArray[np.integer], NDArray[np.integer], int],
) -> tuple[Index, Index]:
    """Columns of things of some widths, on two sides."""
    sides = [
        np.concatenate([runs(part[:2][side], part[2]).ravel() for part in parts])
        for side in (0, 1)
    ]
    return sides[0], sides[1]


def runs(starts: NDArray[np.integer], width: int) -> Index:
    """Columns of some things of the same width. Shape (k, width)."""
    return np.asarray(starts, np.int64)[:, None] + np.arange(width)
