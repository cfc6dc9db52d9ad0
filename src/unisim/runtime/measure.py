"""Steps a sim for its run's time and keeps what the report shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, Fault
from unisim.config import RunCfg
from unisim.runtime.command import Command, Tap
from unisim.runtime.ground import Ground, find_ground
from unisim.runtime.progress import Progress
from unisim.runtime.tracking import Follower, Tracker
from unisim.sim import Sim

QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)
"""What is kept of a number that every world has."""
_FRAMES_PER_SECOND, _MOST_FRAMES = 10.0, 32


@dataclass(frozen=True)
class Series:
    """A number that every world has, over time.

    Attributes:
        spread: Quantiles over the worlds without a fault. Shape (t, 5).
        mean: Mean over the same. Shape (t,).
        one: Its value in the world that is pictured. Shape (t,).
    """

    spread: NDArray[np.float64]
    mean: NDArray[np.float64]
    one: NDArray[np.float64]


@dataclass(frozen=True)
class Touch:
    """What a contact query found.

    Attributes:
        name: The query.
        found: Contacts per world, averaged over worlds and time.
        share: Share of worlds and control steps with any contact.
        peak: Largest force of one slot [N], None when force is not asked for.
        overflow: Whether more contacts matched than there are slots, ever.
    """

    name: str
    found: float
    share: float
    peak: float | None
    overflow: bool


@dataclass(frozen=True)
class SensorRange:
    """Smallest and largest output of a sensor, over its columns, worlds and time."""

    name: str
    size: int
    lowest: float
    highest: float


@dataclass(frozen=True)
class Pose:
    """The pictured world at one time [s], as the sim's quantities have it."""

    time: float
    quantities: dict[str, Array]


@dataclass(frozen=True)
class Measured:
    """Everything a run has found out.

    Attributes:
        time: Of every control step [s]. Shape (t,).
        body: Body whose height is measured.
        height: Height of its centre of mass in world [m].
        followers: What follows a target.
        target: In the pictured world. Shape (t, k).
        actual: In the pictured world. Shape (t, k).
        error: Root mean square over time and worlds. Shape (k,).
        ground: What the ground carries.
        force: Force of the ground [N], None when no query looks at it.
        touches: By contact query.
        sensors: By sensor.
        faults: Number of faulted worlds by kind, at the end.
        poses: For the pictures.
        steps: Physics steps per world.
        stepping: Time spent in stepping [s].
        reading: Time spent in reading [s].
    """

    time: NDArray[np.float64]
    body: str
    height: Series
    followers: tuple[Follower, ...]
    target: NDArray[np.float64]
    actual: NDArray[np.float64]
    error: NDArray[np.float64]
    ground: Ground
    force: Series | None
    touches: tuple[Touch, ...]
    sensors: tuple[SensorRange, ...]
    faults: dict[str, int]
    poses: tuple[Pose, ...]
    steps: int
    stepping: float
    reading: float


def measure(sim: Sim, cfg: RunCfg, progress: Progress) -> Measured:
    """Step the worlds of a sim under its control laws and the run's sine.

    Args:
        sim: A sim whose worlds have just been reset.
        cfg: How long, and the sine.
        progress: Gets told how far it is.

    Raises:
        Faulted: If a world is faulted and the task says faults = "raise".
    """
    notes = _Notes(sim, cfg)
    command, tap = Command(sim, cfg), notes.tap
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

    def __init__(self, sim: Sim, cfg: RunCfg) -> None:
        self.tap = Tap(sim)
        self.interval = sim.timestep * sim.built.task.decimation
        self.count = max(1, round(cfg.seconds / self.interval))
        self._sim, self._world = sim, cfg.picture_world
        self._tracker = Tracker(sim, self.tap)
        self._ground = find_ground(sim)
        self._body = height_body(sim)
        self._up = self._ground.up
        k = len(self._tracker.followers)
        self._height = _Quantiles(self.count)
        self._force = _Quantiles(self.count)
        self._target, self._actual = np.empty((2, self.count, k))
        self._error, self._errors = np.zeros(k), 0
        names = [item.name for item in sim.built.task.contacts]
        self._touches = {name: _TouchSum() for name in names}
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
            time=self.interval * np.arange(1, self.count + 1),
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


class _Quantiles:
    """Collects a `Series`."""

    def __init__(self, count: int) -> None:
        self._spread = np.full((count, len(QUANTILES)), np.nan)
        self._one, self._mean = np.full((2, count), np.nan)

    def take(self, i: int, values: Array, sound: NDArray[np.bool_], world: int) -> None:
        self._one[i] = values[world]
        if sound.any():
            self._spread[i] = np.quantile(values[sound], QUANTILES)
            self._mean[i] = values[sound].mean()

    def series(self) -> Series:
        return Series(self._spread, self._mean, self._one)


class _TouchSum:
    """Collects a `Touch`."""

    def __init__(self) -> None:
        self._found, self._any, self._overflow = 0, 0, False
        self._peak: float | None = None

    def take(
        self,
        found: NDArray[np.int64],
        overflow: NDArray[np.bool_],
        force: Array | None,
    ) -> None:
        self._found += int(found.sum())
        self._any += int(np.count_nonzero(found))
        self._overflow |= bool(overflow.any())
        if force is not None:
            largest = float(np.sqrt((force**2).sum(axis=-1)).max())
            self._peak = max(self._peak or 0.0, largest)

    def of(self, name: str, samples: int) -> Touch:
        share = self._any / samples
        return Touch(name, self._found / samples, share, self._peak, self._overflow)


def height_body(sim: Sim) -> str:
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


def _faults(sim: Sim) -> dict[str, int]:
    faults = sim.faults
    counts = {
        str(kind.name).lower(): int(np.count_nonzero(faults & int(kind)))
        for kind in Fault
    }
    return {name: count for name, count in counts.items() if count}
