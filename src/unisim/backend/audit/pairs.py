"""Which geoms may collide, by MuJoCo's rules."""

from weakref import WeakValueDictionary

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.names import names_of_kind, within

_BIT = mujoco.mjtDisableBit
_OFF = int(_BIT.mjDSBL_CONTACT) | int(_BIT.mjDSBL_CONSTRAINT)
_SURFACES = [int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD)]

Mask = NDArray[np.bool_]
_DECIDE = (
    *("geom_contype", "geom_conaffinity", "geom_type", "geom_bodyid"),
    *("body_weldid", "body_parentid", "body_treeid"),
    *("pair_geom1", "pair_geom2", "exclude_signature", "name_geomadr"),
)
_KNOWN: WeakValueDictionary[bytes, frozenset[tuple[str, str]]] = WeakValueDictionary()
"""Pairs that somebody holds: those of thousands of geoms are made once an audit."""


def collision_pairs(model: mujoco.MjModel) -> frozenset[tuple[str, str]]:
    """Pairs of geom names that may collide, each sorted.

    Masks, excludes, explicit pairs, the filter between parent and child (never between
    the world and its children) and the flags of the options decide. Bodies that no
    joint moves, mocap bodies among them, touch each other only by explicit pairs.

    Source: MuJoCo documentation, Computation, "Collision detection: Selection".
    """
    key = _key(model)
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = _named_pairs(model)
    return found


def _named_pairs(model: mujoco.MjModel) -> frozenset[tuple[str, str]]:
    rows, columns = np.nonzero(np.triu(_allowed(model), 1))
    names = np.array(names_of_kind(model, "geom"), dtype=object)
    rank = np.empty(model.ngeom, np.int64)
    rank[np.argsort(names, kind="stable")] = np.arange(model.ngeom)
    swap = rank[rows] > rank[columns]
    first, second = np.where(swap, columns, rows), np.where(swap, rows, columns)
    return frozenset(zip(names[first].tolist(), names[second].tolist(), strict=True))


def may_collide(model: mujoco.MjModel) -> bool:
    """Whether any geoms may."""
    return bool(_allowed(model).any())


def _allowed(model: mujoco.MjModel) -> Mask:
    """Whether two geoms may collide. Shape (ngeom, ngeom)."""
    if int(model.opt.disableflags) & _OFF:
        return np.zeros((model.ngeom, model.ngeom), bool)
    allowed = _by_masks(model) & _by_bodies(model)
    first, second = _there(model.pair_geom1, model.pair_geom2, model.ngeom)
    allowed[first, second] = allowed[second, first] = True
    surface = np.isin(model.geom_type, _SURFACES)
    allowed &= ~(surface[:, None] & surface)
    return allowed & ~np.eye(model.ngeom, dtype=bool)


def _key(model: mujoco.MjModel) -> bytes:
    """All that the pairs follow from."""
    decide = _OFF | int(_BIT.mjDSBL_FILTERPARENT)
    flags = (int(model.opt.disableflags) & decide).to_bytes(8, "little")
    parts = [np.asarray(getattr(model, name)).tobytes() for name in _DECIDE]
    return b"\xff".join([flags, bytes(model.names), *parts])


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
