"""The scene's contact sensors, from a list of contacts."""

from dataclasses import replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.guest.guest import Contacts
from unisim.backend.guest.queries import ListQuery, Match, members
from unisim.backend.guest.zone import Zone
from unisim.backend.queries import WIDTHS
from unisim.errors import UnsupportedFeature

_OBJ = mujoco.mjtObj
_KINDS = {
    int(_OBJ.mjOBJ_GEOM): "geom",
    int(_OBJ.mjOBJ_BODY): "body",
    int(_OBJ.mjOBJ_XBODY): "subtree",
}
_SITE = int(_OBJ.mjOBJ_SITE)
_REDUCE = ("none", "mindist", "maxforce", "netforce")
_MOVING = ("sensor.contact.linvel", "sensor.contact.angvel")


class ContactSensors:
    """The contact sensors of a scene.

    Attributes:
        columns: Their columns of `sensordata`. Shape (k,).
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        """Find the sensors of a model.

        Raises:
            UnsupportedFeature: If one tells of velocities, naming it.
        """
        kind = int(mujoco.mjtSensor.mjSENS_CONTACT)
        sensors = np.flatnonzero(np.asarray(model.sensor_type) == kind)
        self._sensors = [_Sensor(model, int(i)) for i in sensors]
        owner = np.repeat(np.arange(model.nsensor), model.sensor_dim)
        self.columns = np.flatnonzero(np.isin(owner, sensors))

    def read(self, contacts: Contacts, pos: Array, mat: Array) -> NDArray[np.float64]:
        """What the sensors tell of contacts.

        Args:
            contacts: Those of the last step.
            pos: `site_xpos`. Shape (n, nsite, 3).
            mat: `site_xmat`. Shape (n, nsite, 9).

        Returns:
            Shape (n, k).
        """
        parts = [sensor.read(contacts, pos, mat) for sensor in self._sensors]
        return np.concatenate([np.zeros((len(pos), 0)), *parts], axis=1)


class _Sensor:
    def __init__(self, model: mujoco.MjModel, sensor: int) -> None:
        spec, reduce, slots = (int(x) for x in model.sensor_intprm[sensor][:3])
        if spec >> (1 + len(WIDTHS)):
            name = model.sensor(sensor).name
            reason = f"sensor {name!r}: velocities of contacts are not known"
            raise UnsupportedFeature("The reference", [reason], _MOVING)
        self._found = bool(spec & 1)
        self._fields = [x for i, x in enumerate(WIDTHS, 1) if spec >> i & 1]
        kind = int(model.sensor_objtype[sensor])
        number = int(model.sensor_objid[sensor])
        self._zone = Zone(model, number) if kind == _SITE else None
        other = int(model.sensor_reftype[sensor]), int(model.sensor_refid[sensor])
        sets = [
            members(_KINDS.get(of, "geom"), which if of in _KINDS else -1, model)
            for of, which in ((kind, number), other)
        ]
        query = ListQuery(Match(*sets), _REDUCE[reduce], slots, self._fields)
        self._query, self._width = query, int(model.sensor_dim[sensor])

    def read(self, contacts: Contacts, pos: Array, mat: Array) -> NDArray[np.float64]:
        if self._zone is not None:
            contacts = _kept(contacts, self._zone.holds(contacts, pos, mat))
        reading = self._query.read(contacts, len(pos), "float64")
        parts = [np.asarray(reading.fields[name]) for name in self._fields]
        if self._found:
            slots = self._query.slots
            taken = np.arange(slots) < np.minimum(reading.found, slots)[:, None]
            parts.insert(0, (taken * reading.found[:, None])[..., None].astype(float))
        table = np.concatenate(parts, axis=2, dtype=np.float64)
        return table.reshape(len(pos), self._width)


def _kept(contacts: Contacts, rows: NDArray[np.bool_]) -> Contacts:
    names = ("world", "geoms", "dist", "pos", "normal", "force")
    return replace(contacts, **{name: getattr(contacts, name)[rows] for name in names})
