"""Which parts of two geoms meet, since Drake finds one point where bodies touch.

A box that stands on one point rocks, so a geom is registered as several parts: points
that lie on half spaces as in MuJoCo, small spheres in the corners of boxes. Where
Drake's one point has a normal that is off by up to 36 degrees, as in most pairs of
curved shapes, the parts are compliant and meet by hydroelastic contact.
"""

from enum import StrEnum
from typing import NamedTuple

import mujoco
import numpy as np

from unisim.mjcf.feature import Mask

_GEOM = mujoco.mjtGeom
PLANE, HFIELD = int(_GEOM.mjGEOM_PLANE), int(_GEOM.mjGEOM_HFIELD)
SPHERE, CAPSULE = int(_GEOM.mjGEOM_SPHERE), int(_GEOM.mjGEOM_CAPSULE)
ELLIPSOID, CYLINDER = int(_GEOM.mjGEOM_ELLIPSOID), int(_GEOM.mjGEOM_CYLINDER)
BOX, MESH = int(_GEOM.mjGEOM_BOX), int(_GEOM.mjGEOM_MESH)
KINDS = (PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH)


class Slot(StrEnum):
    """What a part of a geom is there for."""

    SOLID = "solid"
    """The shape itself."""
    FOOT = "foot"
    """What lies on half spaces: corners, rims, ends."""
    POINT = "point"
    """Vertices of a mesh, on what is flat."""
    PAD = "pad"
    """Small spheres inside the corners of a box, against other boxes."""
    CORE = "core"
    """A box that is a trifle smaller, whose edges cross those of other boxes."""
    SOFT = "soft"
    """The shape with a field of pressure; rigid where no joint moves the geom."""


Meeting = tuple[tuple[Slot, Slot], ...]
_SOFT: Meeting = ((Slot.SOFT, Slot.SOFT),)
_FOOT: Meeting = ((Slot.SOLID, Slot.FOOT),)
_SOLID: Meeting = ((Slot.SOLID, Slot.SOLID),)
_BOXES: Meeting = (
    (Slot.CORE, Slot.CORE),
    (Slot.SOLID, Slot.PAD),
    (Slot.PAD, Slot.SOLID),
)
_MEETINGS: dict[tuple[int, int], Meeting] = {
    **{(PLANE, kind): _FOOT for kind in KINDS},
    **{(SPHERE, kind): _SOLID for kind in (SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID)},
    (BOX, CAPSULE): (*_FOOT, *_SOFT),
    (BOX, BOX): _BOXES,
    (BOX, MESH): (*_SOLID, (Slot.SOLID, Slot.POINT)),
    (MESH, MESH): _SOLID,
}
"""Parts of the first type and of the second; all others are compliant."""


def meeting(first: int, second: int, *, soft: bool, kin: bool) -> Meeting:
    """Parts of two geoms that may collide, so that the geoms do.

    Args:
        first: Type of a geom (`mjtGeom`), one of `KINDS`.
        second: Type of the other.
        soft: Whether all contact is hydroelastic.
        kin: Whether joints connect them: nothing rocks then, and spheres in corners
            are pushed out on the wrong side where links are deep in each other.
    """
    if soft:
        return _SOFT
    if kin and first == second == BOX:
        return _SOLID
    if (first, second) in _MEETINGS:
        return _MEETINGS[first, second]
    found = _MEETINGS.get((second, first), _SOFT)
    return tuple((other, one) for one, other in found)


class Part(NamedTuple):
    """A part of a geom.

    Attributes:
        geom: Index of the geom.
        slot: What the part is for.
        copy: Which one, where a part has several frictions.
    """

    geom: int
    slot: Slot
    copy: int = 0


Meetings = tuple[tuple[Part, Part], ...]
"""Parts that may collide, each pair once."""


def meetings(model: mujoco.MjModel, chosen: Mask, *, soft: bool) -> Meetings:
    """Parts that may collide, so that the chosen geoms do.

    Args:
        model: The reference model.
        chosen: Whether two geoms may. Shape (ngeom, ngeom).
        soft: Whether all contact is hydroelastic.
    """
    kinds = model.geom_type.tolist()
    tree = np.asarray(model.body_treeid)[model.geom_bodyid].tolist()
    rows, columns = (found.tolist() for found in np.nonzero(np.triu(chosen, 1)))
    return tuple(
        (Part(i, one), Part(j, other))
        for i, j in zip(rows, columns, strict=True)
        for one, other in meeting(kinds[i], kinds[j], soft=soft, kin=tree[i] == tree[j])
    )
