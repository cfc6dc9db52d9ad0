"""Which elements of a compiled model can have an effect."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.mjcf.enums import members
from unisim.mjcf.feature import Find, Mask, values
from unisim.mjcf.pairs import DECIDING_FLAGS
from unisim.mjcf.switches import touching

_SENSOR = members("mjtSensor")
_RAYS = _SENSOR["mjSENS_RANGEFINDER"]
_GEOM = members("mjtObj")["mjOBJ_GEOM"]
_DISTANCES = [
    _SENSOR[f"mjSENS_{name}"] for name in ("GEOMDIST", "GEOMNORMAL", "GEOMFROMTO")
]
_WRAP = members("mjtWrap")
_JOINT = members("mjtJoint")


def colliding(model: mujoco.MjModel) -> Mask:
    """Geoms that can touch something by their masks. Shape (ngeom,)."""
    if int(model.opt.disableflags) & DECIDING_FLAGS:
        return np.zeros(model.ngeom, bool)
    return (model.geom_contype != 0) | (model.geom_conaffinity != 0)


def physical(model: mujoco.MjModel) -> Mask:
    """Geoms that something besides a picture depends on. Shape (ngeom,).

    Mass that the compiler inferred from a geom is the body's, and does not count.
    """
    mask = colliding(model) | fluid(model)
    if not int(model.opt.disableflags) & DECIDING_FLAGS:
        mask[model.pair_geom1] = True
        mask[model.pair_geom2] = True
    if model.nwrap:
        mask[model.wrap_objid[wraps_geom(model)]] = True
    if model.nsensor:
        mask |= _sensed(model)
    return mask


def wraps_geom(model: mujoco.MjModel) -> Mask:
    """Where tendons touch geoms. Shape (nwrap,)."""
    return np.isin(model.wrap_type, [_WRAP["mjWRAP_SPHERE"], _WRAP["mjWRAP_CYLINDER"]])


def _sensed(model: mujoco.MjModel) -> Mask:
    """Geoms that distance sensors or rays can find. Shape (ngeom,)."""
    if np.any(model.sensor_type == _RAYS):
        return np.ones(model.ngeom, bool)
    mask = np.zeros(model.ngeom, bool)
    rows = np.isin(model.sensor_type, _DISTANCES)
    for types, ids in (
        (model.sensor_objtype, model.sensor_objid),
        (model.sensor_reftype, model.sensor_refid),
    ):
        mask[ids[rows & (types == _GEOM)]] = True
        mask |= np.isin(model.geom_bodyid, ids[rows & (types != _GEOM)])
    return mask


def medium(model: mujoco.MjModel) -> bool:
    """Whether there is a medium that can push."""
    return bool(model.opt.density > 0 or model.opt.viscosity > 0)


def fluid(model: mujoco.MjModel) -> Mask:
    """Geoms with the ellipsoidal fluid model, in a medium. Shape (ngeom,)."""
    return (model.geom_fluid[:, 0] != 0) & medium(model)


def condim(least: int) -> Find:
    """Geoms that may touch, where any contact could have that many dimensions."""

    def find(model: mujoco.MjModel) -> Mask:
        mask = touching(model)
        return mask & np.any(model.geom_condim[mask] >= least)

    return find


def joints(*names: str) -> Find:
    """Joints of some types. Shape (njnt,)."""
    chosen = np.zeros(max(_JOINT.values()) + 1, bool)
    chosen[[_JOINT[f"mjJNT_{name}"] for name in names]] = True
    return lambda model: chosen[model.jnt_type]


def both(*finds: Find) -> Find:
    """Elements that all rules select."""
    return lambda model: np.logical_and.reduce([find(model) for find in finds])


def nonzero(*fields: str) -> Find:
    """Elements with any value other than 0 in arrays of the model."""
    return lambda model: np.logical_or.reduce(
        [(values(model, field) != 0).any(axis=1) for field in fields]
    )


def direct(field: str) -> Find:
    """Elements whose solref is stiffness and damping, both negated."""
    return lambda model: values(model, field)[:, 0].astype(float) < 0


def indirect(field: str) -> Find:
    """Elements whose solref is a time constant and a damping ratio."""
    return lambda model: values(model, field)[:, 0].astype(float) >= 0


def when(condition: Find, count: str) -> Find:
    """All or no elements, as any of another kind is selected.

    Args:
        condition: A rule over any kind of element.
        count: MuJoCo's size of the kind to select, "" for the options.
    """

    def find(model: mujoco.MjModel) -> Mask:
        size = int(getattr(model, count)) if count else 1
        return np.full(size, bool(np.any(condition(model))))

    return find


def per_tendon(model: mujoco.MjModel, wraps: NDArray[np.bool_]) -> Mask:
    """Tendons of which any wrap is selected. Shape (ntendon,)."""
    owners = np.repeat(np.arange(model.ntendon), model.tendon_num)
    return np.bincount(owners[wraps[: len(owners)]], minlength=model.ntendon) > 0
