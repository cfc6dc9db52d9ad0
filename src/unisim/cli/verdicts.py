"""What a gate reports, as text."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from unisim.backend.gate import GateReport, Verdict
from unisim.backend.manifest import Level, Support
from unisim.cli.engines import find
from unisim.cli.overview import verdict
from unisim.cli.plain import ORDER, decides
from unisim.cli.remedies import remedies
from unisim.cli.terminal import paint
from unisim.mjcf.detect import Use

COLOURS: Mapping[Level, str] = {
    Level.UNSUPPORTED: "red",
    Level.APPROXIMATE: "yellow",
    Level.EXACT: "green",
    Level.VISUAL: "dim",
}
_SHOWN = 6
"""Elements that are listed of one feature."""


def text(file: Path, report: GateReport, accept: Sequence[str], *, every: bool) -> str:
    """What one backend makes of a scene, for people.

    Args:
        file: The scene or config that was asked about.
        report: What the gate says.
        accept: Feature ids that are accepted already.
        every: Whether to list what is exact or visual, and every element.
    """
    by_level: dict[Level, list[Sequence[Verdict]]] = {level: [] for level in ORDER}
    for verdicts in report.by_feature.values():
        by_level[verdicts[0].support.level].append(verdicts)
    lines = [_title(file, report)]
    for level, features in by_level.items():
        if every or level in {Level.UNSUPPORTED, Level.APPROXIMATE}:
            for verdicts in features:
                lines += _feature(verdicts, report.backend, every=every)
    lines += [f"  {paint('refused', 'red')}  {x.reason}" for x in report.obstacles]
    note = find(report.backend).note
    lines += [f"  {paint('note', 'yellow')}  {note}"] if note else []
    lines += _accept_line(report, accept)
    lines += [
        f"  where the file is silent, {word}: {said}"
        for word, said in decides(report.decides).items()
    ]
    counts = {level: len(features) for level, features in by_level.items()}
    return "\n".join([*lines, _summary(report, counts)])


def _title(file: Path, report: GateReport) -> str:
    where = f"{file} on {report.backend}, profile {report.profile}"
    return f"{paint(where, 'bold')}: {verdict(report)}"


def _feature(
    verdicts: Sequence[Verdict], backend: str, *, every: bool
) -> Iterator[str]:
    feature, support = verdicts[0].use.feature, verdicts[0].support
    level = paint(support.level, COLOURS[support.level])
    yield f"  {level}  {paint(feature, 'bold')}  {does(support)}".rstrip()
    yield from listed(verdicts, every=every)
    if support.level is not Level.VISUAL:
        yield f"      {support.ground}"
    remedy = remedy_of(verdicts[0], backend)
    if remedy:
        yield f"      -> {remedy}"


def listed(verdicts: Sequence[Verdict], *, every: bool) -> Iterator[str]:
    """The elements of a feature: a line each, and how many are left out."""
    shown = verdicts if every else verdicts[:_SHOWN]
    yield from (f"      {_place(item.use)}" for item in shown)
    left = len(verdicts) - len(shown)
    if left:
        yield f"      and {left} more; --all lists them"


def remedy_of(item: Verdict, backend: str) -> str:
    """What to do about a use that is not exact; "" where there is nothing to do."""
    support, feature = item.support, item.use.feature
    if support.level is Level.APPROXIMATE and not item.objection:
        return "accepted"
    return "; ".join(remedies(feature, backend, support))


def does(support: Support) -> str:
    """What a backend does instead, or lacks."""
    return support.how if support.level is Level.APPROXIMATE else support.note


def _place(use: Use) -> str:
    by = f", by the default at {use.class_at}" if use.class_at else ""
    return f"{use.at}  {use.shown}{by}"


def _accept_line(report: GateReport, accept: Sequence[str]) -> list[str]:
    """The line of a config that agrees to all that can be agreed to."""
    if not report.consents:
        return []
    ids = ", ".join(f'"{name}"' for name in dict.fromkeys((*accept, *report.consents)))
    return [f"  to agree to every approximation above: accept = [{ids}]"]


def _summary(report: GateReport, counts: Mapping[Level, int]) -> str:
    said = [f"{paint(str(n), COLOURS[level])} {level}" for level, n in counts.items()]
    accepted = len({item.use.feature for item in report.accepted})
    agreed = f" ({accepted} of the approximations accepted)" if accepted else ""
    return (
        f"  {len(report.verdicts)} uses of {len(report.by_feature)} features: "
        f"{', '.join(said)}{agreed}"
    )
