"""What got slower since an outcome that was saved."""

from dataclasses import dataclass
from typing import Literal

from unisim.bench.outcome import Outcome, Row

NOISE = 0.1
"""A change below this share, and what both may be off by chance, is noise."""


@dataclass(frozen=True)
class Change:
    """The same work in two outcomes.

    Attributes:
        row: Now.
        wall: Wall time now over then; None when the machines differ.
        ratio: Ratio to the other engine now over then, 1 when nothing changed and less
            when slower; None when there is nothing to compare with.
        noise: Changes below this share say nothing.
    """

    row: Row
    wall: float | None
    ratio: float | None
    noise: float

    @property
    def verdict(self) -> Literal["slower", "quicker", "as quick"]:
        """Whether it got slower, by more than noise."""
        bound = 1 + self.noise
        if self.slower > bound:
            return "slower"
        return "quicker" if self.slower < 1 / bound else "as quick"

    @property
    def slower(self) -> float:
        """How many times as long it takes, by the surest number there is.

        Beside another engine in the same process that is the ratio of both, which a
        busy machine does not change; else it is the wall time.
        """
        if self.ratio is not None:
            return 1 / self.ratio
        return 1.0 if self.wall is None else self.wall


def changes(now: Outcome, then: Outcome) -> list[Change]:
    """Every work that both have, the one that got slower most first."""
    before = {row.key: row for row in then.rows}
    same = now.machine == then.machine
    found = [
        _change(row, before[row.key], same=same)
        for row in now.rows
        if row.key in before
    ]
    return sorted(found, key=lambda item: -item.slower)


def _change(row: Row, before: Row, *, same: bool) -> Change:
    ratio = None
    if row.ratio is not None and before.ratio is not None:
        ratio = row.ratio / before.ratio
    wall = row.ours.wall / before.ours.wall if same else None
    return Change(row, wall, ratio, NOISE + row.noise + before.noise)
