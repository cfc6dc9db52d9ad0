"""What a gate reports, as text and as plain values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import mujoco

from unisim import __version__
from unisim.backend import registry
from unisim.backend.gate import GateReport, Verdict
from unisim.backend.manifest import Level, Support
from unisim.cli.engines import find
from unisim.cli.overview import verdict
from unisim.cli.remedies import remedies
from unisim.cli.terminal import paint
from unisim.mjcf.detect import Use
from unisim.scene.source import Location

_ORDER = (Level.UNSUPPORTED, Level.APPROXIMATE, Level.EXACT, Level.VISUAL)
"""Worst first."""
_COLOURS: Mapping[Level, str] = {
    Level.UNSUPPORTED: "red",
    Level.APPROXIMATE: "yellow",
    Level.EXACT: "green",
    Level.VISUAL: "dim",
}
_DECIDED = ("contact", "integrator", "friction", "precision")
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
    groups = _groups(report)
    lines = [_title(file, report)]
    for level in _ORDER:
        if every or level in {Level.UNSUPPORTED, Level.APPROXIMATE}:
            for feature, verdicts in groups[level].items():
                lines += _feature(feature, verdicts, report, every=every)
    lines += [f"  {paint('refused', 'red')}  {line}" for line in _others(report)]
    note = find(report.backend).note
    lines += [f"  {paint('note', 'yellow')}  {note}"] if note else []
    lines += _accept_line(report, accept)
    lines += [
        f"  where the file is silent, {word}: {getattr(report.decides, word)}"
        for word in _DECIDED
    ]
    return "\n".join([*lines, _summary(report, groups)])


def plain(file: Path, reports: Sequence[GateReport]) -> dict[str, object]:
    """What all backends make of a scene, for programs."""
    return {
        "scene": str(file),
        "unisim": __version__,
        "mujoco": mujoco.__version__,
        "backends": [_plain_report(report) for report in reports],
    }


def _title(file: Path, report: GateReport) -> str:
    where = f"{file} on {report.backend}, profile {report.profile}"
    return f"{paint(where, 'bold')}: {verdict(report)}"


def _groups(report: GateReport) -> dict[Level, dict[str, list[Verdict]]]:
    """Verdicts by level and feature."""
    groups: dict[Level, dict[str, list[Verdict]]] = {level: {} for level in _ORDER}
    for item in report.verdicts:
        groups[item.support.level].setdefault(item.use.feature, []).append(item)
    return groups


def _feature(
    feature: str, verdicts: Sequence[Verdict], report: GateReport, *, every: bool
) -> Iterator[str]:
    support = verdicts[0].support
    level = paint(support.level, _COLOURS[support.level])
    yield f"  {level}  {paint(feature, 'bold')}  {_does(support)}".rstrip()
    shown = verdicts if every else verdicts[:_SHOWN]
    yield from (f"      {_place(item.use)}" for item in shown)
    left = len(verdicts) - len(shown)
    if left:
        yield f"      and {left} more; --all lists them"
    if support.level is not Level.VISUAL:
        yield f"      {support.ground}"
    remedy = _remedy(feature, support, report)
    if remedy:
        yield f"      -> {remedy}"


def _does(support: Support) -> str:
    """What the backend does instead, or lacks."""
    return support.how if support.level is Level.APPROXIMATE else support.note


def _remedy(feature: str, support: Support, report: GateReport) -> str:
    if support.level is Level.APPROXIMATE and feature not in report.refused:
        return "accepted"
    return "; ".join(remedies(feature, report.backend, support))


def _place(use: Use) -> str:
    value = f" = {use.value}" if use.value else ""
    by = f", by the default at {use.class_at}" if use.class_at else ""
    return f"{use.at}  {use.kind} {use.name!r}{value}{by}"


def _others(report: GateReport) -> list[str]:
    """Refusals that no element of the scene is the cause of."""
    prefixes = tuple(f"{item.use}: " for item in report.verdicts)
    return [line for line in report.refusals if not line.startswith(prefixes)]


def _accept_line(report: GateReport, accept: Sequence[str]) -> list[str]:
    refused = [
        item.use.feature
        for item in report.verdicts
        if item.support.level is Level.APPROXIMATE
        and item.use.feature in report.refused
    ]
    if not refused:
        return []
    ids = ", ".join(f'"{name}"' for name in dict.fromkeys((*accept, *refused)))
    return [f"  to agree to every approximation above: accept = [{ids}]"]


def _summary(
    report: GateReport, groups: Mapping[Level, Mapping[str, Sequence[Verdict]]]
) -> str:
    counts = [
        f"{paint(str(len(groups[level])), _COLOURS[level])} {level}" for level in _ORDER
    ]
    features = sum(len(group) for group in groups.values())
    accepted = len({item.use.feature for item in report.accepted})
    agreed = f" ({accepted} of the approximations accepted)" if accepted else ""
    return (
        f"  {len(report.verdicts)} uses of {features} features: "
        f"{', '.join(counts)}{agreed}"
    )


def _plain_report(report: GateReport) -> dict[str, object]:
    accepted = set(map(id, report.accepted))
    return {
        "backend": report.backend,
        "profile": report.profile,
        "adapter": report.backend in registry.names(),
        "engine": _plain_engine(report.backend),
        "decides": {word: getattr(report.decides, word) for word in _DECIDED},
        "runs": not report.refusals,
        "refusals": list(report.refusals),
        "refused": list(report.refused),
        "uses": [
            _plain_verdict(item, accepted=id(item) in accepted)
            for item in sorted(report.verdicts, key=_badness)
        ],
    }


def _plain_engine(backend: str) -> dict[str, object]:
    found = find(backend)
    return {
        "package": found.package,
        "installed": found.installed,
        "claims_made_on": found.measured,
    }


def _badness(item: Verdict) -> int:
    return _ORDER.index(item.support.level)


def _plain_verdict(item: Verdict, *, accepted: bool) -> dict[str, object]:
    use, support = item.use, item.support
    claim = {name: value for name, value in asdict(support).items() if name != "ids"}
    return {
        "feature": use.feature,
        "kind": use.kind,
        "name": use.name,
        "value": use.value,
        "at": _plain_place(use.at),
        "class_at": None if use.class_at is None else _plain_place(use.class_at),
        "accepted": accepted,
        **claim,
    }


def _plain_place(place: Location) -> dict[str, object]:
    return {"file": str(place.file), "line": place.line}
