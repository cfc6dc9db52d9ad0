"""A built and audited batch of worlds: what users step, reset and read."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.audit.report import AuditReport
from unisim.backend.base import (
    Array,
    ContactReading,
    Engine,
    Fault,
    RawContacts,
    Snapshot,
)
from unisim.backend.fields import QUANTITIES
from unisim.backend.gate import GateReport
from unisim.backend.layout import Layout, check_name
from unisim.config import TaskCfg
from unisim.control import Chain, Law
from unisim.control.function import ControlFunction
from unisim.control.law import Memory
from unisim.drive import Drive
from unisim.errors import (
    BadArray,
    Closed,
    Faulted,
    Forked,
    LacksAbility,
    OutOfRange,
)
from unisim.intake import Intake, check_declared, whole
from unisim.record import Record, Recorder
from unisim.scene.scene import Scene
from unisim.varied import MASSES, Change, check_varied


@dataclass(frozen=True)
class Built:
    """What a sim is made of; `unisim.build` puts it together.

    Attributes:
        task: The task it runs.
        scene: The composed scene.
        layout: Names and indices of the scene.
        engine: The running engine.
        law: The task's control laws, bound.
        gate: What the backend makes of the scene.
        audit: What was found when the engine was compared with the reference.
    """

    task: TaskCfg
    scene: Scene
    layout: Layout
    engine: Engine
    law: Chain
    gate: GateReport
    audit: AuditReport


@dataclass(frozen=True)
class SimSnapshot:
    """The state of a sim at one moment, control laws included."""

    task: TaskCfg
    digest: str
    engine: Snapshot
    memory: Memory
    command: Array
    steps: Array


class Sim:
    """n worlds of one scene on one engine, in MuJoCo's layout and our conventions.

    Arrays that are read are the sim's own: read-only, and good until the next call that
    changes it. DLPack exports copy them, unless they are passed through
    `unisim.borrow`.
    Worlds are named by index, shape (k,), or by boolean mask, shape (n,); None is all.

    Attributes:
        built: The task, the scene, and the reports of gate and audit.
        layout: Names and indices.
        worlds: Number of worlds n.
        timestep: Physics step [s].
        steps: Physics steps of each world since its last reset. Shape (n,), int64.
    """

    def __init__(self, built: Built) -> None:
        """Take over a built engine, and put every world to the scene's keyframe."""
        self.built, self.layout = built, built.layout
        self.worlds = built.task.worlds
        self.timestep = float(built.scene.model.opt.timestep)
        batch = built.law.batch
        self._engine, self._arrays = built.engine, batch.arrays
        self._raises = built.task.faults == "raise"
        self._open, self._process = True, os.getpid()
        self._intake = Intake(built.layout, self.worlds, batch.dtype, self._arrays)
        self._drive = Drive(self._engine, self._intake, built.law, self._check_open)
        self.steps = self._arrays.lent(self._drive.steps)
        self._readable = {*QUANTITIES, *built.task.vary}
        self._queries = {c.name: i for i, c in enumerate(built.task.contacts)}
        self.reset()
        _OPEN.add(self)

    def __enter__(self) -> "Sim":
        """Use it in a `with` block, which closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @property
    def faults(self) -> NDArray[np.uint8]:
        """`Fault` bits per world, sticky until reset. Shape (n,), uint8."""
        self._check_open()
        return self._arrays.lent(self._engine.faults)

    def step(
        self,
        ctrl: ArrayLike | None = None,
        count: int = 1,
        *,
        control: Law | ControlFunction | None = None,
        record: Sequence[str | Record] | Record = (),
    ) -> Mapping[str | Record, Array]:
        """Advance every world by some physics steps.

        Args:
            ctrl: Command of the control law, or the controls themselves when there is
                none. None holds the last command; without a law, the controls as they
                are. Shape (n, nu), or as many columns as the law `control` takes. A
                law may clamp its command; only the controls it puts out are checked.
            count: Number of physics steps.
            control: Law or array function that takes the place of the task's laws in
                this call. It is the caller's: what it remembers is in no snapshot,
                and no reset makes it forget.
            record: Quantities to return, read after every physics step; or one of them.

        Returns:
            For each recorded item an array: shape (n, count, ...) or, reduced over the
            steps, (n, ...). Empty when nothing is recorded.

        Raises:
            BadArray: If `ctrl` has the wrong shape or dtype.
            OutOfRange: If `count` is below 1.
            UnknownName: If a recorded item names no quantity.
            Closed: If `control` closes the sim.
            Faulted: If something is recorded, a world is faulted and the task says
                faults = "raise"; the steps have been made.
        """
        self._check_open()
        if not whole(count) or count < 1:
            raise OutOfRange("count", count, "a whole number, 1 or more")
        recorder = Recorder(record, self._arrays)
        self._drive.step(ctrl, int(count), control, recorder)
        if recorder:
            self._check_faults()
        return recorder.result()

    def reset(
        self,
        worlds: ArrayLike | None = None,
        *,
        keyframe: str | None = None,
        **state: ArrayLike,
    ) -> None:
        """Return worlds to a keyframe, then apply what is passed; varied fields stay.

        The command held from then on is the one that keeps their pose: the controls,
        or with a PD law the joint positions.

        Args:
            worlds: Which ones.
            keyframe: Key by name; None is the scene's own, or the model's defaults.
            state: Writable quantities by name. Shape (k, ...) for k worlds.

        Raises:
            UnknownName: If there is no such key or quantity.
            BadArray: If an array has the wrong shape or dtype.
            OutOfRange: If a world index is not in [0, n).
        """
        self._check_open()
        key = self.built.scene.keyframe if keyframe is None else keyframe
        number = -1 if key is None else self.layout.index("key", key)
        to = self._intake.worlds(worlds)
        rows = {k: self._intake.state(k, v, to) for k, v in state.items()}
        # copies: what is passed may be a view of what the reset changes
        rows = {k: self._arrays.pick(v, None) for k, v in rows.items()}
        self._engine.reset(to.index, number)
        for name, values in rows.items():
            self._engine.write(name, values, to.index)
        self._drive.rest(to)

    def read(self, name: str) -> Array:
        """A quantity of all worlds, belonging to their current state.

        Args:
            name: A quantity of `unisim.backend.fields`, which says unit and frame, or
                a model field that the task declares under `vary`.

        Returns:
            Read-only. Shape (n, ...).

        Raises:
            UnknownName: If there is no such quantity.
            Faulted: If a world is faulted and the task says faults = "raise".
        """
        self._check_open()
        self._check_faults()
        check_name("quantity", name, self._readable)
        engine = self._engine
        array = engine.read(name) if name in QUANTITIES else engine.varied(name)
        return self._arrays.lent(array)

    def write(
        self, name: str, values: ArrayLike, worlds: ArrayLike | None = None
    ) -> None:
        """Set a part of the state; the rest stays, the command of a control law too.

        Args:
            name: A writable quantity.
            values: Shape (k, ...) for k worlds.
            worlds: Which ones.

        Raises:
            UnknownName: If there is no such writable quantity.
            BadArray: If the array has the wrong shape or dtype.
            OutOfRange: If a world index is not in [0, n).
        """
        self._check_open()
        to = self._intake.worlds(worlds)
        self._engine.write(name, self._intake.state(name, values, to), to.index)

    def sensor(self, name: str) -> Array:
        """Output of one sensor, see `read("sensordata")`. Shape (n, dim)."""
        columns = self.layout.columns("sensordata", name)
        return self.read("sensordata")[:, columns]

    def contact(self, name: str) -> ContactReading:
        """Result of a contact query of the task.

        Raises:
            NotDeclared: If the task has no query of this name.
            Faulted: If a world is faulted and the task says faults = "raise".
        """
        self._check_open()
        check_declared("Contact query", name, self._queries, "[[contacts]]")
        self._check_faults()
        read, lent = self._engine.contact(self._queries[name]), self._arrays.lent
        fields = {key: lent(values) for key, values in read.fields.items()}
        return ContactReading(lent(read.found), lent(read.overflow), fields)

    def raw_contacts(self, world: int) -> RawContacts:
        """All contacts of one world: a debug read."""
        self._check_open()
        return self._engine.raw_contacts(self._intake.world(world))

    def vary(
        self, name: str, values: ArrayLike, worlds: ArrayLike | None = None
    ) -> None:
        """Give a model field its own value in some worlds; derived constants follow.

        Args:
            name: A field that the task declares under `vary`, e.g. `body_mass`.
            values: Shape (k, ...) for k worlds, in the reference model's order.
            worlds: Which ones.

        Raises:
            NotDeclared: If the task does not declare it.
            BadArray: If the array has the wrong shape or dtype, or values that are not
                finite, that no scene could state (a moving body without mass or
                inertia, moments of inertia with A + B < C, a range whose ends are in
                the wrong order, no unit quaternion) or that the engine refuses;
                nothing has changed.
            OutOfRange: If a world index is not in [0, n).
        """
        self._check_open()
        declared = self.built.task.vary
        check_declared("Field", name, declared, "vary = [...]")
        tail = self._engine.varied(name).shape[1:]
        to = self._intake.worlds(worlds)
        rows = self._intake.rows(name, values, tail, to)
        pick, engine = self._arrays.pick, self._engine
        masses = {
            k: host(pick(engine.varied(k), to.index)) for k in MASSES if k in declared
        }
        chosen = np.arange(self.worlds) if to.index is None else host(to.index)
        if chosen.dtype == np.bool_:  # rows are those of all worlds
            chosen = np.arange(self.worlds)
        model = self.built.scene.model
        check_varied(Change(name, host(rows), chosen, model), masses)
        self._engine.vary(name, rows, to.index)

    def snapshot(self) -> SimSnapshot:
        """Everything that the future of the sim depends on.

        Raises:
            LacksAbility: If the backend declares no snapshots.
        """
        self._check_open()
        backend = self.built.task.backend
        if registry.load(backend).manifest.abilities.snapshot == "none":
            remedy = "Keep what you need of the state, and write it back."
            raise LacksAbility(backend, "snapshot", remedy)
        return SimSnapshot(
            task=self.built.task,
            digest=self.built.scene.digest,
            engine=self._engine.snapshot(),
            memory=self.built.law.snapshot(),
            command=self._arrays.pick(self._drive.command, None),
            steps=self._arrays.pick(self._drive.steps, None),
        )

    def restore(self, snapshot: SimSnapshot) -> None:
        """Go back to a snapshot of this sim.

        Raises:
            BadArray: If it is no snapshot, or one of another task or scene.
        """
        self._check_open()
        if not isinstance(snapshot, SimSnapshot):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadArray("snapshot", "one of this sim", type(snapshot).__name__)
        mine = self.built.task, self.built.scene.digest
        if (snapshot.task, snapshot.digest) != mine:
            raise BadArray("snapshot", "one of this sim", "one of another task")
        self._engine.restore(snapshot.engine)
        self.built.law.restore(snapshot.memory)
        self._arrays.put(self._drive.command, snapshot.command, None)
        self._arrays.put(self._drive.steps, snapshot.steps, None)

    def close(self) -> None:
        """Free the engine; a second call does nothing, nor one in a forked process."""
        if self._open and os.getpid() == self._process:
            self._engine.close()
        self._open = False
        _OPEN.discard(self)

    def _check_open(self) -> None:
        if not self._open:
            raise Closed
        if (user := os.getpid()) != self._process:
            raise Forked(self._process, user)

    def _check_faults(self) -> None:
        """Raise where the task says so; what stays on a device does not wait for it."""
        if self._raises and self._arrays.on_host:
            faults = host(self._engine.faults)
            if np.count_nonzero(faults):
                raise _faulted(faults)


def check_alone(backend: str) -> None:
    """Refuse a second sim where a backend declares that there can be but one.

    Raises:
        LacksAbility: If one is open.
    """
    if registry.load(backend).manifest.abilities.second_sim:
        return
    if any(sim.built.task.backend == backend for sim in _OPEN):
        remedy = "Close the sim that is open, or build in a process of its own."
        raise LacksAbility(backend, "second_sim", remedy)


_OPEN: WeakSet[Sim] = WeakSet()
"""Sims that are not closed."""


def _faulted(faults: NDArray[np.uint8]) -> Faulted:
    by_kind = {
        str(kind.name): np.flatnonzero(faults & int(kind)).tolist()
        for kind in Fault
        if (faults & int(kind)).any()
    }
    return Faulted(by_kind, len(faults))
