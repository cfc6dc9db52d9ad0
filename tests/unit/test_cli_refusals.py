"""Bad input at the command line: one sentence, the right status, no traceback."""

import os
import subprocess
import sys

import mujoco
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
    "folder": ("empty", "folder"),
}
GOOD_SCENE = '[scene]\nmodel_file = "good.xml"\n'
CONFIGS = {
    "unknown key": (
        "wrlds = 3\n" + GOOD_SCENE,
        2,
        ["task.toml", "wrlds", "Did you mean 'worlds'?", "line 1"],
    ),
    "too many worlds": (f"worlds = {2**31}\n" + GOOD_SCENE, 2, ["task.toml", "worlds"]),
    "wrong type": ('worlds = "3"\n' + GOOD_SCENE, 2, ["task.toml", "worlds"]),
    "nested key": (
        GOOD_SCENE + "[scene.options]\ngrav = 1\n",
        2,
        ["scene.options.grav"],
    ),
    "not TOML": ("worlds = \n", 2, ["task.toml", "TOML"]),
    "missing scene": (
        '[scene]\nmodel_file = "goood.xml"\n',
        3,
        ["goood.xml: there is no such file", "good.xml'?", "stated in", "task.toml:2."],
    ),
    "keyframe": (
        GOOD_SCENE + 'keyframe = "upp"\n',
        2,
        ["good.xml has no key 'upp'", "Did you mean 'up'?", "task.toml:3."],
    ),
    "fragment": (GOOD_SCENE + 'fragments = ["clash.xml"]\n', 3, ["clash.xml"]),
    "attachment": (
        GOOD_SCENE + '[[scene.attach]]\nmodel_file = "good.xml"\nprefix = "p_"\n'
        'to = "bix"\nto_kind = "body"\n',
        2,
        ["good.xml has no body 'bix'. Did you mean 'box'?", "task.toml:6."],
    ),
    "timesteps": (
        "timestep = 0.1\n" + GOOD_SCENE + "[scene.options]\ntimestep = 0.2\n",
        2,
        ["0.1", "0.2", "The config is", "task.toml."],
    ),
}
ASKED = {
    "camera": (
        GOOD_SCENE + '[camera]\nbody = "bux"\n',
        ["camera.body: ", "good.xml has no body 'bux'", "task.toml:4."],
    ),
    "query": (
        GOOD_SCENE + '[[contacts]]\nname = "c"\nkind = "subtree"\nfirst = "bux"\n',
        ["contact query 'c': ", "has no subtree 'bux'. Did you mean 'box'?", ":6."],
    ),
    "vary": (
        'vary = ["body_masss"]\n' + GOOD_SCENE,
        ["No model field 'body_masss'. Did you mean 'body_mass'", "task.toml:1."],
    ),
}
TASKS = {
    "contact": (
        GOOD_SCENE + '[[contacts]]\nname = "c"\nfirst = "bux"\n',
        2,
        ["good.xml has no geom 'bux'", "Did you mean 'box'?"],
    ),
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

# MuJoCo before 4 loads OpenGL on import, later ones when something is drawn.
BROKEN_GL = ["bogus", "osmesa"] if mujoco.__version__.startswith("3.") else ["bogus"]


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "empty").mkdir()
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


@pytest.mark.parametrize("case", ASKED)
@pytest.mark.parametrize("command", ["check", "run"])
def test_what_a_config_asks_for_in_vain_is_named_with_its_line(
    folder, refusal, command, case
):
    text, fragments = ASKED[case]
    config = folder / "task.toml"
    config.write_text(text, encoding="utf-8")
    status, sentence = refusal(command, config)
    assert status == 2
    for fragment in fragments:
        assert fragment in sentence


def test_what_the_command_line_asks_for_is_not_blamed_on_the_config(folder, refusal):
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    status, sentence = refusal("run", folder / "task.toml", "--backend", "mujco")
    assert status == 2
    assert "task.toml" not in sentence


