"""What a check finds, as text for people."""

from collections.abc import Iterator

from unisim.backend.gate import GateReport
from unisim.cli.examine import Examined
from unisim.cli.overview import line, name, overview, worst_first
from unisim.cli.survey import Survey
from unisim.cli.terminal import paint
from unisim.cli.verdicts import text

_SHOWN = 4
"""Features that are named of one refusal."""


def told(survey: Survey, *, every: bool) -> str:
    """Of one file all reasons by backend, of a folder a table.

    Args:
        survey: What was found.
        every: Of one file, whether to list what is exact or visual, and every element;
            of a folder, whether to list the reasons of every file.
    """
    if not survey.folder:
        return _file(survey.examined[0], every=every)
    parts = [_file(x, every=False) for x in survey.examined] if every else []
    return "\n\n".join([*parts, "\n".join(_table(survey))])


def _file(item: Examined, *, every: bool) -> str:
    reports = worst_first(item.reports)
    parts = [text(item.file, report, item.accept, every=every) for report in reports]
    parts += [overview(item)] if len(reports) > 1 else []
    return "\n\n".join(parts)


def _table(survey: Survey) -> Iterator[str]:
    reports = [report for item in survey.examined for report in item.reports]
    width = max((len(name(report)) for report in reports), default=0)
    for item in survey.examined:
        yield paint(str(item.file), "bold")
        for report in worst_first(item.reports):
            yield f"  {name(report):{width}}  {line(item, report)}{_causes(report)}"
    for aside in survey.unread:
        reason = aside.reason.replace("\n", "\n  ")
        word = "refused" if aside.refused else "unread"
        yield f"{paint(str(aside.file), 'bold')}\n  {paint(word, 'red')}  {reason}"
    for aside in survey.skipped:
        yield paint(f"skipped  {aside.file}: {aside.reason}", "dim")
    yield _summary(survey)


def _causes(report: GateReport) -> str:
    """The features that are refused, and where the first use of each is."""
    found = [_first(name, report) for name in report.refused]
    found += [item.about for item in report.obstacles if not item.feature]
    if not found:
        return ""
    left = len(found) - _SHOWN
    more = f" and {left} more" if left > 0 else ""
    return f": {', '.join(found[:_SHOWN])}{more}"


def _first(feature: str, report: GateReport) -> str:
    """A feature, and where its first use is; one that is only required has none."""
    if feature not in report.by_feature:
        return feature
    at = report.by_feature[feature][0].use.at
    return f"{feature} ({at.file.name}:{at.line})"


def _summary(survey: Survey) -> str:
    passed = sum(item.passes for item in survey.examined)
    strange = sum(item.refused for item in survey.unread)
    unread = len(survey.unread) - strange
    checked = len(survey.examined) + strange
    refused = checked - passed
    words = [f"{checked} checked", f"{passed} pass", f"{refused} refused"]
    words += [f"{unread} unread"] if unread else []
    words += [f"{len(survey.skipped)} skipped"] if survey.skipped else []
    hint = "; unisim check FILE, or --all, says why" if refused else ""
    return f"{survey.place}: {', '.join(words)}{hint}"
