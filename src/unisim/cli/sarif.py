"""What a check finds, as SARIF 2.1.0, for code scanning.

There is a run per backend and profile, each a category of its own: code scanning takes
one run per category of a file, and shows and closes the alerts of each by themselves.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from unisim import __version__
from unisim.backend.gate import GateReport, Verdict
from unisim.backend.manifest import Level
from unisim.cli.examine import Examined
from unisim.cli.stated import line_of
from unisim.cli.survey import Survey
from unisim.cli.verdicts import remedy_of
from unisim.mjcf.features import FEATURES
from unisim.scene.source import Location

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_MANUAL = "https://mujoco.readthedocs.io/en/stable/XMLreference.html"
_SECTIONS = {
    "joint": "body-joint",
    "geom": "body-geom",
    "contact": "contact",
    "key": "keyframe",
    "flex": "deformable",
    "plugin": "extension",
    "visual": "visual",
}
"""By family: its section in MuJoCo's reference, where it has another name."""
_OF_TASK = "What a task asks of a backend beside its scene."
_ASKED = "task"
"""Rule of what a task asks beside its scene."""
_ROOT = "%SRCROOT%"
Value = dict[str, object]


def sarif(survey: Survey) -> Value:
    """One log with a run per backend; refusals and approximations are results."""
    found = survey.by_backend() or {("unisim", "unread"): []}
    runs = [_run(*key, pairs, survey) for key, pairs in found.items()]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": runs}


def _run(
    backend: str,
    profile: str,
    pairs: Sequence[tuple[Examined, GateReport]],
    survey: Survey,
) -> Value:
    results = [x for item, report in pairs for x in _results(item, report)]
    rules = dict.fromkeys(str(result["ruleId"]) for result in results)
    order = {rule: index for index, rule in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = order[str(result["ruleId"])]
    driver = {
        "name": "unisim",
        "semanticVersion": __version__,
        "version": __version__,
        "rules": [_rule(rule) for rule in rules],
    }
    notes = [_notification(x.file, x.reason) for x in survey.unread]
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"unisim/{backend}.{profile}/"},
        "originalUriBaseIds": {_ROOT: {"uri": f"{Path.cwd().as_uri()}/"}},
        "invocations": [
            {"executionSuccessful": not notes, "toolExecutionNotifications": notes}
        ],
        "columnKind": "unicodeCodePoints",
        "properties": {"backend": backend, "profile": profile},
        "results": results,
    }


def _rule(rule: str) -> Value:
    asked = rule == _ASKED
    doc = _OF_TASK if asked else FEATURES[rule].doc
    family = rule.partition(".")[0]
    command = "unisim support" if asked else f"unisim explain {rule}"
    return {
        "id": rule,
        "name": rule,
        "shortDescription": {"text": doc},
        "helpUri": _MANUAL if asked else f"{_MANUAL}#{_SECTIONS.get(family, family)}",
        "help": {"text": f"{doc} `{command}` says who represents it."},
        "defaultConfiguration": {"level": "error"},
    }


def _results(item: Examined, report: GateReport) -> Iterator[Value]:
    decides = item.counts(report)
    for verdict in report.verdicts:
        if verdict.support.level in {Level.UNSUPPORTED, Level.APPROXIMATE}:
            yield _result(verdict, report) | ({} if decides else {"level": "note"})
    for obstacle in report.obstacles:
        at = Location(item.file, line_of(item.file, obstacle.about))
        yield {
            "ruleId": obstacle.feature or _ASKED,
            "level": "error" if decides else "note",
            "message": {"text": f"{report.backend}: {obstacle.reason}"},
            "locations": [_location(at)],
        }


def _result(verdict: Verdict, report: GateReport) -> Value:
    use, support = verdict.use, verdict.support
    said = verdict.objection or f"approximate, and accepted: {support.how}."
    remedy = remedy_of(verdict, report.backend) if not support.how else ""
    parts = [
        f"{report.backend} ({report.profile}): {use.shown} asks for "
        f"{use.feature}: {said}",
        f"{remedy[:1].upper()}{remedy[1:]}." if remedy else "",
        f"({support.ground})",
    ]
    found: Value = {
        "ruleId": use.feature,
        "level": _level(verdict),
        "message": {"text": " ".join(filter(None, parts))},
        "locations": [_location(use.at, f"{use.kind} {use.name}")],
    }
    if use.class_at is not None:
        said_by = {"message": {"text": "the default class that states it"}}
        found["relatedLocations"] = [{"id": 1, **_location(use.class_at), **said_by}]
    return found


def _level(verdict: Verdict) -> str:
    if not verdict.objection:
        return "note"
    return "error" if verdict.support.level is Level.UNSUPPORTED else "warning"


def _location(at: Location, name: str = "") -> Value:
    place: Value = {
        "physicalLocation": {
            "artifactLocation": _artifact(at.file),
            "region": {"startLine": max(at.line, 1)},
        }
    }
    if name:
        place["logicalLocations"] = [{"fullyQualifiedName": name}]
    return place


def _artifact(file: Path) -> Value:
    """A file below the current folder relative to it, any other one as it is."""
    here, whole = Path.cwd(), Path(os.path.abspath(file))
    whole = whole if whole.is_relative_to(here) else whole.resolve()
    if not whole.is_relative_to(here):
        return {"uri": whole.as_uri()}
    uri = whole.as_uri().removeprefix(f"{here.as_uri().rstrip('/')}/")
    return {"uri": uri, "uriBaseId": _ROOT}


def _notification(file: Path, reason: str) -> Value:
    return {
        "level": "error",
        "message": {"text": reason},
        "locations": [_location(Location(file, 1))],
    }
