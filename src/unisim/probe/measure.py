"""Measures what an engine makes of features, one probe at a time or many on a sheet."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Protocol

import mujoco

from unisim.errors import CannotProbe
from unisim.probe.child import Child, Failed
from unisim.probe.probe import Probe
from unisim.probe.rule import SHAKE, Finding, Verdict, judge
from unisim.probe.sheet import MOST, sheets
from unisim.probe.start import Array
from unisim.probe.trial import Target, on_mujoco
from unisim.probe.watch import Seen, aligned
from unisim.progress import Progress

_FAILED = {
    "refused": Verdict.REFUSED,
    "crashed": Verdict.CRASHED,
    "hung": Verdict.HUNG,
}
TIMEOUT = 600.0
"""How long an engine may take for one scene, kernels included [s]."""


class Asked(Protocol):
    """What answers for an engine."""

    def ask(
        self, target: Target, probes: Sequence[Probe], *, used: bool
    ) -> list[Seen] | Failed:
        """What is seen of a scene or a sheet, per probe."""
        ...


def measure(
    target: Target,
    probes: Sequence[Probe],
    progress: Progress,
    *,
    timeout: float = TIMEOUT,
    most: int = MOST,
) -> dict[str, Finding]:
    """Measure what an engine makes of features.

    The engine runs in a process of its own: a crash or a hang is the verdict of the
    probe that brings it about. A probe on a sheet that is not found exact is measured
    once more, alone.

    Args:
        target: The engine, and how it is run.
        probes: What is measured.
        progress: Gets told how far it is.
        timeout: How long the engine may take for one scene [s].
        most: Scenes on one sheet; 1 puts every probe alone.

    Returns:
        Finding by feature, sorted.

    Raises:
        CannotProbe: If the engine is not installed.
    """
    with closing(Child(timeout)) as child:
        return measure_by(child, target, probes, progress, most=most)


def measure_by(
    engine: Asked,
    target: Target,
    probes: Sequence[Probe],
    progress: Progress,
    *,
    most: int = MOST,
) -> dict[str, Finding]:
    """Measure what answers for an engine; see `measure`."""
    found = dict[str, Finding]()
    for group in sheets(probes, most):
        for probe, finding in _all(engine, target, group):
            found[probe.feature] = finding
            progress.share(f"probes {target.backend}", len(found) / len(probes))
    return dict(sorted(found.items()))


def _all(
    engine: Asked, target: Target, group: Sequence[Probe]
) -> Iterator[tuple[Probe, Finding]]:
    """Measure a group; where it fails as a whole, its halves."""
    findings = _findings(engine, target, group)
    if isinstance(findings, Finding):
        if len(group) == 1:
            yield group[0], findings
            return
        middle = len(group) // 2
        yield from _all(engine, target, group[:middle])
        yield from _all(engine, target, group[middle:])
        return
    for probe, finding in zip(group, findings, strict=True):
        if finding.verdict is not Verdict.EXACT and len(group) > 1:
            yield from _all(engine, target, [probe])
        else:
            yield probe, finding


def _findings(
    engine: Asked, target: Target, group: Sequence[Probe]
) -> list[Finding] | Finding:
    """What is found of each, or why nothing is of any."""
    got = _halves(engine, target, group)
    if isinstance(got, Finding):
        return got
    try:
        want, noise = _wanted(target, group)
    except mujoco.FatalError as error:
        note = f"MuJoCo, run as the profile declares: {error}"
        return Finding(Verdict.INCONCLUSIVE, None, note)
    return [judge(*item) for item in zip(got, want, noise, strict=True)]


def _halves(
    engine: Asked, target: Target, group: Sequence[Probe]
) -> list[Array] | Finding:
    """The effects on the engine, each (horizons, STARTS, k), or why there are none."""
    seen = list[list[Seen]]()
    for used in (False, True):
        answer = engine.ask(target, group, used=used)
        if isinstance(answer, Failed):
            if answer.how == "missing":
                raise CannotProbe(target.backend, answer.note)
            return _failed(answer, used=used)
        seen.append(answer)
    return [_effect(used, unused) for unused, used in zip(*seen, strict=True)]


def _failed(answer: Failed, *, used: bool) -> Finding:
    """A crash or a hang is the probe's verdict, whichever of its scenes it befalls."""
    if used:
        return Finding(_FAILED[answer.how], None, answer.note)
    refused = answer.how == "refused"
    verdict = Verdict.INCONCLUSIVE if refused else _FAILED[answer.how]
    note = f"the scene without it: {answer.how}, {answer.note}"
    return Finding(verdict, None, note)


def _wanted(target: Target, group: Sequence[Probe]) -> tuple[list[Array], list[Array]]:
    """MuJoCo's effects, and what a disturbance makes of them."""
    runs = [
        [
            _effect(used, unused)
            for used, unused in zip(
                on_mujoco(target, group, used=True, shake=shake),
                on_mujoco(target, group, used=False, shake=shake),
                strict=True,
            )
        ]
        for shake in (0.0, SHAKE)
    ]
    noise = [other - effect for effect, other in zip(*runs, strict=True)]
    return runs[0], noise


def _effect(used: Seen, unused: Seen) -> Array:
    first, other = aligned(used, unused)
    return first - other
