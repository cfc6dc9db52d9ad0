"""What `check` writes: JUnit and SARIF files, all of them or none."""

import json
import os
from xml.etree import ElementTree

import pytest

from unisim.cli import main

SCENE = """<mujoco>
  <default>
    <joint damping="0.5"/>
  </default>
  <worldbody>
    <body name="arm">
      <joint name="wrist" type="ball"
             range="0 1"/>
      <geom name="fist" size=".1"/>
      <geom name="ring" size=".1"/>
    </body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "scene.xml"
    file.write_text(SCENE, encoding="utf-8")
    return file


def suites(text: str) -> dict[str, dict[str, ElementTree.Element]]:
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    for suite in root:
        cases = list(suite)
        assert suite.get("tests") == str(len(cases))
        for kind, name in (("failure", "failures"), ("skipped", "skipped")):
            assert suite.get(name) == str(len(suite.findall(f"testcase/{kind}")))
    return {
        suite.get("name"): {case.get("name"): case for case in suite} for suite in root
    }


def test_junit_has_a_suite_per_backend_and_a_case_per_feature(scene, tmp_path, capsys):
    out = tmp_path / "new" / "junit.xml"
    asked = ["check", str(scene), "--backend", "mujoco,newton", "--junit", str(out)]
    assert main(asked) == 1
    assert f"{scene} on newton, profile mujoco: refused" in capsys.readouterr().out
    found = suites(out.read_text(encoding="utf-8"))
    assert list(found) == ["mujoco.default", "newton.mujoco"]
    assert found["mujoco.default"].keys() == found["newton.mujoco"].keys()
    assert not [x for x in found["mujoco.default"].values() if len(x)]
    case = found["newton.mujoco"]["joint.limited.ball"]
    assert (case.get("file"), case.get("line")) == (str(scene), "8")
    assert case.get("classname") == "newton.mujoco"
    failure = case.find("failure")
    assert failure.get("message").startswith("unsupported, ")
    assert (
        f"joint.limited.ball: joint 'wrist' = 0 0.0174533 ({scene}:8)" in failure.text
    )
    assert "measured: probe joint/ball" in failure.text
    assert "choose another backend" in failure.text


def test_a_failure_names_every_element_and_an_accepted_one_passes(scene, capsys):
    asked = ["check", str(scene), "--backend", "fake", "--junit", "-"]
    assert main(asked) == 1
    cases = suites(capsys.readouterr().out)["fake.default"]
    text = cases["geom.type.sphere"].find("failure").text
    assert f"'fist' ({scene}:9)" in text
    assert f"'ring' ({scene}:10)" in text
    assert 'accept = ["geom.type.sphere"]' in text
    assert main([*asked, "--accept", "*"]) == 0
    cases = suites(capsys.readouterr().out)["fake.default"]
    assert not [x for x in cases.values() if x.find("failure") is not None]
    assert "accepted: " in cases["geom.type.sphere"].find("system-out").text


def test_what_decides_nothing_is_skipped_and_no_failure(scene, capsys):
    assert main(["check", str(scene), "--backend", "all", "--junit", "-"]) == 1
    found = suites(capsys.readouterr().out)
    kinds = {
        name: {child.tag for case in cases.values() for child in case}
        for name, cases in found.items()
    }
    assert kinds["isaacgym.default"] == kinds["fake.default"] == {"skipped"}
    assert "failure" in kinds["newton.mujoco"]


def test_what_a_task_asks_beside_its_scene_is_a_case(scene, tmp_path, capsys):
    config = tmp_path / "task.toml"
    text = 'vary = ["geom_size"]\n[scene]\nmodel_file = "scene.xml"\n'
    config.write_text(f"worlds = 2\n{text}", encoding="utf-8")
    assert main(["check", str(config), "--junit", "-"]) == 1
    case = suites(capsys.readouterr().out)["mujoco.default"]["vary"]
    assert (case.get("file"), case.get("line")) == (str(config), "2")
    assert "vary 'geom_size'" in case.find("failure").text


def test_all_formats_at_once_and_the_text_stays(scene, tmp_path, capsys):
    names = {form: tmp_path / f"out.{form}" for form in ("sarif", "junit")}
    asked = [x for form, file in names.items() for x in (f"--{form}", str(file))]
    assert main(["check", str(scene), *asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scene"] == str(scene)
    assert json.loads(names["sarif"].read_text())["version"] == "2.1.0"
    assert suites(names["junit"].read_text())


@pytest.mark.parametrize(
    "asked",
    [
        ["--json", "--sarif", "-"],
        ["--sarif", "-", "--junit", "-"],
        ["--sarif", "same", "--junit", "./same"],
    ],
)
def test_two_formats_in_one_place_are_wrong_usage(
    scene, tmp_path, monkeypatch, capsys, asked
):
    monkeypatch.chdir(tmp_path)
    assert main(["check", str(scene), *asked]) == 2
    shown = capsys.readouterr()
    assert "go to the same place" in shown.err
    assert not shown.out
    assert list(tmp_path.iterdir()) == [scene]


@pytest.mark.parametrize("place", ["scene.xml/x.sarif", ".", "/proc/here/x.sarif"])
def test_a_place_that_cannot_be_written_is_named_before_the_work(
    scene, tmp_path, monkeypatch, capsys, place
):
    def examine(*_):
        raise AssertionError("the work began")

    monkeypatch.setattr("unisim.cli.examine.examine", examine)
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "kept.xml"
    asked = ["check", str(scene), "--junit", str(kept), "--sarif", place]
    assert main(asked) == 3
    shown = capsys.readouterr()
    assert "cannot write here" in shown.err
    assert shown.err.count("\n") == 1
    assert not shown.out
    assert list(tmp_path.iterdir()) == [scene]


def test_a_check_that_fails_leaves_the_files_as_they_were(scene, tmp_path, capsys):
    kept = tmp_path / "kept.sarif"
    kept.write_text("mine", encoding="utf-8")
    scene.write_text("<mujoco>", encoding="utf-8")
    other = str(tmp_path / "deep" / "junit.xml")
    assert main(["check", str(scene), "--sarif", str(kept), "--junit", other]) == 3
    assert kept.read_text(encoding="utf-8") == "mine"
    assert set(tmp_path.iterdir()) == {scene, kept}


def test_a_format_that_fails_leaves_the_others_unwritten(
    scene, tmp_path, monkeypatch, capsys
):
    def junit(_):
        raise MemoryError

    monkeypatch.setattr("unisim.cli.suites.junit", junit)
    kept = tmp_path / "kept.sarif"
    kept.write_text("mine", encoding="utf-8")
    other = str(tmp_path / "junit.xml")
    assert main(["check", str(scene), "--sarif", str(kept), "--junit", other]) == 3
    assert kept.read_text(encoding="utf-8") == "mine"
    assert set(tmp_path.iterdir()) == {scene, kept}


def test_a_pipe_is_written_to_and_not_replaced(scene, capsys):
    reading, writing = os.pipe()
    assert main(["check", str(scene), "--junit", f"/dev/fd/{writing}"]) == 0
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        assert suites(pipe.read())


def test_a_link_is_followed_and_not_replaced(scene, tmp_path, capsys):
    real = tmp_path / "real.xml"
    real.write_text("old", encoding="utf-8")
    link = tmp_path / "link.xml"
    link.symlink_to(real)
    assert main(["check", str(scene), "--junit", str(link)]) == 0
    assert link.is_symlink()
    assert suites(real.read_text(encoding="utf-8"))


def test_a_full_disk_is_one_sentence_that_names_the_file(tmp_path, capsys, monkeypatch):
    scene = tmp_path / "scene.xml"
    scene.write_text("<mujoco/>")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(tmp_path), "write_text", full)
    assert main(["check", str(scene), "--sarif", str(tmp_path / "all.sarif")]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{tmp_path / 'all.sarif'}: cannot write here: No space left" in said.err
    assert [item.name for item in tmp_path.iterdir()] == ["scene.xml"]
