"""What a check finds, as plain values for programs."""

from collections.abc import Iterable
from dataclasses import asdict

import mujoco

from unisim import __version__
from unisim.backend import registry
from unisim.backend.gate import GateReport, Verdict
from unisim.backend.manifest import Level, Profile, Support
from unisim.cli.engines import find
from unisim.cli.examine import Examined
from unisim.cli.survey import Aside, Survey
from unisim.scene.source import Location

ORDER = (Level.UNSUPPORTED, Level.APPROXIMATE, Level.EXACT, Level.VISUAL)
"""Worst first."""
DECIDED = ("contact", "integrator", "friction", "precision", "compliance")
"""What a profile decides where the file is silent."""


def plain(survey: Survey) -> dict[str, object]:
    """Everything: of one file its backends, of a folder its scenes."""
    made = {"unisim": __version__, "mujoco": mujoco.__version__}
    if not survey.folder:
        (item,) = survey.examined
        return {"scene": str(item.file), **made, "backends": _backends(item)}
    return {
        "folder": str(survey.place),
        **made,
        "scenes": [
            {"scene": str(item.file), "backends": _backends(item)}
            for item in survey.examined
        ],
        "skipped": _asides(survey.skipped),
        "unread": _asides(survey.unread),
    }


def place(at: Location | None) -> dict[str, object] | None:
    """A file and line; None for none."""
    return None if at is None else {"file": str(at.file), "line": at.line}


def decides(profile: Profile) -> dict[str, str]:
    """What a profile decides where the file is silent, by word."""
    said = (profile.contact, profile.integrator, profile.friction, profile.precision)
    return dict(zip(DECIDED, (*said, profile.law), strict=True))


def plain_claim(support: Support) -> dict[str, object]:
    """A claim without the ids that it is shared by."""
    return {name: value for name, value in asdict(support).items() if name != "ids"}


def _asides(items: Iterable[Aside]) -> list[dict[str, str]]:
    return [{"file": str(item.file), "reason": item.reason} for item in items]


def _backends(item: Examined) -> list[dict[str, object]]:
    return [_report(report, counts=item.counts(report)) for report in item.reports]


def _report(report: GateReport, *, counts: bool) -> dict[str, object]:
    return {
        "backend": report.backend,
        "profile": report.profile,
        "adapter": report.backend in registry.names(),
        "engine": _engine(report.backend),
        "decides": decides(report.decides),
        "runs": report.runs,
        "counts": counts,
        "refusals": list(report.refusals),
        "refused": list(report.refused),
        "accept": list(report.consents),
        "uses": [_verdict(item) for item in sorted(report.verdicts, key=_badness)],
    }


def _engine(backend: str) -> dict[str, object]:
    found = find(backend)
    return {
        "package": found.package,
        "installed": found.installed,
        "claims_made_on": found.measured,
    }


def _badness(item: Verdict) -> int:
    return ORDER.index(item.support.level)


def _verdict(item: Verdict) -> dict[str, object]:
    use, support = item.use, item.support
    accepted = support.level is Level.APPROXIMATE and not item.objection
    return {
        "feature": use.feature,
        "kind": use.kind,
        "name": use.name,
        "value": use.value,
        "notation": use.notation,
        "at": place(use.at),
        "class_at": place(use.class_at),
        "accepted": accepted,
        **plain_claim(support),
    }
