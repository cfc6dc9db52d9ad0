"""Registers the geoms of a reference model with a plant, as parts that may collide.

The plant's contact results are those of its last step as long as its output ports are
sampled, which they are unless somebody calls `SetUseSampledOutputPorts`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    GeometryId,
    ProximityProperties,
    RoleAssign,
    SceneGraph,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import CoulombFriction, MultibodyPlant
from pydrake.multibody.tree import RigidBody
from pydrake.systems.framework import Context

from unisim.backend.drake.contact import Plan
from unisim.backend.drake.filters import apply_filters
from unisim.backend.drake.labels import Label
from unisim.backend.drake.material import NOTE, Material, material
from unisim.backend.drake.shapes import Array, pieces
from unisim.backend.drake.slots import (
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HFIELD,
    PLANE,
    SPHERE,
    Part,
    Slot,
)

STIFFNESS = 1e6
"""Of a geom in a point contact [N/m]; two of them are half as stiff."""
MODULUS = 1e8
"""Of a geom in a hydroelastic contact [Pa]."""
DISSIPATION = 50.0
"""Of both, after Hunt and Crossley [s/m]."""
_EDGE = {SPHERE: 0.1, CAPSULE: 0.4, ELLIPSOID: 0.3}
"""Edge of a mesh with a field of pressure, of the least size of its geom: as fine as
meshes of such shapes are made in some milliseconds."""
_ROUGH, _FINE = 0.2, 0.1
"""The same for other shapes, and for all where bodies lie and roll on such meshes."""
_GREY = np.ones(4)


@dataclass(frozen=True)
class Geometry:
    """All geoms that may collide.

    Attributes:
        plan: What was decided before the build.
        parts: What is registered for each part.
        materials: What each part is to be made of.
    """

    plan: Plan
    parts: Mapping[Part, tuple[GeometryId, ...]]
    materials: Mapping[Part, Material]

    @cached_property
    def owner(self) -> Mapping[GeometryId, int]:
        """The geom of everything that is registered."""
        return {x: part.geom for part, ids in self.parts.items() for x in ids}


def register(
    plant: MultibodyPlant,
    model: mujoco.MjModel,
    bodies: Sequence[RigidBody],
    own: Plan,
) -> Geometry:
    """Register all geoms that may collide, before the plant is finalized.

    Args:
        plant: The plant.
        model: The reference model.
        bodies: Bodies of the plant, in the model's order.
        own: What was decided.
    """
    kinds = {int(model.geom_type[part.geom]) for part in own.friction}
    maker = _Maker(plant, model, bodies, fine=own.soft or HFIELD in kinds)
    parts = {
        part: tuple(maker.make(part, friction))
        for part, friction in sorted(own.friction.items())
    }
    shaped = {part.geom for part in parts if part.slot in (Slot.SOLID, Slot.SOFT)}
    for geom in sorted({part.geom for part in parts} - shaped):
        maker.show(geom)
    return Geometry(own, parts, maker.materials)


def let_collide(scene_graph: SceneGraph, geometry: Geometry) -> None:
    """Filter all pairs but those that may collide, once the plant is finalized."""
    manager = scene_graph.collision_filter_manager()
    apply_filters(manager, geometry.parts, geometry.plan.met)


class _Maker:
    """Registers one part after another."""

    def __init__(
        self,
        plant: MultibodyPlant,
        model: mujoco.MjModel,
        bodies: Sequence[RigidBody],
        *,
        fine: bool,
    ) -> None:
        self._plant, self._model, self._bodies = plant, model, bodies
        self._fine = fine
        self.materials: dict[Part, Material] = {}

    def make(self, part: Part, friction: float) -> list[GeometryId]:
        """Register a part that may collide."""
        (geom, slot, _), model, found = part, self._model, list[GeometryId]()
        body = self._bodies[model.geom_bodyid[geom]]
        where = posed(model.geom_pos[geom], model.geom_quat[geom])
        note = rubbing(model, geom)
        for k, (shape, inside) in enumerate(pieces(model, geom, slot)):
            name = str(Label(part, k, model.geom(geom).name))
            properties = _material(friction)
            if slot == Slot.SOFT:
                self._press(geom, properties)
            self.materials[part] = material(properties)
            for key, value in note.items():
                properties.AddProperty(NOTE, key, value)
            found.append(
                self._plant.RegisterCollisionGeometry(
                    body, where @ inside, shape, name, properties
                )
            )
        return found

    def _press(self, geom: int, properties: ProximityProperties) -> None:
        """Let a part meet others by hydroelastic contact."""
        model, kind = self._model, int(self._model.geom_type[geom])
        edge = _FINE if self._fine else _EDGE.get(kind, _ROUGH)
        edge *= least(kind, model.geom_size[geom])
        if model.body_treeid[model.geom_bodyid[geom]] < 0:
            AddRigidHydroelasticProperties(edge, properties)
        else:
            AddCompliantHydroelasticProperties(edge, MODULUS, properties)

    def show(self, geom: int) -> None:
        """Register the shape of a geom that collides by other parts alone."""
        model = self._model
        body = self._bodies[model.geom_bodyid[geom]]
        where = posed(model.geom_pos[geom], model.geom_quat[geom])
        ((shape, _),) = pieces(model, geom, Slot.SOLID)
        name = str(Label(Part(geom, Slot.SOLID), 0, model.geom(geom).name))
        self._plant.RegisterVisualGeometry(body, where, shape, name, _GREY)


def rubbing(model: mujoco.MjModel, geom: int) -> dict[str, float]:
    """What MuJoCo's friction of a geom and others follows from."""
    slide, twist, roll = map(float, model.geom_friction[geom])
    return {
        "slide": slide,
        "twist": twist,
        "roll": roll,
        "condim": float(model.geom_condim[geom]),
        "priority": float(model.geom_priority[geom]),
    }


