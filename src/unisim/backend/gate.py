"""The gate: refuses a scene before anything is built, all reasons at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from unisim.backend.abilities import ABILITIES, FIELDS
from unisim.backend.base import BuildCfg
from unisim.backend.manifest import Basis, Level, Manifest, Profile, Support
from unisim.backend.obstacles import EVERYTHING, RELEASE, Obstacle, covers, obstacles
from unisim.errors import UnknownName, UnsupportedFeature
from unisim.mjcf.detect import Use, detect
from unisim.mjcf.features import FAMILIES, FEATURES

UNTRIED = ("device.cuda", RELEASE)
"""In `accept`: consent to a kind of device, or a release of the engine, on which no
claim was measured."""


class Verdict(NamedTuple):
    """One use of a feature, and what the backend makes of it.

    Attributes:
        use: Element and feature.
        support: What the manifest claims.
        objection: Why it speaks against the build; "" when it does not.
    """

    use: Use
    support: Support
    objection: str = ""


@dataclass(frozen=True)
class GateReport:
    """What passed the gate, and what was agreed to.

    Attributes:
        backend: Name of the backend.
        profile: Name of the solver profile.
        decides: What the profile decides where the file is silent, by name.
        verdicts: Every use and its support.
        obstacles: What is asked beside the scene and is not there.
    """

    backend: str
    profile: str
    decides: Profile
    verdicts: tuple[Verdict, ...]
    obstacles: tuple[Obstacle, ...] = ()

    @cached_property
    def by_feature(self) -> Mapping[str, Sequence[Verdict]]:
        """All uses of each feature: what is said of them is the same for all."""
        found: dict[str, list[Verdict]] = {}
        for item in self.verdicts:
            found.setdefault(item.use.feature, []).append(item)
        return found

    @property
    def refusals(self) -> tuple[str, ...]:
        """Every reason not to build, a sentence each."""
        found = [f"{x.use}: {x.objection}" for x in self.verdicts if x.objection]
        return (*found, *(item.reason for item in self.obstacles))

    @property
    def refused(self) -> tuple[str, ...]:
        """The feature ids among the reasons not to build."""
        found = [name for name, items in self.by_feature.items() if items[0].objection]
        found += [item.feature for item in self.obstacles if item.feature]
        return tuple(dict.fromkeys(found))

    @property
    def runs(self) -> bool:
        """Whether nothing speaks against the build."""
        return not self.obstacles and not any(
            items[0].objection for items in self.by_feature.values()
        )

    @property
    def accepted(self) -> tuple[Verdict, ...]:
        """The approximations that were agreed to."""
        return tuple(
            item
            for item in self.verdicts
            if item.support.level is Level.APPROXIMATE and not item.objection
        )

    @property
    def consents(self) -> tuple[str, ...]:
        """The ids that `accept` has to name besides, to agree to all it can."""
        found = [
            name
            for name, items in self.by_feature.items()
            if items[0].objection and items[0].support.level is Level.APPROXIMATE
        ]
        found += [item.consent for item in self.obstacles if item.consent]
        return tuple(dict.fromkeys(found))


def gate(
    request: BuildCfg,
    manifest: Manifest,
    accept: Sequence[str] = (),
    require: Sequence[str] = (),
) -> GateReport:
    """Let a request pass to a backend, or say everything that speaks against it.

    Args:
        request: What is to be built.
        manifest: What the backend represents.
        accept: Feature ids or families whose approximation is agreed to, or kinds of
            device where nothing was measured; `*` is all.
        require: Feature ids or families that must be exact, or abilities.

    Raises:
        UnsupportedFeature: With all reasons at once.
        UnknownName: If the profile, an id to accept or require, or a field to vary does
            not exist.
    """
    report = judge(request, manifest, accept, require)
    if not report.runs:
        backend = f"{report.backend} ({report.profile})"
        raise UnsupportedFeature(backend, report.refusals, report.refused)
    return report


def judge(
    request: BuildCfg,
    manifest: Manifest,
    accept: Sequence[str] = (),
    require: Sequence[str] = (),
) -> GateReport:
    """What a backend makes of a request, refusals listed instead of raised.

    Takes what `gate` takes.

    Raises:
        UnknownName: If the profile, an id to accept or require, or a field to vary does
            not exist.
        UnsupportedFeature: If the scene holds what the vocabulary does not know.
    """
    profile = request.profile
    decides = manifest.profile(profile)
    _know("feature", accept, (*FEATURES, *FAMILIES, *UNTRIED, EVERYTHING))
    _know("feature or ability", require, (*FEATURES, *FAMILIES, *ABILITIES))
    for name in request.vary:
        if name not in FIELDS:
            raise UnknownName("model field", name, manifest.abilities.vary)
    verdicts = _verdicts(manifest, profile, detect(request.scene), accept)
    found = obstacles(request, manifest, accept, require)
    return GateReport(manifest.name, profile, decides, verdicts, tuple(found))


def _know(kind: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, known)


def _verdicts(
    manifest: Manifest, profile: str, uses: Sequence[Use], accept: Sequence[str]
) -> tuple[Verdict, ...]:
    """What is made of every use; all uses of a feature get the same answer."""
    answers: dict[str, tuple[Support, str]] = {}
    for use in uses:
        if use.feature not in answers:
            support = manifest.support(profile, use.feature)
            answers[use.feature] = support, _objection(use.feature, support, accept)
    return tuple(Verdict(use, *answers[use.feature]) for use in uses)


def _objection(feature: str, support: Support, accept: Sequence[str]) -> str:
    """Why a use speaks against the build; "" when it does not."""
    if support.level is Level.UNSUPPORTED:
        known = support.basis is not Basis.NOTHING
        who = f"lacking in the {support.why}" if known else "nobody knows if it works"
        return f"unsupported, {support.note} ({who})."
    if support.level is Level.APPROXIMATE and not covers(accept, feature):
        return f'approximate, {support.how}. If you agree, accept = ["{feature}"].'
    return ""
