"""Which geoms may collide, by MuJoCo's rules."""

import mujoco
import numpy as np
from numpy.typing import NDArray

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
    first, second = np.asarray(model.pair_geom1), np.asarray(model.pair_geom2)
    allowed[first, second] = allowed[second, first] = True
    surface = np.isin(model.geom_type, _SURFACES)
    allowed &= ~(surface[:, None] & surface)
    names = [
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, i) or f"geom {i}"
        for i in range(model.ngeom)
    ]
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
    weld = np.asarray(model.body_weldid)
    above = weld[np.asarray(model.body_parentid)[weld]]
    moving = np.asarray(model.body_treeid) >= 0
    allowed = (weld[:, None] != weld) & (moving[:, None] | moving)
    if not int(model.opt.disableflags) & int(_BIT.mjDSBL_FILTERPARENT):
        related = (weld[:, None] == above) | (weld == above[:, None])
        allowed &= ~(related & (weld[:, None] != 0) & (weld != 0))
    signature = np.asarray(model.exclude_signature)
    first, second = signature >> 16, signature & 0xFFFF
    allowed[first, second] = allowed[second, first] = False
    body = np.asarray(model.geom_bodyid)
    return allowed[np.ix_(body, body)]
