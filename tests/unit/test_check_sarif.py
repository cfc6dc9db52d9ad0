"""SARIF of `check` is valid and points at the file and line that say it."""

import json
from pathlib import Path

import jsonschema
import pytest

from unisim import __version__
from unisim.cli import main
from unisim.mjcf.features import FEATURES

SCHEMA = Path(__file__).parents[1] / "sarif-2.1.0.json"
"""The schema of the standard, without its descriptions."""
ARM = """<mujocoinclude>
  <body name="arm">
    <joint name="a wrist" type="ball"
           range="0 1"/>
    <geom name="fist" size=".1" contype="0" conaffinity="0"/>
  </body>
</mujocoinclude>
"""
SCENE = """<mujoco>
  <default>
    <joint damping="0.5"/>
  </default>
  <worldbody>
    <include file="parts/my arm.xml"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    here = tmp_path / "repo"
    (here / "parts").mkdir(parents=True)
    (here / "parts" / "my arm.xml").write_text(ARM, encoding="utf-8")
    (here / "scene.xml").write_text(SCENE, encoding="utf-8")
    monkeypatch.chdir(here)
    return here


def log(capsys, *arguments) -> dict:
    main(["check", *map(str, arguments), "--sarif", "-"])
    found = json.loads(capsys.readouterr().out)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    checks = jsonschema.Draft4Validator(
        schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER
    )
    assert not [error.message for error in checks.iter_errors(found)]
    return found


def place(result) -> tuple[str, int]:
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def test_the_schema_refuses_what_is_not_sarif():
    checks = jsonschema.Draft4Validator(json.loads(SCHEMA.read_text()))
    assert not checks.is_valid({"version": "2.1.0"})
    run = {"tool": {"driver": {"name": "x"}}, "results": [{"level": "error"}]}
    assert not checks.is_valid({"version": "2.1.0", "runs": [run]})
    run["results"] = [{"message": {"text": "x"}}]
    assert checks.is_valid({"version": "2.1.0", "runs": [run]})


def test_a_refusal_is_an_error_at_the_line_of_the_included_file(capsys):
    (run,) = log(capsys, "scene.xml", "--backend", "newton")["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("unisim", __version__)
    (limited,) = [x for x in run["results"] if x["ruleId"] == "joint.limited.ball"]
    assert limited["level"] == "error"
    assert place(limited) == ("parts/my%20arm.xml", 4)
    text = limited["message"]["text"]
    assert text.startswith("newton (mujoco): joint 'a wrist'")
    assert "(measured: probe joint/ball" in text
    rule = driver["rules"][limited["ruleIndex"]]
    assert rule["id"] == "joint.limited.ball"
    assert rule["shortDescription"]["text"] == FEATURES["joint.limited.ball"].doc
    assert rule["helpUri"].endswith("XMLreference.html#body-joint")


def test_an_approximation_is_a_warning_and_once_accepted_a_note(capsys):
    (run,) = log(capsys, "scene.xml", "--backend", "fake")["runs"]
    assert {result["level"] for result in run["results"]} == {"warning"}
    (damping,) = [x for x in run["results"] if x["ruleId"] == "joint.damping.ball"]
    assert 'accept = ["joint.damping.ball"]' in damping["message"]["text"]
    (related,) = damping["relatedLocations"]
    physical = related["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "scene.xml"
    assert physical["region"]["startLine"] == 3
    accepted = log(
        capsys, "scene.xml", "--backend", "fake", "--accept", "joint.damping"
    )
    levels = {x["ruleId"]: x["level"] for x in accepted["runs"][0]["results"]}
    assert levels["joint.damping.ball"] == "note"
    assert levels["joint.limited.ball"] == "warning"


def test_every_backend_is_a_run_and_a_category_of_its_own(capsys):
    runs = log(capsys, "scene.xml", "--backend", "all")["runs"]
    ids = [run["automationDetails"]["id"] for run in runs]
    assert len(set(ids)) == len(ids) >= 10
    assert "unisim/newton.mujoco/" in ids
    assert not [x for run in runs for x in run["results"] if "ruleIndex" not in x]


def test_what_a_task_asks_beside_its_scene_points_into_the_config(folder, capsys):
    text = 'require = ["rendering", "sensor.touch"]\n\nvary = ["geom_size"]\n'
    text += '[scene]\nmodel_file = "scene.xml"\n'
    (folder / "task.toml").write_text(f"worlds = 2\n{text}", encoding="utf-8")
    (run,) = log(capsys, "task.toml", "--backend", "mjwarp")["runs"]
    found = {x["message"]["text"]: x for x in run["results"]}
    (ability,) = [x for text, x in found.items() if "rendering" in text]
    assert (ability["ruleId"], place(ability)) == ("task", ("task.toml", 2))
    (varied,) = [x for text, x in found.items() if "geom_size" in text]
    assert place(varied) == ("task.toml", 4)


def test_a_file_elsewhere_has_an_absolute_address(folder, monkeypatch, capsys):
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    (run,) = log(capsys, "../scene.xml", "--backend", "newton")["runs"]
    uri, _ = place(run["results"][0])
    assert uri == (folder / "parts" / "my arm.xml").as_uri()


def test_a_scene_of_a_folder_that_cannot_be_read_is_a_notification(folder, capsys):
    (folder / "broken.xml").write_text("<mujoco>\n<worldbody>\n", encoding="utf-8")
    (run,) = log(capsys, ".", "--backend", "mujoco")["runs"]
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    (note,) = invocation["toolExecutionNotifications"]
    assert place(note)[0] == "broken.xml"
    assert "never closed" in note["message"]["text"]
    (folder / "scene.xml").unlink()
    (run,) = log(capsys, ".")["runs"]
    assert not run["results"]


def test_nothing_wrong_is_a_run_without_results(capsys):
    (run,) = log(capsys, "scene.xml")["runs"]
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"]
