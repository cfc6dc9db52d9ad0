"""The gate: refuses a scene before anything is built, all reasons at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mujoco

from unisim.backend.base import BuildCfg
from unisim.backend.manifest import ABILITIES, Basis, Level, Manifest, Profile, Support
from unisim.config import ContactQueryCfg
from unisim.errors import UnknownName, UnsupportedFeature
from unisim.mjcf.detect import Use, detect
from unisim.mjcf.features import FAMILIES, FEATURES

UNTRIED = ("device.cuda",)
"""In `accept`: consent to a kind of device on which no claim was measured."""
EVERYTHING = "*"
"""In `accept`: consent to every approximation of the backend."""
_FIELDS = frozenset(
    {*dir(mujoco.MjModel), *(f"opt.{name}" for name in dir(mujoco.MjOption))}
)
"""What a model holds, in MuJoCo's names."""


@dataclass(frozen=True)
class Verdict:
    """One use of a feature, and what the backend makes of it."""

    use: Use
    support: Support


@dataclass(frozen=True)
class GateReport:
    """What passed the gate, and what was agreed to.

    Attributes:
        backend: Name of the backend.
        profile: Name of the solver profile.
        decides: What the profile decides where the file is silent, by name.
        verdicts: Every use and its support.
        refusals: Every reason not to build, a sentence each.
        refused: The feature ids among them.
    """

    backend: str
    profile: str
    decides: Profile
    verdicts: tuple[Verdict, ...]
    refusals: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[Verdict, ...]:
        """The approximations that were agreed to."""
        return tuple(
            item
            for item in self.verdicts
            if item.support.level is Level.APPROXIMATE
            and item.use.feature not in self.refused
        )


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
    if report.refusals:
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
    _know(accept, (*FEATURES, *FAMILIES, *UNTRIED, EVERYTHING))
    _know(require, (*FEATURES, *FAMILIES, *ABILITIES))
    for name in request.vary:
        if name not in _FIELDS:
            raise UnknownName("model field", name, manifest.abilities.vary)
    verdicts = tuple(
        Verdict(use, manifest.support(profile, use.feature))
        for use in detect(request.scene)
    )
    reasons = [
        (item.use.feature, f"{item.use}: {reason}")
        for item in verdicts
        if (reason := _objection(item, accept))
    ]
    reasons += _unmet(manifest, profile, require)
    lines = [line for _, line in reasons]
    lines += _device(manifest, request.device, accept)
    lines += [*_abilities(manifest, request), *_queries(manifest, request.contacts)]
    features = tuple(dict.fromkeys(feature for feature, _ in reasons))
    return GateReport(manifest.name, profile, decides, verdicts, tuple(lines), features)


def _know(names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownName("feature", name, known)


def _covers(names: Sequence[str], feature: str) -> bool:
    """Whether a list of ids and families names a feature."""
    above = (EVERYTHING, feature, *FEATURES[feature].families)
    return any(name in names for name in above)


def _objection(item: Verdict, accept: Sequence[str]) -> str:
    """Why a use speaks against the build; "" when it does not."""
    support, feature = item.support, item.use.feature
    if support.level is Level.UNSUPPORTED:
        known = support.basis is not Basis.NOTHING
        who = f"lacking in the {support.why}" if known else "nobody knows if it works"
        return f"unsupported, {support.note} ({who})."
    if support.level is Level.APPROXIMATE and not _covers(accept, feature):
        return f'approximate, {support.how}. If you agree, accept = ["{feature}"].'
    return ""


def _unmet(
    manifest: Manifest, profile: str, require: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Requirements that the manifest does not meet."""
    for name in require:
        if name in ABILITIES:
            if name not in manifest.abilities.names:
                yield name, f"required ability {name}: {manifest.name} lacks it."
            continue
        for feature in FEATURES:
            if not _covers([name], feature):
                continue
            level = manifest.support(profile, feature).level
            if level in {Level.APPROXIMATE, Level.UNSUPPORTED}:
                yield feature, f"required {feature}: it is {level} here."


def _device(manifest: Manifest, device: str, accept: Sequence[str]) -> Iterator[str]:
    have = manifest.abilities
    kind, colon, index = device.partition(":")
    addressed = not colon or (kind != "cpu" and index.isdecimal())
    if not addressed or kind not in (*have.devices, *have.untried):
        kinds = ", ".join((*have.devices, *have.untried))
        yield f"device {device!r}: it runs on {kinds}; an index is written cuda:1."
    elif kind in have.untried and not {EVERYTHING, f"device.{kind}"} & {*accept}:
        yield (
            f"device {device!r}: no claim was measured on {kind}. The audit of every "
            f'build looks at it all the same; if you agree, accept = ["device.{kind}"].'
        )


def _abilities(manifest: Manifest, request: BuildCfg) -> Iterator[str]:
    have = manifest.abilities
    if request.dtype not in have.dtypes:
        yield f"dtype {request.dtype!r}: it computes in {', '.join(have.dtypes)}."
    if request.deterministic and not have.deterministic:
        yield "deterministic = true: equal runs differ. Set deterministic = false."
    for name in request.vary:
        if name not in have.vary:
            known = ", ".join(have.vary) or "nothing"
            yield f"vary {name!r}: what may vary is {known}."


def _queries(manifest: Manifest, contacts: Sequence[ContactQueryCfg]) -> Iterator[str]:
    have = manifest.abilities
    for query in contacts:
        place = f"contact query {query.name!r}"
        if query.kind not in have.contact_kinds:
            yield f"{place}: there are none by {query.kind}."
        if query.reduce not in have.contact_reduce:
            yield f"{place}: it cannot reduce by {query.reduce}."
        for name in query.fields:
            if name not in have.contact_fields:
                known = ", ".join(have.contact_fields) or "none"
                yield f"{place}: no field {name!r}; known: {known}."
