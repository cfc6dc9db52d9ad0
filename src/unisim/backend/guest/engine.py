"""The whole contract of an engine around a guest that moves worlds.

Positions and velocities are the guest's. What follows from them the reference computes;
what belongs to accelerations follows from the velocities that the guest ended a step
with, and from its contacts.
"""

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import (
    Array,
    BuildCfg,
    ContactReading,
    Fault,
    RawContacts,
    Snapshot,
    Worlds,
)
from unisim.backend.fields import QUANTITIES, STATE
from unisim.backend.follower import locked
from unisim.backend.guest.guest import Contacts, Guest, Inputs
from unisim.backend.guest.late import Step
from unisim.backend.guest.push import TAKEN, Push
from unisim.backend.guest.queries import of_query
from unisim.backend.guest.senses import Senses
from unisim.backend.guest.state import GuestSnapshot, either, merged, start, where
from unisim.backend.layout import Layout
from unisim.errors import BadArray

HUGE = 1e10
_WATCHED = {
    name: Fault.CONTROL if name == "ctrl" else Fault.STATE
    for name in STATE
    if name not in {"time", "eq_active", "userdata"}
}
_MOVING = ("qpos", "qvel")
_LATE = tuple(name for name, item in QUANTITIES.items() if item.stage == "acc")


@dataclass(frozen=True)
class Parts:
    """What a guest engine is made of.

    Attributes:
        guest: Moves the worlds; they are at the model's defaults.
        rest: The reference without what the guest does itself.
        implicit: Damping of each dof that the guest's integrator takes at the end of a
            step: MuJoCo's `qacc` is of its start. Shape (nv,).
        braking: The same of each world, as it was in the last step, where a guest
            lets it come and go. Shape (n, nv).
    """

    guest: Guest
    rest: mujoco.MjModel
    implicit: NDArray[np.float64]
    braking: Callable[[], Array] | None = None


