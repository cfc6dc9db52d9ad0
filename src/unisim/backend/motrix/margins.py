"""Margins: MuJoCo adds those of two geoms, the engine takes the larger."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.mjcf.pairs import allowed


def margins_of(model: mujoco.MjModel) -> dict[str, float]:
    """The engine's margin of every geom, by name [m].

    It is MuJoCo's, which is right where one of two is 0, and twice as much where all
    that may collide have the same. Otherwise two that both have one meet too late.
    """
    own = np.asarray(model.geom_margin, np.float64)
    colliding = allowed(model).any(axis=1)
    twice = _same(own[colliding])
    return {
        model.geom(i).name: float(own[i]) * (2 if twice and colliding[i] else 1)
        for i in range(model.ngeom)
    }


def stated(
    held: NDArray[np.float64], colliding: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """MuJoCo's margins from the engine's, which `margins_of` made. Shape (ngeom,)."""
    twice = _same(held[colliding])
    return np.where(twice & colliding, held / 2, held)


def _same(margins: NDArray[np.float64]) -> bool:
    return bool(margins.size and margins[0] > 0 and np.ptp(margins) == 0)
