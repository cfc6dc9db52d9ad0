"""Contacts that Drake found in one world, in the reference's words.

The plant's output ports must be sampled, as they are by default: its contact results
are those of the last step, so that they are the forces that moved the bodies, and do
not change with a state that is written afterwards. In a plant whose ports are live they
are those of a step that would begin at the present state.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydrake.geometry import ContactSurface, SurfaceTriangle
from pydrake.multibody.plant import (
    ContactResults,
    HydroelasticContactInfo,
    MultibodyPlant,
    PointPairContactInfo,
)
from pydrake.systems.framework import Context

from unisim.backend.drake.geometry import Geometry
from unisim.backend.guest.guest import Contacts
from unisim.backend.guest.wrench import TINY, points

Array = NDArray[np.float64]


class Touch(NamedTuple):
    """One contact: geoms in the reference's order, distance, vectors in world."""

    geoms: tuple[int, int]
    dist: float
    pos: Array
    normal: Array
    force: Array


def touches(
    plant: MultibodyPlant, context: Context, geometry: Geometry
) -> Iterator[Touch]:
    """Contacts of the last step of a world.

    Args:
        plant: The plant, stepped at least once since its state was written.
        context: The plant's context of that world.
        geometry: What is registered.

    Yields:
        One point of contact or one surface after another.
    """
    found: ContactResults = plant.get_contact_results_output_port().Eval(context)
    for i in range(found.num_point_pair_contacts()):
        yield _point(found.point_pair_contact_info(i), geometry)
    for i in range(found.num_hydroelastic_contacts()):
        yield from _surface(found.hydroelastic_contact_info(i), geometry)


def gathered(worlds: NDArray[np.integer], found: list[list[Touch]]) -> Contacts:
    """Contacts of some worlds, one row each.

    Args:
        worlds: Indices of the worlds, ascending. Shape (k,).
        found: Contacts of each.
    """
    every = [item for some in found for item in some]
    counts = [len(some) for some in found]
    return Contacts(
        world=np.repeat(np.asarray(worlds, np.int64), counts),
        geoms=np.array([x.geoms for x in every], np.int32).reshape(-1, 2),
        dist=np.array([x.dist for x in every], np.float64),
        pos=np.array([x.pos for x in every], np.float64).reshape(-1, 3),
        normal=np.array([x.normal for x in every], np.float64).reshape(-1, 3),
        force=np.array([x.force for x in every], np.float64).reshape(-1, 3),
    )


def _point(info: PointPairContactInfo, geometry: Geometry) -> Touch:
    pair = info.point_pair()
    first, second = geometry.owner[pair.id_A], geometry.owner[pair.id_B]
    # the normal points from B to A, the force acts on B
    return _ordered(
        (first, second),
        -pair.depth,
        info.contact_point(),
        -pair.nhat_BA_W,
        info.contact_force(),
    )


def _surface(info: HydroelasticContactInfo, geometry: Geometry) -> Iterator[Touch]:
    """A surface as points whose forces have its force and its torque.

    One point has both, unless the surface twists: two points then pull in turn.
    """
    surface: ContactSurface = info.contact_surface()
    geoms = geometry.owner[surface.id_M()], geometry.owner[surface.id_N()]
    mesh = surface.tri_mesh_W()
    areas = np.array([mesh.area(i) for i in range(mesh.num_triangles())])
    presses = np.array([_pressure(surface, face) for face in mesh.triangles()])
    normals = [mesh.face_normal(i) for i in range(mesh.num_triangles())]
    mean = (areas * presses) @ normals
    # face normals point into M, the force acts on what M belongs to
    normal = -mean / max(float(np.linalg.norm(mean)), TINY)
    dist = -_depth(surface, int(np.argmax(areas)))
    force = -np.asarray(info.F_Ac_W().translational())
    torque = -np.asarray(info.F_Ac_W().rotational())
    centre = np.asarray(surface.centroid())
    middles = np.array([mesh.element_centroid(i) for i in range(mesh.num_triangles())])
    for pos, pull in points(centre, middles - centre, force, torque):
        yield _ordered(geoms, dist, pos, normal, pull)


def _ordered(
    geoms: tuple[int, int], dist: float, pos: Array, normal: Array, force: Array
) -> Touch:
    """A contact given from one geom to another, from the one that comes first."""
    if geoms[0] <= geoms[1]:
        return Touch(geoms, dist, pos, normal, force)
    return Touch((geoms[1], geoms[0]), dist, pos, -normal, -force)


def _pressure(surface: ContactSurface, face: SurfaceTriangle) -> float:
    """Mean pressure on a face [Pa]."""
    field = surface.tri_e_MN()
    return sum(field.EvaluateAtVertex(face.vertex(i)) for i in range(3)) / 3


def _depth(surface: ContactSurface, face: int) -> float:
    """How deep two geoms are in each other where the pressure is highest [m].

    Args:
        surface: What they share.
        face: A face of it, on which the pressure rises as it mostly does.
    """
    mesh, field = surface.tri_mesh_W(), surface.tri_e_MN()
    pressure = max(field.EvaluateAtVertex(i) for i in range(mesh.num_vertices()))
    depth = 0.0
    if surface.HasGradE_M():
        depth += pressure / float(np.linalg.norm(surface.EvaluateGradE_M_W(face)))
    if surface.HasGradE_N():
        depth += pressure / float(np.linalg.norm(surface.EvaluateGradE_N_W(face)))
    return depth
