"""One run of probes: measured, compared with the manifest, and kept."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from unisim.backend import registry
from unisim.backend.log import leave_no_log
from unisim.errors import CannotWrite, OutOfRange, UnknownName
from unisim.mjcf.features import FAMILIES, FEATURES
from unisim.probe.claims import Fault, faults
from unisim.probe.measure import TIMEOUT, measure
from unisim.probe.probe import Probe
from unisim.probe.probes import PROBES, UNPROBED, present
from unisim.probe.record import Record, key_of, merged, read, text
from unisim.probe.sheet import MOST
from unisim.probe.trial import Target
from unisim.progress import Progress
from unisim.report.folder import staged, write


@dataclass(frozen=True)
class Outcome:
    """What a run of probes found.

    Attributes:
        record: Findings and what they were made on.
        claimed: By feature: the level that the manifest claims.
        faults: By feature: how the claim disagrees.
    """

    record: Record
    claimed: Mapping[str, str]
    faults: Mapping[str, Fault]


def examine(
    target: Target,
    features: Sequence[str],
    progress: Progress,
    *,
    timeout: float = TIMEOUT,
    most: int = MOST,
    out: Path | None = None,
) -> Outcome:
    """Measure an engine, and compare with its manifest.

    Args:
        target: The engine, and how it is run.
        features: Features or families; none is all.
        progress: Gets told how far it is.
        timeout: How long the engine may take for one scene [s].
        most: Scenes on one sheet.
        out: File of records that the result is merged into.

    Raises:
        UnknownName: If a feature does not exist or has no probe here.
        OutOfRange: If `timeout` is no time.
        UnknownBackend: If no package registers the backend.
        NoAdapter: If it has no adapter.
        MissingEngine: If its engine is not installed.
        CannotProbe: If its engine cannot be used.
        BadRecord: If `out` holds something else.
        CannotWrite: If `out` cannot be written; nothing is measured then.
    """
    leave_no_log()
    if not timeout > 0:
        raise OutOfRange("timeout", timeout, "more than 0 s")
    probes, key = chosen(features), key_of(target)
    if out is not None:
        _check(out)
    with staged(out.parent) if out else nullcontext() as stage:
        findings = measure(target, probes, progress, timeout=timeout, most=most)
        record = Record(key, {p.feature: p.digest for p in probes}, findings)
        if out and stage:
            before = [item for item in read(out) if features or item.key != key]
            write(stage / out.name, text(merged(before, record)), out)
    manifest = registry.manifest(target.backend)
    claimed = {
        feature: str(manifest.support(target.profile, feature).level)
        for feature in findings
    }
    return Outcome(record, claimed, dict(faults(manifest, target.profile, findings)))


def _check(out: Path) -> None:
    """See that records can be merged into a file, before anything is measured."""
    if out.is_dir():
        raise CannotWrite(out, "it is a folder")
    if out.exists() and not out.is_file():
        raise CannotWrite(out, "it is no ordinary file")
    read(out)


def chosen(features: Sequence[str]) -> list[Probe]:
    """The probes of features and families; all that the installed MuJoCo has.

    Raises:
        UnknownName: If one does not exist or has no probe here.
    """
    here = present()
    for name in features:
        if name not in FEATURES and name not in FAMILIES:
            raise UnknownName("feature", name, (*FEATURES, *FAMILIES))
        if name in UNPROBED:
            owner = f"it has no probe, {UNPROBED[name]}"
            raise UnknownName("probe", name, here, owner)
    found = [
        PROBES[feature]
        for feature in here
        if not features or {feature, *FEATURES[feature].families} & {*features}
    ]
    if not found:
        raise UnknownName("probe", " ".join(features), here)
    return found
