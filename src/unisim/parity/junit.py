"""A parity measurement as JUnit XML, for CI."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from unisim.parity.outcome import Outcome, Side, Tried
from unisim.parity.table import summary

_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def junit(outcome: Outcome) -> str:
    """A suite per backend: the scene's audit and replay, then every experiment."""
    root = Element("testsuites", name=f"parity of {outcome.name}")
    for side in outcome.sides:
        suite = SubElement(root, "testsuite", name=side.name)
        _scene(suite, side)
        for tried in side.experiments:
            _experiment(suite, side, tried)
        for kind in ("failure", "skipped"):
            count = len(suite.findall(f"testcase/{kind}"))
            suite.set(f"{kind}s" if kind == "failure" else kind, str(count))
        suite.set("tests", str(len(suite)))
    indent(root)
    return _HEAD + tostring(root, encoding="unicode") + "\n"


def _scene(suite: Element, side: Side) -> None:
    case = SubElement(suite, "testcase", classname=side.name, name="scene")
    if side.state == "refused" and not side.named:
        SubElement(case, "skipped", message=_line(side.reason))
    elif side.state != "passed":
        found = SubElement(case, "failure", message=_line(side.reason))
        found.text = side.reason
    else:
        SubElement(case, "system-out").text = summary(side)


def _experiment(suite: Element, side: Side, tried: Tried) -> None:
    case = SubElement(suite, "testcase", classname=side.name, name=tried.name)
    if tried.state == "refused":
        SubElement(case, "skipped", message=_line(tried.reason))
    elif tried.state == "failed":
        wrong = [
            f"{c.what}: {c.measured.flat[c.worst]:.6g} {c.unit}, expected "
            f"{c.expected.flat[c.worst]:.6g} ± {c.tolerance.flat[c.worst]:.3g}"
            for c in tried.checks
            if not c.passed
        ]
        text = tried.reason or "\n".join(wrong)
        found = SubElement(case, "failure", message=_line(text))
        found.text = text


def _line(text: str) -> str:
    return text.partition("\n")[0]
