"""Forces at points that are together a force and a torque."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
TINY, _STRAIGHT = 1e-30, 1e-9
"""What nothing is divided by; how much of a force may twist."""


def points(
    centre: Array, arms: Array, force: Array, torque: Array
) -> list[tuple[Array, Array]]:
    """Points and forces that together have a force, and a torque about a centre.

    Args:
        centre: In world [m]. Shape (3,).
        arms: From there to other points of the surface [m]. Shape (k, 3).
        force: [N]. Shape (3,).
        torque: [N m]. Shape (3,).
    """
    size, reach = float(force @ force), float(np.linalg.norm(arms, axis=1).max())
    aside = np.cross(force, torque) / size if size > TINY else np.zeros(3)
    if float(np.linalg.norm(aside)) > reach:
        aside = np.zeros(3)
    rest = torque - np.cross(aside, force)
    twist = float(np.linalg.norm(rest))
    arms = arms - np.outer(arms @ rest, rest) / max(twist**2, TINY)
    arm = arms[np.argmax(np.linalg.norm(arms, axis=1))]
    length = float(arm @ arm)
    if twist <= _STRAIGHT * np.sqrt(size) * reach or length <= TINY:
        return [(centre + aside, force)]
    pull = np.cross(rest, arm).astype(np.float64) / (2 * length)
    pos = centre + aside
    return [(pos + arm, force / 2 + pull), (pos - arm, force / 2 - pull)]
