"""What a parity measurement found, as rows of text."""

from collections.abc import Mapping, Sequence

import numpy as np

from unisim.parity.apart import Apart
from unisim.parity.experiments import Check
from unisim.parity.outcome import HALF_STEP, OTHER_CONE, SINGLE, Outcome, Side, Tried
from unisim.report.text import aligned

Cells = Sequence[str]


def replay_head(outcome: Outcome) -> Cells:
    """Titles of `replay_rows`."""
    kinds = next(iter(outcome.floors.values())).curves
    errors = [f"{kind.name} [{kind.unit}]" for kind in kinds]
    return ["", "horizon, first", "median", *errors]


def replay_rows(outcome: Outcome) -> list[Cells]:
    """Horizon and difference at the end: the floors, then the backends."""
    reference, end = outcome.task.parity.reference, float(outcome.time[-1])
    rows = [
        _replay_row(f"{reference} at {name}", floor, end)
        for name, floor in outcome.floors.items()
    ]
    rows += [
        _replay_row(side.name, side.replay.apart, end)
        for side in outcome.sides
        if side.replay is not None
    ]
    return rows


GLANCE_HEAD = (
    "", "", "differ at most", "most in", "beside single precision",
    "beside half the step", "beside its other cone",
)  # fmt: skip
"""Titles of `glance_rows`."""


def glance_rows(outcome: Outcome) -> list[Cells]:
    """By backend and kind: how far, where from, and how that is beside the floors."""
    return [
        [
            side.name,
            curve.name,
            f"{curve.most:.2g} {curve.unit}",
            curve.joint if curve.most else "",
            *(
                _times(curve.most, outcome.floors.get(floor), i)
                for floor in (SINGLE, HALF_STEP, OTHER_CONE)
            ),
        ]
        for side in outcome.sides
        if side.replay is not None
        for i, curve in enumerate(side.replay.apart.curves)
    ]


def _times(value: float, floor: Apart | None, kind: int) -> str:
    if floor is None:
        return "refused"
    if value == 0:
        return "bit-equal"
    most = floor.curves[kind].most
    return f"{value / most:.2g} times" if most else "it has no difference"


def experiment_rows(outcome: Outcome) -> list[Cells]:
    """By experiment: its law, and what came out on every backend."""
    by_name = [{item.name: item for item in side.experiments} for side in outcome.sides]
    return [
        [first.name, first.law, *(verdict(tried[first.name]) for tried in by_name)]
        for first in outcome.sides[0].experiments
    ]


def verdict(tried: Tried) -> str:
    """What came out of an experiment, in a few words."""
    if not tried.checks:
        return tried.state if tried.state == "refused" else "FAILED"
    share = max(float(item.share.max()) for item in tried.checks)
    if tried.state == "failed":
        return f"FAILED, {share:.3g} times the tolerance"
    return f"{share:.2g} of the tolerance"


def check_rows(side: Side) -> list[Cells]:
    """Every number that was checked on a backend, the worst of each check."""
    return [
        [tried.name, *_check_row(item)]
        for tried in side.experiments
        for item in tried.checks
    ]


CHECK_HEAD = (
    "experiment", "what", "measured", "expected", "tolerance", "unit", "",
)  # fmt: skip
"""Titles of `check_rows`."""


def summary(side: Side) -> str:
    """A backend in one line."""
    total = len(side.experiments)
    ran = total - side.count("refused")
    line = f"{side.count('passed')} of {ran} experiments pass"
    if side.count("refused"):
        line += f", {side.count('refused')} refused"
    if side.audit is None:
        return f"{side.state}: {side.reason.splitlines()[0]} {line}."
    line += f"; {side.audit.fields} fields audited"
    return f"{line}; {side.reason}" if side.reason else line


def table(outcome: Outcome) -> str:
    """The whole measurement as text."""
    head = ["experiment", *(side.name for side in outcome.sides)]
    laws = experiment_rows(outcome)
    parts = [
        outcome.name,
        "",
        *(f"{side.name}: {summary(side)}" for side in outcome.sides),
        "",
        f"replay of {outcome.time[-1]:g} s in {outcome.task.parity.worlds} worlds, "
        f"against {outcome.task.parity.reference}; differences are root mean squares "
        "at the end",
        *aligned([replay_head(outcome), *replay_rows(outcome)]),
        "",
        "root mean squares at their largest, and beside those of "
        f"{outcome.task.parity.reference} against itself",
        *aligned([GLANCE_HEAD, *glance_rows(outcome)]),
        "",
        *aligned([head, *([row[0], *row[2:]] for row in laws)]),
        *_failures(outcome),
    ]
    return "\n".join(parts) + "\n"


def _failures(outcome: Outcome) -> list[str]:
    lines: list[str] = []
    for side in outcome.sides:
        if side.state != "passed":
            lines += ["", f"{side.name} {side.state}: {side.reason}"]
        for tried in side.experiments:
            if tried.state == "failed":
                found = [" ".join(_check_row(c)) for c in tried.checks if not c.passed]
                what = tried.reason or "; ".join(found)
                lines.append(f"{side.name}: {tried.name}: {what}")
    return lines


def _replay_row(name: str, apart: Apart, end: float) -> Cells:
    errors = [f"{float(curve.rmse[-1]):.2g}" for curve in apart.curves]
    return [name, _until(apart.first, end), _until(apart.middle, end), *errors]


def _until(horizon: float, end: float) -> str:
    return f"{horizon:.3f} s" if np.isfinite(horizon) else f"over {end:g} s"


def _check_row(item: Check) -> Cells:
    i = item.worst
    numbers = (item.measured.flat[i], item.expected.flat[i], item.tolerance.flat[i])
    words = [f"{float(number):.5g}" for number in numbers[:2]]
    passed = "" if item.passed else "FAILED"
    return [item.what, *words, f"± {float(numbers[2]):.3g}", item.unit, passed]


def audit_rows(side: Side) -> list[Cells]:
    """Residuals of a backend's audit, and what it left out."""
    if side.audit is None:
        return []
    residuals: Mapping[str, float] = side.audit.residuals
    rows: list[Cells] = [
        [name, f"{float(value):.3g}", f"{float(side.audit.tolerances[name]):.3g}"]
        for name, value in residuals.items()
    ]
    return rows + [
        [item.what, "not audited", item.reason] for item in side.audit.unaudited
    ]
