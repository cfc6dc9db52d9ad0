"""`check` finds every feature in one scene of all of them, and in a large one."""

import json
from collections import Counter

import mujoco
import pytest

from everything import FOUR, LEFT_OUT, everything
from many_bodies import GEOMS, JOINTS, LINKS, many_bodies
from unisim.backend import registry
from unisim.cli import main
from unisim.mjcf.features import FEATURES
from unisim.probe.scenes import GONE_4, SCENES, SINCE_4

pytestmark = pytest.mark.filterwarnings("ignore:flex ")
UNKNOWN = GONE_4 if mujoco.mj_version() >= FOUR else SINCE_4


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    made = everything()
    file = tmp_path_factory.mktemp("every") / "every.xml"
    file.write_text(made.text, encoding="utf-8")
    return made, file


@pytest.fixture(scope="module")
def reports(scene):
    return checked(scene[1])


def checked(file) -> list[dict]:
    out = file.with_suffix(".json")
    with pytest.MonkeyPatch.context() as patch, out.open("w") as stream:
        patch.setattr("sys.stdout", stream)
        assert main(["check", str(file), "--backend", "all", "--json"]) == 1
    return json.loads(out.read_text(encoding="utf-8"))["backends"]


def test_every_feature_is_found_that_can_stand_beside_the_others(reports):
    (report,) = [item for item in reports if item["backend"] == "mujoco"]
    found = {use["feature"] for use in report["uses"]}
    assert SCENES.keys() - found == LEFT_OUT | UNKNOWN
    assert len(found & SCENES.keys()) > 290


def test_every_feature_is_found_where_its_own_scene_states_it(scene, reports):
    made, file = scene
    lines = made.text.splitlines()
    uses: dict[str, list[str]] = {}
    for use in reports[0]["uses"]:
        assert use["at"]["file"] == str(file)
        # the line of an attribute may be the second of its element
        row = use["at"]["line"]
        uses.setdefault(use["feature"], []).append("\n".join(lines[row - 2 : row]))
    for name, prefix in made.prefixes.items():
        if name in uses:
            assert any(f'"{prefix}' in text for text in uses[name]), name
    for word, value in made.options.items():
        for feature in FEATURES.values():
            if feature.kind == "option" and feature.attribute == word:
                found = uses.get(feature.id, [])
                assert all(f'{word}="' in text for text in found), (word, value)


def test_every_backend_answers_for_every_use(reports):
    assert [report["backend"] for report in reports] == list(registry.known())
    (first, *others) = reports
    for report in others:
        assert len(report["uses"]) == len(first["uses"])
        for use in report["uses"]:
            assert use["source"], use["feature"]
            assert (use["basis"] == "nothing") <= (use["level"] == "unsupported")


def test_a_file_of_two_thousand_bodies_is_found_whole(tmp_path):
    count = 2000
    file = tmp_path / "many.xml"
    file.write_text(many_bodies(count), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    uses = checked(file)[0]["uses"]
    number = Counter(use["feature"] for use in uses)
    roots = count // LINKS
    # of the joints in turn, those of the roots are free
    each = {i: sum(n % len(JOINTS) == i for n in range(count) if n % LINKS) for i in
            range(len(JOINTS))}  # fmt: skip
    assert number["joint.type.free"] == roots
    assert number["joint.type.slide"] == each[1]
    assert number["joint.type.ball"] == number["joint.limited.ball"] == each[2]
    assert number["joint.type.hinge"] == each[0] + each[3]
    assert number["joint.frictionloss"] == each[3]
    assert number["geom.type.plane"] == 1
    assert number["geom.type.capsule"] == count // len(GEOMS)
    assert number["actuator.trntype.joint"] == roots
    assert number["sensor.framepos"] == -(-count // 6)
    for use in uses:
        assert f'"{use["name"]}"' in lines[use["at"]["line"] - 1] or not use["name"]
    soft = [use for use in uses if use["feature"] == "geom.solimp"]
    assert len(soft) == -(-count // 3)
    assert {use["class_at"]["line"] for use in soft} == {3}
