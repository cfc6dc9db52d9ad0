"""The gate passes what a backend honours and refuses the rest, all at once."""

from dataclasses import replace

import pytest

from by_hand import by_hand
from unisim.backend import registry
from unisim.backend.base import BuildCfg
from unisim.backend.gate import GateReport, gate, judge
from unisim.backend.manifest import (
    Abilities,
    Basis,
    Entry,
    Level,
    Manifest,
    Profile,
    Why,
)
from unisim.config import ContactQueryCfg
from unisim.errors import UnknownName, UnsupportedFeature
from unisim.mjcf.features import FEATURES

ROOTS = tuple(sorted({name.split(".")[0] for name in FEATURES} - {"visual"}))
EXACT = Entry(ids=ROOTS, level=Level.EXACT, basis=Basis.MEASURED, source="here")
SOLREF = replace(
    EXACT, ids=("geom.solref",), level=Level.APPROXIMATE, how="contacts are harder"
)
DAMPING = replace(
    EXACT,
    ids=("joint.damping",),
    level=Level.UNSUPPORTED,
    why=Why.ADAPTER,
    note="joints have no damping",
)
PLAIN = Profile(
    contact="soft", integrator="i", friction="f", precision="p", default=True
)
TOY = Manifest(
    name="toy",
    package="toy",
    version="1",
    install="pip install toy",
    abilities=Abilities(
        devices=("cpu", "cuda"),
        dtypes=("float32",),
        batching=True,
        vary=("body_mass",),
        contact_kinds=("geom",),
        contact_fields=("force",),
        contact_reduce=("none",),
    ),
    profiles={
        "default": PLAIN,
        "damped": replace(
            PLAIN, default=False, features=(replace(EXACT, ids=("joint.damping",)),)
        ),
    },
    features=(EXACT, SOLREF, DAMPING),
)
XML = """<mujoco>
  <default><default class="soft">
    <geom solref=".05 1"/>
  </default></default>
  <worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <body name="a"><joint name="hip" damping="2"/>
      <geom name="shank" size=".1" class="soft"/>
    </body>
    <light name="sun"/>
  </worldbody>
</mujoco>"""
SCENE = by_hand(XML)
CLEAN = by_hand(XML.replace('damping="2"', "").replace('solref=".05 1"', ""))


def asked(scene, profile="default", **wish) -> BuildCfg:
    wish = {"dtype": "float32", "deterministic": False} | wish
    return BuildCfg(scene=scene, profile=profile, **wish)


def passed(scene, profile="default", accept=(), require=(), **wish) -> GateReport:
    return gate(asked(scene, profile, **wish), TOY, accept, require)


def judged(scene, accept=(), require=(), manifest=TOY, **wish) -> GateReport:
    return judge(asked(scene, **wish), manifest, accept, require)


def refusal(scene=SCENE, profile="default", **wish) -> UnsupportedFeature:
    with pytest.raises(UnsupportedFeature) as caught:
        passed(scene, profile, **wish)
    return caught.value


def test_a_scene_without_objections_passes_with_its_uses():
    report = passed(CLEAN)
    assert (report.backend, report.profile) == ("toy", "default")
    assert report.decides.contact == "soft"
    levels = {item.use.feature: item.support.level for item in report.verdicts}
    assert levels["joint.type.hinge"] is Level.EXACT
    assert levels["visual.light"] is Level.VISUAL
    assert report.accepted == ()


def test_every_reason_is_given_at_once_with_element_lines_and_remedy():
    error = refusal()
    assert error.features == ("joint.damping", "geom.solref")
    damping, solref = error.refusals
    assert damping == (
        "joint.damping: joint 'hip' = 2 (scene.xml:6): unsupported, joints have no "
        "damping (lacking in the adapter)."
    )
    assert solref == (
        "geom.solref: geom 'shank' = 0.05 1 (scene.xml:7, by the default at "
        "scene.xml:3): approximate, contacts are harder. "
        'If you agree, accept = ["geom.solref"].'
    )
    assert str(error).startswith("toy (default) cannot run")


@pytest.mark.parametrize("accept", ["geom.solref", "geom", "*"])
def test_consent_lets_an_approximation_pass(accept):
    report = passed(SCENE, "damped", accept=[accept])
    assert [item.use.feature for item in report.accepted] == ["geom.solref"]


def test_consent_does_not_let_the_unsupported_pass():
    assert refusal(accept=["*"]).features == ("joint.damping",)


def test_the_profile_decides():
    assert refusal(profile="damped").features == ("geom.solref",)


def test_consent_to_what_is_not_used_changes_nothing():
    report = passed(CLEAN, accept=["geom.solref"])
    assert report.accepted == ()


@pytest.mark.parametrize("wish", ["accept", "require"])
def test_an_unknown_id_is_refused_with_a_suggestion(wish):
    with pytest.raises(UnknownName, match=r"geom\.solref"):
        judged(CLEAN, **{wish: ["geom.solreff"]})


def test_a_field_that_no_model_has_is_a_wrong_name_and_no_refusal():
    with pytest.raises(UnknownName, match=r"No model field 'body_mas'\. Did you mean"):
        judged(CLEAN, vary=["body_mas"])
    with pytest.raises(UnknownName, match=r"No model field 'opt\.gravty'"):
        judged(CLEAN, vary=["opt.gravty"])
    (line,) = judged(CLEAN, vary=["opt.gravity"]).refusals
    assert line == "vary 'opt.gravity': what may vary is body_mass."


def test_an_unknown_profile_is_refused_with_a_suggestion():
    with pytest.raises(UnknownName, match="Did you mean 'damped'"):
        passed(CLEAN, "dampd")


