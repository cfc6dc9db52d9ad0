"""The shapes that Drake gets for the parts of a geom."""

from collections.abc import Callable, Iterator, Mapping

import mujoco
import numpy as np
from numpy.typing import NDArray
from pydrake.common import MemoryFile
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    InMemoryMesh,
    Mesh,
    Shape,
    Sphere,
)
from pydrake.math import RigidTransform

from unisim.backend.collide.points import corners, outermost, rims
from unisim.backend.collide.solids import hull, surface
from unisim.backend.drake.slots import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HFIELD,
    MESH,
    PLANE,
    SPHERE,
    Slot,
)

Array = NDArray[np.float64]
Piece = tuple[Shape, RigidTransform]
"""A shape and its pose in the frame of its geom."""
POINT = 1e-6
"""Radius of a sphere that stands for a point [m]."""
RIM, VERTICES = 8, 64
"""Points on the rim of a cylinder; vertices of a mesh that all lie on a half space."""
_INSET, _SHRINK = 0.02, 1e-3
_MOST_INSET, _MOST_SHRINK = 2e-3, 5e-5


def pieces(model: mujoco.MjModel, geom: int, slot: Slot) -> list[Piece]:
    """Shapes of one part of a geom, in its frame.

    Args:
        model: The reference model.
        geom: A geom, of one of `KINDS`.
        slot: What the part is for.
    """
    kind, size = int(model.geom_type[geom]), np.asarray(model.geom_size[geom])
    if kind == HFIELD:
        return [_alone(_field(model, int(model.geom_dataid[geom])))]
    points = (
        hull(model, int(model.geom_dataid[geom])) if kind == MESH else np.zeros((0, 3))
    )
    shape = _shape(kind, size, points, model.geom(geom).name)
    return arranged(kind, size, points, slot, shape)


def arranged(
    kind: int, size: Array, points: Array, slot: Slot, shape: Shape
) -> list[Piece]:
    """Shapes of a part, given the geom's own.

    Args:
        kind: Type of the geom (`mjtGeom`).
        size: Its size as MuJoCo has it. Shape (3,).
        points: Vertices of its hull, of a mesh. Shape (k, 3).
        slot: What the part is for.
        shape: The geom's own shape.
    """
    if slot == Slot.FOOT:
        return list(_feet(kind, size, points, shape))
    if slot == Slot.POINT:
        return _spheres(outermost(points, VERTICES), POINT)
    if slot == Slot.PAD:
        inset = min(_INSET * float(size.min()), _MOST_INSET)
        return _spheres(corners(size - inset), inset)
    if slot == Slot.CORE:
        return [_alone(Box(2 * (size - min(_SHRINK * size.min(), _MOST_SHRINK))))]
    return [_alone(shape)]


def _feet(kind: int, size: Array, points: Array, shape: Shape) -> Iterator[Piece]:
    if kind == CAPSULE:
        ends = np.array([[0, 0, -size[1]], [0, 0, size[1]]])
        yield from _spheres(ends, float(size[0]))
        return
    if kind == BOX:
        yield from _spheres(corners(size), POINT)
        return
    if kind == CYLINDER:
        points = rims(float(size[0]), float(size[1]), RIM)
    if kind != MESH or len(points) > VERTICES:
        yield _alone(shape)
    yield from _spheres(outermost(points, VERTICES), POINT)


def _alone(shape: Shape) -> Piece:
    return shape, RigidTransform()


def _spheres(centres: Array, radius: float) -> list[Piece]:
    return [(Sphere(radius), RigidTransform(centre)) for centre in centres]


def _shape(kind: int, size: Array, points: Array, name: str) -> Shape:
    """A geom's own shape."""
    if kind == MESH:
        return Convex(points.T, " ".join(name.split()))
    radius, length = float(size[0]), 2 * float(size[1])
    make: Mapping[int, Callable[[], Shape]] = {
        PLANE: HalfSpace,
        SPHERE: lambda: Sphere(radius),
        CAPSULE: lambda: Capsule(radius, length),
        CYLINDER: lambda: Cylinder(radius, length),
        ELLIPSOID: lambda: Ellipsoid(size),
        BOX: lambda: Box(2 * size),
    }
    return make[kind]()


def _field(model: mujoco.MjModel, field: int) -> Mesh:
    """A height field as a closed surface, in units of its size."""
    points, faces = surface(model, field)
    scale = np.asarray(model.hfield_size[field][:3])
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in (points / scale).tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    file = MemoryFile("\n".join(lines), ".obj", "hfield")
    return Mesh(InMemoryMesh(mesh_file=file), scale)
