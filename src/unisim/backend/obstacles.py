"""What speaks against a build that no element of the scene is the cause of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from unisim.backend.abilities import ABILITIES
from unisim.backend.base import BuildCfg
from unisim.backend.manifest import Level, Manifest
from unisim.config import ContactQueryCfg
from unisim.mjcf.features import FEATURES

RELEASE = "engine.release"
"""In `accept`: consent to a release of the engine that nobody measured."""
EVERYTHING = "*"
"""In `accept`: consent to every approximation of the backend."""


@dataclass(frozen=True)
class Obstacle:
    """A reason not to build that lies in what is asked of the backend.

    Attributes:
        about: Key of the task that asks for it, such as `device`.
        reason: What is wrong and what would be possible, in a sentence.
        feature: Id of the feature that is required, "" when it is none.
        consent: What `accept` may name to agree to it, "" when nothing helps.
    """

    about: str
    reason: str
    feature: str = ""
    consent: str = ""


def obstacles(
    request: BuildCfg, manifest: Manifest, accept: Sequence[str], require: Sequence[str]
) -> Iterator[Obstacle]:
    """Everything that a backend lacks of what a task asks beside its scene."""
    yield from _required(manifest, request.profile, require)
    yield from _release(manifest, accept)
    yield from _device(manifest, request.device, accept)
    yield from _abilities(manifest, request)
    for query in request.contacts:
        for reason in _query(manifest, query):
            yield Obstacle("contacts", f"contact query {query.name!r}: {reason}")


def covers(names: Sequence[str], feature: str) -> bool:
    """Whether a list of ids and families names a feature."""
    above = (EVERYTHING, feature, *FEATURES[feature].families)
    return any(name in names for name in above)


def _required(
    manifest: Manifest, profile: str, require: Sequence[str]
) -> Iterator[Obstacle]:
    for name in require:
        if name in ABILITIES:
            if name not in manifest.abilities.names:
                yield Obstacle("require", _lacks(manifest, name))
            continue
        for feature in FEATURES:
            if not covers([name], feature):
                continue
            level = manifest.support(profile, feature).level
            if level in {Level.APPROXIMATE, Level.UNSUPPORTED}:
                reason = f"required {feature}: it is {level} here."
                yield Obstacle("require", reason, feature)


def _lacks(manifest: Manifest, name: str) -> str:
    """A sentence: what is missing, and what there is of the same sort."""
    sort = name.rpartition(".")[0]
    if name.startswith("vary."):
        sort = "vary"
    have = sorted(x for x in manifest.abilities.names if x.startswith(f"{sort}."))
    instead = f" It has {', '.join(have)}." if sort and have else ""
    return f"required ability {name}: {manifest.name} lacks it.{instead}"


def _release(manifest: Manifest, accept: Sequence[str]) -> Iterator[Obstacle]:
    try:
        here = version(manifest.package)
    except PackageNotFoundError:
        return
    if here in manifest.measured or {EVERYTHING, RELEASE} & {*accept}:
        return
    reason = (
        f"{manifest.package} {here} is installed, and the claims hold for "
        f"{', '.join(manifest.measured)}. Measure it with unisim probe "
        f"{manifest.name}, or install one of them; if you agree, accept = "
        f'["{RELEASE}"].'
    )
    yield Obstacle("backend", reason, consent=RELEASE)


def _device(
    manifest: Manifest, device: str, accept: Sequence[str]
) -> Iterator[Obstacle]:
    have = manifest.abilities
    kind, colon, index = device.partition(":")
    addressed = not colon or (kind != "cpu" and index.isdecimal())
    if not addressed or kind not in (*have.devices, *have.untried):
        kinds = ", ".join((*have.devices, *have.untried))
        reason = f"device {device!r}: it runs on {kinds}; an index is written cuda:1."
        yield Obstacle("device", reason)
    elif kind in have.untried and not {EVERYTHING, f"device.{kind}"} & {*accept}:
        reason = (
            f"device {device!r}: no claim was measured on {kind}. The audit of every "
            f'build looks at it all the same; if you agree, accept = ["device.{kind}"].'
        )
        yield Obstacle("device", reason, consent=f"device.{kind}")


def _abilities(manifest: Manifest, request: BuildCfg) -> Iterator[Obstacle]:
    have = manifest.abilities
    if request.dtype not in have.dtypes:
        known = ", ".join(have.dtypes)
        yield Obstacle("dtype", f"dtype {request.dtype!r}: it computes in {known}.")
    if request.deterministic and not have.deterministic:
        reason = "deterministic = true: equal runs differ. Set deterministic = false."
        yield Obstacle("deterministic", reason)
    for name in request.vary:
        if name not in have.vary:
            known = ", ".join(have.vary) or "nothing"
            yield Obstacle("vary", f"vary {name!r}: what may vary is {known}.")


def _query(manifest: Manifest, query: ContactQueryCfg) -> Iterator[str]:
    have = manifest.abilities
    if query.kind not in have.contact_kinds:
        yield f"there are none by {query.kind}."
    if query.reduce not in have.contact_reduce:
        yield f"it cannot reduce by {query.reduce}."
    for name in query.fields:
        if name not in have.contact_fields:
            known = ", ".join(have.contact_fields) or "none"
            yield f"no field {name!r}; known: {known}."
