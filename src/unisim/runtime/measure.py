"""Steps a sim for its run's time and keeps what the report shows."""

from collections.abc import Sequence
from time import perf_counter

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Fault
from unisim.config import RunCfg
from unisim.progress import Progress
from unisim.runtime.command import Command, Tap
from unisim.runtime.gather import Quantiles, TouchSum
from unisim.runtime.ground import find_ground
from unisim.runtime.measured import Measured, Pose, SensorRange
from unisim.runtime.seen import Seen
from unisim.runtime.tracking import Tracker
from unisim.sim import Sim

_FRAMES_PER_SECOND, _MOST_FRAMES = 10.0, 32


def measure(sim: Sim, cfg: RunCfg, progress: Progress) -> Measured:
    """Step the worlds of a sim under its control laws and the run's sine.

    Args:
        sim: A sim whose worlds have just been reset.
        cfg: How long, and the sine.
        progress: Gets told how far it is.

    Raises:
        Faulted: If a world is faulted and the task says faults = "raise".
    """
    notes = _Notes(Seen(sim), sim.timestep, cfg)
    command, tap = Command(Seen(sim), cfg), notes.tap
    control = tap if tap.columns else None
    decimation = sim.built.task.decimation
    stepping = reading = 0.0
    notes.picture(0)
    for i in range(notes.count):
        ctrl = command.at(i * notes.interval)
        start = perf_counter()
        sim.step(ctrl, decimation, control=control)
        middle = perf_counter()
        notes.take(i)
        notes.picture(i + 1)
        end = perf_counter()
        stepping += middle - start
        reading += end - middle
        progress.share("stepping", (i + 1) / notes.count)
    return notes.measured(stepping, reading)


class _Notes:
    """What is read after every control step."""

    def __init__(self, sim: Seen, timestep: float, cfg: RunCfg) -> None:
        self.tap = Tap(sim)
        self.interval = timestep * sim.built.task.decimation
        self.count = max(1, round(cfg.seconds / self.interval))
        self._sim, self._world = sim, cfg.picture_world
        self._tracker = Tracker(sim, self.tap)
        self._ground = find_ground(sim)
        self._body = height_body(sim)
        self._up = self._ground.up
        k = len(self._tracker.followers)
        self._height = Quantiles(self.count)
        self._force = Quantiles(self.count)
        self._target, self._actual = np.empty((2, self.count, k))
        self._error, self._errors = np.zeros(k), 0
        names = [item.name for item in sim.built.task.contacts]
        self._touches = {name: TouchSum() for name in names}
        width = sim.layout.sizes["nsensordata"]
        self._low, self._high = np.full(width, np.inf), np.full(width, -np.inf)
        self._frames = set(_frames(self.count, cfg.seconds).tolist())
        self._poses: list[Pose] = []

    def take(self, i: int) -> None:
        """Read everything after control step i."""
        sim, sound = self._sim, self._sim.faults == 0
        index = sim.layout.index("body", self._body)
        height = sim.read("xipos")[:, index] @ self._up
        self._height.take(i, height, sound, self._world)
        target, actual = self._tracker.now()
        self._target[i], self._actual[i] = target[self._world], actual[self._world]
        self._error += ((target - actual)[sound] ** 2).sum(axis=0)
        self._errors += int(sound.sum())
        if self._ground.queries:
            force = self._ground.force(sim)
            self._force.take(i, force, sound, self._world)
        for name, touch in self._touches.items():
            reading = sim.contact(name)
            touch.take(reading.found, reading.overflow, reading.fields.get("force"))
        values = sim.read("sensordata")[sound]
        if values.size:
            np.minimum(self._low, values.min(axis=0), out=self._low)
            np.maximum(self._high, values.max(axis=0), out=self._high)

    def picture(self, i: int) -> None:
        """Keep the pose of the pictured world, when it is time for a picture."""
        if i not in self._frames:
            return
        names = ("qpos", "xpos", "xquat", "mocap_pos", "mocap_quat")
        rows = {name: self._sim.read(name)[self._world].copy() for name in names}
        if all(np.isfinite(row).all() for row in rows.values()):
            self._poses.append(Pose(i * self.interval, rows))

    def measured(self, stepping: float, reading: float) -> Measured:
        """Everything, after the last step."""
        sim, steps = self._sim, self.count * self._sim.built.task.decimation
        samples = self.count * sim.worlds
        return Measured(
            time=self.interval * np.arange(1, self.count + 1, dtype=np.float64),
            body=self._body,
            height=self._height.series(),
            followers=self._tracker.followers,
            target=self._target,
            actual=self._actual,
            error=np.sqrt(self._error / max(1, self._errors)),
            ground=self._ground,
            force=self._force.series() if self._ground.queries else None,
            touches=tuple(t.of(name, samples) for name, t in self._touches.items()),
            sensors=tuple(self._sensors()),
            faults=_faults(sim),
            poses=tuple(self._poses),
            steps=steps,
            stepping=stepping,
            reading=reading,
        )

    def _sensors(self) -> Sequence[SensorRange]:
        columns = {
            name: self._sim.layout.columns("sensordata", name)
            for name in self._sim.layout.names["sensor"]
            if ("sensordata", name) in self._sim.layout.slices
        }
        return [
            SensorRange(
                name,
                where.stop - where.start,
                float(self._low[where].min()),
                float(self._high[where].max()),
            )
            for name, where in columns.items()
        ]


def height_body(sim: Seen) -> str:
    """The body whose height is measured: the camera's, the first free one, or any."""
    stated = sim.built.task.camera.body
    if stated is not None:
        return sim.layout.names["body"][sim.layout.index("body", stated)]
    model = sim.built.scene.model
    free = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE)
    moving = np.flatnonzero(model.body_weldid)
    first = model.jnt_bodyid[free[:1]].tolist() or moving[-1:].tolist() or [0]
    return sim.layout.names["body"][first[0]]


def _frames(count: int, seconds: float) -> NDArray[np.int64]:
    """Control steps after which a picture is taken; 0 is the start."""
    wanted = min(_MOST_FRAMES, max(2, round(seconds * _FRAMES_PER_SECOND)))
    return np.unique(np.linspace(0, count, wanted).round().astype(np.int64))


def _faults(sim: Seen) -> dict[str, int]:
    faults = sim.faults
    counts = {
        str(kind.name).lower(): int(np.count_nonzero(faults & int(kind)))
        for kind in Fault
    }
    return {name: count for name, count in counts.items() if count}
