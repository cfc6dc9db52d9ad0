"""Which geoms may collide, by MuJoCo's rules."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.names import names_of_kind, within

_BIT = mujoco.mjtDisableBit
_OFF = int(_BIT.mjDSBL_CONTACT) | int(_BIT.mjDSBL_CONSTRAINT)
_SURFACES = [int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD)]

Mask = NDArray[np.bool_]


def collision_pairs(model: mujoco.MjModel) -> frozenset[tuple[str, str]]:
    """Pairs of geom names that may collide, each sorted.

    Masks, excludes, explicit pairs, the filter between parent and child (never between
    the world and its children) and the flags of the options decide. Bodies that no
    joint moves, mocap bodies among them, touch each other only by explicit pairs.

    Source: MuJoCo documentation, Computation, "Collision detection: Selection".
    """
    if int(model.opt.disableflags) & _OFF:
        return frozenset()
    allowed = _by_masks(model) & _by_bodies(model)
    first, second = _there(model.pair_geom1, model.pair_geom2, model.ngeom)
    allowed[first, second] = allowed[second, first] = True
    surface = np.isin(model.geom_type, _SURFACES)
    allowed &= ~(surface[:, None] & surface)
    names = names_of_kind(model, "geom")
    rows, columns = np.nonzero(np.triu(allowed, 1))
    return frozenset(
        (min(names[i], names[j]), max(names[i], names[j]))
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
    )


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
