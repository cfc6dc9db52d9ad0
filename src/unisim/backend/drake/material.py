"""What the parts of geoms are made of, besides how they rub, as Drake holds it."""

from collections.abc import Iterator, Mapping

from pydrake.geometry import (
    GeometryId,
    HalfSpace,
    ProximityProperties,
    SceneGraphConfig,
    SceneGraphInspector,
    TriangleSurfaceMesh,
    VolumeMesh,
)
from pydrake.multibody.plant import MultibodyPlant

from unisim.backend.drake.slots import Part, Slot

Material = Mapping[tuple[str, str], float]
"""Numbers of a part, by group and name of the property."""
NOTE = "scene"
"""Group of properties that tell what the friction of a geom's pairs follows from."""
_LEFT = {("material", "coulomb_friction"), ("hydroelastic", "compliance_type")}
"""What is looked at by itself: friction, and by its mesh how a part yields."""


def material(properties: ProximityProperties) -> Material:
    """Everything in properties that is a number."""
    return {
        (group, name): float(properties.GetProperty(group, name))
        for group in properties.GetGroupNames()
        for name in properties.GetPropertiesInGroup(group)
        if group != NOTE and (group, name) not in _LEFT
    }


def strays(
    plant: MultibodyPlant,
    inspector: SceneGraphInspector,
    held: Mapping[Part, list[GeometryId]],
    stated: Mapping[Part, Material],
) -> Iterator[int]:
    """Geoms with a part that is of something else than what was stated.

    Args:
        plant: Tells which parts are anchored.
        inspector: Of a query object of one world's context.
        held: What is registered for each part.
        stated: What each was to be made of; Drake's defaults for all else.
    """
    plain = _defaults()
    for part, ids in held.items():
        soft = part.slot == Slot.SOFT
        for item in ids:
            own = inspector.GetProximityProperties(item)
            if own is None:  # shown alone, or no longer there
                continue
            other = material(own) != {**plain, **stated.get(part, {})}
            mesh = inspector.maybe_get_hydroelastic_mesh(item)
            if not isinstance(inspector.GetShape(item), HalfSpace):
                frame = inspector.GetFrameId(item)
                still = plant.IsAnchored(plant.GetBodyFromFrameId(frame))
                kind = TriangleSurfaceMesh if still else VolumeMesh
                other |= type(mesh) is not (kind if soft else type(None))
            if other:
                yield part.geom


def _defaults() -> Material:
    """What Drake gives parts that state nothing."""
    own = SceneGraphConfig().default_proximity_properties
    return {
        ("hydroelastic", "hydroelastic_modulus"): own.hydroelastic_modulus,
        ("hydroelastic", "resolution_hint"): own.resolution_hint,
        ("material", "hunt_crossley_dissipation"): own.hunt_crossley_dissipation,
        ("material", "point_contact_stiffness"): own.point_stiffness,
        ("material", "relaxation_time"): own.relaxation_time,
    }
