"""A backend for unisim: bodies on hinges and slides, and nothing else."""

from functools import cache
from pathlib import Path

import numpy as np

from unisim.backend.arrays import HOST, Arrays
from unisim.backend.audit.model import from_model
from unisim.backend.base import Backend, BuildCfg, Engine, Readback
from unisim.backend.layout import Layout
from unisim.backend.manifest import Manifest, load_manifest
from unisim.errors import BadArray, BadConfig
from unisim_toy.engine import ToyEngine
from unisim_toy.machine import Machine


@cache
def _manifest() -> Manifest:
    return load_manifest(Path(__file__).with_name("manifest.toml"))


class Toy:
    """Implements `unisim.backend.base.Backend`."""

    name = "toy"

    @property
    def manifest(self) -> Manifest:
        """What hinges and slides do is exact, all else is unsupported."""
        return _manifest()

    def settings(self, request: BuildCfg) -> object:
        """There are none.

        Raises:
            BadConfig: If one is stated.
        """
        if request.settings:
            problems = [f"{name}: the toy has no settings" for name in request.settings]
            raise BadConfig("engine", problems)
        return None

    def arrays(self, request: BuildCfg) -> Arrays:
        """Numpy arrays."""
        return HOST

    def build(self, request: BuildCfg, layout: Layout) -> Engine:
        """Take the numbers of the reference, and put all worlds at rest."""
        return ToyEngine(Machine(request.scene.model), request.worlds)

    def readback(self, handle: object) -> Readback:
        """What moves is as the engine holds it; frames and names are the reference's.

        Args:
            handle: The engine's machine.
        """
        if not isinstance(handle, Machine):
            raise BadArray("handle", "a machine of the toy", type(handle).__name__)
        frames = from_model(handle.frames)
        held = {
            "body_mass": handle.bodies.mass,
            "dof_armature": handle.armature,
            "dof_damping": handle.damping,
            "jnt_stiffness": handle.stiffness,
            "qpos_spring": handle.spring,
            "actuator_ctrlrange": handle.ctrlrange,
            "opt_gravity": handle.gravity[None],
            "opt_timestep": np.full((1, 1), handle.timestep),
        }
        shapes = {name: frames.values[name].shape for name in held}
        values = {name: held[name].reshape(shape) for name, shape in shapes.items()}
        return Readback(frames.names, {**frames.values, **values}, frames.pairs)


BACKEND: Backend = Toy()
"""What the entry point names."""
