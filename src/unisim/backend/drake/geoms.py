"""Reads back what the scene graph holds of geoms, from Drake's own objects alone.

A geom is what all of its parts say. A part that differs from what the geom's own shape
asks for shows as a size that is NaN, a friction that acts otherwise than the properties
tell as the friction that acts.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    GeometryId,
    GeometryVersion,
    HalfSpace,
    Mesh,
    ProximityProperties,
    Role,
    SceneGraph,
    SceneGraphInspector,
    Shape,
    Sphere,
)
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant

from unisim.backend.audit.ground import sums
from unisim.backend.audit.model import PAIRS, digest_pairs
from unisim.backend.collide.friction import combined
from unisim.backend.drake.labels import Label, read_label
from unisim.backend.drake.material import NOTE, Material, strays
from unisim.backend.drake.shapes import arranged
from unisim.backend.drake.sim import Handle
from unisim.backend.drake.slots import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HFIELD,
    MESH,
    PLANE,
    SPHERE,
    Part,
    Slot,
    meeting,
)

Array = NDArray[np.float64]
_SAME = 1e-9
_RUBS = 1e-6
_PARTLY = " in part"


@dataclass(frozen=True)
class Geoms:
    """What the scene graph holds of geoms.

    Attributes:
        names: By geom, in the reference's order; geoms of no pair are not there.
        bodies: Name of the body of each.
        values: By audited field, a row per name.
        pairs: Pairs of names that may collide, each sorted. Where some parts of two
            geoms may collide and others may not, one name has an ending that says so.
        strays: Names of those that are made of something else than was stated.
    """

    names: tuple[str, ...]
    bodies: tuple[str, ...]
    values: Mapping[str, Array]
    pairs: frozenset[tuple[str, str]]
    strays: frozenset[str]


def read_geoms(
    plant: MultibodyPlant,
    inspector: SceneGraphInspector | SceneGraph,
    materials: Mapping[Part, Material],
) -> Geoms:
    """Everything of geoms that the audit compares.

    Args:
        plant: Tells which body a frame belongs to.
        inspector: Of the scene graph, or of a query object of one world's context.
        materials: What each part is to be made of.
    """
    if isinstance(inspector, SceneGraph):
        inspector = inspector.model_inspector()
    held = _held(inspector)
    geoms = sorted({part.geom for part, ids in held.items() if _acting(inspector, ids)})
    leads = {geom: _lead(geom, held) for geom in geoms}
    labels = {geom: _label(inspector, leads[geom]) for geom in geoms}
    names = tuple(labels[geom].name for geom in geoms)
    rows = [_Geom(inspector, geom, leads[geom], held) for geom in geoms]
    bodies = [
        plant.GetBodyFromFrameId(inspector.GetFrameId(leads[geom])).name()
        for geom in geoms
    ]
    values = {
        "geom_type": np.array([float(row.kind) for row in rows]),
        "geom_size": np.array([row.held_size() for row in rows]).reshape(-1, 3),
        "geom_pos": np.array([row.where.translation() for row in rows]).reshape(-1, 3),
        "geom_quat": np.array(
            [row.where.rotation().ToQuaternion().wxyz() for row in rows]
        ).reshape(-1, 4),
        "geom_hfield": np.array([row.field[0] for row in rows]).reshape(-1, 6),
        "geom_elevation": np.array([row.field[1] for row in rows]).reshape(-1, 8),
    }
    kinds = {geom: row.kind for geom, row in zip(geoms, rows, strict=True)}
    met = _met(inspector, held)
    values |= _friction(inspector, geoms, held, met)
    others = strays(plant, inspector, held, materials)
    return Geoms(
        *(names, tuple(bodies), values, _pairs(met, kinds, labels, held)),
        frozenset(labels[geom].name for geom in others),
    )


def geoms_of(
    handle: Handle,
) -> tuple[Geoms, dict[str, NDArray[np.float64]], frozenset[str]]:
    """Geoms of the first world, values of all, and geoms of another material.

    Pairs are those of a world that has others than the first, if there is one.
    """
    found: list[Geoms] = []
    last: GeometryVersion | None = None
    for world in handle.worlds:
        context = handle.scene_graph.GetMyContextFromRoot(world.root)
        query = handle.scene_graph.get_query_output_port().Eval(context)
        version = query.inspector().geometry_version()
        if last is None or not version.IsSameAs(last, Role.kProximity):
            last = GeometryVersion(version)
            inspector = query.inspector()
            found.append(read_geoms(handle.plant, inspector, handle.materials))
        else:
            found.append(found[-1])
    first = found[0]
    values = dict(first.values)
    for name, value in first.values.items():
        rows = [_of(item, first.names, name) for item in found]
        if any(row.tobytes() != value.tobytes() for row in rows):
            values[name] = np.stack(rows)
    others = next((item for item in found if item.pairs != first.pairs), first)
    if others is not first:
        values[PAIRS] = np.array([[digest_pairs(item.pairs)] for item in found])
    strays = frozenset[str]().union(*(item.strays for item in found))
    return replace(first, pairs=others.pairs), values, strays


def _of(geoms: Geoms, names: tuple[str, ...], field: str) -> NDArray[np.float64]:
    """Values of some names, NaN of those that are not there."""
    values = geoms.values[field]
    if geoms.names == names:
        return values
    found = np.full((len(names), *values.shape[1:]), np.nan)
    for row, name in enumerate(names):
        if name in geoms.names:
            found[row] = values[geoms.names.index(name)]
    return found


Held = Mapping[Part, list[GeometryId]]
Met = Mapping[tuple[int, int], set[tuple[GeometryId, GeometryId]]]


def _held(inspector: SceneGraphInspector) -> dict[Part, list[GeometryId]]:
    """What is registered for each part, piece by piece."""
    found: dict[Part, dict[int, GeometryId]] = defaultdict(dict)
    for item in inspector.GetAllGeometryIds():
        label = read_label(inspector.GetName(item))
        if label is not None:
            found[label.part][label.piece] = item
    return {
        part: [x for _, x in sorted(items.items())] for part, items in found.items()
    }


def _acting(inspector: SceneGraphInspector, ids: list[GeometryId]) -> bool:
    return any(inspector.GetProximityProperties(x) is not None for x in ids)


def _lead(geom: int, held: Held) -> GeometryId:
    """The part that has the geom's own shape."""
    order = (Slot.SOLID, Slot.SOFT, *Slot)
    own = [part for part in held if part.geom == geom]
    return held[min(own, key=lambda part: (order.index(part.slot), part.copy))][0]


