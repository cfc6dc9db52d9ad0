"""Everything that a finished run can say."""

from collections.abc import Mapping
from dataclasses import dataclass

from unisim.runtime.images import Images
from unisim.runtime.measured import Measured
from unisim.sim import Built


@dataclass(frozen=True)
class Cost:
    """Time that the parts of a run took [s]."""

    compose: float
    build: float
    run: float
    pictures: float


@dataclass(frozen=True)
class Outcome:
    """A finished run.

    Attributes:
        name: Name of the config.
        built: Task, scene, and the reports of gate and audit.
        measured: What was seen.
        cost: What it took.
        pictures: Pictures of one world, or the reason why there are none.
        versions: Version by package.
    """

    name: str
    built: Built
    measured: Measured
    cost: Cost
    pictures: Images | str
    versions: Mapping[str, str]

    @property
    def env_steps(self) -> float:
        """Physics steps of all worlds per second of stepping [1/s]."""
        return self._all_steps / self.measured.stepping

    @property
    def env_steps_with_reads(self) -> float:
        """The same per second of stepping and reading [1/s]."""
        return self._all_steps / (self.measured.stepping + self.measured.reading)

    @property
    def seconds(self) -> float:
        """Simulated time of every world [s]."""
        return float(self.measured.time[-1])

    @property
    def _all_steps(self) -> int:
        return self.measured.steps * self.built.task.worlds