class GuestEngine:
    """Implements `unisim.backend.base.Engine` on a guest."""

    def __init__(self, parts: Parts, request: BuildCfg, layout: Layout) -> None:
        """Take over a guest, its worlds at the model's defaults.

        Raises:
            UnknownName: If a contact query names what the scene does not have.
            UnsupportedFeature: If the force of an actuator that is left to the
                reference does not follow from state and controls.
        """
        model, worlds = request.scene.model, request.worlds
        self._model, self._guest = model, parts.guest
        self._dtype = np.dtype(request.dtype)
        self._push = Push(parts.rest, worlds, 0, request.vary)
        self._senses = Senses(model, worlds, request.vary)
        self._queries = [of_query(x, model, layout) for x in request.contacts]
        self._starts = {key: start(model, key) for key in range(-1, model.nkey)}
        self._state = {
            name: np.tile(row.astype(self._type(name)), (worlds, *[1] * row.ndim))
            for name, row in self._starts[-1].items()
        }
        self._handed = {name: locked(array) for name, array in self._state.items()}
        self._implicit = np.tile(parts.implicit, (worlds, 1))
        self._braking = parts.braking
        own = np.asarray(model.dof_damping) - np.asarray(parts.rest.dof_damping)
        self._bare = parts.implicit - own  # of what is no damper of a joint
        self._faults = np.zeros(worlds, np.uint8)
        self._handed_faults = locked(self._faults)
        self._moved = np.ones(worlds, bool)  # written since the guest was told
        self._stale = np.ones(worlds, bool)  # its last step is of an earlier state
        self._last = self._now()
        self._contacts: Contacts | None = None
        # whether anything but a debug read asks for contacts
        self._wanted = bool(self._queries) or self._senses.feel

    @property
    def handle(self) -> object:
        """The guest's own objects."""
        return self._guest.handle

    @property
    def faults(self) -> NDArray[np.uint8]:
        """`Fault` bits per world. Shape (n,)."""
        return self._handed_faults

    def converge(self, *, whatever: bool) -> None:
        """See `unisim.backend.base.Converges`: a guest's solver always runs to its end.

        The reference it is compared with has to, as well.
        """

    def step(self, ctrl: Array | None, count: int) -> None:
        """See `unisim.backend.base.Engine`."""
        state = self._state
        if ctrl is not None:
            state["ctrl"][...] = ctrl
        self._tell()
        sound = self._sound()
        pushing = self._push.always or self._applied()
        if not pushing and count > 1:
            self._advance(count - 1, None, sound)
        for i in range(count if pushing else 1):
            if not pushing or i == count - 1:
                self._last = self._now()
            push = self._push.step(state) if pushing else None
            self._advance(1, push, sound)
            if pushing:
                state["act"][...] = self._push.act
                sound = self._still(sound)
        self._last = Step(self._last.before, self._last.history, state["qvel"].copy())
        self._stale[:] = False
        self._forget()
        self._check()

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.base.Engine`."""
        rows = where(worlds)
        for name, row in self._starts[key].items():
            self._state[name][rows] = row
        self._push.reset(worlds, key)
        self._faults[rows] = 0
        self._touch(worlds, moved=True)

    def read(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`."""
        if name in self._handed:
            return self._handed[name]
        if name in _LATE:
            values = self._late_values(name)
        else:
            values = self._senses.early(name, self._state)
        return locked(values.astype(self._dtype, copy=False))

    def write(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        self._state[name][where(worlds)] = values
        self._touch(worlds, moved=name in _MOVING)
        self._check()

    def contact(self, query: int) -> ContactReading:
        """See `unisim.backend.base.Engine`."""
        contacts = self._all_contacts()
        return self._queries[query].read(contacts, len(self._faults), self._dtype.name)

    def raw_contacts(self, world: int) -> RawContacts:
        """See `unisim.backend.base.Engine`."""
        if self._wanted:
            self._all_contacts()  # of the last step, before they are overwritten
        worlds = np.array([world], np.int32)
        self._tell()
        if self._sound()[world]:
            self._guest.forward(self._inputs(self._pushes_now()), worlds)
        found = self._guest.contacts(worlds)
        parts = (found.dist, found.pos, found.normal, found.force)
        floats = [locked(part.astype(self._dtype)) for part in parts]
        return RawContacts(locked(found.geoms), *floats)

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """See `unisim.backend.base.Engine`."""
        left = self._guest.vary(name, values, worlds)
        self._push.vary(name, left, worlds)
        self._senses.vary(name, values, worlds)
        if name == "dof_damping":
            self._implicit[where(worlds)] = values - left + self._bare
        self._touch(worlds, moved=False)

    def varied(self, name: str) -> Array:
        """See `unisim.backend.base.Engine`."""
        return locked(
            self._senses.reference.varied(name).astype(self._dtype, copy=False)
        )

    def snapshot(self) -> GuestSnapshot:
        """See `unisim.backend.base.Engine`."""
        self._tell()
        last = self._last
        return GuestSnapshot(
            {name: values.copy() for name, values in self._state.items()},
            Step(last.before, last.history.copy(), last.qvel.copy()),
            self._all_contacts() if self._wanted else None,
            self._stale.copy(),
            self._moved.copy(),
            self._faults.copy(),
            {x: y.copy() for x, y in self._senses.reference.all_varied.items()},
            self._push.snapshot(),
            self._guest.save(),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """See `unisim.backend.base.Engine`."""
        if not isinstance(snapshot, GuestSnapshot):
            raise BadArray("snapshot", "one of this engine", type(snapshot).__name__)
        for name, values in snapshot.varied.items():
            self.vary(name, values, None)
        for name, values in snapshot.state.items():
            self._state[name][...] = values
        self._last, self._stale[...] = snapshot.last, snapshot.stale
        self._moved[...], self._faults[...] = snapshot.moved, snapshot.faults
        self._push.restore(snapshot.push)
        self._guest.restore(snapshot.guest)
        self._forget()
        self._contacts = snapshot.contacts

    def close(self) -> None:
        """See `unisim.backend.base.Engine`."""
        self._guest.close()
        vars(self).clear()

    def _type(self, name: str) -> np.dtype[np.floating]:
        return np.dtype(np.float64) if name == "time" else self._dtype

    def _applied(self) -> bool:
        state = self._state
        return bool(state["qfrc_applied"].any() or state["xfrc_applied"].any())

    def _now(self) -> Step:
        """The state as that before a step, whose end is not known yet."""
        before = {name: self._state[name].copy() for name in TAKEN}
        return Step(before, self._push.history, before["qvel"])

    def _sound(self) -> NDArray[np.bool_]:
        """Worlds that can be advanced. Shape (n,)."""
        return (self._faults & int(Fault.STATE)) == 0

    def _still(self, sound: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Those of them that still can, between two steps."""
        moving = [self._state[name] for name in (*_MOVING, "act")]
        for values in moving:
            if not np.abs(values).max(initial=0.0) < HUGE:
                sound = sound & (np.abs(values) < HUGE).all(axis=1)
        return sound

    def _tell(self) -> None:
        """Give the guest what was written."""
        if self._moved.any():
            state = self._state
            told = self._moved & self._still(np.ones(len(self._moved), bool))
            worlds = np.flatnonzero(told).astype(np.int32)
            if len(worlds):
                self._guest.put(state["qpos"][worlds], state["qvel"][worlds], worlds)
            self._moved[told] = False

    def _inputs(self, push: Array | None) -> Inputs:
        state = self._state
        ctrl = state["ctrl"]
        if not np.abs(ctrl).max(initial=0.0) < HUGE:  # MuJoCo's rule: none of them
            ctrl = np.where((np.abs(ctrl) < HUGE).all(axis=1, keepdims=True), ctrl, 0.0)
        poses = state["mocap_pos"], state["mocap_quat"]
        return Inputs(ctrl, push, *poses, state["eq_active"])

    def _advance(
        self, count: int, push: Array | None, sound: NDArray[np.bool_]
    ) -> None:
        """Some steps of the guest; what it cannot advance keeps its state."""
        state, guest = self._state, self._guest
        worlds = None if sound.all() else np.flatnonzero(sound).astype(np.int32)
        guest.step(self._inputs(push), count, worlds)
        rows = where(worlds)
        state["qpos"][rows] = guest.qpos[rows]
        state["qvel"][rows] = guest.qvel[rows]
        for _ in range(count):
            state["time"] += self._model.opt.timestep

    def _pushes_now(self) -> Array | None:
        return (
            self._push.now(self._state)
            if self._push.always or self._applied()
            else None
        )

    def _refresh(self) -> None:
        """Give worlds that were reset or written the step that they would make."""
        if not self._stale.any():
            return
        self._tell()
        last, now, stale = self._last, self._now(), self._stale
        kept = self._contacts
        if self._wanted and kept is None and not stale.all():
            kept = self._guest.contacts(None)
        worlds = np.flatnonzero(stale & self._sound()).astype(np.int32)
        qvel = self._state["qvel"].copy()
        if len(worlds):
            qvel[worlds] = self._guest.forward(self._inputs(self._pushes_now()), worlds)
        if self._wanted:
            fresh = self._guest.contacts(worlds)
            self._contacts = fresh if kept is None else merged(kept, fresh, ~stale)
        self._last = Step(
            {x: either(stale, now.before[x], last.before[x]) for x in TAKEN},
            either(stale, now.history, last.history),
            either(stale, qvel, last.qvel),
        )
        stale[:] = False
        self._senses.forget()

    def _all_contacts(self) -> Contacts:
        """Those of the last step, or of a forward pass, of all worlds."""
        self._refresh()
        if self._contacts is None:
            self._contacts = self._guest.contacts(None)
        return self._contacts

    def _late_values(self, name: str) -> Array:
        self._refresh()
        contacts = self._all_contacts() if self._senses.feel else None
        implicit = self._implicit if self._braking is None else self._braking()
        values = self._senses.late(name, self._last, implicit, contacts)
        if name != "sensordata":
            return values
        values, past = self._senses.sensors(self._state, contacts), self._push.delayed
        if past.any():
            values[:, past] = self._push.sensors(self._state)[:, past]
        return values

    def _touch(self, worlds: Worlds | None, *, moved: bool) -> None:
        if self._wanted and self._contacts is None and not self._stale.all():
            self._contacts = self._guest.contacts(None)
        self._stale[where(worlds)] = True
        if moved:
            self._moved[where(worlds)] = True
        self._senses.forget()

    def _forget(self) -> None:
        self._contacts = None
        self._senses.forget()

    def _check(self) -> None:
        for name, fault in _WATCHED.items():
            values = self._state[name]
            if not np.abs(values).max(initial=0.0) < HUGE:
                sound = (np.abs(values) < HUGE).reshape(len(values), -1).all(axis=1)
                self._faults[~sound] |= int(fault)
