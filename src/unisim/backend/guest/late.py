"""What belongs to accelerations, by MuJoCo's own code, of those that a guest made.

The guest tells the velocity after a step and its contacts. The reference, without
constraints, is given the joint force that makes it accelerate so: accelerometers, force
sensors and joint forces then are those of the guest's motion.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.follower import Follower
from unisim.backend.guest.guest import Contacts
from unisim.backend.guest.push import TAKEN

_SENSOR = mujoco.mjtSensor
_WRENCHED = (int(_SENSOR.mjSENS_FORCE), int(_SENSOR.mjSENS_TORQUE))
"""Sensors that feel contacts otherwise than by accelerations."""
READ = ("qacc", "qfrc_actuator", "actuator_force", "sensordata")


@dataclass(frozen=True)
class Step:
    """The last physics step of n worlds.

    Attributes:
        before: What of the state told its forces, by quantity. Shape (n, ...).
        history: Delay lines before it. Shape (n, nhistory).
        qvel: Velocities after it. Shape (n, nv).
    """

    before: Mapping[str, Array]
    history: Array
    qvel: Array


class Late(Follower):
    """Quantities of the acceleration stage of n worlds.

    Attributes:
        columns: Columns of `sensordata` of this stage. Shape (nsensordata,), bool.
        wrenched: Whether a sensor feels the wrenches of contacts.
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
        quiet.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        super().__init__(quiet, worlds, threads, vary)
        bound = (*READ, "M", "qfrc_smooth", "xipos")
        self._arrays = {name: self._batch.bind(name) for name in bound}
        start = 1 + model.nq + model.nv + model.na
        self._history = slice(start, start + model.nhistory)
        self._inertia = _Inertia(model)
        stage = np.repeat(model.sensor_needstage, model.sensor_dim)
        self.columns = stage == int(mujoco.mjtStage.mjSTAGE_ACC)
        self.wrenched = bool(np.isin(model.sensor_type, _WRENCHED).any())
        self._body = np.asarray(model.geom_bodyid, np.int64)
        self._timestep = float(model.opt.timestep)

    def of(
        self, step: Step, implicit: Array, contacts: Contacts | None
    ) -> dict[str, Array]:
        """All quantities of this stage.

        Args:
            step: The step.
            implicit: Damping that the guest's integrator takes at the end of a step,
                MuJoCo's `qacc` at its start [N m s/rad or N s/m]. Shape (n, nv).
            contacts: Its contacts, where a sensor feels their wrenches.

        Returns:
            By quantity, shape (n, ...), `qfrc_constraint` too.
        """
        with np.errstate(invalid="ignore", over="ignore"):  # faults have worlds
            constraint = self._solve(step, implicit, contacts)
        found = {name: self._arrays[name].copy() for name in READ}
        return {**found, "qfrc_constraint": constraint}

    def _solve(
        self, step: Step, implicit: Array, contacts: Contacts | None
    ) -> NDArray[np.float64]:
        """Make the reference accelerate as a step did; what constraints did to it."""
        for name in TAKEN:
            self._views[name][...] = step.before[name]
        self._state[:, self._history] = step.history
        self._batch.forward()
        change = (step.qvel - self._views["qvel"]) / self._timestep
        # M qacc, as MuJoCo's forces at the start of the step would have it
        moved = self._inertia.times(self._arrays["M"], change)
        moved += self._timestep * implicit * change
        constraint = moved - self._arrays["qfrc_smooth"]
        if contacts is not None:
            self._views["xfrc_applied"] += self._wrenches(contacts)
            self._batch.forward()
        self._views["qfrc_applied"] += moved - self._arrays["qfrc_smooth"]
        self._batch.forward()
        return constraint

    def _wrenches(self, contacts: Contacts) -> NDArray[np.float64]:
        """Wrenches of contacts about centres of mass. Shape (n, nbody, 6)."""
        found = np.zeros(self._views["xfrc_applied"].shape)
        centre = self._arrays["xipos"]
        for side, sign in ((0, -1.0), (1, 1.0)):
            body, force = self._body[contacts.geoms[:, side]], sign * contacts.force
            arm = contacts.pos - centre[contacts.world, body]
            wrench = np.concatenate([force, np.cross(arm, force)], axis=1)
            np.add.at(found, (contacts.world, body), wrench)
        return found


class _Inertia:
    """Products with MuJoCo's sparse inertia matrix."""

    def __init__(self, model: mujoco.MjModel) -> None:
        row = np.repeat(np.arange(model.nv), model.M_rownnz)
        column = np.asarray(model.M_colind)[: len(row)]
        below = np.flatnonzero(row != column)
        # each entry below the diagonal stands for two
        rows = np.concatenate([row, column[below]])
        order = np.argsort(rows, kind="stable")
        self._entry = np.concatenate([np.arange(len(row)), below])[order]
        self._other = np.concatenate([column, row[below]])[order]
        self._starts = np.searchsorted(rows[order], np.arange(model.nv))

    def times(self, matrix: Array, vector: Array) -> NDArray[np.float64]:
        """Shape (n, nv)."""
        if not len(self._starts):
            return np.zeros(vector.shape)
        terms = matrix[:, self._entry] * vector[:, self._other]
        return np.add.reduceat(terms, self._starts, axis=1)
