"""All backends at a glance: which run a scene, and what stands against the others."""

from collections.abc import Sequence

from unisim.backend import registry
from unisim.backend.gate import GateReport
from unisim.backend.manifest import Level
from unisim.cli.terminal import paint


def worst_first(reports: Sequence[GateReport]) -> list[GateReport]:
    """The refused ones before the others, those with the most against them first."""
    return sorted(reports, key=_badness, reverse=True)


def overview(reports: Sequence[GateReport]) -> str:
    """One line per backend."""
    width = max(len(_name(report)) for report in reports)
    return "\n".join(_line(report, width) for report in reports)


def verdict(report: GateReport) -> str:
    """Whether a backend runs a scene, in a word or two."""
    if report.refusals:
        return paint("refused", "red")
    if report.backend not in registry.names():
        return paint("represented, no adapter yet", "yellow")
    return paint("runs", "green")


def _badness(report: GateReport) -> tuple[int, int, int]:
    unsupported, approximate = _counts(report)
    return bool(report.refusals), unsupported, approximate


def _counts(report: GateReport) -> tuple[int, int]:
    """How many features are unsupported, and how many approximate."""
    found = {item.use.feature: item.support.level for item in report.verdicts}
    levels = list(found.values())
    return levels.count(Level.UNSUPPORTED), levels.count(Level.APPROXIMATE)


def _name(report: GateReport) -> str:
    return f"{report.backend} ({report.profile})"


def _line(report: GateReport, width: int) -> str:
    unsupported, approximate = _counts(report)
    accepted = len({item.use.feature for item in report.accepted})
    agreed = f", {accepted} accepted" if accepted else ""
    against = f"{unsupported} unsupported, {approximate} approximate{agreed}"
    return f"{_name(report):{width}}  {verdict(report)}: {against}"
