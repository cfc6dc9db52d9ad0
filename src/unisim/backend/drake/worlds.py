"""One context of the plant per world."""

import numpy as np
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import ModelInstanceIndex
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import Context, Diagram, FixedInputPortValue, InputPort

from unisim.backend.base import Array


class World:
    """One context and the simulator that moves it.

    Attributes:
        root: The diagram's context.
        context: The plant's.
        dirty: Whether it has another state than ours.
        ready: Whether it can step on from where it is.
    """

    def __init__(self, diagram: Diagram, plant: MultibodyPlant) -> None:
        """Make a context at the defaults, in which nothing pushes."""
        self._plant, self._dt = plant, plant.time_step()
        self._simulator = Simulator(diagram)
        self.root: Context = self._simulator.get_mutable_context()
        self.context: Context = plant.GetMyMutableContextFromRoot(self.root)
        port = plant.get_applied_generalized_force_input_port()
        self._push = _fixed(port, self.context, plant.num_velocities())
        # the numbers themselves; the context owns them as long as the port is fixed
        self._force = (
            self._push.GetMutableData().get_mutable_value().get_mutable_value()
        )
        if plant.num_actuators():
            port = plant.get_actuation_input_port()
            _fixed(port, self.context, plant.num_actuators())
        for instance in range(plant.num_model_instances()):
            port = plant.get_desired_state_input_port(ModelInstanceIndex(instance))
            if port.size():
                _fixed(port, self.context, port.size())
        self._steps = 0
        self.ready = False
        self.dirty = True

    def step(self, state: Array, force: Array, count: int) -> None:
        """Advance, and put the new state in the place of the old one.

        Args:
            state: Positions and velocities. Shape (nq + nv,).
            force: Joint forces, held. Shape (nv,).
            count: Physics steps.

        A step that Drake gives up leaves velocities that are NaN.
        """
        try:
            if self.dirty:
                self.context.SetDiscreteState(state)
            if not self.ready:
                self._start()
            self._push.GetMutableData()  # tells the context that they change
            self._force[:] = force
            self._steps += count
            self._simulator.AdvanceTo(self._steps * self._dt)
            state[:] = self._plant.GetPositionsAndVelocities(self.context)
            self.dirty = False
        except (RuntimeError, SystemExit):
            self.give_up(state)

    def pull(self, forces: list[ExternallyAppliedSpatialForce]) -> None:
        """Let forces act on bodies from now on."""
        port = self._plant.get_applied_spatial_force_input_port()
        port.FixValue(self.context, forces)

    def give_up(self, state: Array) -> None:
        """Start anew at the next step; until then there are no velocities."""
        self.dirty, self.ready = True, False
        state[len(state) - self._plant.num_velocities() :] = np.nan

    def _start(self) -> None:
        self._steps = 0
        self.root.SetTime(0.0)
        self._simulator.Initialize()
        self.ready = True


def _fixed(port: InputPort, context: Context, size: int) -> FixedInputPortValue:
    return port.FixValue(context, np.zeros(size))