def _label(inspector: SceneGraphInspector, item: GeometryId) -> Label:
    label = read_label(inspector.GetName(item))
    if label is None:
        raise KeyError(inspector.GetName(item))
    return label


class _Geom:
    """One geom: its shape, and whether its parts agree with it."""

    def __init__(
        self,
        inspector: SceneGraphInspector,
        geom: int,
        lead: GeometryId,
        held: Held,
    ) -> None:
        self._inspector, self._lead = inspector, lead
        self._parts = [(x.slot, ids) for x, ids in held.items() if x.geom == geom]
        shape = inspector.GetShape(lead)
        self.where: RigidTransform = inspector.GetPoseInFrame(lead)
        self._points = (
            _vertices(shape) if isinstance(shape, Convex) else np.zeros((0, 3))
        )
        self.kind, self._size = _measured(shape, self._points)
        self.field = _field(shape)

    def held_size(self) -> Array:
        """Its size as MuJoCo has it, NaN if a part is another one. Shape (3,)."""
        agree = all(self._agrees(slot, ids) for slot, ids in self._parts)
        return self._size if agree else np.full(3, np.nan)

    def _agrees(self, slot: Slot, ids: list[GeometryId]) -> bool:
        shape = self._inspector.GetShape(self._lead)
        frame = self._inspector.GetFrameId(self._lead)
        wanted = arranged(self.kind, self._size, self._points, slot, shape)
        if len(wanted) != len(ids):
            return False
        for (other, inside), item in zip(wanted, ids, strict=True):
            where = self._inspector.GetPoseInFrame(item)
            near = where.IsNearlyEqualTo(self.where @ inside, _SAME)
            same = _alike(self._inspector.GetShape(item), other)
            if not (near and same and self._inspector.GetFrameId(item) == frame):
                return False
        return True


