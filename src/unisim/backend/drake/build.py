"""Builds a plant from the reference model, and a context of it per world."""

from dataclasses import replace

from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
from pydrake.systems.framework import DiagramBuilder

from unisim.backend.base import BuildCfg
from unisim.backend.drake.cfg import settings
from unisim.backend.drake.contact import plan
from unisim.backend.drake.drives import drive
from unisim.backend.drake.geometry import let_collide, register
from unisim.backend.drake.plant import plant_tree
from unisim.backend.drake.rest import rest
from unisim.backend.drake.said import no_warnings
from unisim.backend.drake.settings import approximation, set_contact_model
from unisim.backend.drake.sim import Built, DrakeGuest, Handle
from unisim.backend.drake.ties import tie
from unisim.backend.drake.worlds import World
from unisim.backend.guest.engine import GuestEngine, Parts
from unisim.backend.layout import Layout
from unisim.backend.queries import model_of


def build(request: BuildCfg, layout: Layout) -> GuestEngine:
    """Build the plant, and the contract around it.

    Raises:
        BadConfig: If a setting is unknown or has the wrong type.
        UnknownName: If a contact query names what the scene does not have.
        UnsupportedFeature: If Drake does not take the model.
    """
    # the reference beside the plant must take what varies, too
    model = model_of(replace(request, contacts=()), layout)
    request = replace(request, scene=replace(request.scene, model=model))
    moved = guest(request)
    parts = Parts(moved, moved.handle.rest, moved.braking()[0], moved.braking)
    return GuestEngine(parts, request, layout)


def guest(request: BuildCfg) -> DrakeGuest:
    """The worlds that Drake moves.

    Raises:
        BadConfig: If a setting is unknown or has the wrong type.
        UnsupportedFeature: If Drake does not take the model, or warns of something.
    """
    with no_warnings():
        return _guest(request)


def _guest(request: BuildCfg) -> DrakeGuest:
    cfg, model = settings(request), request.scene.model
    contacts = plan(model, request.scene.sources, request.profile)
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, model.opt.timestep)
    plant.set_discrete_contact_approximation(approximation(request.profile))
    set_contact_model(plant)
    tree = plant_tree(plant, model)
    drives = drive(plant, request, tree)
    ties = tie(plant, request, tree)
    geometry = register(plant, model, tree.bodies, contacts)
    # contacts are those of the last step; without any, steps are quicker so
    plant.SetUseSampledOutputPorts(bool(geometry.parts))
    plant.Finalize()
    let_collide(scene_graph, geometry)
    diagram = builder.Build()
    handle = Handle(
        diagram=diagram,
        plant=plant,
        scene_graph=scene_graph,
        worlds=tuple(World(diagram, plant) for _ in range(request.worlds)),
        rest=rest(model, request.vary),
        ties=ties,
        carrying=(*(frame for frame, _ in tree.balls.values()), *tree.mocaps),
        profile=request.profile,
        materials=geometry.materials,
    )
    return DrakeGuest(handle, Built(tree, drives, geometry), request, cfg.threads)
