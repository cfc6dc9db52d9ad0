"""Points of solids that stand for them."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def outermost(points: Array, count: int) -> Array:
    """Those points, or the outermost in many directions. Shape (k, 3)."""
    if len(points) <= count:
        return points
    turn = np.arange(count) * np.pi * (3 - np.sqrt(5))
    z = 1 - 2 * (np.arange(count) + 0.5) / count
    r = np.sqrt(1 - z * z)
    ways = np.stack([r * np.cos(turn), r * np.sin(turn), z])
    return points[np.unique(np.argmax(points @ ways, axis=0))]


def corners(half: Array) -> Array:
    """Corners of a box. Shape (8, 3)."""
    return np.array(list(product((-1.0, 1.0), repeat=3))) * half


def rims(radius: float, half: float, count: int) -> Array:
    """Points on both rims of a cylinder. Shape (2 count, 3)."""
    turn = np.arange(count) * 2 * np.pi / count
    circle = radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    ends = [np.column_stack([circle, np.full(count, z)]) for z in (-half, half)]
    return np.concatenate(ends)
