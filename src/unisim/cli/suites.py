"""What a check finds, as JUnit XML: a suite per backend, a case per feature."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from unisim.backend.gate import GateReport, Verdict
from unisim.backend.manifest import Level
from unisim.backend.obstacles import Obstacle
from unisim.cli.examine import Examined
from unisim.cli.stated import line_of
from unisim.cli.survey import Survey
from unisim.cli.verdicts import remedy_of
from unisim.report.junit import Case, Suite
from unisim.report.junit import junit as document


def junit(survey: Survey) -> str:
    """One document; what cannot be read is a suite of its own."""
    suites = [
        Suite(
            f"{backend}.{profile}",
            [case for item, report in found for case in _cases(item, report, survey)],
        )
        for (backend, profile), found in survey.by_backend().items()
    ]
    if survey.unread:
        unread = [Case(str(x.file), x.reason, file=x.file) for x in survey.unread]
        suites.append(Suite("unread", unread))
    return document(f"check of {survey.place}", suites)


def _cases(item: Examined, report: GateReport, survey: Survey) -> Iterator[Case]:
    before = f"{item.file}: " if survey.folder else ""
    cases = [
        *(
            _feature(before + name, verdicts, report.backend)
            for name, verdicts in report.by_feature.items()
            if verdicts[0].support.level is not Level.VISUAL
        ),
        *(_asked(before, item.file, obstacle) for obstacle in report.obstacles),
    ]
    decides = item.counts(report)
    for case in cases:
        idle = case.failure and not decides
        yield replace(case, failure="", skipped=case.failure) if idle else case


def _asked(before: str, file: Path, obstacle: Obstacle) -> Case:
    line = line_of(file, obstacle.about)
    return Case(
        f"{before}{obstacle.about}", obstacle.reason, file=_neat(file), line=line
    )


def _neat(file: Path) -> Path:
    """A path without the steps that lead back."""
    return Path(os.path.normpath(file))


def _feature(name: str, verdicts: Sequence[Verdict], backend: str) -> Case:
    first = verdicts[0]
    at = first.use.at
    remedy = remedy_of(first, backend)
    lines = [str(x.use) for x in verdicts]
    if first.objection:
        said = [first.objection, *lines, first.support.ground, remedy]
        why = "\n".join(filter(None, said))
        return Case(name, why, file=_neat(at.file), line=at.line)
    agreed = f"accepted: {first.support.how}" if remedy else ""
    return Case(name, said=agreed, file=_neat(at.file), line=at.line)
