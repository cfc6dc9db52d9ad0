"""Claims beside measurements: a false claim and a stale refusal are both faults."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from unisim.backend.manifest import Level, Manifest, Support
from unisim.probe.rule import Finding, Verdict

_HONOURED = frozenset({Verdict.EXACT, Verdict.APPROXIMATE})
_AGREE: Mapping[Level, frozenset[Verdict]] = {
    Level.EXACT: frozenset({Verdict.EXACT}),
    Level.APPROXIMATE: frozenset({Verdict.APPROXIMATE, Verdict.WRONG}),
    Level.UNSUPPORTED: frozenset(Verdict) - _HONOURED,
}
"""Verdicts that a level of support agrees with. What is off by more than half is still
an approximation to whoever agreed to it; how far is for the manifest to say."""


class Fault(StrEnum):
    """How a claim disagrees with what was measured."""

    FALSE = "false claim"
    STALE = "stale refusal"
    """The engine does more than is claimed."""


def fault(support: Support, finding: Finding) -> Fault | None:
    """Compare a claim with what a probe found.

    A claim of less may rest on what no probe looks at (a snapshot, a value that cannot
    be read back, another scene): then its manifest says so by `beyond`.
    """
    if finding.verdict in _AGREE[support.level]:
        return None
    if finding.verdict not in _HONOURED or support.level is Level.EXACT:
        return Fault.FALSE
    return None if support.beyond else Fault.STALE


def faults(
    manifest: Manifest, profile: str, findings: Mapping[str, Finding]
) -> Iterator[tuple[str, Fault]]:
    """Every feature whose claim disagrees with what was found."""
    replaced = manifest.profile(profile).replaces
    for feature, seen in findings.items():
        support, finding = manifest.support(profile, feature), seen
        decided = _decided(feature, replaced)
        if decided is not None and seen.verdict is Verdict.INCONCLUSIVE:
            finding = Finding(decided)
        found = fault(support, finding)
        if found is not None:
            yield feature, found


def _decided(feature: str, replaced: Mapping[str, str]) -> Verdict | None:
    """What follows from an option that a profile replaces, where nothing is to be seen.

    MuJoCo beside the engine runs with the option replaced too, so that no choice of the
    file shows: only the one that the profile makes is honoured.
    """
    section, _, rest = feature.partition(".")
    field, _, member = rest.partition(".")
    if section != "option" or not member or field not in replaced:
        return None
    same = replaced[field].lower() == member
    return Verdict.EXACT if same else Verdict.IGNORED
