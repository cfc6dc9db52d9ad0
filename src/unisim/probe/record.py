"""Recorded measurements: what probes found, and exactly on what.

A record holds no dates and no timings, and is sorted: measured again on the same
things, the file stays as it is.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import mujoco

from unisim.backend import registry
from unisim.errors import BadRecord, MissingEngine
from unisim.probe.rule import Finding, Verdict
from unisim.probe.trial import Target

FILE = "measured.json"
"""Name of the records beside a manifest."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """What a measurement was made on.

    Attributes:
        backend: Name of the backend.
        profile: Solver profile.
        device: Kind of device.
        dtype: Precision of the state.
        engine: Package of the engine, and its version.
        mujoco: Version of MuJoCo.
        adapter: Hex digest of the adapter's source.
    """

    backend: str
    profile: str
    device: str
    dtype: str
    engine: str
    mujoco: str
    adapter: str

    @property
    def place(self) -> tuple[str, ...]:
        """What a newer record replaces an older one by: all but the adapter."""
        named = (self.backend, self.profile, self.device, self.dtype)
        return (*named, self.engine, self.mujoco)


@dataclass(frozen=True)
class Record:
    """Findings by feature, with the digest of each probe.

    Attributes:
        key: What was measured.
        probes: By feature: digest of its probe.
        findings: By feature: what it found.
    """

    key: Key
    probes: Mapping[str, str]
    findings: Mapping[str, Finding]


def key_of(target: Target) -> Key:
    """What a measurement that is made here is made on.

    Raises:
        UnknownBackend: If no package registers the backend.
        NoAdapter: If it has no adapter.
        MissingEngine: If its engine is not installed.
    """
    backend = registry.load(target.backend)
    manifest = backend.manifest
    try:
        engine = f"{manifest.package} {version(manifest.package)}"
    except PackageNotFoundError:
        raise MissingEngine(
            target.backend, manifest.package, manifest.install
        ) from None
    return Key(
        **{**asdict(target), "device": target.device.partition(":")[0]},
        engine=engine,
        mujoco=mujoco.__version__,
        adapter=adapter_digest(target.backend),
    )


def folder_of(backend: str) -> Path:
    """Folder of an adapter, where its manifest and its records are.

    Raises:
        UnknownBackend: If no package registers the backend.
        NoAdapter: If it has no adapter.
    """
    module = import_module(registry.module(backend))
    return Path(str(module.__file__)).parent


def adapter_digest(backend: str) -> str:
    """Hex digest of an adapter's Python source."""
    folder, found = folder_of(backend), sha256()
    for file in sorted(folder.rglob("*.py")):
        found.update(str(file.relative_to(folder)).encode() + b"\0")
        found.update(file.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def read(file: Path) -> tuple[Record, ...]:
    """Read records; a file that is not there has none.

    Raises:
        BadRecord: If it holds something else.
    """
    if not file.exists():
        return ()
    try:
        return tuple(_record(item) for item in json.loads(file.read_text("utf-8")))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadRecord(file, repr(error)) from None


def merged(old: Sequence[Record], new: Record) -> tuple[Record, ...]:
    """Records with a new one, which replaces what it measured again.

    A record of the same things keeps the findings that were not measured again, each
    with the digest of the probe that it came from.
    """
    kept = [item for item in old if item.key.place != new.key.place]
    probes, findings = dict(new.probes), dict(new.findings)
    for item in old:
        if item.key == new.key:
            probes = {**item.probes, **probes}
            findings = {**item.findings, **findings}
    record = Record(new.key, probes, findings)
    return tuple(sorted((*kept, record), key=lambda item: item.key.place))


def text(records: Iterable[Record]) -> str:
    """Records as JSON, a line for each finding."""
    parts = [_text(record) for record in records]
    return "[\n" + ",\n".join(parts) + "\n]\n"


def _text(record: Record) -> str:
    lines = [
        f"  {json.dumps(feature)}: "
        + json.dumps(
            [record.probes[feature], finding.verdict, finding.error, finding.note]
        )
        for feature, finding in sorted(record.findings.items())
    ]
    key = json.dumps(asdict(record.key), sort_keys=True)
    return f'{{"key": {key},\n "found": {{\n' + ",\n".join(lines) + "\n }}"


def _record(item: Mapping[str, Mapping[str, Sequence[object]]]) -> Record:
    key = Key(**{name: str(value) for name, value in item["key"].items()})
    probes, findings = dict[str, str](), dict[str, Finding]()
    for feature, (digest, verdict, error, note) in item["found"].items():
        probes[feature] = str(digest)
        number = None if error is None else float(str(error))
        findings[feature] = Finding(Verdict(str(verdict)), number, str(note))
    return Record(key, probes, findings)
