"""Which geoms may collide, by MuJoCo's rules."""

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.mjcf.enums import members
from unisim.mjcf.feature import Mask

_BIT = mujoco.mjtDisableBit
DECIDING_FLAGS = int(_BIT.mjDSBL_CONTACT) | int(_BIT.mjDSBL_CONSTRAINT)
"""Without these there are no contacts at all."""
_TYPE = members("mjtGeom")
_SURFACES = [_TYPE["mjGEOM_PLANE"], _TYPE["mjGEOM_HFIELD"]]
_SOLID = [
    _TYPE[f"mjGEOM_{name}"]
    for name in ("SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH")
]
_IN_CLOSED_FORM = (
    ("SPHERE", "SPHERE"),
    ("SPHERE", "CAPSULE"),
    ("SPHERE", "CYLINDER"),
    ("SPHERE", "BOX"),
    ("CAPSULE", "CAPSULE"),
    ("CAPSULE", "BOX"),
)
"""Pairs of solids whose nearest points MuJoCo writes down; others it searches for."""


def within(ids: ArrayLike, count: int) -> NDArray[np.bool_]:
    """Whether ids name one of `count` objects. Shape as `ids`."""
    return (np.asarray(ids) >= 0) & (np.asarray(ids) < count)


def allowed(model: mujoco.MjModel, *, stated: bool = True) -> Mask:
    """Whether two geoms may collide. Shape (ngeom, ngeom).

    Masks, excludes, explicit pairs, the filter between parent and child (never between
    the world and its children) and the flags of the options decide. Bodies that no
    joint moves, mocap bodies among them, touch each other only by explicit pairs.

    Args:
        model: The model.
        stated: Whether explicit pairs count, which ask for no mask.

    Source: MuJoCo documentation, Computation, "Collision detection: Selection".
    """
    if int(model.opt.disableflags) & DECIDING_FLAGS:
        return np.zeros((model.ngeom, model.ngeom), bool)
    found = _by_masks(model) & _by_bodies(model)
    first, second = _there(model.pair_geom1, model.pair_geom2, model.ngeom)
    found[first, second] = found[second, first] = stated
    surface = np.isin(model.geom_type, _SURFACES)
    found &= ~(surface[:, None] & surface)
    return found & ~np.eye(model.ngeom, dtype=bool)


def searched(model: mujoco.MjModel) -> Mask:
    """Whether two geoms may collide, and where is searched for. Shape (ngeom, ngeom).

    That is convex collision, and two boxes.
    """
    by_search = np.zeros((max(_TYPE.values()) + 1,) * 2, bool)
    by_search[np.ix_(_SOLID, _SOLID)] = True
    for first, second in _IN_CLOSED_FORM:
        i, j = _TYPE[f"mjGEOM_{first}"], _TYPE[f"mjGEOM_{second}"]
        by_search[i, j] = by_search[j, i] = False
    kind = np.asarray(model.geom_type)
    if not by_search[np.ix_(np.unique(kind), np.unique(kind))].any():
        return np.zeros((model.ngeom, model.ngeom), bool)
    return allowed(model) & by_search[np.ix_(kind, kind)]


def _by_masks(model: mujoco.MjModel) -> Mask:
    """Whether one geom's type matches the other's affinity. Shape (ngeom, ngeom)."""
    kind = np.asarray(model.geom_contype)
    match = (kind[:, None] & np.asarray(model.geom_conaffinity)) != 0
    return match | match.T


def _by_bodies(model: mujoco.MjModel) -> Mask:
    """Whether the bodies of two geoms may touch. Shape (ngeom, ngeom)."""
    # an id that names no body is a difference of its own
    weld = _named(model.body_weldid, model.nbody)
    above = weld[_named(model.body_parentid, model.nbody)[weld]]
    moving = np.asarray(model.body_treeid) >= 0
    allowed = (weld[:, None] != weld) & (moving[:, None] | moving)
    if not int(model.opt.disableflags) & int(_BIT.mjDSBL_FILTERPARENT):
        related = (weld[:, None] == above) | (weld == above[:, None])
        allowed &= ~(related & (weld[:, None] != 0) & (weld != 0))
    signature = np.asarray(model.exclude_signature)
    first, second = _there(signature >> 16, signature & 0xFFFF, model.nbody)
    allowed[first, second] = allowed[second, first] = False
    body = _named(model.geom_bodyid, model.nbody)
    return allowed[np.ix_(body, body)]


def _named(ids: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    """Ids, 0 in place of those that name nothing."""
    return np.where(within(ids, count), ids, 0)


def _there(
    first: NDArray[np.int32], second: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs without those that name nothing."""
    both = within(first, count) & within(second, count)
    return first[both], second[both]
