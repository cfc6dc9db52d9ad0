"""What `check --backend all` says of the cases and the real robots."""

import json
import re
from pathlib import Path

import mujoco
import pytest

from unisim.backend import registry
from unisim.cli import main

pytestmark = pytest.mark.real_robot
ROBOTS = (
    "dm_control__suite__quadruped",
    "gymnasium_robotics__adroit_door",
    "gymnasium_robotics__fetch__pick_and_place",
    "loco_mujoco__atlas",
    "menagerie__agility_cassie",
    "menagerie__skydio_x2",
    "menagerie__unitree_a1__novis",
    "menagerie__wonik_allegro__scene_right",
    "mujoco__car__car",
    "mujoco__flex__pulley",
    "mujoco__tendon_arm__arm26",
    "trossen_arm_sim__wxai_scene",
)
ARM, FOUR = "mujoco__tendon_arm__arm26", 4_000_000
"""MuJoCo 4 finds no length range of this arm's muscles."""
CASES = {
    "B01_dampratio": "actuator.biastype.affine joint.armature "
    "option.integrator.implicitfast",
    "B04_repeated_sections": "option.timestep option.gravity equality.joint "
    "actuator.gear sensor.jointpos sensor.jointvel contact.exclude",
    "B05_option_flags": "option.flag.gravity option.flag.contact "
    "option.integrator.rk4 option.cone.elliptic option.impratio option.iterations "
    "option.tolerance",
    "B09_actuator_order": "actuator.trntype.joint",
    "B11_mimic_index": "equality.joint equality.solref",
    "B13_free_joint_spin": "joint.type.free sensor.gyro sensor.frameangvel",
    "B16_inertial_quat": "joint.type.free",
    "B18_eulerseq": "geom.type.box",
    "B20_gain_defaults": "actuator.gaintype.fixed actuator.biastype.affine "
    "actuator.forcelimited",
    "B22_armature_defaults": "joint.armature joint.armature.free joint.type.free",
    "B27_mesh_inertia": "geom.type.mesh",
    "B29_masks_and_excludes": "contact.exclude geom.mask",
    "B31_many_joints_one_body": "joint.several joint.type.ball joint.type.slide",
    "B34_contact_capacity": "joint.type.free geom.type.box",
    "B36_keyframe_restores": "key.ctrl key.act key.time actuator.dyntype.integrator",
}
"""By case: the features that its `static_features` come to; notation is resolved."""
LOST = {
    ("B05_option_flags", "genesis"): "option.flag.gravity option.flag.contact",
    ("B22_armature_defaults", "newton"): "joint.armature.free",
    ("B29_masks_and_excludes", "physx"): "geom.mask contact.exclude",
    ("B31_many_joints_one_body", "superdex"): "joint.several",
    ("B36_keyframe_restores", "newton"): "key.ctrl key.act key.time",
}
"""What an engine was seen to lose of a case."""


def reports(file, capsys) -> list[dict]:
    assert main(["check", str(file), "--backend", "all", "--json"]) == 1
    return json.loads(capsys.readouterr().out)["backends"]


def test_there_is_a_word_on_every_case_and_robot(shared):
    assert {path.name for path in (shared / "cases").glob("B*")} == CASES.keys()
    assert {path.parent.name for path in shared.glob("models/*/model.json")} == {
        *ROBOTS
    }


@pytest.mark.parametrize("case", CASES)
def test_check_names_what_a_case_is_about_on_every_backend(case, shared, capsys):
    file = shared / "cases" / case / "model.xml"
    lines = file.read_text(encoding="utf-8").splitlines()
    found = reports(file, capsys)
    assert [report["backend"] for report in found] == list(registry.known())
    for report in found:
        uses = {use["feature"]: use for use in report["uses"]}
        assert set(CASES[case].split()) <= uses.keys()
        for name, use in uses.items():
            assert use["at"]["file"] == str(file), name
            assert 1 <= use["at"]["line"] <= len(lines), name
            assert use["basis"] in {"measured", "documented", "nothing"}, name
            if use["basis"] == "nothing":
                assert use["level"] == "unsupported", name
            assert use["source"], name
            refused = use["level"] in {"unsupported", "approximate"}
            assert refused == (name in report["refused"]), (report["backend"], name)
        assert report["runs"] == (not report["refusals"])


@pytest.mark.parametrize(("case", "backend"), LOST)
def test_check_refuses_by_name_what_an_engine_loses(case, backend, shared, capsys):
    file = shared / "cases" / case / "model.xml"
    assert main(["check", str(file), "--backend", backend]) == 1
    out = capsys.readouterr().out
    for name in LOST[case, backend].split():
        block = out[re.search(rf"^  unsupported  {name}  \S", out, re.M).start() :]
        first, second = block.splitlines()[:2]
        assert len(first.split("  ")) > 3, "it says what is missing"
        assert second.strip().startswith(f"{file}:")


def places(report) -> list[tuple[dict, str]]:
    """Every use, and the line that it is said to stand in."""
    texts: dict[str, list[str]] = {}
    found = []
    for use in report["uses"]:
        file, line = use["at"]["file"], use["at"]["line"]
        if file not in texts:
            texts[file] = Path(file).read_text(encoding="utf-8").splitlines()
        assert 1 <= line <= len(texts[file]), use
        found.append((use, texts[file][line - 1]))
    return found


def test_check_answers_for_every_model_of_ours(capsys):
    models = Path(__file__).parents[2] / "models"
    assert main(["check", str(models), "--backend", "all", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["unread"]
    assert not found["skipped"]
    scenes = {Path(item["scene"]) for item in found["scenes"]}
    assert scenes == set(models.rglob("*.xml"))
    for item in found["scenes"]:
        assert len(item["backends"]) == len(registry.known())
        for use, text in places(item["backends"][0]):
            assert "<" in text or "=" in text, use


@pytest.mark.parametrize("robot", ROBOTS)
def test_check_answers_for_every_real_robot(robot, shared, capsys):
    folder = shared / "models" / robot
    file = folder / json.loads((folder / "model.json").read_text())["main"]
    if robot == ARM and mujoco.mj_version() >= FOUR:
        assert main(["check", str(file), "--backend", "all"]) == 3
        assert "MuJoCo refuses the scene" in capsys.readouterr().err
        return
    found = reports(file, capsys)
    runs = {report["backend"] for report in found if report["runs"]}
    assert len(found) == len(registry.known())
    assert not runs & {"isaacgym", "isaacsim", "fake"}
    for use, text in places(found[0]):
        assert "<" in text or "=" in text, use
        stated = f'"{use["name"]}"'
        own = use["class_at"] is None and use["kind"] not in {"option", "flex"}
        if own and stated in file.read_text(encoding="utf-8"):
            assert use["at"]["line"] > 1, use
