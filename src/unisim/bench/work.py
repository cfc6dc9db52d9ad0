"""The same work on a sim and on the raw engine below it."""

from dataclasses import dataclass, replace

import numpy as np

from unisim.backend import registry
from unisim.backend.base import Array, Worlds
from unisim.backend.layout import layout_of
from unisim.backend.raw import READS, HasRaw, RawEngine
from unisim.bench.timing import Course
from unisim.config import TaskCfg
from unisim.scene.scene import Scene
from unisim.sim import Sim
from unisim.task import build, build_cfg

RAW, PLAIN = "raw engine", "without a law"
STATE = ("qpos", "qvel")
_SUBSETS = 16


@dataclass(frozen=True)
class Job:
    """A piece of work, and the same work done by something else.

    Attributes:
        work: What is done.
        item: What its cost is divided by.
        items: How many items one call has.
        ours: On the sim.
        beside: What the other is.
        other: None when there is nothing to compare with.
    """

    work: str
    item: str
    items: int
    ours: Course
    beside: str
    other: Course | None


class Pair:
    """A sim, and the raw engine in the same state, when the backend offers it."""

    def __init__(self, task: TaskCfg, scene: Scene) -> None:
        """Build both.

        Raises:
            UnisimError: In any form that `unisim.build` raises.
        """
        bare = stripped(task)
        self.sim: Sim = build(bare, scene)
        self.raw = raw_of(bare, scene)
        self._key = -1
        if scene.keyframe is not None:
            self._key = self.sim.layout.index("key", scene.keyframe)
        self._command: Array = np.array(self.sim.read("ctrl"))
        self._driven: Sim | None = None
        if task.control:
            self._driven = build(replace(bare, control=task.control), scene)
        self._decimation = task.decimation
        self._subsets = _subsets(self.sim.worlds)
        self._turn = 0

    def close(self) -> None:
        """Close both."""
        self.sim.close()
        if self._driven is not None:
            self._driven.close()
        if self.raw is not None:
            self.raw.close()

    def restart(self) -> None:
        """Put both into the same initial state."""
        self.sim.reset()
        if self._driven is not None:
            self._driven.reset()
        if self.raw is not None:
            self.raw.reset(None, self._key)

    def jobs(self) -> tuple[Job, ...]:
        """All that is measured; `restart` belongs before each."""
        steps = [
            self._step(count, refresh=refresh)
            for count in dict.fromkeys((1, self._decimation))
            for refresh in (False, True)
        ]
        return (*steps, self._reset(), self._controlled())

    def _step(self, count: int, *, refresh: bool) -> Job:
        names = READS if refresh else STATE

        def ours() -> None:
            self.sim.step(self._command, count)
            for name in names:
                self.sim.read(name)

        raw, other = self.raw, None
        if raw is not None:
            step = raw.step
            other = Course(
                lambda: step(self._command, count, refresh=refresh), raw.wait
            )
        what = "poses and sensors" if refresh else "state"
        steps = "1 step" if count == 1 else f"{count} steps"
        items = count * self.sim.worlds
        course = Course(ours, self._wait)
        return Job(f"{steps}, read {what}", "env-step", items, course, RAW, other)

    def _reset(self) -> Job:
        def ours() -> None:
            self.sim.reset(self._subset())
            self.sim.read("xpos")

        raw, other = self.raw, None
        if raw is not None:
            reset = raw.reset
            other = Course(lambda: reset(self._subset(), self._key), raw.wait)
        items = len(self._subsets[0])
        course = Course(ours, self._wait)
        what = "reset a random tenth, read poses"
        return Job(what, "reset world", items, course, RAW, other)

    def _controlled(self) -> Job:
        """The task's laws, or a function, before every step, beside neither."""
        count, sim, driven = self._decimation, self.sim, self._driven
        if driven is None:
            # as little as a law can do: what is timed is that there is one
            course = Course(
                lambda: sim.step(self._command, count, control=_pass), self._wait
            )
        else:
            time = driven.read
            course = Course(
                lambda: driven.step(None, count), lambda: np.asarray(time("time"))
            )
        steps = "1 step" if count == 1 else f"{count} steps"
        return Job(
            f"{steps} under a law per step",
            "env-step",
            count * sim.worlds,
            course,
            PLAIN,
            Course(lambda: sim.step(self._command, count), self._wait),
        )

    def _wait(self) -> None:
        # whatever device it is on, the host has it when all is done
        np.asarray(self.sim.read("time"))

    def _subset(self) -> Worlds:
        self._turn = (self._turn + 1) % _SUBSETS
        return self._subsets[self._turn]


def stripped(task: TaskCfg) -> TaskCfg:
    """A task without what a raw engine does not do."""
    return replace(task, control=(), contacts=(), vary=(), require=(), faults="flag")


def raw_of(task: TaskCfg, scene: Scene) -> RawEngine | None:
    """The raw engine of a task, when its backend offers one."""
    backend = registry.load(task.backend)
    if not isinstance(backend, HasRaw):
        return None
    return backend.raw(build_cfg(task, scene), layout_of(scene.model))


def _pass(command: Array, _qpos: Array, _qvel: Array, _time: Array) -> Array:
    return command * 1


def _subsets(worlds: int) -> list[Worlds]:
    """Random tenths of the worlds."""
    random = np.random.default_rng(0)
    size = max(1, worlds // 10)
    return [
        np.sort(random.choice(worlds, size, replace=False)).astype(np.int32)
        for _ in range(_SUBSETS)
    ]