def _material(friction: float) -> ProximityProperties:
    found = ProximityProperties()
    AddContactMaterial(
        dissipation=DISSIPATION,
        point_stiffness=STIFFNESS,
        friction=CoulombFriction(friction, friction),
        properties=found,
    )
    return found


def posed(pos: Array, quat: Array) -> RigidTransform:
    """A pose from a position and a quaternion wxyz of any length."""
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, quat / np.linalg.norm(quat))
    return RigidTransform(RotationMatrix(turn.reshape(3, 3)), pos)


def least(kind: int, size: Array) -> float:
    """The least of the sizes that a geom has [m]."""
    count = {SPHERE: 1, CAPSULE: 1, CYLINDER: 2}.get(kind, 3)
    return 1.0 if kind in (PLANE, HFIELD) else float(np.min(size[:count]))


def vary_friction(
    plant: MultibodyPlant,
    scene_graph: SceneGraph,
    root: Context,
    geometry: Geometry,
    friction: Mapping[Part, float],
    own: Array,
) -> None:
    """Give all parts other frictions in one world.

    Args:
        plant: The plant.
        scene_graph: The scene graph.
        root: The diagram's context of the world.
        geometry: What is registered.
        friction: What `unisim.backend.drake.contact.varied` found.
        own: Friction of the geoms, from which it follows. Shape (ngeom, 3).
    """
    context = scene_graph.GetMyMutableContextFromRoot(root)
    query = scene_graph.get_query_output_port().Eval(context)
    source = plant.get_source_id()
    for part, ids in geometry.parts.items():
        mu = friction[part]
        note = dict(
            zip(("slide", "twist", "roll"), own[part.geom].tolist(), strict=True)
        )
        for item in ids:
            found = ProximityProperties(query.inspector().GetProximityProperties(item))
            rubs = CoulombFriction(mu, mu)
            found.UpdateProperty("material", "coulomb_friction", rubs)
            for key, value in note.items():
                found.UpdateProperty(NOTE, key, value)
            scene_graph.AssignRole(context, source, item, found, RoleAssign.kReplace)
