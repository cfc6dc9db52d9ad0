"""Which geoms may collide, by MuJoCo's rules."""

from weakref import WeakValueDictionary

import mujoco
import numpy as np

from unisim.backend.audit.names import names_of_kind
from unisim.mjcf.feature import Mask
from unisim.mjcf.pairs import DECIDING_FLAGS, allowed

_BIT = mujoco.mjtDisableBit
_DECIDE = (
    *("geom_contype", "geom_conaffinity", "geom_type", "geom_bodyid"),
    *("body_weldid", "body_parentid", "body_treeid"),
    *("pair_geom1", "pair_geom2", "exclude_signature", "name_geomadr"),
)
_KNOWN: WeakValueDictionary[bytes, frozenset[tuple[str, str]]] = WeakValueDictionary()
"""Pairs that somebody holds: those of thousands of geoms are made once an audit."""


def collision_pairs(model: mujoco.MjModel) -> frozenset[tuple[str, str]]:
    """Pairs of geom names that may collide, each sorted; see `unisim.mjcf.pairs`."""
    key = _key(model)
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = _named_pairs(model)
    return found


def _named_pairs(model: mujoco.MjModel) -> frozenset[tuple[str, str]]:
    return named_pairs(model, allowed(model))


def named_pairs(model: mujoco.MjModel, chosen: Mask) -> frozenset[tuple[str, str]]:
    """Pairs of geom names, each sorted, of a symmetric choice (ngeom, ngeom)."""
    rows, columns = np.nonzero(np.triu(chosen, 1))
    names = np.array(names_of_kind(model, "geom"), dtype=object)
    rank = np.empty(model.ngeom, np.int64)
    rank[np.argsort(names, kind="stable")] = np.arange(model.ngeom)
    swap = rank[rows] > rank[columns]
    first, second = np.where(swap, columns, rows), np.where(swap, rows, columns)
    return frozenset(zip(names[first].tolist(), names[second].tolist(), strict=True))


def may_collide(model: mujoco.MjModel) -> bool:
    """Whether any geoms may."""
    return bool(allowed(model).any())


def _key(model: mujoco.MjModel) -> bytes:
    """All that the pairs follow from."""
    decide = DECIDING_FLAGS | int(_BIT.mjDSBL_FILTERPARENT)
    flags = (int(model.opt.disableflags) & decide).to_bytes(8, "little")
    parts = [np.asarray(getattr(model, name)).tobytes() for name in _DECIDE]
    return b"\xff".join([flags, bytes(model.names), *parts])
