"""`check FOLDER`: every scene and task config below it, whatever becomes of one."""

import json

import pytest

from unisim.cli import main
from unisim.cli.examine import examine
from unisim.errors import UnsupportedFeature

BODY = '<body name="{0}"><joint name="{0}" {1}/><geom size=".1"/></body>'
GOOD = f"<mujoco>\n<worldbody>\n{BODY.format('a', '')}</worldbody></mujoco>"
BALL = GOOD.replace("<joint", '<joint type="ball" range="0 1"')
PART = "<mujoco><sensor><jointpos joint='a'/></sensor></mujoco>"
CONFIG = 'deterministic = false\n[scene]\nmodel_file = "../good.xml"\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "configs").mkdir()
    (tmp_path / ".hidden").mkdir()
    write(tmp_path, "good.xml", GOOD)
    write(tmp_path, "configs/task.toml", CONFIG)
    write(tmp_path, ".hidden/broken.xml", "<mujoco>")
    return tmp_path


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")


def found(capsys, folder, *asked) -> dict:
    main(["check", str(folder), *asked, "--json"])
    return json.loads(capsys.readouterr().out)


def names(items, folder, key="file") -> list[str]:
    return [item[key].removeprefix(f"{folder}/") for item in items]


def test_scenes_and_configs_are_checked_and_summed_up(folder, capsys):
    assert main(["check", str(folder), "--backend", "mujoco,newton"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"{folder}/configs/task.toml"
    assert out[1].startswith("  mujoco (default)  runs: ")
    assert out[2].startswith("  newton (mujoco)   represented, no adapter yet: ")
    assert out[3] == f"{folder}/good.xml"
    assert out[-1] == f"{folder}: 2 checked, 2 pass, 0 refused"


def test_one_that_is_refused_makes_it_1_and_says_where(folder, capsys):
    write(folder, "ball.xml", BALL)
    assert main(["check", str(folder), "--backend", "newton"]) == 1
    out = capsys.readouterr().out
    assert "refused: 1 unsupported, 0 approximate: joint.limited.ball (ball.xml:3)" in (
        out
    )
    assert "3 checked, 2 pass, 1 refused" in out
    assert main(["check", str(folder), "--backend", "newton", "--all"]) == 1
    assert f"{folder}/ball.xml:3  joint 'a' = 0 0.0174533" in capsys.readouterr().out
    assert main(["check", str(folder), "--backend", "mujoco"]) == 0


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("broken.xml", "<mujoco>\n<worldbody>", "broken.xml:2"),
        ("bad.toml", "worlds = 0\n[scene]\nmodel_file = 'good.xml'", "worlds"),
        ("notoml.toml", "worlds = ", "not TOML"),
        ("lost.toml", "[scene]\nmodel_file = 'goood.xml'", "lost.toml:2."),
        ("nan.xml", GOOD.replace("<joint", '<joint damping="nan"'), "nan.xml"),
        ("name.toml", "accept = ['x']\n[scene]\nmodel_file = 'good.xml'", "'x'"),
    ],
)
def test_one_that_cannot_be_read_makes_it_3_and_the_others_are_told(
    folder, capsys, name, text, said
):
    write(folder, name, text)
    write(folder, "ball.xml", BALL)
    assert main(["check", str(folder), "--backend", "newton"]) == 3
    out = capsys.readouterr().out
    assert "3 checked, 2 pass, 1 refused, 1 unread" in out
    result = found(capsys, folder)
    (unread,) = result["unread"]
    assert names([unread], folder) == [name]
    assert said in unread["reason"]


