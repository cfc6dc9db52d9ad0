"""A parity measurement as JUnit XML, for CI."""

from collections.abc import Iterator

from unisim.parity.outcome import Outcome, Side, Tried
from unisim.parity.table import summary
from unisim.report.junit import Case, Suite
from unisim.report.junit import junit as document


def junit(outcome: Outcome) -> str:
    """A suite per backend: the scene's audit and replay, then every experiment."""
    suites = [Suite(side.name, list(_cases(side))) for side in outcome.sides]
    return document(f"parity of {outcome.name}", suites)


def _cases(side: Side) -> Iterator[Case]:
    if side.state == "refused" and not side.named:
        yield Case("scene", skipped=side.reason)
    elif side.state != "passed":
        yield Case("scene", failure=side.reason)
    else:
        yield Case("scene", said=summary(side))
    yield from (_experiment(tried) for tried in side.experiments)


def _experiment(tried: Tried) -> Case:
    if tried.state == "refused":
        return Case(tried.name, skipped=tried.reason)
    if tried.state != "failed":
        return Case(tried.name)
    wrong = [
        f"{c.what}: {c.measured.flat[c.worst]:.6g} {c.unit}, expected "
        f"{c.expected.flat[c.worst]:.6g} ± {c.tolerance.flat[c.worst]:.3g}"
        for c in tried.checks
        if not c.passed
    ]
    return Case(tried.name, failure=tried.reason or "\n".join(wrong))
