"""Reads back geoms, contact pairs and excludes."""

from collections.abc import Callable, Mapping

import motrixsim as mx
import mujoco
import numpy as np
from motrixsim import low
from numpy.typing import NDArray

from unisim.backend.guest.soft import told
from unisim.backend.motrix.margins import stated
from unisim.backend.motrix.parts import Handle
from unisim.mjcf.pairs import allowed

Worlds = dict[str, NDArray[np.float64]]
Size = Callable[[mx.Geom, low.Collider], "np.typing.ArrayLike"]
_OBJ, _GEOM = mujoco.mjtObj, mujoco.mjtGeom
_SIZED = (
    *(mx.GeomSphere, mx.GeomCapsule, mx.GeomCylinder, mx.GeomCuboid, mx.GeomEllipsoid),
)
_KINDS: Mapping[str, int] = {
    "InfinitePlane": int(_GEOM.mjGEOM_PLANE),
    "Plane": int(_GEOM.mjGEOM_PLANE),
    "Sphere": int(_GEOM.mjGEOM_SPHERE),
    "Capsule": int(_GEOM.mjGEOM_CAPSULE),
    "Cylinder": int(_GEOM.mjGEOM_CYLINDER),
    "Cuboid": int(_GEOM.mjGEOM_BOX),
    "Ellipsoid": int(_GEOM.mjGEOM_ELLIPSOID),
    "Mesh": int(_GEOM.mjGEOM_MESH),
    "HField": int(_GEOM.mjGEOM_HFIELD),
}


def read_shapes(
    model: mujoco.MjModel, handle: Handle, worlds: Worlds
) -> tuple[str, ...]:
    """Fill in the geoms of a model, the pairs and the excludes.

    Args:
        model: What to fill in.
        handle: The engine's objects.
        worlds: Takes values that differ between worlds.

    Returns:
        Names of the geoms; those that are only drawn are not among them.
    """
    held = {str(geom.name): geom for geom in handle.model.geoms}
    rows = [i for i in range(model.ngeom) if model.geom(i).name in held]
    colliders = handle.model.low.colliders
    for row in rows:
        geom = held[model.geom(row).name]
        own = handle.model.low.get_collider_indices(geom.index) or []
        _geom(model, row, geom)
        if len(own) == 1:
            _collider(model, row, colliders[own[0]], handle)
            _size(model, row, geom, colliders[own[0]], handle)
    _friction(model, handle, held, worlds)
    _sizes(model, handle, [held[model.geom(i).name] for i in rows], worlds)
    _pairs(model, handle)
    _excludes(model, handle, held)
    colliding = allowed(model).any(axis=1)
    model.geom_margin[:] = stated(np.array(model.geom_margin), colliding)
    extra = set(held) - {model.geom(i).name for i in rows}
    return (*(model.geom(i).name for i in rows), *extra)


def _geom(model: mujoco.MjModel, row: int, geom: mx.Geom) -> None:
    link = "world" if geom.link is None else str(geom.link.name)
    model.geom_bodyid[row] = mujoco.mj_name2id(model, _OBJ.mjOBJ_BODY, link)
    model.geom_type[row] = _KINDS.get(str(geom.shape).rpartition(".")[2], -1)
    pose = np.asarray(geom.local_pose, np.float64)
    model.geom_pos[row], model.geom_quat[row] = pose[:3], pose[[6, 3, 4, 5]]
    model.geom_size[row] = geom.size
    # the engine's margin holds the gap too
    model.geom_margin[row] = round(float(geom.margin) - float(geom.gap), 9)
    model.geom_gap[row] = geom.gap
    _masks(model, row, geom.collision_group, geom.collision_affinity)


def _masks(model: mujoco.MjModel, row: int, group: int, affinity: int) -> None:
    masks = np.array([group, affinity], np.uint32).view(np.int32)
    model.geom_contype[row], model.geom_conaffinity[row] = masks


def _collider(
    model: mujoco.MjModel, row: int, held: low.Collider, handle: Handle
) -> None:
    step = float(handle.model.options.timestep)
    coeff = held.contact_force.coeff
    model.geom_condim[row], model.geom_priority[row] = held.condim, held.priority
    model.geom_solref[row] = told(handle.rest.geom_solref[row], coeff, step)
    model.geom_solimp[row] = coeff[2:7]
    model.geom_solmix[row] = held.force_mix
    _masks(model, row, held.mask.group, held.mask.collide_with)


def _size(
    model: mujoco.MjModel, row: int, geom: mx.Geom, held: low.Collider, handle: Handle
) -> None:
    kind = int(model.geom_type[row])
    if kind == int(_GEOM.mjGEOM_MESH):
        hull = handle.model.low.convex_hulls[held.asset_index]
        model.geom_size[row] = np.abs(np.asarray(hull.points)).max(axis=0)
    elif kind == int(_GEOM.mjGEOM_HFIELD) and geom.hfield is not None:
        _field(model, row, geom.hfield)


