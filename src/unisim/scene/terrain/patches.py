"""Finds flat squares in a tile."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray


def flat_squares(
    heights: NDArray[np.float64], cells: int, step: float, most: int
) -> NDArray[np.float64]:
    """Flat squares inside a tile, none overlapping another, the middle ones first.

    Args:
        heights: Samples of the tile, its rim included [m]. Shape (rows, columns).
        cells: Edge of a square [cells].
        step: Largest difference of heights inside one [m].
        most: Squares wanted at most.

    Returns:
        Column and row of their centres, in samples. Shape (k, 2), k from 0 to `most`.
    """
    size = cells + 1
    high = low = heights
    for axis in (0, 1):
        high = sliding_window_view(high, size, axis=axis).max(axis=-1)
        low = sliding_window_view(low, size, axis=axis).min(axis=-1)
    corners = np.argwhere(high - low <= step)
    centre = (np.array(heights.shape) - size) / 2
    order = np.argsort(((corners - centre) ** 2).sum(axis=1), kind="stable")
    corners = corners[order]
    found: list[NDArray[np.int64]] = []
    while len(corners) and len(found) < most:
        found.append(corners[0])
        apart = np.abs(corners - corners[0]).max(axis=1) >= cells
        corners = corners[apart]
    centres = np.array(found, np.float64).reshape(-1, 2) + cells / 2
    return centres[:, ::-1]