def test_what_is_required_must_be_exact_even_when_unused():
    solref = ("geom.solref", "geom.solref.direct")
    assert refusal(CLEAN, require=["geom.solref"]).features == solref
    damping = {name for name in FEATURES if name.startswith("joint.damping")}
    assert set(refusal(CLEAN, require=["joint"]).features) == damping
    assert passed(CLEAN, "damped", require=["joint"])


def test_required_abilities_must_be_there():
    assert passed(CLEAN, require=["batching"])
    (line,) = refusal(CLEAN, require=["snapshot.exact"]).refusals
    assert "required ability snapshot.exact: toy lacks it" in line


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("vary.body_mass", True),
        ("vary.geom_size", False),
        ("contact.query", True),
        ("contact.query.kind.geom", True),
        ("contact.query.kind.body", False),
        ("contact.query.fields.force", True),
        ("contact.query.fields.pos", False),
        ("contact.query.reduce.none", True),
        ("contact.query.reduce.netforce", False),
        ("sensor.touch", True),
    ],
)
def test_a_query_a_field_and_a_sensor_may_be_required(name, there):
    report = judged(CLEAN, require=[name])
    assert report.runs == there
    if not there:
        (line,) = report.refusals
        assert line.startswith(f"required ability {name}: toy lacks it. It has ")
        assert name.rpartition(".")[0] in line.partition("It has")[2]


def test_a_sensor_that_is_required_must_be_exact():
    touch = replace(SOLREF, ids=("sensor.touch",), how="it lags")
    toy = replace(TOY, features=(*TOY.features, touch))
    report = judged(CLEAN, require=["sensor.touch"], manifest=toy)
    assert report.refusals == ("required sensor.touch: it is approximate here.",)
    assert report.refused == ("sensor.touch",)
    assert report.consents == ()


def test_nobody_has_queries_where_none_are_declared():
    none = {"contact_kinds": (), "contact_fields": (), "contact_reduce": ()}
    toy = replace(TOY, abilities=replace(TOY.abilities, **none))
    report = judged(CLEAN, require=["contact.query"], manifest=toy)
    assert report.refusals == ("required ability contact.query: toy lacks it.",)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("body_mass", "vary.body_mass"),
        ("vary.body_mas", "vary.body_mass"),
        ("contact.query.field.force", "contact.query.fields.force"),
        ("contact.querry", "contact.query"),
        ("sensor.tuch", "sensor.touch"),
        ("vary.bind", "vary."),
    ],
)
def test_an_unknown_requirement_gets_suggestions(name, meant):
    with pytest.raises(UnknownName, match=f"No feature or ability '{name}'") as unknown:
        judged(CLEAN, require=[name])
    assert meant in str(unknown.value).partition("Did you mean")[2]


QUERY = ContactQueryCfg(
    name="feet", kind="body", first="a", fields=("force", "pos"), reduce="mindist"
)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"vary": ["body_mass", "geom_size"]}, ["vary 'geom_size'", "is body_mass"]),
        ({"device": "tpu:0"}, ["device 'tpu:0'", "cpu, cuda"]),
        ({"dtype": "float64"}, ["dtype 'float64'", "float32"]),
        ({"deterministic": True}, ["deterministic"]),
        ({"contacts": [QUERY]}, ["'feet'", "by body", "by mindist", "'pos'"]),
    ],
)
def test_what_the_backend_cannot_do_is_refused(wish, said):
    text = str(refusal(CLEAN, **wish))
    assert all(word in text for word in said)


def test_a_device_index_belongs_to_its_kind():
    assert passed(CLEAN, device="cuda:1")
    for device in ("cpu:1", "cuda:", "cuda:x"):
        assert f"device {device!r}: it runs on" in str(refusal(CLEAN, device=device))


def test_a_device_that_nobody_measured_needs_consent():
    abilities = replace(TOY.abilities, devices=("cpu",), untried=("cuda",))
    toy = replace(TOY, abilities=abilities)
    (line,) = judged(CLEAN, manifest=toy, device="cuda:0").refusals
    assert "no claim was measured on cuda" in line
    assert 'accept = ["device.cuda"]' in line
    for accept in (["device.cuda"], ["*"]):
        report = judged(CLEAN, manifest=toy, device="cuda:0", accept=accept)
        assert not report.refusals
    (line,) = judged(CLEAN, manifest=toy, device="tpu").refusals
    assert "it runs on cpu, cuda" in line


def test_refusals_of_all_sorts_come_together():
    error = refusal(
        device="tpu", dtype="float64", vary=["qpos0"], require=["rendering"]
    )
    assert len(error.refusals) == 6


def test_judging_lists_refusals_without_raising():
    report = judged(SCENE)
    assert report.refused == ("joint.damping", "geom.solref")
    assert len(report.refusals) == 2
    assert report.accepted == ()


def test_a_release_that_nobody_measured_needs_consent(monkeypatch):
    monkeypatch.setattr("unisim.backend.obstacles.version", lambda _: "9.9.9")
    manifest = registry.manifest("mujoco")
    request = asked(CLEAN, dtype="float64")
    with pytest.raises(UnsupportedFeature) as refusal:
        gate(request, manifest)
    said = str(refusal.value)
    assert "mujoco 9.9.9 is installed, and the claims hold for 3.17.0, 4.0.0" in said
    assert "unisim probe mujoco" in said
    assert 'accept = ["engine.release"]' in said
    assert gate(request, manifest, ["engine.release"]).runs
    assert gate(request, manifest, ["*"]).runs
