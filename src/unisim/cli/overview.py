"""All backends at a glance: which run a scene, and what stands against the others."""

from collections.abc import Sequence

from unisim.backend import registry
from unisim.backend.gate import GateReport
from unisim.backend.manifest import Level
from unisim.cli.examine import Examined
from unisim.cli.terminal import paint


def worst_first(reports: Sequence[GateReport]) -> list[GateReport]:
    """The refused ones before the others, those with the most against them first."""
    return sorted(reports, key=_badness, reverse=True)


def overview(item: Examined) -> str:
    """One line per backend, worst first."""
    reports = worst_first(item.reports)
    width = max(len(name(report)) for report in reports)
    return "\n".join(f"{name(x):{width}}  {line(item, x)}" for x in reports)


def verdict(report: GateReport) -> str:
    """Whether a backend runs a scene, in a word or two."""
    if not report.runs:
        return paint("refused", "red")
    if report.backend not in registry.names():
        return paint("represented, no adapter yet", "yellow")
    return paint("runs", "green")


def name(report: GateReport) -> str:
    """Backend and profile."""
    return f"{report.backend} ({report.profile})"


def line(item: Examined, report: GateReport) -> str:
    """Verdict and how many features are against it."""
    unsupported, approximate = _counts(report)
    accepted = len({x.use.feature for x in report.accepted})
    agreed = f", {accepted} accepted" if accepted else ""
    against = f"{unsupported} unsupported, {approximate} approximate{agreed}"
    idle = "" if item.counts(report) else " (decides nothing: nobody named it)"
    return f"{verdict(report)}: {against}{idle}"


def _badness(report: GateReport) -> tuple[int, int, int]:
    unsupported, approximate = _counts(report)
    return not report.runs, unsupported, approximate


def _counts(report: GateReport) -> tuple[int, int]:
    """How many features are unsupported, and how many approximate."""
    levels = [items[0].support.level for items in report.by_feature.values()]
    return levels.count(Level.UNSUPPORTED), levels.count(Level.APPROXIMATE)
