"""Touch sensors from a list of contacts, by MuJoCo's rule."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.guest.guest import Contacts
from unisim.backend.guest.zone import Zone


class Touch:
    """The touch sensors of a scene.

    Attributes:
        columns: Their columns of `sensordata`. Shape (k,).
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        """Find the sensors of a model."""
        kind = int(mujoco.mjtSensor.mjSENS_TOUCH)
        sensors = np.flatnonzero(np.asarray(model.sensor_type) == kind)
        self.columns = np.asarray(model.sensor_adr)[sensors]
        self._cutoff = np.asarray(model.sensor_cutoff)[sensors]
        self._sites = [int(site) for site in model.sensor_objid[sensors]]
        self._zones = [Zone(model, site) for site in self._sites]
        self._bodies = [int(model.site_bodyid[site]) for site in self._sites]
        self._owner = np.asarray(model.geom_bodyid)

    def read(self, contacts: Contacts, pos: Array, mat: Array) -> NDArray[np.float64]:
        """Sum of the normal forces within each sensor's site [N].

        A contact counts if the ray of its force on the sensor's body meets the site.

        Args:
            contacts: Those of the last step.
            pos: `site_xpos` before it. Shape (n, nsite, 3).
            mat: `site_xmat` before it. Shape (n, nsite, 9).

        Returns:
            Shape (n, k).
        """
        found = np.zeros((len(pos), len(self.columns)))
        normal = np.sum(contacts.force * contacts.normal, axis=1)
        bodies = self._owner[contacts.geoms]
        for i, (zone, body) in enumerate(zip(self._zones, self._bodies, strict=True)):
            ours = (bodies == body).any(axis=1) & (normal > 0)
            # a ray from within meets it anyhow; few others are worth a look
            meets = ours & zone.holds(contacts, pos, mat)
            for row in np.flatnonzero(ours & ~meets):
                where = contacts.world[row], self._sites[i]
                turned = -1.0 if bodies[row, 1] == body else 1.0
                ray = turned * contacts.normal[row]
                frame = pos[where], mat[where]
                meets[row] = zone.meets(frame, contacts.pos[row], ray)
            np.add.at(found[:, i], contacts.world[meets], normal[meets])
        limited = np.where(self._cutoff > 0, self._cutoff, np.inf)
        return np.minimum(found, limited)
