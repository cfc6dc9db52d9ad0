"""A running batch of worlds in which no force moves anything."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.actuation import Actuation
from unisim.backend.base import (
    Array,
    BuildCfg,
    ContactReading,
    Fault,
    RawContacts,
    Snapshot,
    Worlds,
)
from unisim.backend.fake.cfg import FakeCfg
from unisim.backend.fields import STATE
from unisim.backend.follower import FollowerSnapshot, locked
from unisim.backend.reference import Reference
from unisim.errors import BadArray

_HUGE = 1e10
_WIDTHS = {"force": 3, "torque": 3, "dist": 1, "pos": 3, "normal": 3, "tangent": 3}
_NONE = ("qacc", "qfrc_constraint")
"""What is 0 where velocities are held and nothing touches."""
_FORCES = ("qfrc_actuator", "actuator_force")
_WATCHED = {
    "qpos": Fault.STATE,
    "qvel": Fault.STATE,
    "act": Fault.STATE,
    "ctrl": Fault.CONTROL,
    "qfrc_applied": Fault.STATE,
    "xfrc_applied": Fault.STATE,
    "mocap_pos": Fault.STATE,
    "mocap_quat": Fault.STATE,
}


@dataclass(frozen=True)
class FakeSnapshot:
    """Everything that the future of a fake engine depends on."""

    state: dict[str, Array]
    forces: dict[str, Array]
    moved: NDArray[np.bool_]
    faults: NDArray[np.uint8]
    age: NDArray[np.int64]
    actuation: FollowerSnapshot
    reference: FollowerSnapshot


class FakeEngine:
    """Implements `unisim.backend.base.Engine` without physics."""

    def __init__(
        self, model: mujoco.MjModel, request: BuildCfg, settings: FakeCfg
    ) -> None:
        """Put all worlds at the model's defaults.

        Args:
            model: A model of our own.
            request: What was asked for.
            settings: When to fault.
        """
        worlds = request.worlds
        self._model, self._settings = model, settings
        self._contacts = request.contacts
        self._reference = Reference(model, worlds, 1, request.vary)
        self._actuation = Actuation(model, worlds, 1, request.vary)
        dtype = np.dtype(request.dtype)
        self._state = {
            name: np.tile(row.astype(_type(name, dtype)), (worlds,) + row.ndim * (1,))
            for name, row in _start(model, -1).items()
        }
        sizes = {"qfrc_actuator": model.nv, "actuator_force": model.nout}
        self._forces = {
            name: np.zeros((worlds, sizes[name]), dtype) for name in _FORCES
        }
        self._zeros = locked(np.zeros((worlds, model.nv), dtype))
        self._faults = np.zeros(worlds, np.uint8)
        self._age = np.zeros(worlds, np.int64)  # physics steps since the last reset
        self._moved = np.ones(worlds, bool)  # forces belong to an earlier state
        self._fresh = False  # whether the reference has the state

    @property
    def handle(self) -> mujoco.MjModel:
        """The engine's model."""
        return self._model

    @property
    def faults(self) -> NDArray[np.uint8]:
        """`Fault` bits per world. Shape (n,)."""
        return locked(self._faults)

    def inject(self, world: int, fault: Fault = Fault.INJECTED) -> None:
        """Fault a world until it is reset."""
        self._faults[world] |= int(fault)

    def step(self, ctrl: Array | None, count: int) -> None:
        """See `unisim.backend.base.Engine`."""
        if ctrl is not None:
            self._state["ctrl"][...] = ctrl
        for _ in range(count):
            self._substep()
        self._fresh = False
        self._check()

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.base.Engine`."""
        where = _where(worlds)
        for name, row in _start(self._model, key).items():
            self._state[name][where] = row
        self._actuation.reset(worlds, key)
        self._faults[where] = 0
        self._age[where] = 0
        self._touch(worlds)

    def read(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`."""
        if name in self._state:
            return locked(self._state[name])
        if name in _NONE:
            return self._zeros
        if name in _FORCES:
            self._refresh_forces()
            return locked(self._forces[name])
        if not self._fresh:
            self._reference.update(self._state)
            self._fresh = True
        values = self._reference.read(name)
        return locked(values.astype(self._zeros.dtype, copy=False))

    def write(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        self._state[name][_where(worlds)] = values
        if name in {"act", "time"}:
            self._actuation.write(name, values, worlds)
        self._touch(worlds)
        self._check()

    def contact(self, query: int) -> ContactReading:
        """See `unisim.backend.base.Engine`: nothing ever touches."""
        item, worlds = self._contacts[query], len(self._faults)
        fields = {
            name: locked(
                np.zeros((worlds, item.slots, _WIDTHS[name]), self._zeros.dtype)
            )
            for name in item.fields
        }
        return ContactReading(
            np.zeros(worlds, np.int64), np.zeros(worlds, bool), fields
        )

    def raw_contacts(self, world: int) -> RawContacts:  # noqa: ARG002
        """See `unisim.backend.base.Engine`: nothing ever touches."""
        dtype = self._zeros.dtype
        none = np.zeros((0, 3), dtype)
        return RawContacts(
            np.zeros((0, 2), np.int32), np.zeros(0, dtype), none, none, none
        )

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        self._reference.vary(name, values, worlds)
        self._actuation.vary(name, values, worlds)
        self._touch(worlds)

    def varied(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`."""
        return self._reference.varied(name)

    def snapshot(self) -> FakeSnapshot:
        """See `unisim.backend.base.Engine`."""
        return FakeSnapshot(
            {name: values.copy() for name, values in self._state.items()},
            {name: values.copy() for name, values in self._forces.items()},
            self._moved.copy(),
            self._faults.copy(),
            self._age.copy(),
            self._actuation.snapshot(),
            self._reference.snapshot(),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """See `unisim.backend.base.Engine`."""
        if not isinstance(snapshot, FakeSnapshot):
            raise BadArray("snapshot", "one of this engine", type(snapshot).__name__)
        for name, values in snapshot.state.items():
            self._state[name][...] = values
        for name, values in snapshot.forces.items():
            self._forces[name][...] = values
        self._moved[...] = snapshot.moved
        self._faults[...] = snapshot.faults
        self._age[...] = snapshot.age
        self._actuation.restore(snapshot.actuation)
        self._reference.restore(snapshot.reference)
        self._fresh = False

    def close(self) -> None:
        """See `unisim.backend.base.Engine`: nothing to free."""

    def _substep(self) -> None:
        """Actuators act on nothing, positions follow the velocities."""
        state, dt = self._state, self._model.opt.timestep
        force, act = self._actuation.advance(
            state["qpos"], state["qvel"], state["ctrl"]
        )
        self._forces["qfrc_actuator"][...] = force
        self._forces["actuator_force"][...] = self._actuation.actuator_force
        self._moved[:] = False
        state["act"][...] = act
        qpos = state["qpos"].astype(np.float64)
        qvel = state["qvel"].astype(np.float64)
        for world in range(len(qpos)):
            mujoco.mj_integratePos(self._model, qpos[world], qvel[world], dt)
        state["qpos"][...] = qpos
        state["time"] += dt
        self._age += 1
        world = self._settings.fault_world
        if world is not None and self._age[world] == self._settings.fault_after:
            self.inject(world)

    def _touch(self, worlds: Worlds | None) -> None:
        self._moved[_where(worlds)] = True
        self._fresh = False

    def _refresh_forces(self) -> None:
        """Give the worlds that were reset or written the forces of a forward pass."""
        if self._moved.any():
            state, moved = self._state, self._moved
            force = self._actuation.forces(state["qpos"], state["qvel"], state["ctrl"])
            self._forces["qfrc_actuator"][moved] = force[moved]
            force = self._actuation.actuator_force
            self._forces["actuator_force"][moved] = force[moved]
            moved[:] = False

    def _check(self) -> None:
        for name, fault in _WATCHED.items():
            bounded = np.abs(self._state[name]) < _HUGE  # False for NaN
            bounded = bounded.reshape(len(bounded), -1)
            self._faults[~bounded.all(axis=1)] |= int(fault)


def _where(worlds: Worlds | None) -> Worlds | slice:
    return slice(None) if worlds is None else worlds


def _type(name: str, dtype: np.dtype[np.floating]) -> np.dtype[np.floating]:
    return np.dtype(np.float64) if name == "time" else dtype


def _start(model: mujoco.MjModel, key: int) -> dict[str, NDArray[np.float64]]:
    """The state that a reset returns to, by quantity."""
    data = mujoco.MjData(model)
    if key >= 0:
        mujoco.mj_resetDataKeyframe(model, data, key)
    return {name: np.array(getattr(data, name), np.float64) for name in STATE}