def _alike(one: Shape, other: Shape) -> bool:
    """Whether two shapes are the same to 1e-9."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Convex | Mesh) and isinstance(other, Convex | Mesh):
        mine, theirs = _vertices(one), _vertices(other)
        return mine.shape == theirs.shape and np.allclose(mine, theirs, atol=_SAME)
    first, second = _measured(one, np.zeros((0, 3))), _measured(other, np.zeros((0, 3)))
    return bool(np.allclose(first[1], second[1], rtol=0, atol=_SAME))


def _measured(shape: Shape, points: Array) -> tuple[int, Array]:
    """Type and size as MuJoCo has them; the size of a plane is how it is drawn."""
    kind, size = MESH, np.abs(points).max(axis=0, initial=0.0)
    match shape:
        case HalfSpace():
            kind, size = PLANE, np.full(3, np.nan)
        case Sphere():
            kind, size = SPHERE, np.array([shape.radius(), 0, 0])
        case Capsule():
            kind, size = CAPSULE, np.array([shape.radius(), shape.length() / 2, 0])
        case Cylinder():
            kind, size = CYLINDER, np.array([shape.radius(), shape.length() / 2, 0])
        case Ellipsoid():
            kind, size = ELLIPSOID, np.array([shape.a(), shape.b(), shape.c()])
        case Box():
            kind, size = BOX, np.asarray(shape.size()) / 2
        case Mesh():
            x, y, up, down = _field(shape)[0][2:]
            kind, size = HFIELD, np.array([x, y, up / 4 + down / 2])
        case _:
            pass
    return kind, size


def _vertices(shape: Convex | Mesh) -> Array:
    """Vertices of a mesh that is held in memory, scaled. Shape (k, 3)."""
    text = shape.source().in_memory().mesh_file.contents().decode()
    rows = [line[2:].split() for line in text.splitlines() if line.startswith("v ")]
    return np.array(rows, np.float64).reshape(-1, 3) * np.asarray(shape.scale3())


def _field(shape: Shape) -> tuple[Array, Array]:
    """Extent and sums of a height field, NaN of others. Shapes (6,) and (8,)."""
    if not isinstance(shape, Mesh):
        return np.full(6, np.nan), np.full(8, np.nan)
    points, scale = _vertices(shape), np.asarray(shape.scale3())
    samples = points[:-4]
    columns = int(np.count_nonzero(samples[:, 1] == samples[0, 1]))
    heights = (samples[:, 2] / scale[2]).reshape(-1, columns)
    extent = np.array([*heights.shape, *scale, -points[-1, 2]], np.float64)
    return extent, sums(heights)


def _met(inspector: SceneGraphInspector, held: Held) -> Met:
    """By two geoms, what is registered for them that may collide."""
    owner = {item: part.geom for part, ids in held.items() for item in ids}
    found: dict[tuple[int, int], set[tuple[GeometryId, GeometryId]]] = defaultdict(set)
    for one, other in inspector.GetCollisionCandidates():
        first, second = owner.get(one, -1), owner.get(other, -1)
        if first <= second:
            found[first, second].add((one, other))
        else:
            found[second, first].add((other, one))
    return found


def _pairs(
    met: Met, kinds: Mapping[int, int], labels: Mapping[int, Label], held: Held
) -> frozenset[tuple[str, str]]:
    """Names of geoms all of whose parts may collide that meet in such a pair."""
    whose = {item: part for part, ids in held.items() for item in ids}
    found: set[tuple[str, str]] = set()
    for (i, j), items in met.items():
        if i < 0:
            continue
        counts = Counter((whose[one], whose[other]) for one, other in items)
        whole = all(
            count == len(held[part]) * len(held[other])
            for (part, other), count in counts.items()
        )
        slots = sorted((part.slot, other.slot) for part, other in counts)
        wanted = [
            meeting(kinds[i], kinds[j], soft=soft, kin=kin)
            for soft, kin in ((True, False), (False, True), (False, False))
        ]
        one, other = sorted((labels[i].name, labels[j].name))
        whole &= any(slots == sorted(meets) for meets in wanted)
        found.add((one, other if whole else other + _PARTLY))
    return frozenset(found)


def _friction(
    inspector: SceneGraphInspector, geoms: list[int], held: Held, met: Met
) -> dict[str, Array]:
    """Friction, condim and priority, as far as they act as the properties tell."""
    acting = {
        item: inspector.GetProximityProperties(item)
        for ids in held.values()
        for item in ids
    }
    notes = {
        geom: next(
            acting[x]
            for part, ids in held.items()
            for x in ids
            if part.geom == geom and acting[x] is not None
        )
        for geom in geoms
    }
    words = ("slide", "twist", "roll", "condim", "priority")
    told = np.array(
        [[notes[geom].GetProperty(NOTE, word) for word in words] for geom in geoms]
    ).reshape(-1, len(words))
    friction, row = told[:, :3].copy(), {geom: k for k, geom in enumerate(geoms)}
    stated = combined(told[:, 0], told[:, 3], told[:, 4])
    for (i, j), items in met.items():
        if i < 0:
            continue
        for one, other in items:
            mu = _acts(acting[one], acting[other])
            want = stated[row[i], row[j]]
            if not abs(mu - want) <= _RUBS * max(want, _RUBS):
                friction[[row[i], row[j]], 0] = mu
    return {
        "geom_friction": friction,
        "geom_condim": told[:, 3],
        "geom_priority": told[:, 4],
    }


def _acts(one: ProximityProperties, other: ProximityProperties) -> float:
    """Friction of a contact, by Drake's rule."""
    held = [item.GetProperty("material", "coulomb_friction") for item in (one, other)]
    if any(mu.static_friction() != mu.dynamic_friction() for mu in held):
        return np.nan
    first, second = (mu.dynamic_friction() for mu in held)
    total = first + second
    return 2 * first * second / total if total else 0.0
