"""A manifest is total, consistent, and resolves by the most specific entry."""

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

import unisim.backend
from unisim.backend.manifest import (
    Abilities,
    Basis,
    Entry,
    Level,
    Manifest,
    Profile,
    Why,
    load_manifest,
)
from unisim.errors import BadManifest, UnknownName
from unisim.mjcf.features import FEATURES

FOLDER = Path(unisim.backend.__file__).parent
ROOTS = tuple(sorted({name.split(".")[0] for name in FEATURES} - {"visual"}))
PLAIN = Profile(contact="c", integrator="i", friction="f", precision="p", default=True)


def test_a_profile_says_by_whose_law_contacts_yield_mujocos_unless_it_says_so():
    assert (PLAIN.compliance, PLAIN.law) == ("mujoco", "MuJoCo's law")
    own = replace(PLAIN, compliance="own")
    assert own.law == "a law of its own"
    with pytest.raises(ValidationError, match="compliance"):
        Profile(
            contact="c",
            integrator="i",
            friction="f",
            precision="p",
            compliance="another",
        )


def exact(*ids: str) -> Entry:
    return Entry(ids=ids, level=Level.EXACT, basis=Basis.MEASURED, source="here")


def close(*ids: str, how="by half") -> Entry:
    return replace(exact(*ids), level=Level.APPROXIMATE, how=how)


def lacking(*ids: str, why: Why | None = Why.ENGINE, note="none") -> Entry:
    return replace(exact(*ids), level=Level.UNSUPPORTED, why=why, note=note)


def manifest(*entries: Entry, **profiles: Profile) -> Manifest:
    return Manifest(
        name="toy",
        package="toy",
        version="1",
        install="pip install toy",
        abilities=Abilities(devices=("cpu",), dtypes=("float64",), batching=True),
        profiles=profiles or {"default": PLAIN},
        features=entries,
    )


def problems(*entries: Entry, **profiles: Profile) -> str:
    with pytest.raises(BadManifest) as refusal:
        manifest(*entries, **profiles)
    return str(refusal.value)


@pytest.mark.parametrize("backend", ["mujoco", "fake"])
def test_our_manifests_resolve_every_feature(backend):
    loaded = load_manifest(FOLDER / backend / "manifest.toml")
    levels = {loaded.support(loaded.default_profile, name).level for name in FEATURES}
    assert loaded.name == backend
    assert Level.VISUAL in levels


def test_the_most_specific_entry_wins_wherever_it_stands():
    toy = manifest(lacking("joint.damping.ball"), exact(*ROOTS), close("joint.damping"))
    assert toy.support("default", "joint.damping.ball").level is Level.UNSUPPORTED
    assert toy.support("default", "joint.damping.free").how == "by half"
    assert toy.support("default", "joint.armature").level is Level.EXACT


def test_a_profile_overrides_an_entry_of_its_rank_but_not_a_finer_one():
    other = replace(PLAIN, default=False, features=(lacking("joint"),))
    toy = manifest(exact(*ROOTS), close("joint.damping"), default=PLAIN, other=other)
    assert toy.support("default", "joint.armature").level is Level.EXACT
    assert toy.support("other", "joint.armature").level is Level.UNSUPPORTED
    assert toy.support("other", "joint.damping").level is Level.APPROXIMATE


def test_what_is_visual_needs_no_entry_and_may_have_none():
    assert manifest(exact(*ROOTS)).support("default", "visual.light").level == "visual"
    assert "visual.light has no physical effect" in problems(
        exact(*ROOTS, "visual.light")
    )


def test_silence_is_not_support():
    text = problems(exact(*(root for root in ROOTS if root != "tendon")))
    missing = [name for name in FEATURES if name.startswith("tendon.")]
    assert all(f"no entry covers {name}\n" in text + "\n" for name in missing)
    assert "joint.damping" not in text


def test_all_that_is_wrong_is_said_at_once():
    text = problems(
        exact(*ROOTS, "joint.dampng"),
        exact("joint"),
        close("geom.solref", how=""),
        lacking("geom.solimp", why=None),
        lacking("geom.margin", note=""),
        replace(exact("geom.gap"), how="twice"),
        replace(exact("geom.mask"), level=Level.VISUAL),
        replace(exact("geom.condim"), basis=Basis.NOTHING),
        default=replace(PLAIN, consumes=("timestep",), replaces={"timestep": "1"}),
        second=replace(PLAIN, follows={"cone": ("elliptic",)}, consumes=("cone",)),
        third=replace(PLAIN, default=False, follows={"solver": ()}),
    )
    assert "no feature 'joint.dampng'; did you mean joint.damping" in text
    assert "joint is stated twice" in text
    assert "geom.solref: `how` belongs" in text
    assert "geom.solimp: `why` belongs" in text
    assert "geom.margin: an unsupported feature needs a `note`" in text
    assert "geom.gap: `how` belongs" in text
    assert "geom.mask: only the vocabulary says what is visual" in text
    assert "geom.condim: what rests on nothing is unsupported" in text
    assert "timestep is both consumed and replaced" in text
    assert "second: cone is followed in part, and stated again" in text
    assert "third: solver follows no choice" in text
    assert "exactly one must say default = true, not 2" in text


def test_an_unknown_profile_or_feature_is_named():
    toy = manifest(exact(*ROOTS))
    with pytest.raises(UnknownName, match="Did you mean 'default'"):
        toy.support("defualt", "joint.damping")
    with pytest.raises(UnknownName, match=r"joint\.type\.ball"):
        toy.support("default", "joint.type.bal")


GOOD = (FOLDER / "mujoco" / "manifest.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('level = "exact"', 'level = "perfect"', r"features\.0\.level"),
        ("batching = true", 'batching = "yes"', r"abilities\.batching"),
        ('package = "mujoco"', 'packages = "mujoco"', "packages: Unexpected"),
        ('"tendon", ', "", r"no entry covers tendon\.fixed"),
        ("[abilities]", "[abilities", "cannot be read as TOML"),
    ],
)
def test_a_bad_file_says_its_path_and_the_place(tmp_path, old, new, said):
    path = tmp_path / "manifest.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadManifest, match=said) as refusal:
        load_manifest(path)
    assert str(path) in str(refusal.value)


def test_a_missing_file_is_a_bad_manifest(tmp_path):
    with pytest.raises(BadManifest, match=r"none\.toml"):
        load_manifest(tmp_path / "none.toml")


def test_exact_snapshots_are_state_snapshots_as_well():
    have = manifest(exact(*ROOTS)).abilities
    assert have.names == {"batching"}
    assert replace(have, snapshot="state").names == {"batching", "snapshot.state"}
    assert "snapshot.state" in replace(have, snapshot="exact").names
