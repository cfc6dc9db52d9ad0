"""Results as JUnit XML, for CI."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_FORBIDDEN = {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"}
"""Characters that XML cannot hold."""


@dataclass(frozen=True)
class Case:
    """One thing that was looked at.

    Attributes:
        name: What it is.
        failure: Why it failed, "" when it did not; the first line is its message.
        skipped: Why it was not looked at, "" when it was.
        said: What is worth knowing when it passed.
        file: File that it is about, None for none.
        line: Line of the file.
    """

    name: str
    failure: str = ""
    skipped: str = ""
    said: str = ""
    file: Path | None = None
    line: int = 1


@dataclass(frozen=True)
class Suite:
    """What was looked at on one backend."""

    name: str
    cases: Sequence[Case]


def junit(name: str, suites: Iterable[Suite]) -> str:
    """One document of all suites."""
    root = Element("testsuites", name=_clean(name))
    for suite in suites:
        _suite(root, suite)
    indent(root)
    return _HEAD + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, suite: Suite) -> None:
    name = _clean(suite.name)
    element = SubElement(root, "testsuite", name=name)
    for case in suite.cases:
        found = SubElement(element, "testcase", classname=name, name=_clean(case.name))
        _fill(found, case)
    element.set("failures", str(sum(bool(case.failure) for case in suite.cases)))
    element.set("skipped", str(sum(bool(case.skipped) for case in suite.cases)))
    element.set("tests", str(len(suite.cases)))


def _fill(element: Element, case: Case) -> None:
    if case.file is not None:
        element.set("file", _clean(str(case.file)))
        element.set("line", str(case.line))
    if case.skipped:
        SubElement(element, "skipped", message=_first(case.skipped))
    elif case.failure:
        failure = SubElement(element, "failure", message=_first(case.failure))
        failure.text = _clean(case.failure)
    elif case.said:
        SubElement(element, "system-out").text = _clean(case.said)


def _first(text: str) -> str:
    return _clean(text.partition("\n")[0])


def _clean(text: str) -> str:
    return text.translate(_FORBIDDEN)