def test_what_is_no_scene_or_config_of_its_own_is_skipped_and_named(folder, capsys):
    write(folder, "part.xml", PART)
    write(folder, "included.xml", PART.replace("jointpos", "jointvel"))
    write(folder, "assets.xml", "<mujoco><asset><mesh file='a.obj'/></asset></mujoco>")
    write(folder, "robot.xml", "<robot name='r'/>")
    write(folder, "pyproject.toml", "[project]\nname = 'x'\n")
    merged = CONFIG + 'fragments = ["../part.xml"]\n'
    write(folder, "configs/task.toml", merged)
    text = GOOD.replace("</mujoco>", '<include file="included.xml"/></mujoco>')
    write(folder, "whole.xml", text)
    write(folder, "other.xml", text.replace("included", "assets"))
    (folder / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")  # fmt: skip
    result = found(capsys, folder)
    assert names(result["scenes"], folder, "scene") == [
        "configs/task.toml", "good.xml", "other.xml", "whole.xml",
    ]  # fmt: skip
    reasons = dict(
        zip(
            names(result["skipped"], folder),
            (item["reason"] for item in result["skipped"]),
            strict=True,
        )
    )
    part = "no scene of its own: it is part of {}"
    assert reasons == {
        "assets.xml": part.format(folder / "other.xml"),
        "included.xml": part.format(folder / "whole.xml"),
        "part.xml": part.format(folder / "configs" / "task.toml"),
        "pyproject.toml": "no task config: it has no [scene]",
        "robot.xml": "no scene: its root is <robot>",
    }
    assert not result["unread"]
    assert main(["check", str(folder)]) == 0
    assert f"skipped  {folder}/part.xml: no scene of its" in capsys.readouterr().out


def test_a_robot_that_a_scene_includes_is_a_scene_as_well(folder, capsys):
    write(folder, "scene.xml", '<mujoco><include file="good.xml"/></mujoco>')
    result = found(capsys, folder)
    assert "good.xml" in names(result["scenes"], folder, "scene")


def test_what_is_in_no_vocabulary_is_refused_and_not_unread(
    folder, capsys, monkeypatch
):
    def strange(file, *others):
        if file.name == "good.xml":
            raise UnsupportedFeature("unisim", ["geom.new is unknown"], ["geom.new"])
        return examine(file, *others)

    monkeypatch.setattr("unisim.cli.folder.examine", strange)
    assert main(["check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert f"{folder}/good.xml\n  refused  unisim cannot run" in out
    assert "2 checked, 1 pass, 1 refused" in out
    write(folder, "broken.xml", "<mujoco>")
    assert main(["check", str(folder)]) == 3


def test_a_part_that_fails_and_nobody_takes_in_is_unread(folder, capsys):
    write(folder, "part.xml", PART)
    assert main(["check", str(folder)]) == 3
    assert "unread" in capsys.readouterr().out


def test_on_a_terminal_it_says_how_far_it_is(folder, monkeypatch, capsys):
    assert main(["check", str(folder)]) == 0
    assert not capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["check", str(folder)]) == 0
    shown = capsys.readouterr()
    assert f"checking {folder}/configs/task.toml   0%" in shown.err
    assert "checking" not in shown.out


def test_a_folder_without_scenes_is_refused(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 3
    shown = capsys.readouterr()
    assert "no scene and no task config below this folder" in shown.err
    assert not shown.out
    write(tmp_path, "pyproject.toml", "[project]\n")
    assert main(["check", str(tmp_path)]) == 3


def test_a_folder_may_be_written_as_junit_and_sarif(folder, tmp_path_factory, capsys):
    out = tmp_path_factory.mktemp("out")
    write(folder, "broken.xml", "<mujoco>")
    write(folder, "ball.xml", BALL)
    asked = ["--junit", str(out / "j.xml"), "--sarif", str(out / "s.sarif")]
    assert main(["check", str(folder), "--backend", "newton", *asked]) == 3
    junit = (out / "j.xml").read_text(encoding="utf-8")
    assert f'name="{folder}/ball.xml: joint.limited.ball"' in junit
    assert 'testsuite name="unread" failures="1"' in junit
    (run,) = json.loads((out / "s.sarif").read_text(encoding="utf-8"))["runs"]
    assert [x["ruleId"] for x in run["results"]] == ["joint.limited.ball"]


def test_files_that_include_one_another_are_unread_not_skipped(capsys, folder):
    for one, other in (("one", "other"), ("other", "one"), ("self", "self")):
        include = f'<include file="{other}.xml"/></mujoco>'
        write(folder, f"{one}.xml", GOOD.replace("</mujoco>", include))
    said = found(capsys, folder)
    assert names(said["unread"], folder) == ["one.xml", "other.xml", "self.xml"]
    assert said["skipped"] == []
