"""Quaternions and rotation matrices of many joints of many worlds.

Sums are written out: numpy's own may round otherwise where there are more worlds, and
no world may depend by a bit on how many step with it.
"""

import mujoco
import numpy as np

from unisim.backend.base import Array

_DIAGONAL = np.arange(3)


def unit(quat: Array) -> Array:
    """Quaternions of unit length; of none, as MuJoCo has it, (1, 0, 0, 0). (..., 4)."""
    w, x, y, z = _parts(quat)
    size = np.sqrt(w * w + x * x + y * y + z * z)[..., None]
    if size.min(initial=1.0) < mujoco.mjMINVAL:
        quat = np.where(size < mujoco.mjMINVAL, (1.0, 0.0, 0.0, 0.0), quat)
        size = np.where(size < mujoco.mjMINVAL, 1.0, size)
    return quat / size


def matrices(quat: Array) -> Array:
    """Rotation matrices of quaternions wxyz. Shape (..., 3, 3)."""
    quat = unit(quat)
    w, v = quat[..., :1], quat[..., 1:]
    twice, turn = 2 * v, w * v
    found = twice[..., :, None] * v[..., None, :]
    turn = turn + turn
    x, y, z = turn[..., 0], turn[..., 1], turn[..., 2]
    found[..., 2, 1] += x
    found[..., 1, 2] -= x
    found[..., 0, 2] += y
    found[..., 2, 0] -= y
    found[..., 1, 0] += z
    found[..., 0, 1] -= z
    found[..., _DIAGONAL, _DIAGONAL] += w * w - _square(v)[..., None]
    return found


def apply(turn: Array, vectors: Array) -> Array:
    """Vectors after rotations. Shapes (..., 3, 3) and (..., 3)."""
    x, y, z = (vectors[..., i, None] for i in range(3))
    return turn[..., 0] * x + turn[..., 1] * y + turn[..., 2] * z


def turned(quat: Array, angle: Array) -> Array:
    """Quaternions wxyz after a rotation vector in their own axes. Shape (..., 4)."""
    w0, x0, y0, z0 = _parts(unit(quat))
    size = np.sqrt(_square(angle))
    half = size / 2
    # sin(size / 2) / size, also at 0
    scale = np.sin(half) / np.where(size > 0, size, 1.0) + np.where(size > 0, 0.0, 0.5)
    w1 = np.cos(half)
    x1, y1, z1 = (angle[..., i] * scale for i in range(3))
    found = np.empty_like(quat)
    found[..., 0] = w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1
    found[..., 1] = w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1
    found[..., 2] = w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1
    found[..., 3] = w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1
    return unit(found)


def _square(vector: Array) -> Array:
    """Squares of lengths. Shape (...)."""
    x, y, z = vector[..., 0], vector[..., 1], vector[..., 2]
    return x * x + y * y + z * z


def _parts(quat: Array) -> tuple[Array, Array, Array, Array]:
    return quat[..., 0], quat[..., 1], quat[..., 2], quat[..., 3]
