"""Seeded patterns that generators make heights of."""

import numpy as np
from numpy.typing import NDArray

from unisim.errors import BadTerrain
from unisim.scene.terrain.lattice import Heights, Lattice


def noise(lattice: Lattice, spacing: float) -> Heights:
    """Uniform noise in [-1, 1), bilinear between lattice points.

    Args:
        lattice: The samples.
        spacing: Distance of the points that get a random number [m].
    """
    step = max(1.0, spacing / lattice.resolution)
    knots = int(np.ceil(lattice.n / step)) + 1
    values = lattice.rng.uniform(-1.0, 1.0, (knots, knots))
    place = np.arange(lattice.n + 1) / step
    low = np.minimum(place.astype(int), knots - 2)
    part = place - low
    rows = values[low] + part[:, None] * (values[low + 1] - values[low])
    return rows[:, low] + part * (rows[:, low + 1] - rows[:, low])


def stones(lattice: Lattice, stone: int, gap: int) -> tuple[Heights, NDArray[np.bool_]]:
    """Square stones on a lattice that starts at a random place.

    Args:
        lattice: The samples.
        stone: Edge of a stone [cells].
        gap: Distance between stones [cells].

    Returns:
        A number in [-1, 1) per stone, at its samples, and which samples are holes.
    """
    pitch = stone + gap
    start = lattice.rng.integers(0, pitch, 2)
    i = np.arange(lattice.n + 1)
    number, place = np.divmod(i + start[:, None], pitch)
    values = lattice.rng.uniform(-1.0, 1.0, (number[0].max() + 1, number[1].max() + 1))
    between = place > stone
    return (
        values[number[0][:, None], number[1]],
        between[0][:, None] | between[1],
    )


def boxes(lattice: Lattice, count: int, edge: tuple[float, float]) -> NDArray[np.bool_]:
    """Samples that random rectangles cover.

    Args:
        lattice: The samples.
        count: Number of rectangles.
        edge: Shortest and longest edge [m].

    Raises:
        BadTerrain: If an edge is less than a cell, or longer than the tile.
    """
    shortest = lattice.count(edge[0], "edge")
    longest = lattice.count(edge[1], "edge")
    room = lattice.n - 1
    if longest >= room:
        raise BadTerrain(
            f"terrain tile {lattice.name!r}",
            f"an edge of {edge[1]:g} m does not fit between the borders.",
            "Take a shorter edge or larger tiles.",
        )
    covered = np.zeros((lattice.n + 1, lattice.n + 1), bool)
    sizes = lattice.rng.integers(shortest, longest + 1, (count, 2))
    for (row, column), (rows, columns) in zip(
        lattice.rng.integers(1, room - sizes + 1), sizes, strict=True
    ):
        covered[row : row + rows + 1, column : column + columns + 1] = True
    return covered
