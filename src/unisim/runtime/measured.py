"""What a run has seen: plain values that reports are made of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.runtime.ground import Ground
from unisim.runtime.tracking import Follower

QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)
"""What is kept of a number that every world has."""


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
