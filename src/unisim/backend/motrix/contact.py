"""Contacts, as the engine's contact sensors report them: one sensor for each pair."""

import motrixsim as mx
import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.guest.guest import Contacts
from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.text import SENSOR, SLOTS, unmoved

Numbers = NDArray[np.float32]
_WIDTH = 16
"""Of a contact: force 3, torque 3, dist 1, pos 3, normal 3, tangent 3."""


class Watch:
    """Reads the contacts of all pairs that may collide."""

    def __init__(self, handle: Handle) -> None:
        """Take the pairs that the model has sensors of."""
        self._model = handle.model
        self._names = [f"{SENSOR}{i}" for i in range(len(handle.pairs))]
        held = {str(geom.name): geom for geom in handle.model.geoms}
        self._margins = np.array(
            [
                [
                    max(held[name].margin for name in pair),
                    max(held[name].gap for name in pair),
                ]
                for pair in handle.pairs
            ]
        ).reshape(-1, 2)
        still = unmoved(handle.rest)
        geom = mujoco.mjtObj.mjOBJ_GEOM
        self._geoms = np.array(
            [
                [mujoco.mj_name2id(handle.rest, geom, name) for name in pair]
                for pair in handle.pairs
            ],
            np.int32,
        ).reshape(-1, 2)
        # on each body the force acts at its own surface; of two that move, between
        self._part = np.where(still[self._geoms[:, 0]], 1, 0.5).astype(np.float32)

    def contacts(self, data: mx.SceneData, rows: NDArray[np.int64]) -> Contacts:
        """Contacts of some worlds, sorted by world."""
        if not self._names or not rows.size:
            return self.none()
        values = self._model.get_sensor_values(self._names, data)[rows]
        values = values.reshape(len(rows), len(self._names), 1 + SLOTS * _WIDTH)
        found = np.minimum(values[..., 0], SLOTS)
        slots = values[..., 1:].reshape(len(rows), len(self._names), SLOTS, _WIDTH)
        world, pair, slot = np.nonzero(found[..., None] > np.arange(SLOTS))
        chosen = slots[world, pair, slot].copy()
        # what is reported counts from where a force sets in, if there is one
        margin, gap = self._margins[pair].T
        pushes = chosen[:, :3].any(axis=1)
        off = np.where(pushes, margin - gap, margin)
        return _contacts(rows[world], self._geoms[pair], chosen, self._part[pair], off)

    def none(self) -> Contacts:
        """No contacts at all."""
        none, nothing = np.zeros(0, np.float32), np.zeros((0, _WIDTH), np.float32)
        worlds = np.zeros(0, np.int64)
        return _contacts(worlds, self._geoms[:0], nothing, none, none)


def _contacts(
    world: NDArray[np.int64],
    geoms: NDArray[np.int32],
    values: Numbers,
    part: Numbers,
    off: NDArray[np.float64] | Numbers,
) -> Contacts:
    """Rows of the engine's reports in unisim's conventions.

    Args:
        world: Shape (m,).
        geoms: In the order of the sensor. Shape (m, 2).
        values: What it reported. Shape (m, 16).
        part: Where between the two surfaces the force acts, from the first. Shape (m,).
        off: What is added to a distance [m]. Shape (m,).
    """
    normal, tangent = values[:, 10:13], values[:, 13:16]
    axes = np.stack((normal, tangent, np.cross(normal, tangent)), axis=1)
    force = np.einsum("ci,cij->cj", values[:, :3], axes)
    pos = values[:, 7:10] + (part * values[:, 6])[:, None] * normal
    turn = np.where(geoms[:, 0] > geoms[:, 1], -1.0, 1.0).astype(np.float32)[:, None]
    dist = (values[:, 6] + off).astype(np.float32)
    return Contacts(
        world, np.sort(geoms, axis=1), dist, pos, turn * normal, turn * force
    )
