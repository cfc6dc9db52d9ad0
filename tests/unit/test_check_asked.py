"""Which backends `check` asks about, how they differ, and who decides its answer."""

import json
from dataclasses import replace

import pytest

from unisim.backend import registry
from unisim.cli import main

EASY = """<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="hinge"/>
      <geom name="rod" type="capsule" size=".1 .1" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
</mujoco>"""
BALL = EASY.replace('name="hinge"', 'name="wrist" type="ball" range="0 1"')
LIMITED = EASY.replace('name="hinge"', 'name="hinge" limited="true" range="0 9"')


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "scene.xml"
    file.write_text(EASY, encoding="utf-8")
    return file


def backends(capsys, *asked) -> list[str]:
    main(["check", *map(str, asked), "--json"])
    reports = json.loads(capsys.readouterr().out)["backends"]
    return [f"{item['backend']}:{item['profile']}" for item in reports]


def test_backends_are_listed_with_commas_or_one_after_another(scene, capsys):
    wanted = ["mujoco:default", "drake:sap", "newton:mujoco"]
    listed = "mujoco,drake:sap,newton"
    assert backends(capsys, scene, "--backend", listed) == wanted
    spread = ["--backend", "mujoco,drake:sap", "--backend", "newton"]
    assert backends(capsys, scene, *spread) == wanted
    assert backends(capsys, scene, "--backend", "mujoco,mujoco") == wanted[:1]


def test_a_profile_holds_for_those_that_name_none(scene, capsys):
    asked = ["--backend", "drake,drake:tamsi", "--profile", "sap"]
    assert backends(capsys, scene, *asked) == ["drake:sap", "drake:tamsi"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("mujco", "No backend 'mujco'. Did you mean 'mujoco'?"),
        ("mujoco,", "No backend ''"),
        ("drake:spa", "No drake profile 'spa'. Did you mean 'sap'"),
        ("drake:", "No drake profile ''"),
        ("all:sap", "No backend 'all'"),
    ],
)
def test_a_backend_or_profile_that_is_not_there_is_wrong_usage(
    scene, capsys, asked, said
):
    assert main(["check", str(scene), "--backend", asked]) == 2
    assert said in capsys.readouterr().err


def test_of_all_those_that_nobody_knows_decide_nothing(scene, capsys, monkeypatch):
    good = {"mujoco", "mjwarp", "newton"}
    known = (*good, "isaacgym", "fake")
    monkeypatch.setattr(registry, "known", lambda: known)
    assert main(["check", str(scene), "--backend", "all"]) == 0
    lines = capsys.readouterr().out.splitlines()[-len(known) :]
    for name in known:
        (line,) = [line for line in lines if line.startswith(f"{name} ")]
        assert ("decides nothing" in line) == (name not in good), line
    for name in ("isaacgym", "fake"):
        assert main(["check", str(scene), "--backend", f"{name},mujoco"]) == 1
    capsys.readouterr()
    assert main(["check", str(scene), "--backend", "all", "--json"]) == 0
    reports = json.loads(capsys.readouterr().out)["backends"]
    assert {item["backend"] for item in reports if item["counts"]} == good


def test_of_all_one_that_is_known_to_lack_something_decides(scene, capsys, monkeypatch):
    monkeypatch.setattr(registry, "known", lambda: ("mujoco", "newton"))
    scene.write_text(BALL, encoding="utf-8")
    assert main(["check", str(scene), "--backend", "all"]) == 1


def accept_line(out: str) -> str:
    (line,) = [line for line in out.splitlines() if "to agree to every" in line]
    return line[line.index("accept = ") :]


def test_the_accept_line_holds_all_that_is_needed(scene, tmp_path, capsys):
    """Several features, what is accepted already, and a device that nobody tried."""
    touching = LIMITED.replace(' contype="0"', "")
    scene.write_text(touching, encoding="utf-8")
    config = tmp_path / "task.toml"
    text = '{}\n[scene]\nmodel_file = "scene.xml"\n'
    config.write_text(text.format('accept = ["joint"]'), encoding="utf-8")
    assert main(["check", str(config), "--backend", "fake"]) == 1
    line = accept_line(capsys.readouterr().out)
    assert line.startswith('accept = ["joint", "')
    assert line.count('"') > 4
    config.write_text(text.format(line), encoding="utf-8")
    assert main(["check", str(config), "--backend", "fake"]) == 0
    assert "to agree to every" not in capsys.readouterr().out
    head = 'backend = "mjwarp"\ndevice = "cuda"\n'
    config.write_text(head + text.format(""), encoding="utf-8")
    assert main(["check", str(config)]) == 1
    line = accept_line(capsys.readouterr().out)
    assert line == 'accept = ["device.cuda"]'
    config.write_text(head + text.format(line), encoding="utf-8")
    assert main(["check", str(config)]) == 0


