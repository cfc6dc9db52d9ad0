"""Bad input at the command line: one sentence, the right status, no traceback."""

import os
import subprocess
import sys

import pytest

from unisim.cli import main

GOOD = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 1"><freejoint/><geom name="box" size=".1"/></body>
  </worldbody>
  <keyframe><key name="up" qpos="0 0 2 1 0 0 0"/></keyframe>
</mujoco>"""
FILES = {
    "good.xml": GOOD,
    "broken.xml": "<mujoco>\n  <worldbody>\n</mujoco>",
    "text.obj": "this is no mesh",
    "mesh.xml": '<mujoco><asset><mesh name="m" file="gone.obj"/></asset></mujoco>',
    "format.xml": (
        '<mujoco><asset><mesh name="m" file="text.obj"/></asset>'
        '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    ),
    "cycle.xml": '<mujoco><include file="cycle2.xml"/></mujoco>',
    "cycle2.xml": '<mujoco><include file="cycle.xml"/></mujoco>',
    "clash.xml": GOOD.replace("0 0 1", "0 0 3"),
}
SCENES = {
    "missing": ("missing.xml", "no such scene file"),
    "broken": ("broken.xml", "broken.xml:3"),
    "missing mesh": ("mesh.xml", "gone.obj"),
    "wrong mesh": ("format.xml", "text.obj"),
    "cycle": ("cycle.xml", "cycle2.xml"),
    "folder": ("", "folder"),
}
GOOD_SCENE = '[scene]\nmodel_file = "good.xml"\n'
CONFIGS = {
    "unknown key": ("wrlds = 3\n" + GOOD_SCENE, 2, ["task.toml", "wrlds"]),
    "wrong type": ('worlds = "3"\n' + GOOD_SCENE, 2, ["task.toml", "worlds"]),
    "nested key": (
        GOOD_SCENE + "[scene.options]\ngrav = 1\n",
        2,
        ["scene.options.grav"],
    ),
    "not TOML": ("worlds = \n", 2, ["task.toml", "TOML"]),
    "missing scene": ('[scene]\nmodel_file = "gone.xml"\n', 3, ["gone.xml"]),
    "keyframe": (GOOD_SCENE + 'keyframe = "upp"\n', 2, ["'upp'", "Did you mean 'up'?"]),
    "fragment": (GOOD_SCENE + 'fragments = ["clash.xml"]\n', 3, ["clash.xml"]),
    "attachment": (
        GOOD_SCENE + '[[scene.attach]]\nmodel_file = "good.xml"\nprefix = "p_"\n'
        'to = "bix"\nto_kind = "body"\n',
        (2, 3),
        ["bix"],
    ),
    "timesteps": (
        "timestep = 0.1\n" + GOOD_SCENE + "[scene.options]\ntimestep = 0.2\n",
        2,
        ["0.1", "0.2"],
    ),
}
TASKS = {
    "contact": (
        GOOD_SCENE + '[[contacts]]\nname = "c"\nfirst = "bux"\n',
        2,
        ["'bux'", "Did you mean 'box'?"],
    ),
    "camera": (GOOD_SCENE + '[camera]\nbody = "bux"\n', 2, ["'bux'"]),
    "engine": (GOOD_SCENE + "[engine]\nthrads = 1\n", 2, ["thrads"]),
    "backend": ('backend = "mujco"\n' + GOOD_SCENE, 2, ["Did you mean 'mujoco'?"]),
    "profile": ('profile = "fast"\n' + GOOD_SCENE, 2, ["'fast'"]),
    "accept": ('accept = ["joint.dampig"]\n' + GOOD_SCENE, 2, ["joint.damping"]),
    "consent": ('backend = "fake"\n' + GOOD_SCENE, 1, ["geom", "good.xml:4"]),
    "control": (
        '[[control]]\nkind = "pd"\nkp = { a = 1.0 }\nkv = { a = 1.0 }\n' + GOOD_SCENE,
        2,
        ["pd control law"],
    ),
    "picture": (GOOD_SCENE + "[run]\npicture_world = 1\n", 2, ["picture_world 1"]),
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def refusal(folder, capsys):
    """Run a command that must refuse; returns its status and sentence."""

    def run(*arguments):
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        status = main(list(map(str, arguments)))
        shown = capsys.readouterr()
        after = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        assert after == before
        assert shown.err.startswith("unisim: ")
        assert "Traceback" not in shown.err
        assert not shown.out
        return status, shown.err

    return run


@pytest.mark.parametrize("case", SCENES)
@pytest.mark.parametrize("command", ["check", "compose"])
def test_a_bad_scene_could_not_run(folder, refusal, command, case):
    name, fragment = SCENES[case]
    out = ["-o", folder / "out"] if command == "compose" else []
    status, sentence = refusal(command, folder / name, *out)
    assert status == 3
    assert fragment in sentence


@pytest.mark.parametrize("case", CONFIGS)
@pytest.mark.parametrize("command", ["check", "compose", "run"])
def test_a_bad_config_is_refused_by_every_command(folder, refusal, command, case):
    text, expected, fragments = CONFIGS[case]
    config = folder / "task.toml"
    config.write_text(text, encoding="utf-8")
    out = {"check": [], "compose": ["-o"], "run": ["--out"]}[command]
    status, sentence = refusal(
        command, config, *out, *([folder / "out"] if out else [])
    )
    assert status in (expected if isinstance(expected, tuple) else (expected,))
    for fragment in fragments:
        assert fragment in sentence


@pytest.mark.parametrize("case", TASKS)
def test_a_task_that_cannot_run_leaves_nothing_behind(folder, refusal, case):
    text, expected, fragments = TASKS[case]
    config = folder / "task.toml"
    config.write_text(text, encoding="utf-8")
    status, sentence = refusal("run", config, "--out", folder / "deep" / "out")
    assert status == expected
    for fragment in fragments:
        assert fragment in sentence


@pytest.mark.parametrize(
    ("option", "value"),
    [("--worlds", "0"), ("--worlds", "-3"), ("--seconds", "0"), ("--seconds", "nan")],
)
def test_a_number_out_of_range_is_wrong_usage(folder, refusal, option, value):
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    status, sentence = refusal("run", folder / "task.toml", option, value)
    assert status == 2
    assert option in sentence


def test_run_of_a_bare_scene_says_what_a_config_is(folder, refusal):
    status, sentence = refusal("run", folder / "good.xml")
    assert status == 2
    assert 'model_file = "good.xml"' in sentence


def test_a_file_of_another_kind_is_wrong_usage(folder, refusal):
    status, sentence = refusal("check", folder / "text.obj")
    assert status == 2
    assert ".toml" in sentence


@pytest.mark.parametrize("command", ["compose", "run"])
def test_a_file_in_the_place_of_the_output_is_kept(folder, refusal, command):
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    (folder / "out").write_text("mine", encoding="utf-8")
    status, sentence = refusal(command, folder / "task.toml", "--out", folder / "out")
    assert status == 3
    assert "out: cannot write here" in sentence
    assert (folder / "out").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("command", ["compose", "run"])
def test_where_nobody_may_write_nothing_is_built(folder, refusal, command):
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    status, sentence = refusal(command, folder / "task.toml", "--out", "/proc/here/out")
    assert status == 3
    assert "cannot write here" in sentence


def test_a_run_that_faults_midway_leaves_nothing(folder, refusal):
    text = GOOD_SCENE + "[scene.options]\ngravity = [1e9, 0.0, 0.0]\n"
    (folder / "task.toml").write_text(text, encoding="utf-8")
    out = folder / "out"
    status, sentence = refusal(
        "run", folder / "task.toml", "--seconds", "60", "--out", out
    )
    assert status == 3
    assert "faulted" in sentence
    assert not out.exists()


def test_a_missing_plotting_package_is_named_before_the_run(
    folder, refusal, monkeypatch
):
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    monkeypatch.setattr("unisim.report.extras.REPORT", ("matplotlib", "no_such_thing"))
    status, sentence = refusal("run", folder / "task.toml", "--out", folder / "out")
    assert status == 3
    assert "no_such_thing" in sentence
    assert "pip install 'unisim-mjcf[report]'" in sentence


def test_a_process_of_its_own_ends_alike(folder):
    done = subprocess.run(
        [sys.executable, "-m", "unisim", "check", folder / "broken.xml"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=dict(os.environ),
    )
    assert done.returncode == 3
    assert done.stderr.startswith(f"unisim: {folder / 'broken.xml'}:3")
    assert "Traceback" not in done.stderr
    assert not done.stdout
