"""Claims beside measurements: a false claim and a stale refusal are both faults."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from unisim.backend.manifest import Level, Manifest, Profile, Support
from unisim.probe.rule import Finding, Verdict

_HONOURED = frozenset({Verdict.EXACT, Verdict.APPROXIMATE})
_AGREE: Mapping[Level, frozenset[Verdict]] = {
    Level.EXACT: frozenset({Verdict.EXACT}),
    Level.APPROXIMATE: frozenset({Verdict.APPROXIMATE, Verdict.WRONG}),
    Level.UNSUPPORTED: frozenset(Verdict) - _HONOURED,
}
"""Verdicts that a level of support agrees with. What is off by more than half is still
an approximation to whoever agreed to it; how far is for the manifest to say."""


_LAW = frozenset(
    {
        *("solref", "solimp", "solmix", "margin", "gap", "solreffriction"),
        *("solimpfriction", "solreflimit", "solimplimit", "condim", "torsional"),
        *("rolling", "impratio", "override", "refsafe"),
    }
)
"""Words of features that tell how constraints yield, and nothing else."""


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
    facts = manifest.profile(profile)
    own = facts.compliance == "own"
    for feature, seen in findings.items():
        support, finding = manifest.support(profile, feature), seen
        instead = _replaced(feature, facts) or (own and _yields(feature))
        if instead and support.level is Level.APPROXIMATE:
            continue
        decided = _decided(feature, facts)
        if decided is not None and seen.verdict is Verdict.INCONCLUSIVE:
            finding = Finding(decided)
        found = fault(support, finding)
        if found is not None:
            yield feature, found


def _replaced(feature: str, profile: Profile) -> bool:
    """Whether a profile says what it does instead of an option, whatever was found.

    To whoever agrees to that, the option has no effect.
    """
    section, _, rest = feature.partition(".")
    field, _, flag = rest.partition(".")
    instead = (flag if field == "flag" else field) in profile.replaces
    return section == "option" and (instead or _passed_over(feature, profile))


def _passed_over(feature: str, profile: Profile) -> bool:
    """Whether a feature is a choice that a profile takes another one for."""
    section, _, rest = feature.partition(".")
    field, _, member = rest.partition(".")
    if section != "option" or not member or field not in profile.follows:
        return False
    return member not in {word.lower() for word in profile.follows[field]}


def _yields(feature: str) -> bool:
    """Whether a feature tells how constraints yield.

    Where they yield by a law of the engine's own it may have no effect, which is what
    who agrees to that law agrees to.
    """
    return not _LAW.isdisjoint(feature.split("."))


def _decided(feature: str, profile: Profile) -> Verdict | None:
    """What follows from an option that a profile replaces, where nothing is to be seen.

    MuJoCo beside the engine runs with the option replaced too, so that no choice of the
    file shows: only the one that the profile makes is honoured.
    """
    section, _, rest = feature.partition(".")
    field, _, member = rest.partition(".")
    if _passed_over(feature, profile):
        return Verdict.IGNORED
    if section != "option" or not member or field not in profile.replaces:
        return None
    same = profile.replaces[field].lower() == member
    return Verdict.EXACT if same else Verdict.IGNORED
