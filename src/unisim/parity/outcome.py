"""Everything that a parity measurement has found: plain values for reports."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.report import AuditReport
from unisim.config import TaskCfg
from unisim.parity.apart import Apart
from unisim.parity.experiments import Check

State = Literal["passed", "failed", "refused"]
HALF_STEP, SINGLE = "half the step", "single precision"
OTHER_CONE = "its other cone"
"""What the reference is compared with itself at: names of the noise floors."""


@dataclass(frozen=True)
class Tried:
    """An experiment on one backend.

    Attributes:
        name: Name of the experiment.
        law: What must come out.
        checks: What came out; empty when it did not run.
        state: Whether all of it is right; `refused` when the backend says beforehand
            that it would do otherwise.
        reason: Why it did not run.
    """

    name: str
    law: str
    checks: tuple[Check, ...]
    state: State
    reason: str = ""


@dataclass(frozen=True)
class Replayed:
    """The replay on one backend.

    Attributes:
        apart: How far it is from the reference.
        faults: Faulted worlds by kind.
    """

    apart: Apart
    faults: Mapping[str, int]


@dataclass(frozen=True)
class Side:
    """One backend.

    Attributes:
        task: What was built on it.
        named: Whether it was asked for by name; else it may refuse the scene.
        state: Whether it was built and audited, and ran without a fault.
        reason: Why not.
        audit: What the audit of the scene found; None when there is none.
        replay: None when it was not built.
        experiments: With known answers.
    """

    task: TaskCfg
    named: bool
    state: State
    reason: str
    audit: AuditReport | None
    replay: Replayed | None
    experiments: tuple[Tried, ...]

    @property
    def name(self) -> str:
        """Name of the backend."""
        return self.task.backend

    @property
    def passed(self) -> bool:
        """Whether nothing failed; a refusal is no failure unless it was named."""
        bad = "failed", *(("refused",) if self.named else ())
        return self.state not in bad and not any(
            item.state == "failed" for item in self.experiments
        )

    def count(self, state: State) -> int:
        """Number of experiments in a state."""
        return sum(item.state == state for item in self.experiments)


@dataclass(frozen=True)
class Outcome:
    """A finished measurement.

    Attributes:
        name: Name of the config.
        task: The config's task.
        digest: Of the scene.
        time: Of the replay's samples [s]. Shape (t,).
        floors: By what was changed in the reference: how far it is from itself.
        sides: The backends.
        versions: Version by package.
    """

    name: str
    task: TaskCfg
    digest: str
    time: NDArray[np.float64]
    floors: Mapping[str, Apart]
    sides: tuple[Side, ...]
    versions: Mapping[str, str]

    @property
    def passed(self) -> bool:
        """Whether no backend failed in anything."""
        return all(side.passed for side in self.sides)
