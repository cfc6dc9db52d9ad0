"""Model fields that differ between worlds, as the engine's overrides."""

from collections.abc import Callable, Iterator

import motrixsim as mx
import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.motrix.acting import BRAKE, DAMPER
from unisim.backend.motrix.parts import Handle

Rows = NDArray[np.int64]
Numbers = NDArray[np.float32]
_PRINCIPAL = ("body_inertia", "body_iquat")


class Varied:
    """Values of the declared fields of n worlds, and how the engine takes them."""

    def __init__(
        self,
        handle: Handle,
        reference: mujoco.MjModel,
        worlds: int,
        vary: tuple[str, ...],
    ) -> None:
        """Start from the reference's values."""
        self._share, self._shift = handle.share, handle.shift
        self._held = handle.model
        self._model = reference
        names = set(vary)
        if names & set(_PRINCIPAL):
            names |= set(_PRINCIPAL)
        self._values: dict[str, NDArray[np.float64]] = {}
        for name in sorted(names):
            source = reference.opt if name.startswith("opt.") else reference
            value = np.asarray(getattr(source, name.removeprefix("opt.")), np.float64)
            self._values[name] = np.tile(value, (worlds,) + (1,) * value.ndim)

    def set(self, name: str, values: Array, rows: Rows) -> Array:
        """Keep the values of some worlds.

        Returns:
            What is left of them to the reference. Shape (k, ...).
        """
        self._values[name][rows] = values
        left = np.array(values)
        share = self._share
        if name == "dof_damping":
            left[:, share.dampers] = 0
        elif name in ("actuator_gainprm", "actuator_biasprm"):
            left[:, share.actuators] = 0
        if name == "actuator_biasprm":
            left[:, share.brakes, 2] = 0
        return left

    def of(self, name: str) -> NDArray[np.float64] | None:
        """Values of all worlds, None if they do not differ. Shape (n, ...)."""
        return self._values.get(name)

    def apply(self, held: mx.SceneModel, data: mx.SceneData) -> None:
        """Give all values to worlds of a model of the engine's."""
        self._held = held
        for name, values in self._values.items():
            _GIVE[name](self, data, values.astype(np.float32))

    def mass(self, data: mx.SceneData, values: Numbers) -> None:
        """Masses of bodies. Shape (n, nbody)."""
        for row, link in self._links():
            link.set_mass_override(data, _column(values, row))

    def centre(self, data: mx.SceneData, values: Numbers) -> None:
        """Centres of mass. Shape (n, nbody, 3)."""
        for row, link in self._links():
            link.set_center_of_mass_override(data, _column(values, row))

    def inertia(self, data: mx.SceneData, values: Numbers) -> None:
        """Moments of inertia, about axes that may vary too. Shape (n, nbody, 3)."""
        del values
        moments, quats = (self._values[name] for name in _PRINCIPAL)
        frame = np.zeros(9)
        for row, link in self._links():
            full = np.zeros((len(moments), 6), np.float32)
            for world in range(len(moments)):
                mujoco.mju_quat2Mat(frame, quats[world, row])
                axes = frame.reshape(3, 3)
                matrix = axes * moments[world, row] @ axes.T
                full[world] = matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            link.set_inertia_override(data, full)

    def friction(self, data: mx.SceneData, values: Numbers) -> None:
        """Friction of geoms. Shape (n, ngeom, 3)."""
        for geom in self._held.geoms:
            row = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_GEOM, geom.name)
            geom.set_friction_override(data, _column(values, row))

    def armature(self, data: mx.SceneData, values: Numbers) -> None:
        """Rotor inertias. Shape (n, nv)."""
        for joint in self._held.joints:
            joint.set_armature_override(data, _column(values, joint.dof_vel_index))

    def loss(self, data: mx.SceneData, values: Numbers) -> None:
        """Dry friction of joints. Shape (n, nv)."""
        for joint in self._held.joints:
            joint.set_frictionloss_override(data, _column(values, joint.dof_vel_index))

    def damping(self, data: mx.SceneData, values: Numbers) -> None:
        """Damping of dofs. Shape (n, nv)."""
        for item in self._held.actuators:
            name = str(item.name)
            if name.startswith(DAMPER) and isinstance(item, mx.GeneralActuator):
                dof = int(name.removeprefix(DAMPER))
                item.set_damping_override(data, _column(values, dof))

    def gain(self, data: mx.SceneData, values: Numbers) -> None:
        """Gains of actuators. Shape (n, nactuator, ...)."""
        for row, item in self._drives():
            item.set_gain_override(data, _column(values[..., 0], row))

    def bias(self, data: mx.SceneData, values: Numbers) -> None:
        """Biases of actuators. Shape (n, nactuator, ...)."""
        for row, item in self._drives():
            constant = values[..., 0] + values[..., 1] * self._shift.drives
            item.set_bias_override(data, _column(constant, row))
            item.set_stiffness_override(data, _column(-values[..., 1], row))
            item.set_damping_override(data, _column(-values[..., 2], row))
        for item in self._held.actuators:
            name = str(item.name)
            if name.startswith(BRAKE) and isinstance(item, mx.GeneralActuator):
                row = int(name.removeprefix(BRAKE))
                item.set_damping_override(data, _column(-values[..., 2], row))

    def gravity(self, data: mx.SceneData, values: Numbers) -> None:
        """Gravity. Shape (n, 3)."""
        self._held.set_gravity_override(data, values)

    def _links(self) -> Iterator[tuple[int, mx.Link]]:
        body = mujoco.mjtObj.mjOBJ_BODY
        for link in self._held.links:
            row = mujoco.mj_name2id(self._model, body, link.name)
            if self._model.body_weldid[row]:
                yield row, link

    def _drives(self) -> Iterator[tuple[int, mx.GeneralActuator]]:
        for row in np.flatnonzero(self._share.actuators).tolist():
            item = self._held.get_actuator(self._model.actuator(row).name)
            if isinstance(item, mx.GeneralActuator):
                yield row, item


_Give = Callable[[Varied, mx.SceneData, Numbers], None]
_GIVE: dict[str, _Give] = {
    "body_mass": Varied.mass,
    "body_ipos": Varied.centre,
    "body_inertia": Varied.inertia,
    "body_iquat": Varied.inertia,
    "geom_friction": Varied.friction,
    "dof_armature": Varied.armature,
    "dof_frictionloss": Varied.loss,
    "dof_damping": Varied.damping,
    "actuator_gainprm": Varied.gain,
    "actuator_biasprm": Varied.bias,
    "opt.gravity": Varied.gravity,
}
"""How the engine takes each field that it lets differ."""


def _column(values: Numbers, row: int) -> Numbers:
    return np.ascontiguousarray(values[:, row], np.float32)
