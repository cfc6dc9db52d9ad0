"""Names and indices of a scene, in the reference model's order."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from unisim.errors import UnknownName

_OBJECTS: Mapping[str, tuple[str, mujoco.mjtObj]] = {
    "body": ("nbody", mujoco.mjtObj.mjOBJ_BODY),
    "joint": ("njnt", mujoco.mjtObj.mjOBJ_JOINT),
    "geom": ("ngeom", mujoco.mjtObj.mjOBJ_GEOM),
    "site": ("nsite", mujoco.mjtObj.mjOBJ_SITE),
    "actuator": ("nactuator", mujoco.mjtObj.mjOBJ_ACTUATOR),
    "sensor": ("nsensor", mujoco.mjtObj.mjOBJ_SENSOR),
    "tendon": ("ntendon", mujoco.mjtObj.mjOBJ_TENDON),
    "equality": ("neq", mujoco.mjtObj.mjOBJ_EQUALITY),
    "key": ("nkey", mujoco.mjtObj.mjOBJ_KEY),
}
_NQ, _NV = (7, 4, 1, 1), (6, 3, 1, 1)


@dataclass(frozen=True)
class Layout:
    """Which index belongs to which name, on every backend alike.

    Attributes:
        names: Names by kind (`body`, `joint`, `geom`, `site`, `actuator`, `sensor`,
            `tendon`, `equality`, `key`), in the reference model's order.
        sizes: MuJoCo's sizes (`nq`, `nv`, `nu`, `na`, `nsensordata`, ...).
        slices: By (array, name), the columns an object owns in `qpos`, `qvel`,
            `ctrl`, `act` or `sensordata`. nu is not the number of actuators: one
            actuator may own several columns of `ctrl`.
    """

    names: Mapping[str, tuple[str, ...]]
    sizes: Mapping[str, int]
    slices: Mapping[tuple[str, str], slice]

    def index(self, kind: str, name: str) -> int:
        """Index of a named object in the arrays of its kind.

        Raises:
            UnknownName: If there is none; the message suggests close names.
        """
        check_name("kind", kind, self.names)
        check_name(kind, name, self.names[kind])
        return self.names[kind].index(name)

    def columns(self, array: str, name: str) -> slice:
        """Columns of `qpos`, `qvel`, `ctrl`, `act` or `sensordata` that `name` owns.

        Args:
            array: The array.
            name: A joint for qpos and qvel, an actuator for ctrl and act, a sensor
                for sensordata.

        Raises:
            UnknownName: If there is none; the message suggests close names.
        """
        try:
            return self.slices[array, name]
        except (KeyError, TypeError):
            known = [owner for field, owner in self.slices if field == array]
            raise UnknownName(f"owner of {array} columns", str(name), known) from None


def check_name(kind: str, name: object, known: Collection[str]) -> None:
    """Refuse what is no name, or not one of those.

    Raises:
        UnknownName: Then; the message suggests close names.
    """
    if not isinstance(name, str) or name not in known:
        raise UnknownName(kind, str(name), known)


def layout_of(model: mujoco.MjModel) -> Layout:
    """The layout of a reference model whose objects all have names."""
    names = {
        kind: tuple(
            mujoco.mj_id2name(model, obj, i) or "" for i in range(getattr(model, size))
        )
        for kind, (size, obj) in _OBJECTS.items()
    }
    sizes = ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nsensor")
    sizes += ("nactuator", "nout", "nsensordata", "ntendon", "neq", "nmocap", "nkey")
    sizes += ("nhistory", "nuserdata", "npluginstate")
    return Layout(
        names,
        {size: int(getattr(model, size)) for size in sizes},
        _slices(model, names),
    )


def _slices(
    model: mujoco.MjModel, names: Mapping[str, tuple[str, ...]]
) -> dict[tuple[str, str], slice]:
    kinds = np.asarray(model.jnt_type)
    tables = {
        "qpos": ("joint", model.jnt_qposadr, np.take(_NQ, kinds)),
        "qvel": ("joint", model.jnt_dofadr, np.take(_NV, kinds)),
        "ctrl": ("actuator", model.actuator_ctrladr, model.actuator_ctrlnum),
        "act": ("actuator", model.actuator_actadr, model.actuator_actnum),
        "sensordata": ("sensor", model.sensor_adr, model.sensor_dim),
    }
    return {
        (array, name): slice(int(start), int(start + count))
        for array, (kind, starts, counts) in tables.items()
        for name, start, count in zip(names[kind], starts, counts, strict=True)
        if count > 0
    }
