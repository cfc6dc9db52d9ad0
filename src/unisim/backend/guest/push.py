"""What is left to the reference of all that pushes, before every physics step."""

from collections.abc import Mapping

import mujoco
import numpy as np

from unisim.backend.actuation import Actuation
from unisim.backend.base import Array
from unisim.backend.reference import delayed_columns

_VEL = int(mujoco.mjtStage.mjSTAGE_VEL)
TAKEN = (
    *("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"),
    *("qfrc_applied", "xfrc_applied"),
)
"""What of the state tells the forces of the next step."""
_SINGLE = (
    *("body_gravcomp", "jnt_stiffness", "jnt_stiffnesspoly", "dof_damping"),
    *("dof_dampingpoly", "tendon_stiffness", "tendon_stiffnesspoly"),
    *("tendon_damping", "tendon_dampingpoly", "actuator_gainprm", "actuator_biasprm"),
    *("actuator_damping", "actuator_dampingpoly", "flex_damping", "flex_stiffness"),
    *("flex_bending", "flex_edgestiffness", "flex_edgedamping"),
)
"""Fields of which any that is not 0 pushes."""


class Push(Actuation):
    """Joint forces of n worlds: actuators, passive, applied forces, wrenches.

    Gravity, Coriolis forces and all constraints are the guest's. Activations and delay
    lines are kept here.

    Attributes:
        always: Whether something may push even where nothing is applied.
        delayed: Columns of `sensordata` that it remembers. Shape (nsensordata,), bool.
    """

    def __init__(
        self,
        rest: mujoco.MjModel,
        worlds: int,
        threads: int = 0,
        vary: tuple[str, ...] = (),
    ) -> None:
        """Prepare the worlds, at the model's defaults.

        Args:
            rest: The reference without what the guest does itself.
            worlds: Number of worlds n.
            threads: Threads that compute; 0 is one per processor.
            vary: Model fields that will differ between worlds.

        Raises:
            UnsupportedFeature: If the force of an actuator does not follow from state
                and controls, naming every such actuator.
        """
        super().__init__(rest, worlds, threads, vary)
        bound = ("qfrc_smooth", "qfrc_bias", "sensordata")
        self._forces |= {name: self._batch.bind(name) for name in bound}
        self.delayed = delayed_columns(rest)
        self.always = bool(
            any(np.any(getattr(rest, name)) for name in _SINGLE)
            or rest.na
            or rest.nhistory
            or any((rest.opt.density, rest.opt.viscosity))
            or set(vary) & set(_SINGLE)
        )
        self._history = _history(self.model)

    @property
    def history(self) -> Array:
        """Delay lines, a copy. Shape (n, nhistory)."""
        return self._state[:, self._history].copy()

    def step(self, state: Mapping[str, Array]) -> Array:
        """Joint forces during the next step; activations and delays advance.

        Args:
            state: The state before it, by quantity.

        Returns:
            A copy [N, N m]. Shape (n, nv).
        """
        for name in TAKEN:
            self._views[name][...] = state[name]
        self._batch.step()
        return self._pushing()

    def now(self, state: Mapping[str, Array]) -> Array:
        """The same at a state; nothing advances."""
        for name in TAKEN:
            self._views[name][...] = state[name]
        self._batch.forward()
        return self._pushing()

    def sensors(self, state: Mapping[str, Array]) -> Array:
        """`sensordata` at a state, of which the delayed columns count; a copy."""
        for name in TAKEN:
            self._views[name][...] = state[name]
        self._batch.forward(stage=_VEL)
        return self._forces["sensordata"].copy()

    @property
    def act(self) -> Array:
        """Activations. Shape (n, na)."""
        return self._views["act"]

    def _pushing(self) -> Array:
        return self._forces["qfrc_smooth"] + self._forces["qfrc_bias"]


def _history(model: mujoco.MjModel) -> slice:
    """Columns of the delay lines in MuJoCo's state rows."""
    start = 1 + model.nq + model.nv + model.na
    return slice(start, start + model.nhistory)
