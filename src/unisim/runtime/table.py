"""What a run found, as a table of text."""

import numpy as np

from unisim.backend.audit.report import AuditReport, Unaudited
from unisim.runtime.measured import QUANTILES, Measured, Series
from unisim.runtime.outcome import Outcome

Row = tuple[str, str, str]
"""What, how much, and a remark."""
_NAMED = 4
"""Names that a line has room for."""


def rows(outcome: Outcome) -> list[Row]:
    """The lines of the table."""
    built, measured = outcome.built, outcome.measured
    task, dt = built.task, float(built.scene.model.opt.timestep)
    lines = [
        (
            "backend",
            f"{task.backend} {outcome.versions[task.backend]}",
            _profile(outcome),
        ),
        (
            "worlds",
            f"{task.worlds:,}",
            f"{_plural(measured.steps, 'step')} of {dt:g} s",
        ),
        (
            "simulated",
            f"{outcome.seconds:.2f} s",
            f"control every {task.decimation} steps",
        ),
        ("env-steps/s", f"{outcome.env_steps:,.0f}", _reading(outcome)),
        *_audit(outcome),
        _height(measured),
        *_tracking(measured),
        *_force(measured),
        *_touches(measured),
        _faults(outcome),
    ]
    if isinstance(outcome.pictures, str):
        lines.append(("pictures", "none", outcome.pictures))
    return lines


def table(outcome: Outcome) -> str:
    """The table, columns aligned."""
    lines = rows(outcome)
    first, second = (max(len(line[i]) for line in lines) for i in (0, 1))
    body = [
        f"{what.ljust(first)}  {value.rjust(second)}  {remark}".rstrip()
        for what, value, remark in lines
    ]
    rule = "-" * (first + second + 4)
    return "\n".join([outcome.name, rule, *body]) + "\n"


def _profile(outcome: Outcome) -> str:
    accepted = len({item.use.feature for item in outcome.built.gate.accepted})
    agreed = f", {_plural(accepted, 'approximation')} accepted" if accepted else ""
    return f"profile {outcome.built.gate.profile}{agreed}"


def _reading(outcome: Outcome) -> str:
    measured = outcome.measured
    return (
        f"stepping took {measured.stepping:.2f} s, reading {measured.reading:.2f} s; "
        f"{outcome.env_steps_with_reads:,.0f} with reads"
    )


def _audit(outcome: Outcome) -> list[Row]:
    audit = outcome.built.audit
    idle = _plural(audit.fields - audit.compared, "more field")
    remark = f"fields of this scene equal the reference; {idle} without effect in it"
    lines = [("audit by value", f"{audit.compared}", remark)]
    if audit.residuals:
        lines.append(_behaviour(audit))
    lines += [("not audited", i.what, _unaudited(i)) for i in audit.unaudited]
    return lines


def _unaudited(item: Unaudited) -> str:
    """Why, and of what."""
    left = len(item.names) - _NAMED
    more = f" and {left} more, see result.json" if left > 0 else ""
    names = f"{', '.join(item.names[:_NAMED])}{more}: " if item.names else ""
    return f"{names}{item.reason}"


def _behaviour(audit: AuditReport) -> Row:
    count = _plural(len(audit.residuals), "residual")
    ratios = {
        # a residual of 0 may have passed a tolerance of 0
        name: float(residual) / float(audit.tolerances[name]) if residual else 0.0
        for name, residual in audit.residuals.items()
    }
    worst = max(ratios, key=lambda name: ratios[name])
    if ratios[worst] == 0:
        return ("audit by behaviour", "0", f"all {count} are exactly 0")
    largest = f"{worst}, {float(audit.residuals[worst]):.2g}"
    remark = f"of its tolerance is the largest of {count}: {largest}"
    return ("audit by behaviour", f"{ratios[worst]:.1%}", remark)


def _height(measured: Measured) -> Row:
    low, centre, high = _last(measured.height)
    remark = f"of {measured.body} at the end, 90 % of worlds {low:.3f} to {high:.3f} m"
    return ("height", f"{centre:.3f} m", remark)


def _tracking(measured: Measured) -> list[Row]:
    lines: list[Row] = []
    for unit in dict.fromkeys(item.unit for item in measured.followers):
        errors = {
            item.name: float(error)
            for item, error in zip(measured.followers, measured.error, strict=True)
            if item.unit == unit
        }
        worst = max(errors, key=lambda name: errors[name])
        mean = float(np.sqrt(np.mean(np.square(list(errors.values())))))
        remark = f"rms over {len(errors)}, worst {worst} {errors[worst]:.3g} {unit}"
        lines.append(("tracking error", f"{mean:.3g} {unit}", remark))
    return lines


def _force(measured: Measured) -> list[Row]:
    if measured.force is None:
        return []
    ground = measured.ground
    low, _, high = _last(measured.force)
    mean = float(np.nanmean(measured.force.mean))
    share = f"{mean / ground.weight:.1%} of " if ground.weight else ""
    remark = (
        f"on average, {share}the weight of {', '.join(ground.carried)}, "
        f"{ground.weight:.1f} N; at the end 90 % of worlds {low:.1f} to {high:.1f} N"
    )
    return [("ground force", f"{mean:.1f} N", remark)]


def _touches(measured: Measured) -> list[Row]:
    lines: list[Row] = []
    for item in measured.touches:
        peak = "" if item.peak is None else f", up to {item.peak:.1f} N"
        lost = "; more than its slots hold" if item.overflow else ""
        remark = f"of the time, {item.found:.2g} contacts on average{peak}{lost}"
        lines.append((f"contact {item.name}", f"{item.share:.0%}", remark))
    return lines


def _faults(outcome: Outcome) -> Row:
    kinds = ", ".join(f"{n} {kind}" for kind, n in outcome.measured.faults.items())
    total = str(sum(outcome.measured.faults.values()))
    return ("faults", total, kinds or "no world lost its state, a control or a contact")


def _last(series: Series) -> tuple[float, float, float]:
    """Quantiles 5 %, 50 % and 95 % at the end."""
    low, centre, high = (
        float(series.spread[-1, QUANTILES.index(q)]) for q in (0.05, 0.5, 0.95)
    )
    return low, centre, high


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