def _field(model: mujoco.MjModel, row: int, field: mx.HField) -> None:
    """Size and samples of a height field, in MuJoCo's part of its height."""
    index = int(model.geom_dataid[row])
    low_x, low_y, _, high_x, high_y, high = np.ravel(field.bound).tolist()
    # of what is flat, nothing depends on how high it might be
    high = high or float(model.hfield_size[index, 2])
    extent = ((high_x - low_x) / 2, (high_y - low_y) / 2, high)
    model.hfield_size[index, :3] = extent
    heights = np.ravel(np.asarray(field.height_matrix, np.float64)) / high
    start = int(model.hfield_adr[index])
    model.hfield_nrow[index], model.hfield_ncol[index] = field.nrow, field.ncol
    model.hfield_data[start : start + heights.size] = heights
    model.geom_size[row] = (*extent[:2], high)


def _friction(
    model: mujoco.MjModel, handle: Handle, held: dict[str, mx.Geom], worlds: Worlds
) -> None:
    data = handle.data
    count = 1 if data is None else data.shape[0]
    rows = [i for i in range(model.ngeom) if model.geom(i).name in held]
    values = np.zeros((count, len(rows), 3))
    for place, row in enumerate(rows):
        geom = held[model.geom(row).name]
        values[:, place] = (
            geom.friction if data is None else geom.get_friction_override(data)
        )
    worlds["geom_friction"] = values[0] if (values == values[:1]).all() else values


def _sizes(
    model: mujoco.MjModel, handle: Handle, held: list[mx.Geom], worlds: Worlds
) -> None:
    """Sizes of geoms that the engine lets differ between worlds, where they do."""
    if handle.data is None:
        return
    rows = [mujoco.mj_name2id(model, _OBJ.mjOBJ_GEOM, str(x.name)) for x in held]
    count = handle.data.shape[0]
    values = np.tile(model.geom_size[rows], (count, 1, 1))
    for place, geom in enumerate(held):
        if isinstance(geom, _SIZED):
            own = np.reshape(geom.get_size_override(handle.data), (count, -1))
            values[:, place, : own.shape[1]] = own
    worlds["geom_size"] = values[0] if (values == values[:1]).all() else values


def _pairs(model: mujoco.MjModel, handle: Handle) -> None:
    step = float(handle.model.options.timestep)
    for pair in handle.world.contact_pairs.pairs:
        row = mujoco.mj_name2id(model, _OBJ.mjOBJ_PAIR, str(pair.name))
        first, second = sorted(
            mujoco.mj_name2id(model, _OBJ.mjOBJ_GEOM, name) for name in pair.geoms
        )
        model.pair_geom1[row], model.pair_geom2[row] = first, second
        model.pair_dim[row], model.pair_friction[row] = pair.condim, pair.friction
        spring, shape = (
            pair.contact_model.value.spring,
            pair.contact_model.value.impedance,
        )
        stated = handle.rest.pair_solref[row]
        model.pair_solref[row] = told(stated, (spring.k, spring.d), step)
        model.pair_solimp[row] = (
            *(shape.d0, shape.dmax, shape.width, shape.middle, shape.power),
        )
        model.pair_margin[row] = round(pair.margin - pair.gap, 9)
        model.pair_gap[row] = pair.gap
        model.pair_solreffriction[row] = 0


def _excludes(model: mujoco.MjModel, handle: Handle, held: dict[str, mx.Geom]) -> None:
    """Excludes, from the pairs of geoms that the engine ignores whatever their masks.

    What it ignores and no exclude states collides with nothing, which is told apart.
    """
    owner: dict[int, int] = {}
    for name, geom in held.items():
        row = mujoco.mj_name2id(model, _OBJ.mjOBJ_GEOM, name)
        for collider in handle.model.low.get_collider_indices(geom.index) or []:
            owner[collider] = row
    ignored = np.zeros((model.ngeom, model.ngeom), bool)
    for first, second in handle.model.low.pairs_to_ignore:
        one, two = owner[first], owner[second]
        ignored[one, two] = ignored[two, one] = True
    there = np.isin(np.arange(model.ngeom), list(owner.values()))
    for i, signature in enumerate(np.asarray(handle.rest.exclude_signature).tolist()):
        bodies = signature >> 16, signature & 0xFFFF
        one, two = (there & (model.geom_bodyid == body) for body in bodies)
        if ignored[np.ix_(one, two)].all() and bodies[0]:
            model.exclude_signature[i] = signature
            ignored[np.ix_(one, two)] = ignored[np.ix_(two, one)] = False
    beside = ignored.any(axis=1)
    model.geom_contype[beside] = model.geom_conaffinity[beside] = 0
