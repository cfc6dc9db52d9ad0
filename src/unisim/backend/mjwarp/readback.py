"""Reads back what the device holds, from the engine's own objects alone."""

from collections.abc import Iterator
from copy import copy

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp
from numpy.typing import NDArray

from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model, from_worlds
from unisim.backend.audit.world import SIZES
from unisim.backend.base import Readback
from unisim.backend.mjwarp.fields import Handle
from unisim.backend.queries import without_queries
from unisim.errors import BadArray

_RAW = sorted({name for field in AUDITED.values() for name in field.raw})
_JACOBIAN = {
    False: int(mujoco.mjtJacobian.mjJAC_DENSE),
    True: int(mujoco.mjtJacobian.mjJAC_SPARSE),
}
_NONE = {
    "actuator_plugin": -1, "body_plugin": -1, "geom_plugin": -1, "sensor_plugin": -1,
    "actuator_armature": 0, "actuator_damping": 0, "actuator_dampingpoly": 0,
    "actuator_group": 0, "opt.disableactuator": 0,
}  # fmt: skip
"""What the engine has no notion of: it moves as if it were so."""
_ELSEWHERE = {"opt.impratio", "opt.jacobian"}
"""What the device holds in another form."""
_SURFACES = (int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD))
_OFF = int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(
    mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
)


def readback(handle: object) -> Readback:
    """What every world holds.

    Args:
        handle: Model, data and names.

    Returns:
        Names and values, without the sensors of contact queries and without what is
        not on the device.
    """
    if not isinstance(handle, Handle):
        raise BadArray("handle", "one of this engine", type(handle).__name__)
    arrays = {name: _held(handle.model, name) for name in _RAW}
    one = _model(handle, arrays)
    found = from_worlds(_models(handle, arrays))
    sizes = {name: np.array([getattr(handle.model, name)], float) for name in SIZES}
    values = {**found.values, **sizes}
    for name in _unread(arrays) & set(values):
        del values[name]
    found = Readback(found.names, values, _pairs(handle, one))
    return without_queries(found, from_model(one))


def _unread(arrays: dict[str, NDArray[np.generic] | None]) -> set[str]:
    """Audited fields that are read from what is not on the device."""
    absent = {name for name, array in arrays.items() if array is None}
    absent -= _ELSEWHERE | set(_NONE)
    return {f.name for f in AUDITED.values() if not absent.isdisjoint(f.raw)}


def _models(
    handle: Handle, arrays: dict[str, NDArray[np.generic] | None]
) -> Iterator[mujoco.MjModel]:
    """The model of each world in turn, all in the same object."""
    worlds = max(
        (_worlds(array, handle, name) for name, array in arrays.items()), default=1
    )
    model = _model(handle, arrays)
    for world in range(worlds):
        for name, array in arrays.items():
            if array is not None and (world == 0 or _worlds(array, handle, name) > 1):
                _set(model, name, array, world)
        yield model


def _model(
    handle: Handle, arrays: dict[str, NDArray[np.generic] | None]
) -> mujoco.MjModel:
    """The model that the first world runs, as the device holds it."""
    model = copy(handle.names)
    for name, array in arrays.items():
        if array is not None:
            _set(model, name, array, 0)
    for name, value in _NONE.items():
        _fill(model, name, value)
    options = handle.model.opt
    model.opt.impratio = float(options.impratio_invsqrt.numpy()[0]) ** -2
    model.opt.jacobian = _JACOBIAN[bool(handle.model.is_sparse)]
    return model


def _held(model: mjw.Model, name: str) -> NDArray[np.generic] | None:
    """What the device holds of a field; None where it has no such field."""
    owner = model.opt if name.startswith("opt.") else model
    value = vars(owner).get(name.removeprefix("opt."))
    if isinstance(value, wp.array):
        return value.numpy()
    return None if value is None else np.asarray(value)


def _worlds(array: NDArray[np.generic] | None, handle: Handle, name: str) -> int:
    """How many worlds a field is held for."""
    owner = handle.names.opt if name.startswith("opt.") else handle.names
    size = np.size(getattr(owner, name.removeprefix("opt.")))
    return 1 if array is None or size == 0 else max(1, array.size // size)


def _set(
    model: mujoco.MjModel, name: str, array: NDArray[np.generic], world: int
) -> None:
    """Put one world's values into a model, padding left out."""
    owner = model.opt if name.startswith("opt.") else model
    name = name.removeprefix("opt.")
    into = getattr(owner, name)
    if name in SIZES:  # the names' model cannot have others
        return
    if not isinstance(into, np.ndarray):
        setattr(owner, name, type(into)(np.ravel(array)[world % array.size]))
    elif into.size and array.size:
        count = max(1, array.size // into.size)
        rows = (
            array.reshape(count, *into.shape) if array.size % into.size == 0 else None
        )
        if rows is None:
            raise BadArray(name, f"a multiple of {into.shape}", f"{array.shape}")
        into[...] = rows[world % count]


def _fill(model: mujoco.MjModel, name: str, value: int) -> None:
    owner = model.opt if name.startswith("opt.") else model
    name = name.removeprefix("opt.")
    into = getattr(owner, name)
    if isinstance(into, np.ndarray):
        into[...] = value
    else:
        setattr(owner, name, value)


def _pairs(handle: Handle, model: mujoco.MjModel) -> frozenset[tuple[str, str]]:
    """Pairs of geoms that the engine looks at for contacts."""
    if int(model.opt.disableflags) & _OFF:
        return frozenset()
    pairs = handle.model.nxn_geom_pair_filtered.numpy()
    which = handle.model.nxn_pairid_filtered.numpy()[:, 0]
    pairs = pairs[which >= -1]
    surface = np.isin(model.geom_type[pairs], _SURFACES).all(axis=1)
    names = [model.geom(i).name or f"geom {i}" for i in range(model.ngeom)]
    return frozenset(
        (min(names[i], names[j]), max(names[i], names[j]))
        for i, j in pairs[~surface].tolist()
    )
