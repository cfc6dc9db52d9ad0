"""Where the engine has the reference's columns."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.motrix.shift import Shift

Numbers = NDArray[np.float32]
_JNT = mujoco.mjtJoint


class Order:
    """Positions on both sides: joints in the same order, quaternions wxyz and xyzw."""

    def __init__(self, model: mujoco.MjModel, shift: Shift) -> None:
        """Take the columns of a reference model, and what ours are more."""
        self._shift = shift.qpos.astype(np.float32)
        columns = np.arange(model.nq)
        starts: list[int] = []
        for kind, start in zip(model.jnt_type, model.jnt_qposadr, strict=True):
            if kind in (int(_JNT.mjJNT_FREE), int(_JNT.mjJNT_BALL)):
                first = int(start) + (3 if kind == int(_JNT.mjJNT_FREE) else 0)
                starts.append(first)
                columns[first : first + 4] = first + np.array([3, 0, 1, 2])
        self._columns, self._back = columns, np.argsort(columns)
        self._quats = starts

    def ours(self, theirs_xyzw: Numbers) -> Numbers:
        """Positions in our layout. Shape (n, nq)."""
        return theirs_xyzw[:, self._columns] + self._shift

    def theirs(self, ours: Array) -> Numbers:
        """Positions in the engine's layout, every quaternion of unit length.

        One that is shorter than MuJoCo's smallest number is no rotation, as there.
        """
        found = np.asarray(ours, np.float32) - self._shift
        for start in self._quats:
            part = found[:, start : start + 4]
            size = np.linalg.norm(part, axis=1, keepdims=True)
            tiny = size[:, 0] < mujoco.mjMINVAL
            part /= np.where(tiny[:, None], 1, size)
            part[tiny] = (1, 0, 0, 0)
        return np.ascontiguousarray(found[:, self._back])


def turned(quat: Array) -> Numbers:
    """Quaternions xyzw from wxyz, of unit length. Shape (n, 4)."""
    size = np.linalg.norm(quat, axis=-1, keepdims=True)
    unit = np.where(
        size > mujoco.mjMINVAL, quat / np.maximum(size, 1e-30), (1, 0, 0, 0)
    )
    return np.ascontiguousarray(unit[..., [1, 2, 3, 0]], np.float32)
