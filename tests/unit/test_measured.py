"""The recorded measurements: whole, of this adapter, and as the manifests claim."""

import os
import subprocess
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from unisim.backend import registry
from unisim.backend.manifest import Basis, Level
from unisim.errors import MissingEngine
from unisim.probe.claims import faults
from unisim.probe.measure import measure
from unisim.probe.probes import PROBES, UNPROBED, present
from unisim.probe.record import FILE, folder_of, key_of, read
from unisim.probe.rule import Verdict
from unisim.probe.trial import target_of
from unisim.progress import Silent

BACKENDS = ("mujoco", "mjwarp", "drake", "motrix")
BEYOND = {
    "mujoco": set[str](),
    "drake": {"contact.pair", "contact.pair.condim.1", "contact.pair.condim.3"},
    "motrix": {"joint.frictionloss.free"},
    "mjwarp": {
        *("actuator.armature", "actuator.damping", "actuator.damping.polynomial"),
        *("body.sleep.auto_allowed", "body.sleep.auto_never", "option.flag.sleep"),
        *("option.sleep_tolerance", "geom.type.hfield", "flex.passive"),
        *("sensor.contact.linvel", "sensor.contact.angvel"),
        *("sensor.jointlimitfrc", "sensor.tendonlimitfrc"),
    },
}
"""Features of which less is claimed than a probe finds, by `beyond`: each is looked at
by a person, so that no refusal goes stale under an excuse."""
REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
SAMPLE = 8
REPO = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", params=BACKENDS)
def target(request):
    return target_of(request.param, None)


@pytest.fixture(scope="module")
def record(target):
    """The record of what is installed here."""
    try:
        key = key_of(target)
    except (MissingEngine, PackageNotFoundError):
        if target.backend in REQUIRED:
            raise
        pytest.skip(f"{target.backend}: its engine is not installed")
    file = folder_of(target.backend) / FILE
    found = [item for item in read(file) if item.key.place == key.place]
    again = f"measure it: unisim probe {target.backend} --out {file.name}"
    assert found, f"nobody measured {key.engine} beside MuJoCo {key.mujoco}; {again}"
    assert found[0].key == key, f"the adapter has changed since; {again}"
    return found[0]


def test_every_probe_was_measured_as_it_is_now(record):
    assert dict(record.probes) == {name: PROBES[name].digest for name in present()}


def test_a_manifest_lists_the_releases_that_were_measured(target):
    records = read(folder_of(target.backend) / FILE)
    versions = tuple(dict.fromkeys(x.key.engine.split()[1] for x in records))
    assert registry.manifest(target.backend).releases == versions


def test_no_claim_is_false_and_no_refusal_is_stale(record, target):
    manifest = registry.manifest(target.backend)
    assert dict(faults(manifest, target.profile, record.findings)) == {}


def test_less_is_claimed_than_was_measured_of_a_known_few(target):
    manifest = registry.manifest(target.backend)
    records = read(folder_of(target.backend) / FILE)
    excused = {
        name
        for item in records
        for name, finding in item.findings.items()
        if manifest.support(target.profile, name).beyond
        and finding.verdict in {Verdict.EXACT, Verdict.APPROXIMATE}
        and manifest.support(target.profile, name).level != finding.verdict
    }
    assert excused == BEYOND[target.backend]


def test_what_has_no_probe_is_not_claimed_to_be_measured(target):
    manifest = registry.manifest(target.backend)
    for name in UNPROBED:
        claim = manifest.support(target.profile, name)
        refused = claim.level is Level.UNSUPPORTED
        assert refused or claim.basis is Basis.DOCUMENTED, name


def test_a_sample_is_as_it_was_recorded(record, target):
    """It rotates with the commit, so that in time everything is measured again."""
    if target.backend != "mujoco" and target.backend not in REQUIRED:
        pytest.skip(f"{target.backend} compiles kernels: UNISIM_REQUIRE asks for it")
    names = sample(sorted(record.findings))
    found = measure(target, [PROBES[name] for name in names], Silent())
    assert {name: item.verdict for name, item in found.items()} == {
        name: record.findings[name].verdict for name in names
    }


def sample(names):
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
    )
    turn = int(commit.stdout[:8] or "0", 16)
    return [
        names[(turn + i * len(names) // SAMPLE) % len(names)] for i in range(SAMPLE)
    ]
