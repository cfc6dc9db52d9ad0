"""Unlike places of a scene's ground, to try what it asks of an engine."""

import numpy as np
from numpy.typing import NDArray

from unisim.scene.scene import Scene
from unisim.scene.terrain.heights import Heights
from unisim.scene.terrain.terrain import Terrain
from unisim.terrains import FieldCfg, GridCfg

_MOST, _APART = 12, 5
"""Places at most; of a field, one in the middle of each of so many strips."""
_CLEAR = 0.5
"""How far round a place of a field the ground is nowhere higher [m]."""


def spread(scene: Scene) -> list[NDArray[np.float64]]:
    """Places where everything free may be moved to, none on other kinds of ground.

    Of a grid, a flat square of the hardest tile of each type, then of easier ones; of
    a field, points on its two diagonals.

    Args:
        scene: A composed scene.

    Returns:
        Points on the ground, in world [m]. Shape (3,) each.
    """
    if isinstance(scene.terrain, GridCfg):
        terrain = Terrain(scene)
        levels, types = terrain.patch_counts.shape
        tiles = [(i, j) for i in reversed(range(levels)) for j in range(types)]
        chosen = np.array(tiles[:_MOST])
        return list(terrain.spawn(chosen[:, 0], chosen[:, 1], 0))
    if isinstance(scene.terrain, FieldCfg):
        return _on_field(Heights(scene.model))
    return []


def _on_field(heights: Heights) -> list[NDArray[np.float64]]:
    if heights.samples is None:
        return []
    rows, columns = heights.samples.shape
    share = (np.arange(_APART) + 0.5) / _APART
    place = np.stack([share * (columns - 1), share * (rows - 1)], axis=-1)
    other = np.stack([share * (columns - 1), share[::-1] * (rows - 1)], axis=-1)
    points = heights.at(np.concatenate([place, other]))
    ring = np.stack(np.meshgrid(*[np.linspace(-_CLEAR, _CLEAR, 11)] * 2), axis=-1)
    around = heights(points[:, None, :2] + ring.reshape(1, -1, 2))
    points[:, 2] = np.nanmax(around, axis=1)
    return list(points)
