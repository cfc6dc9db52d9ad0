"""`unisim explain` and the manual's pages say what the vocabulary and manifests say."""

import json
import re
import subprocess
import sys

import mujoco
import pytest

from by_hand import by_hand
from schema import schema
from unisim.backend import registry
from unisim.cli import main
from unisim.cli.page import pages
from unisim.mjcf.detect import detect
from unisim.mjcf.features import FAMILIES, FEATURES
from unisim.mjcf.meaning import meaning, said
from unisim.mjcf.places import attributes, field, places

SINCE_4 = {name for name in FEATURES if "yield" in name} | {
    *("key.plastic", "option.flag.speculative"),
}
"""Ids of what the oldest MuJoCo has no words for, and those the newest lost."""
GONE_4 = {"equality.flexvert"}
OLD = mujoco.__version__.startswith("3.")
HERE = sorted(FEATURES.keys() - (SINCE_4 if OLD else GONE_4))
SCHEMA = {
    (path.rpartition("/")[2], name)
    for path, names in schema().items()
    for name in ("", *names)
}
"""Elements and attributes of the installed MuJoCo, "" for the element itself."""
EMPTY = mujoco.MjModel.from_xml_string("<mujoco/>")


def explained(name: str, capsys) -> dict:
    assert main(["explain", name, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_schema_was_read():
    assert {("joint", "damping"), ("body", "gravcomp"), ("freejoint", "")} <= SCHEMA
    assert len(SCHEMA) > 1000


@pytest.mark.parametrize("name", HERE)
def test_what_is_said_to_ask_for_a_feature_is_in_mujocos_schema(name):
    found = places(FEATURES[name])
    assert found
    for element, attribute in found:
        outer, _, inner = element.rpartition("/")
        if inner == "*":
            assert (outer, "") in SCHEMA
            assert any(word == attribute for _, word in SCHEMA), attribute
        else:
            assert (inner, attribute) in SCHEMA, (element, attribute)


@pytest.mark.parametrize("name", HERE)
def test_what_is_said_to_show_a_feature_is_in_mujocos_model(name):
    word = field(FEATURES[name])
    owner = EMPTY.opt if word.startswith("opt.") else EMPTY
    assert hasattr(owner, word.removeprefix("opt.")), word


def test_a_meaning_is_one_or_two_sentences_of_a_feature_or_family():
    assert said().keys() <= FEATURES.keys() | FAMILIES
    for name in FEATURES:
        assert re.fullmatch(r".{15,300}[.\d]", meaning(name)), name
        assert meaning(name).count("`") % 2 == 0, name
    assert meaning("joint.damping.ball") == meaning("joint.damping")
    assert meaning("joint.damping.polynomial") != meaning("joint.damping")


def test_an_explanation_has_every_backend_and_profile_as_its_manifest_says(capsys):
    found = explained("joint.limited", capsys)
    claims = {(item["backend"], item["profile"]): item for item in found["claims"]}
    for backend in registry.known():
        manifest = registry.manifest(backend)
        for profile in manifest.profiles:
            item, want = (
                claims.pop((backend, profile)),
                manifest.support(profile, "joint.limited"),
            )
            assert (item["level"], item["basis"]) == (want.level, want.basis)
            assert (item["source"], item["how"]) == (want.source, want.how)
            assert item["default"] == (profile == manifest.default_profile)
            assert bool(item["remedies"]) == (want.level != "exact")
    assert not claims


def test_an_explanation_says_where_a_feature_is_written_and_seen(capsys):
    found = explained("joint.damping", capsys)
    assert found["mjcf"] == ["damping of <joint>", "springdamper of <joint>"]
    assert found["field"] == "dof_damping"
    assert found["above"] == ["joint"]
    assert "joint.damping.ball" in found["below"]
    assert attributes(FEATURES["joint.damping"]) == ("springdamper", "damping")


@pytest.mark.parametrize("name", ["joint.damping", "equality.weld", "flex.dim.2"])
def test_the_example_uses_what_it_explains(name, capsys):
    xml = explained(name, capsys)["example"]
    assert name in {use.feature for use in detect(by_hand(xml))}
    assert max(map(len, xml.splitlines())) <= 120


def test_the_text_names_remedy_profile_and_accept_line(capsys):
    assert main(["explain", "joint.limited"]) == 0
    out = capsys.readouterr().out
    assert "newton featherstone: unsupported" in out
    assert '-> with profile = "mujoco" it is exact' in out
    assert '-> if you agree: accept = ["joint.limited"]' in out
    assert "jnt_range" in out


def test_what_is_visual_says_that_every_backend_runs_it(capsys):
    assert main(["explain", "visual.camera"]) == 0
    assert "visual: every backend runs it" in capsys.readouterr().out
    assert explained("visual.camera", capsys)["claims"] == []


def test_a_family_lists_its_members_and_counts_their_levels(capsys):
    found = explained("geom.condim", capsys)
    names = [item["id"] for item in found["members"]]
    assert names == [f"geom.condim.{number}" for number in (1, 3, 4, 6)]
    assert found["levels"]["mujoco"] == {"exact": 4}
    assert main(["explain", "geom.condim"]) == 0
    assert "a family of 4 features" in capsys.readouterr().out


def test_an_unknown_id_gets_one_sentence_with_suggestions(capsys):
    assert main(["explain", "joint.dampin"]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err.startswith(
        "unisim: No feature 'joint.dampin'. Did you mean 'joint"
    )
    assert len(shown.err.splitlines()) == 1


def test_explaining_imports_no_engine_but_mujoco():
    code = (
        "import sys; from unisim.cli import main; main(['explain', 'joint.damping']);"
        "print(sorted({'warp', 'mujoco_warp', 'torch'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n")


def test_there_is_a_page_for_each_feature_and_family_and_every_link_leads_to_one():
    found = pages()
    assert found.keys() == {"index", *FEATURES, *FAMILIES}
    for name, text in found.items():
        title = "Features" if name == "index" else name
        assert f"# {title}\n" in text.splitlines(keepends=True)
        for link in re.findall(r"\]\(([^)]+)\.md\)", text):
            assert link in found, (name, link)
    listed = set(re.findall(r"\]\(([^)]+)\.md\)", found["index"]))
    assert listed == FEATURES.keys()


def test_a_page_has_a_row_for_every_backend():
    rows = [x for x in pages()["joint.damping"].splitlines() if x.startswith("| ")]
    assert {row.split(" | ")[0].strip("| ") for row in rows[2:]} == set(
        registry.known()
    )