def test_what_is_required_exact_is_not_offered_for_consent(scene, tmp_path, capsys):
    config = tmp_path / "task.toml"
    text = 'accept = ["*"]\nrequire = ["joint.type.hinge"]\n'
    scene_of_it = '[scene]\nmodel_file = "scene.xml"\n'
    config.write_text(text + scene_of_it, encoding="utf-8")
    assert main(["check", str(config), "--backend", "fake"]) == 1
    out = capsys.readouterr().out
    assert "required joint.type.hinge: it is approximate here" in out
    assert "to agree to every" not in out


def test_a_diff_lists_only_what_changes_and_for_which_the_better(scene, capsys):
    scene.write_text(BALL, encoding="utf-8")
    assert main(["check", str(scene), "--diff", "newton", "mujoco"]) == 1
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == f"{scene}: newton (mujoco) and mujoco (default)"
    assert "mujoco (default) does better" in lines
    assert "newton (mujoco) does better" not in lines
    at = lines.index("  joint.limited.ball")
    assert lines[at + 1].startswith("    newton (mujoco)   unsupported  ")
    assert lines[at + 2].strip() == "mujoco (default)  exact"
    assert lines[at + 3] == f"      {scene}:4  joint 'wrist' = 0 0.0174533"
    assert "joint.type.ball" not in "\n".join(lines)
    assert lines[-1].startswith("1 of ")
    assert main(["check", str(scene), "--diff", "mujoco", "newton"]) == 1
    assert "\nmujoco (default) does better\n" in capsys.readouterr().out


def test_a_diff_of_the_same_is_0(scene, capsys):
    assert main(["check", str(scene), "--diff", "mujoco", "mujoco"]) == 0
    assert "0 of " in capsys.readouterr().out.splitlines()[-1]


def test_a_diff_of_two_profiles_in_json(scene, capsys):
    scene.write_text(LIMITED, encoding="utf-8")
    asked = ["--diff", "physx", "physx:pgs", "--json"]
    assert main(["check", str(scene), *asked]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["first"] == {"backend": "physx", "profile": "tgs"}
    assert found["second"] == {"backend": "physx", "profile": "pgs"}
    differ = {item["feature"]: item for item in found["differences"]}
    limited = differ["joint.limited"]
    assert limited["first"]["level"] == "approximate"
    assert limited["second"]["level"] == "unsupported"
    assert limited["at"] == {"file": str(scene), "line": 4}


def test_approximations_of_different_kinds_differ(scene, capsys, monkeypatch):
    have = registry.manifest("fake")
    (entry, *others) = have.features
    first = replace(have, features=(replace(entry, how="half as far"), *others))
    manifest = registry.manifest
    monkeypatch.setattr(
        registry, "manifest", lambda name: first if name == "one" else manifest(name)
    )
    assert main(["check", str(scene), "--diff", "fake", "one"]) == 1
    out = capsys.readouterr().out
    assert "\napproximate in both, otherwise in each\n" in out
    assert "half as far" in out
    assert "does better" not in out


@pytest.mark.parametrize("with_it", ["--backend", "--sarif", "--junit", "--profile"])
def test_a_diff_goes_with_no_other_question(scene, capsys, with_it):
    asked = ["--diff", "mujoco", "newton", with_it, "x"]
    assert main(["check", str(scene), *asked]) == 2
    assert "--diff names both backends" in capsys.readouterr().err


def test_a_diff_of_a_folder_is_refused(tmp_path, capsys):
    assert main(["check", str(tmp_path), "--diff", "mujoco", "newton"]) == 3
    assert "not on a folder" in capsys.readouterr().err
