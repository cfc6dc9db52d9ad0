"""Moves many worlds with MotrixSim, in unisim's layout."""

from collections.abc import Callable, Iterator
from typing import cast

import motrixsim as mx
import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.guest.guest import Contacts, Inputs
from unisim.backend.motrix.order import Order
from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.plant import Plant
from unisim.backend.motrix.share import damping_of
from unisim.backend.motrix.stage import Stage, together, variant
from unisim.backend.motrix.varied import Varied

Rows = NDArray[np.int64]
State = tuple[Array, Array]
_MOST = 8
"""Resets of some worlds until all of them are solved from scratch once."""


class MotrixGuest:
    """Implements `unisim.backend.guest.guest.Guest`.

    Worlds that are not finite are never handed to the engine: they stay as they are.
    """

    def __init__(
        self,
        handle: Handle,
        reference: mujoco.MjModel,
        worlds: int,
        vary: tuple[str, ...],
        watched: Callable[[], Handle],
    ) -> None:
        """Make the worlds, at the model's defaults.

        Args:
            handle: The engine's model, and what is left to the reference.
            reference: The scene's model.
            worlds: Number of worlds n.
            vary: Model fields that will differ between worlds.
            watched: Makes the same with a model that reports contacts.
        """
        self._handle, self._reference, self._watched = handle, reference, watched
        self._order = Order(reference, handle.shift)
        self._varied = Varied(handle, reference, worlds, vary)
        self._active = np.asarray(reference.eq_active0, bool)
        plant = Plant(handle, reference)
        stage = Stage(plant, self._watching, self._varied, worlds)
        self._stages, self._settings = [stage], [self._active.tobytes()]
        self._where = np.zeros(worlds, np.int64)
        self._qpos = np.tile(reference.qpos0, (worlds, 1)).astype(np.float32)
        self._qvel = np.zeros((worlds, reference.nv), np.float32)
        self._tried, self._trials = False, self._where
        self._renew()

    @property
    def handle(self) -> Handle:
        """See `Guest`."""
        return self._handle

    @property
    def qpos(self) -> Array:
        """See `Guest`."""
        return self._qpos

    @property
    def qvel(self) -> Array:
        """See `Guest`."""
        return self._qvel

    @property
    def brakes(self) -> bool:
        """Whether what brakes comes and goes."""
        return self._stages[0].plant.watches

    def braking(self) -> Array:
        """Damping that the last step took at its end [N m s/rad or N s/m].

        Shape (n, nv).
        """
        model = self._reference
        found = np.tile(damping_of(model, self._handle.share), (len(self._qpos), 1))
        damping = self._varied.of("dof_damping")
        if damping is not None:
            found += damping - model.dof_damping
        plant = self._stages[0].plant
        return found + plant.braking() - plant.full_braking

    def put(self, qpos: Array, qvel: Array, worlds: Worlds | None) -> None:
        """See `Guest`."""
        rows = self._rows(worlds)
        # what is written as it is leaves a world as it is
        new = (qpos != self._qpos[rows]).any(axis=1)
        new |= (qvel != self._qvel[rows]).any(axis=1)
        rows, number = rows[new], 0
        if not rows.size:
            return
        self._qpos[rows], self._qvel[rows] = qpos[new], qvel[new]
        if len(rows) == len(self._qpos):
            self._renew()
        else:
            number = self._unused(rows)
        stage = self._stages[number]
        self._give(stage.plant, stage.data, self._alive(rows))
        self._where[rows] = number
        self._tried = False

    def step(self, inputs: Inputs, count: int, worlds: Worlds | None) -> None:
        """See `Guest`."""
        rows = self._rows(worlds)
        good = self._alive(rows)
        if len(good) != len(rows):
            self._qvel[np.setdiff1d(rows, good, assume_unique=True)] = np.nan
        self._tried = False
        if good.size:
            self._move(inputs, good)
            for number in np.unique(self._where[good]).tolist():
                group = good[self._where[good] == number]
                self._advance(self._stages[number], inputs, count, group)

    def forward(self, inputs: Inputs, worlds: Worlds) -> Array:
        """See `Guest`."""
        good = self._alive(np.asarray(worlds, np.int64))
        result = np.full((len(worlds), self._qvel.shape[1]), np.nan, np.float32)
        self._tried, self._trials = True, self._where.copy()
        for key, group in self._groups(inputs, good) if good.size else ():
            number = self._settings.index(key)
            plant, whole = self._stages[number].trial()
            self._give(plant, whole, group)
            data = self._some(whole, group)
            plant.act(data, inputs, (self._qpos, self._qvel), group)
            plant.model.step(data)
            result[np.isin(worlds, group)] = data.dof_vel
            self._trials[group] = number
        return result

    def contacts(self, worlds: Worlds | None) -> Contacts:
        """See `Guest`."""
        rows = self._alive(self._rows(worlds))
        where = self._trials if self._tried else self._where
        parts = [self._stages[0].plant.watch.none()]
        for number, stage in enumerate(self._stages):
            own = rows[where[rows] == number]
            if own.size:
                parts.append(stage.contacts(own, tried=self._tried))
        return together(parts)

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> Array:
        """See `Guest`."""
        left = self._varied.set(name, values, self._rows(worlds))
        for stage in self._stages:
            stage.vary()
        return left

    def save(self) -> object:
        """See `Guest`. What the solver starts from is not in it."""
        return self._qpos.copy(), self._qvel.copy()

    def restore(self, saved: object) -> None:
        """See `Guest`."""
        self.put(*cast("State", saved), None)

    def close(self) -> None:
        """See `Guest`."""
        vars(self).clear()

    def _watching(self) -> Plant:
        return Plant(self._watched(), self._reference)

    def _renew(self) -> None:
        """Forget what the solver starts from, of all worlds."""
        main = self._stages[0]
        main.renew()
        self._handle.data = main.data
        self._give(main.plant, main.data, self._alive(np.arange(len(self._qpos))))
        self._where[:] = 0

    def _unused(self, rows: Rows) -> int:
        """Worlds of the engine in which nothing has been solved yet, for some of ours.

        They can only be had anew: what the solver starts from cannot be written. Beyond
        a number of them, all worlds start anew.
        """
        key = self._settings[0]
        others = np.delete(np.arange(len(self._qpos)), rows)
        taken = set(self._where[others].tolist())
        for number, stage in enumerate(self._stages):
            if number and self._settings[number] == key and number not in taken:
                stage.renew()
                return number
        if self._settings.count(key) > _MOST:
            self._renew()
            return 0
        self._stages.append(self._stages[0].another())
        self._settings.append(key)
        return len(self._stages) - 1

    def _move(self, inputs: Inputs, rows: Rows) -> None:
        """Bring worlds to where their equalities are switched as they should be."""
        if not self._active.size:
            return
        for key, group in self._groups(inputs, rows):
            places = self._where[group]
            moved = group[[self._settings[int(number)] != key for number in places]]
            if moved.size:
                number = self._settings.index(key)
                stage = self._stages[number]
                self._give(stage.plant, stage.data, moved)
                self._where[moved] = number

    def _groups(self, inputs: Inputs, rows: Rows) -> Iterator[tuple[bytes, Rows]]:
        """Worlds by their setting of the equalities, of which each has a stage."""
        active = np.asarray(inputs.eq_active[rows]) != 0
        if not rows.size or (active == self._active).all():
            yield self._settings[0], rows
            return
        settings, which = np.unique(active, axis=0, return_inverse=True)
        for number, setting in enumerate(settings):
            key = setting.tobytes()
            if key not in self._settings:
                plant = variant(self._watched(), self._reference, setting)
                stage = Stage(
                    plant, lambda plant=plant: plant, self._varied, len(self._qpos)
                )
                self._stages.append(stage)
                self._settings.append(key)
            yield key, rows[np.ravel(which) == number]

    def _advance(self, stage: Stage, inputs: Inputs, count: int, rows: Rows) -> None:
        data, plant = self._some(stage.data, rows), stage.plant
        # servos that may saturate are looked at before every step
        times, each = (count, 1) if plant.watches else (1, count)
        chosen = slice(None) if len(rows) == len(self._qpos) else rows
        for _ in range(times):
            plant.act(data, inputs, (self._qpos, self._qvel), rows)
            plant.model.step_n(data, each)
            self._qpos[chosen] = self._order.ours(data.dof_pos)
            self._qvel[chosen] = data.dof_vel

    def _rows(self, worlds: Worlds | None) -> Rows:
        if worlds is None:
            return np.arange(len(self._qpos))
        return np.asarray(worlds, np.int64)

    def _alive(self, rows: Rows) -> Rows:
        """Those of some worlds whose state is finite."""
        finite = np.isfinite(self._qpos).all(axis=1)
        finite &= np.isfinite(self._qvel).all(axis=1)
        return rows[finite[rows]]

    def _some(self, data: mx.SceneData, rows: Rows) -> mx.SceneData:
        if len(rows) == len(self._qpos):
            return data
        chosen = np.zeros(len(self._qpos), bool)
        chosen[rows] = True
        return data[chosen]

    def _give(self, plant: Plant, data: mx.SceneData, rows: Rows) -> None:
        """Hand the state of some worlds to the engine, which panics of empty ones."""
        if rows.size and self._qpos.shape[1]:
            plant.forget(rows)
            part = self._some(data, rows)
            part.set_dof_pos(self._order.theirs(self._qpos[rows]), plant.model)
            part.set_dof_vel(np.ascontiguousarray(self._qvel[rows]))