def test_what_a_config_states_twice_is_named_with_both_lines(folder, refusal):
    text = GOOD_SCENE + '[camera]\nbody = "bux"\n[engine]\nname = "bux"\n'
    (folder / "task.toml").write_text(text, encoding="utf-8")
    _, sentence = refusal("check", folder / "task.toml")
    assert "task.toml:4, 6." in sentence


def test_a_geom_that_is_only_visual_may_be_asked_for(folder, capsys):
    text = GOOD.replace('size=".1"/></body>', 'size=".1"/><geom name="skin" size=".1" '
                        'contype="0" conaffinity="0" mass="0"/></body>')  # fmt: skip
    (folder / "skin.xml").write_text(text, encoding="utf-8")
    config = folder / "task.toml"
    query = '[[contacts]]\nname = "c"\nfirst = "skin"\n'
    config.write_text('[scene]\nmodel_file = "skin.xml"\n' + query, encoding="utf-8")
    assert main(["check", str(config)]) == 0


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
    [
        ("--worlds", "0"),
        ("--worlds", "-3"),
        ("--worlds", "99999999999"),
        ("--seconds", "0"),
        ("--seconds", "nan"),
    ],
)
def test_a_number_out_of_range_is_wrong_usage(folder, refusal, option, value):
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    status, sentence = refusal("run", folder / "task.toml", option, value)
    assert status == 2
    assert option in sentence


def test_worlds_that_do_not_fit_could_not_run(folder, refusal, monkeypatch):
    monkeypatch.setattr("unisim.footprint._memory", lambda: 10**9)
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    out = ("--out", folder / "out")
    status, sentence = refusal("run", folder / "task.toml", "--worlds", 2 * 10**9, *out)
    assert status == 3
    assert "2,000,000,000 worlds do not fit into memory" in sentence
    assert not (folder / "out").exists()


def test_memory_that_ends_midway_could_not_run(folder, refusal, monkeypatch):
    def measure(*_):
        raise MemoryError

    monkeypatch.setattr("unisim.runtime.run.measure", measure)
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    out = ("--out", folder / "out")
    status, sentence = refusal("run", folder / "task.toml", *out)
    assert status == 3
    assert "Ask for fewer worlds" in sentence


@pytest.mark.parametrize("command", ["compose", "run"])
def test_an_empty_name_is_no_folder(folder, capsys, monkeypatch, command):
    monkeypatch.chdir(folder)
    (folder / "task.toml").write_text(GOOD_SCENE, encoding="utf-8")
    before = set(folder.iterdir())
    assert main([command, "task.toml", "--out", ""]) == 2
    assert "an empty name is no path" in capsys.readouterr().err
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("stated", BROKEN_GL)
@pytest.mark.parametrize("command", ["check", "engines"])
def test_an_opengl_that_mujoco_cannot_load_is_one_sentence(folder, stated, command):
    # what loads OSMesa fails as it does where there is none
    (folder / "OpenGL").mkdir()
    (folder / "OpenGL" / "__init__.py").write_text("raise AttributeError('no OSMesa')")
    arguments = [folder / "good.xml"] if command == "check" else []
    # a platform of PyOpenGL's own that is set already has MuJoCo do without OpenGL
    stated_in = {
        "MUJOCO_GL": stated,
        "PYOPENGL_PLATFORM": "",
        "PYTHONPATH": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-m", "unisim", command, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | stated_in,
    )
    assert done.returncode == 3
    assert done.stderr.startswith(f"unisim: MUJOCO_GL={stated} does not work here (")
    assert "Unset it, or set MUJOCO_GL=egl" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_an_import_that_fails_for_another_reason_is_not_hidden(folder, monkeypatch):
    def compose(*_, **__):
        raise RuntimeError("a defect")

    monkeypatch.setattr("unisim.cli.examine.compose", compose)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["check", str(folder / "good.xml")])


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
