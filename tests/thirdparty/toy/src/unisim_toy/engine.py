"""A running batch of worlds of bodies on hinges and slides."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import (
    Array,
    ContactReading,
    Fault,
    RawContacts,
    Snapshot,
    Worlds,
)
from unisim.backend.fields import STATE
from unisim.backend.follower import locked
from unisim.backend.reference import Reference
from unisim.errors import BadArray, NotDeclared
from unisim_toy.machine import Floats, Machine

_HUGE = 1e10
_OWN = ("userdata", "eq_active", "time")
"""What of the state no bound holds for."""


@dataclass(frozen=True)
class ToySnapshot:
    """All that the future depends on."""

    state: dict[str, Array]
    qacc: Array
    moved: NDArray[np.bool_]
    faults: NDArray[np.uint8]


class ToyEngine:
    """Implements `unisim.backend.base.Engine`."""

    def __init__(self, machine: Machine, worlds: int) -> None:
        """Put n worlds at the model's defaults."""
        self._machine, model = machine, machine.frames
        self._reference = Reference(model, worlds, 1)
        self._starts = {key: _start(model, key) for key in range(-1, model.nkey)}
        self._state = {
            name: np.tile(row, (worlds,) + (1,) * row.ndim)
            for name, row in self._starts[-1].items()
        }
        self._qacc = np.zeros((worlds, model.nv))
        self._moved = np.ones(worlds, bool)  # its acceleration is of an earlier state
        self._faults = np.zeros(worlds, np.uint8)
        self._fresh = False

    @property
    def handle(self) -> Machine:
        """The machine."""
        return self._machine

    @property
    def faults(self) -> NDArray[np.uint8]:
        """`Fault` bits per world. Shape (n,)."""
        return locked(self._faults)

    def step(self, ctrl: Array | None, count: int) -> None:
        """See `unisim.backend.base.Engine`."""
        state, dt = self._state, self._machine.timestep
        if ctrl is not None:
            state["ctrl"][...] = ctrl
        with np.errstate(all="ignore"):  # in faulted worlds
            for _ in range(count):
                inertia, force = self._dynamics()
                self._qacc[...] = np.linalg.solve(inertia, force)[..., 0]
                # MuJoCo's Euler takes the dampers' force at the end of the step
                inertia += dt * np.diag(self._machine.damping)
                state["qvel"] += dt * np.linalg.solve(inertia, force)[..., 0]
                state["qpos"] += dt * state["qvel"]
                state["time"] += dt
        self._moved[:] = False
        self._fresh = False
        self._check()

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.base.Engine`."""
        for name, values in self._starts[key].items():
            self._state[name][_where(worlds)] = values
        self._faults[_where(worlds)] = 0
        self._touch(worlds)

    def read(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`."""
        if name in self._state:
            return locked(self._state[name])
        if name == "qacc":
            self._refresh()
            return locked(self._qacc)
        if name == "qfrc_actuator":
            return locked(self._machine.motors(self._sane_ctrl()))
        if name == "actuator_force":
            return locked(self._actuator_force())
        if name == "qfrc_constraint":
            return locked(np.zeros_like(self._qacc))
        if not self._fresh:
            self._reference.update(self._state)
            self._fresh = True
        return self._reference.read(name)

    def write(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        self._state[name][_where(worlds)] = values
        self._touch(worlds)
        self._check()

    def contact(self, query: int) -> ContactReading:
        """See `unisim.backend.base.Engine`: the manifest declares no queries."""
        raise NotDeclared("Contact query", str(query), "The toy has no contacts.")

    def raw_contacts(self, world: int) -> RawContacts:
        """See `unisim.backend.base.Engine`: nothing ever touches."""
        none = np.zeros((0, 3))
        return RawContacts(np.zeros((0, 2), np.int32), none[:, 0], none, none, none)

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`: the manifest declares no fields."""
        raise NotDeclared("Field", name, "In the toy, nothing varies.")

    def varied(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`: the manifest declares no fields."""
        raise NotDeclared("Field", name, "In the toy, nothing varies.")

    def snapshot(self) -> ToySnapshot:
        """See `unisim.backend.base.Engine`."""
        state = {name: values.copy() for name, values in self._state.items()}
        rest = (self._qacc, self._moved, self._faults)
        return ToySnapshot(state, *(array.copy() for array in rest))

    def restore(self, snapshot: Snapshot) -> None:
        """See `unisim.backend.base.Engine`."""
        if not isinstance(snapshot, ToySnapshot):
            raise BadArray("snapshot", "one of the toy", type(snapshot).__name__)
        for name, values in snapshot.state.items():
            self._state[name][...] = values
        self._qacc[...] = snapshot.qacc
        self._moved[...] = snapshot.moved
        self._faults[...] = snapshot.faults
        self._fresh = False

    def close(self) -> None:
        """See `unisim.backend.base.Engine`: nothing to free."""

    def _dynamics(self) -> tuple[Floats, Floats]:
        """Inertia, and everything that pushes. Shapes (n, nv, nv) and (n, nv, 1)."""
        state, machine = self._state, self._machine
        moving = state["qpos"], state["qvel"]
        inertia, force = machine.dynamics(*moving, state["xfrc_applied"])
        force += machine.passive(*moving) + machine.motors(self._sane_ctrl())
        return inertia, (force + state["qfrc_applied"])[..., None]

    def _sane_ctrl(self) -> Floats:
        """Controls, none where one of the world's is beyond all bounds."""
        ctrl = self._state["ctrl"]
        sane = (np.abs(ctrl) < _HUGE).all(axis=1, keepdims=True)
        return np.where(sane, ctrl, 0.0)

    def _actuator_force(self) -> Floats:
        gains = self._machine.frames.actuator_gainprm[:, 0]
        low, high = self._machine.ctrlrange.T
        return gains * np.clip(self._sane_ctrl(), low, high)

    def _refresh(self) -> None:
        """Give worlds that were reset or written the acceleration of their state."""
        if self._moved.any():
            with np.errstate(all="ignore"):
                qacc = np.linalg.solve(*self._dynamics())[..., 0]
            self._qacc[self._moved] = qacc[self._moved]
            self._moved[:] = False

    def _touch(self, worlds: Worlds | None) -> None:
        self._moved[_where(worlds)] = True
        self._fresh = False

    def _check(self) -> None:
        for name, values in self._state.items():
            if name not in _OWN:
                fault = Fault.CONTROL if name == "ctrl" else Fault.STATE
                sound = np.abs(values.reshape(len(values), -1)) < _HUGE
                self._faults[~sound.all(axis=1)] |= int(fault)


def _where(worlds: Worlds | None) -> Worlds | slice:
    return slice(None) if worlds is None else worlds


def _start(model: mujoco.MjModel, key: int) -> dict[str, Floats]:
    """The state that a reset returns to."""
    data = mujoco.MjData(model)
    if key >= 0:
        mujoco.mj_resetDataKeyframe(model, data, key)
    return {name: np.array(getattr(data, name), np.float64) for name in STATE}
