"""The volume of a site, in all worlds at once."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.guest.guest import Contacts

_GEOM = mujoco.mjtGeom


class Zone:
    """A site as a volume."""

    def __init__(self, model: mujoco.MjModel, site: int) -> None:
        """Take the shape of a site."""
        self._site, self._kind = site, int(model.site_type[site])
        self._size = np.array(model.site_size[site])

    def holds(self, contacts: Contacts, pos: Array, mat: Array) -> NDArray[np.bool_]:
        """Whether each contact lies within it.

        Args:
            contacts: The contacts.
            pos: `site_xpos` [m]. Shape (n, nsite, 3).
            mat: `site_xmat`. Shape (n, nsite, 9).

        Returns:
            Shape (m,).
        """
        away = contacts.pos - pos[contacts.world, self._site]
        axes = mat[contacts.world, self._site].reshape(-1, 3, 3)
        local, size = np.einsum("mij,mi->mj", axes, away), self._size
        if self._kind == int(_GEOM.mjGEOM_BOX):
            return (np.abs(local) <= size).all(axis=1)
        if self._kind == int(_GEOM.mjGEOM_ELLIPSOID):
            return ((local / size) ** 2).sum(axis=1) <= 1
        if self._kind == int(_GEOM.mjGEOM_CYLINDER):
            round_ = (local[:, :2] ** 2).sum(axis=1) <= size[0] ** 2
            return round_ & (np.abs(local[:, 2]) <= size[1])
        if self._kind == int(_GEOM.mjGEOM_CAPSULE):
            local[:, 2] -= np.clip(local[:, 2], -size[1], size[1])
        return (local**2).sum(axis=1) <= size[0] ** 2

    def meets(self, frame: tuple[Array, Array], start: Array, ray: Array) -> bool:
        """Whether a ray meets it.

        Args:
            frame: `site_xpos` (3,) and `site_xmat` (9,) of one world.
            start: Where the ray starts, in world [m]. Shape (3,).
            ray: Its direction. Shape (3,).
        """
        floats = [item.astype(np.float64) for item in (*frame, start, ray)]
        where, axes, point, along = floats
        found = mujoco.mju_rayGeom(where, axes, self._size, point, along, self._kind)
        return found >= 0
