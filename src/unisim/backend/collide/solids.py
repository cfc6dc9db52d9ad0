"""Points and faces of meshes and height fields, as MuJoCo collides them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def hull(model: mujoco.MjModel, mesh: int) -> Array:
    """Vertices of the convex hull of a mesh, in its frame [m]. Shape (k, 3)."""
    start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    points = np.asarray(model.mesh_vert[start : start + count], np.float64)
    graph = int(model.mesh_graphadr[mesh])
    if graph < 0:
        return points
    used = int(model.mesh_graph[graph])
    first = graph + 2 + used  # after two counts and the addresses of edges
    return points[model.mesh_graph[first : first + used]]


def surface(model: mujoco.MjModel, field: int) -> tuple[Array, NDArray[np.int64]]:
    """A height field as a closed surface, its cells cut as MuJoCo cuts them.

    Returns:
        Vertices in its frame [m], shape (k, 3): the samples, row by row, and four
        below its corners. Triangles, seen counterclockwise from outside, shape (m, 3).
    """
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    start = int(model.hfield_adr[field])
    x, y, up, down = np.asarray(model.hfield_size[field])
    heights = np.asarray(model.hfield_data[start : start + rows * columns], np.float64)
    top = np.empty((rows, columns, 3))
    top[..., 0] = np.linspace(-x, x, columns)
    top[..., 1] = np.linspace(-y, y, rows)[:, None]
    top[..., 2] = up * heights.reshape(rows, columns)
    below = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    points = np.concatenate(
        [top.reshape(-1, 3), np.column_stack([below, np.full(4, -down)])]
    )
    return points, np.array(list(_faces(rows, columns)), np.int64)


def _faces(rows: int, columns: int) -> Iterator[tuple[int, int, int]]:
    """Triangles, seen counterclockwise from outside."""
    for row, column in product(range(rows - 1), range(columns - 1)):
        a = row * columns + column
        b, c, d = a + 1, a + columns + 1, a + columns
        yield a, b, c
        yield a, c, d
    n, last = rows * columns, (rows - 1) * columns
    front = list(range(columns))
    right = list(range(columns - 1, n, columns))
    back = list(range(n - 1, last - 1, -1))
    left = list(range(last, -1, -columns))
    for corner, edge in enumerate((front, right, back, left)):
        yield from _wall(edge, n + corner, n + (corner + 1) % 4)
    yield n, n + 2, n + 1
    yield n, n + 3, n + 2


def _wall(
    edge: Sequence[int], first: int, second: int
) -> Iterator[tuple[int, int, int]]:
    """A side below an edge that goes from above one corner to above the next."""
    for a, b in pairwise(edge):
        yield a, first, b
    yield edge[-1], first, second
