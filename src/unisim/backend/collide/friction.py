"""Friction of two geoms, by MuJoCo's rules."""

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
_FRICTIONLESS = 1


def pair_friction(model: mujoco.MjModel, friction: Array | None = None) -> Array:
    """Sliding friction of two geoms, were they to collide. Shape (ngeom, ngeom).

    Args:
        model: The reference model; its explicit pairs have frictions of their own.
        friction: Of its geoms, in the place of the model's. Shape (ngeom, 3).
    """
    own = np.asarray(model.geom_friction if friction is None else friction)[:, 0]
    found = combined(own, model.geom_condim, model.geom_priority)
    for i in range(model.npair):
        first, second = int(model.pair_geom1[i]), int(model.pair_geom2[i])
        slides = model.pair_dim[i] != _FRICTIONLESS
        mu = float(model.pair_friction[i, 0]) if slides else 0.0
        found[first, second] = found[second, first] = mu
    return found


def combined(friction: ArrayLike, condim: ArrayLike, priority: ArrayLike) -> Array:
    """Sliding friction of two geoms that no explicit pair states. Shape (k, k).

    That of the geom of higher priority, else the larger one; 0 where contacts of the
    two have none.

    Args:
        friction: Sliding friction of each geom. Shape (k,).
        condim: Shape (k,).
        priority: Shape (k,).
    """
    rank = np.asarray(priority, np.int64)
    found = _decided(np.asarray(friction, np.float64), rank)
    found[_decided(np.asarray(condim, np.float64), rank) == _FRICTIONLESS] = 0.0
    return found


def _decided(values: Array, priority: NDArray[np.int64]) -> Array:
    """The larger of two values, or that of higher priority. Shape (k, k)."""
    rows, columns = values[:, None], values[None]
    mine, theirs = priority[:, None], priority[None]
    found = np.where(mine > theirs, rows, np.maximum(rows, columns))
    return np.where(mine < theirs, columns, found)
