"""The reference beside another engine: what follows from that engine's state.

MuJoCo's own code computes poses, velocities, tendon lengths, passive forces and the
sensors of those stages, on a copy of the model without constraints: contacts, limits,
equalities, frictionloss and accelerations are the engine's business, and nothing of
them can be read here. `unisim.backend.actuation` does the same for actuators.
"""

from collections.abc import Mapping
from copy import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.derived import Derived
from unisim.backend.fields import QUANTITIES
from unisim.backend.follower import Follower, FollowerSnapshot, locked
from unisim.errors import UnknownName

_OFF, _SENSOR = mujoco.mjtDisableBit, mujoco.mjtSensor
_VEL = int(mujoco.mjtStage.mjSTAGE_VEL)
_LIMITS = [
    int(_SENSOR.mjSENS_JOINTLIMITPOS),
    int(_SENSOR.mjSENS_JOINTLIMITVEL),
    int(_SENSOR.mjSENS_TENDONLIMITPOS),
    int(_SENSOR.mjSENS_TENDONLIMITVEL),
]
"""Sensors of distances that MuJoCo keeps in the rows of its limit constraints."""
_FOREIGN = [
    int(_SENSOR.mjSENS_CONTACT),
    int(_SENSOR.mjSENS_TOUCH),
    int(_SENSOR.mjSENS_TACTILE),
    int(_SENSOR.mjSENS_PLUGIN),
    int(_SENSOR.mjSENS_USER),
]
"""Sensors of contacts, whatever their stage, and those whose code is not MuJoCo's."""
_LATE = tuple(
    name
    for name, item in QUANTITIES.items()
    if item.stage == "acc" and name != "sensordata"
)
"""Quantities that do not follow from positions and velocities."""


class Reference(Follower):
    """What follows from the positions and velocities of n worlds.

    Attributes:
        known: Columns of `sensordata` that follow from the state: the position and
            velocity stage, without contacts, delays, plugins and callbacks. Shape
            (nsensordata,), bool.
        readable: Names of the quantities that can be read.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        worlds: int,
        threads: int = 0,
        vary: tuple[str, ...] = (),
    ) -> None:
        """Prepare the worlds, at the model's defaults; see `Follower`."""
        quiet = copy(model)
        quiet.opt.disableflags |= (
            _OFF.mjDSBL_CONTACT | _OFF.mjDSBL_EQUALITY | _OFF.mjDSBL_FRICTIONLOSS
            if np.isin(model.sensor_type, _LIMITS).any()
            else _OFF.mjDSBL_CONSTRAINT
        )
        super().__init__(quiet, worlds, threads, vary)
        self._derived = Derived(model)
        self._arrays: dict[str, Array] = {}
        self._fresh = False
        self.known = _known_columns(model)
        absent = set(_LATE)
        if model.flex_passive.any():  # its contacts push by passive forces
            absent.add("qfrc_passive")
        self.readable = tuple(name for name in QUANTITIES if name not in absent)

    def update(self, state: Mapping[str, Array], worlds: Worlds | None = None) -> None:
        """Take the engine's state; what is left out stays.

        Args:
            state: By writable quantity, shape (k, ...) for k worlds.
            worlds: Which ones, None for all.

        Raises:
            UnknownName: If there is no such quantity.
            BadArray: If an array has the wrong shape.
        """
        for name, values in state.items():
            self.write(name, values, worlds)

    def write(self, name: str, values: Array, worlds: Worlds | None = None) -> None:
        """See `Follower`."""
        super().write(name, values, worlds)
        self._fresh = False

    def reset(self, worlds: Worlds | None = None, key: int = -1) -> None:
        """See `Follower`."""
        super().reset(worlds, key)
        self._fresh = False

    def vary(self, name: str, values: Array, worlds: Worlds | None = None) -> None:
        """See `Follower`."""
        super().vary(name, values, worlds)
        self._fresh = False

    def restore(self, snapshot: FollowerSnapshot) -> None:
        """See `Follower`."""
        super().restore(snapshot)
        self._fresh = False

    def read(self, name: str) -> Array:
        """A quantity of all worlds, of the state taken last.

        Returns:
            Read-only, good until the next change. Shape (n, ...). The columns of
            `sensordata` that are not `known` are NaN.

        Raises:
            UnknownName: If it does not follow from positions and velocities.
        """
        if name in self._views:
            return locked(self._views[name])
        if name not in self.readable:
            raise UnknownName(
                "quantity that follows from the state", name, self.readable
            )
        self._refresh(self._derived.inputs[name])
        values = self._derived.read(name, self._arrays.__getitem__)
        if name == "sensordata":
            values = np.where(self.known, values, np.nan)
        return locked(values)

    def _refresh(self, inputs: tuple[str, ...]) -> None:
        new = [name for name in inputs if name not in self._arrays]
        for name in new:
            self._arrays[name] = self._batch.bind(name)
        if new or not self._fresh:
            self._batch.forward(stage=_VEL)
            self._fresh = True


def _known_columns(model: mujoco.MjModel) -> NDArray[np.bool_]:
    return np.repeat(_follows(model) & ~_delayed(model), model.sensor_dim)


def delayed_columns(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Columns of `sensordata` that follow from earlier positions and velocities."""
    on = not int(model.opt.disableflags) & int(_OFF.mjDSBL_SENSOR)
    return np.repeat(on & _follows(model) & _delayed(model), model.sensor_dim)


def _follows(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Sensors that positions and velocities tell, if all of them. Shape (nsensor,)."""
    early = np.asarray(model.sensor_needstage) <= _VEL
    return early & ~np.isin(model.sensor_type, _FOREIGN)


def _delayed(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Sensors that tell of earlier states. Shape (nsensor,)."""
    past = np.asarray(model.sensor_historyadr) >= 0
    return past | (np.asarray(model.sensor_interval)[:, 0] != 0)
