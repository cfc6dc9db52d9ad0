"""What manifests claim of engines is what was measured of them, and no more."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from unisim.backend import registry
from unisim.backend.manifest import Basis, Level, Support, Why
from unisim.mjcf.features import FEATURES

TABLE = Path(__file__).parents[1] / "engine_rows.txt"
PAGES = ("warp_newton_genesis.md", "drake_motrix_superdex_physx.md")
GOOD = ("honoured", "repaired")
EXACT_SHARE, EXACT = 0.01, 1e-3
"""What counts as exact: a hundredth of the feature's effect, or this much."""
BELOW = 1e-3
"""Effects in MuJoCo that are too small to tell a response by."""
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
WORDS = {"missing": "not ", "dropped_silently": "dropped", "repaired": "dropped"}
"""How the pages put a verdict, where it is another word."""
ELSEWHERE = ("text/accelerations_with_frictionloss",)
"""Measured elsewhere than on the pages of the engines."""
PHYSICAL = [name for name, row in FEATURES.items() if not row.visual]


@dataclass(frozen=True)
class Row:
    """One measurement of one engine."""

    backend: str
    profile: str
    probe: str
    verdict: str
    off: float | None
    effect: float | None
    ids: tuple[str, ...]

    @property
    def near(self) -> bool:
        """Whether its difference is small enough to be called exact."""
        if self.off is None or self.off <= EXACT:
            return True
        return self.effect is not None and self.off <= EXACT_SHARE * self.effect


def _number(word: str) -> float | None:
    return None if word == "-" else float(word)


def _rows() -> Iterator[Row]:
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, profile, probe, verdict, off, effect, *ids = line.split()
            size = (_number(off), _number(effect))
            yield Row(name, profile, probe, verdict, *size, tuple(ids))


ROWS = tuple(_rows())
MEASURED = sorted({row.backend for row in ROWS})


def claims(backend: str, profile: str) -> dict[str, Support]:
    manifest = registry.manifest(backend)
    return {name: manifest.support(profile, name) for name in PHYSICAL}


def pairs() -> list[tuple[str, str]]:
    return [
        (name, item) for name in MEASURED for item in registry.manifest(name).profiles
    ]


@pytest.mark.parametrize("backend", registry.known())
def test_every_claim_of_every_profile_says_what_it_rests_on(backend):
    manifest = registry.manifest(backend)
    assert manifest.name == backend
    for profile in manifest.profiles:
        for name, claim in claims(backend, profile).items():
            assert claim.source.strip(), name
            assert claim.basis in set(Basis), name
            assert claim.level is not Level.VISUAL, name


def test_the_table_is_about_features_and_profiles_that_exist():
    assert len(ROWS) > 400
    assert {name for row in ROWS for name in row.ids} <= FEATURES.keys()
    for row in ROWS:
        assert row.profile in registry.manifest(row.backend).profiles, row


@pytest.mark.parametrize("backend", MEASURED)
def test_what_an_engine_loses_or_does_otherwise_is_not_called_exact(backend):
    manifest = registry.manifest(backend)
    wrong = [
        (row.probe, row.verdict, name)
        for row in ROWS
        if row.backend == backend and row.verdict not in GOOD
        for name in row.ids
        if manifest.support(row.profile, name).level is Level.EXACT
    ]
    assert not wrong


@pytest.mark.parametrize(("backend", "profile"), pairs())
def test_what_is_called_exact_was_honoured_and_near(backend, profile):
    """In this profile, or in another one that shares the entry."""
    near = defaultdict(bool)
    for row in ROWS:
        if row.backend == backend and row.verdict in GOOD:
            for name in row.ids:
                near[name] |= row.near
    manifest = registry.manifest(backend)
    shared = {id(entry) for entry in manifest.features}
    own = {name for row in ROWS if row.profile == profile for name in row.ids}
    for name, claim in claims(backend, profile).items():
        if claim.level is Level.EXACT:
            assert near[name], name
            assert name in own or id(claim) in shared, name


@pytest.mark.parametrize("backend", MEASURED)
def test_an_approximation_is_nearer_than_leaving_the_feature_out(backend):
    manifest = registry.manifest(backend)
    useless = [
        (row.probe, row.off, row.effect)
        for row in ROWS
        if row.backend == backend
        for name in row.ids
        if manifest.support(row.profile, name).level is Level.APPROXIMATE
        and row.off is not None
        and (row.effect or 0) > BELOW
        and row.off >= (row.effect or 0)
    ]
    assert not useless


@pytest.mark.parametrize("backend", MEASURED)
def test_what_a_row_is_about_is_called_measured(backend):
    manifest = registry.manifest(backend)
    rows = [row for row in ROWS if row.backend == backend]
    said = {
        (row.probe, name): manifest.support(row.profile, name).basis
        for row in rows
        for name in row.ids
    }
    assert {key for key, basis in said.items() if basis is not Basis.MEASURED} == set()


@pytest.mark.parametrize(("backend", "profile"), pairs())
def test_no_claim_is_inherited_from_a_family(backend, profile):
    """What a row says of damping is not said of the damping of a ball joint."""
    for name, claim in claims(backend, profile).items():
        if claim.level is not Level.UNSUPPORTED:
            assert name in claim.ids, name


@pytest.mark.parametrize("backend", registry.known())
def test_what_nobody_measured_is_the_adapters_to_find_out(backend):
    manifest = registry.manifest(backend)
    for profile in manifest.profiles:
        for name, claim in claims(backend, profile).items():
            unknown = claim.note.startswith("not measured")
            assert unknown == (claim.basis is Basis.NOTHING), name
            if unknown:
                assert claim.level is Level.UNSUPPORTED, name
                assert claim.why is Why.ADAPTER, name


@pytest.mark.real_robot
def test_the_table_is_what_the_pages_say(shared):
    pages = [(shared / "engines" / page).read_text() for page in PAGES]
    lines = defaultdict(str)
    for line in "\n".join(pages).splitlines():
        if line.startswith("| "):
            lines[line.split(" | ")[0].strip("| ")] += line
    everything = "\n".join(pages)
    for row in ROWS:
        spoken = row.probe.startswith("text/")
        text = everything if spoken else lines[row.probe]
        numbers = {float(word) for word in NUMBER.findall(text)}
        if row.probe not in ELSEWHERE:
            assert {row.off, row.effect} - {None} <= numbers, row
        if not spoken:
            assert WORDS.get(row.verdict, row.verdict) in text.lower(), row
