"""A scene's bodies and geoms in Drake, stepped by Drake alone."""

import os

import mujoco
import numpy as np
import pytest

from physics import scene_from

REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
if "drake" not in REQUIRED:
    pytest.importorskip("pydrake")

from pydrake.multibody.plant import (  # noqa: E402
    AddMultibodyPlantSceneGraph,
    DiscreteContactApproximation,
)
from pydrake.systems.analysis import Simulator  # noqa: E402
from pydrake.systems.framework import DiagramBuilder  # noqa: E402

from drakes import USUAL  # noqa: E402
from unisim.backend.drake.contact import plan  # noqa: E402
from unisim.backend.drake.contacts import touches  # noqa: E402
from unisim.backend.drake.geometry import (  # noqa: E402
    let_collide,
    register,
)
from unisim.backend.drake.plant import plant_tree  # noqa: E402
from unisim.backend.drake.settings import set_contact_model  # noqa: E402

SOLVER = {"tamsi": "kTamsi", "sap": "kSap", "hydroelastic": "kTamsi"}


class Touching:
    """One world of a scene whose joints all are free."""

    def __init__(self, xml, profile=USUAL):
        self.scene = scene_from(xml) if isinstance(xml, str) else xml
        self.model = model = self.scene.model
        builder = DiagramBuilder()
        self.plant, self.graph = AddMultibodyPlantSceneGraph(
            builder, model.opt.timestep
        )
        solver = DiscreteContactApproximation.__members__[SOLVER[profile]]
        self.plant.set_discrete_contact_approximation(solver)
        set_contact_model(self.plant)
        own = plan(model, self.scene.sources, profile)
        self.tree = plant_tree(self.plant, model)
        self.plant.mutable_gravity_field().set_gravity_vector(model.opt.gravity)
        self.geometry = register(self.plant, model, self.tree.bodies, own)
        self.plant.Finalize()
        let_collide(self.graph, self.geometry)
        self.diagram = builder.Build()
        self.simulator = Simulator(self.diagram)
        self.root = self.simulator.get_mutable_context()
        self.context = self.plant.GetMyMutableContextFromRoot(self.root)
        if self.plant.num_actuators():
            port = self.plant.get_actuation_input_port()
            port.FixValue(self.context, np.zeros(self.plant.num_actuators()))
        self.steps = 0

    def push(self, velocity, joint=0):
        """Linear velocity of a free joint, in world."""
        rows = self.tree.joints[joint].velocity_start() + np.arange(3, 6)
        qvel = self.plant.GetVelocities(self.context)
        qvel[rows] = velocity
        self.plant.SetVelocities(self.context, qvel)

    def step(self, count):
        self.steps += count
        self.simulator.AdvanceTo(self.steps * self.model.opt.timestep)

    def where(self, body=1):
        """Origin of a body, in world."""
        return self.tree.bodies[body].EvalPoseInWorld(self.context).translation()

    def speed(self):
        return float(np.abs(self.plant.GetVelocities(self.context)).max(initial=0))

    def contacts(self):
        return list(touches(self.plant, self.context, self.geometry))

    def force(self, geom):
        """Sum of all contact forces on a geom, in world."""
        found = np.zeros(3)
        for item in self.contacts():
            found += item.force * ((item.geoms[1] == geom) - (item.geoms[0] == geom))
        return found


def mujoco_rests(model, steps):
    """Where MuJoCo has the bodies after some steps. Shape (nbody, 3)."""
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, steps)
    mujoco.mj_kinematics(model, data)
    return np.array(data.xpos)
