"""`check` refuses what `run` would refuse before the first step, in the same words."""

import subprocess
import sys
from dataclasses import replace

import pytest

from unisim.backend import registry
from unisim.cli import main

SCENE = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 1"><joint name="lift" type="slide" axis="0 0 1"/>
      <geom name="box" size=".1"/>
      <geom name="skin" size=".1" contype="0" conaffinity="0" mass="0"/>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="lift"/></actuator>
</mujoco>"""
HEAD = '[scene]\nmodel_file = "scene.xml"\n'
PD = '[[control]]\nkind = "pd"\nkp = {{ {0} = 1.0 }}\nkv = {{ {0} = 1.0 }}\n'
QUERY = '[[contacts]]\nname = "c"\nfirst = "{0}"\n'
WRONG = {
    "unknown setting": (HEAD + "[engine]\nthreds = 1\n", ["threds", "'threads'"]),
    "type of a setting": (HEAD + '[engine]\nthreads = "2"\n', ["engine", "threads"]),
    "setting of the fake": (
        'backend = "fake"\naccept = ["*"]\n' + HEAD + "[engine]\nfault_world = 1\n",
        ["engine.fault_world 1 is out of range", "0 to 0"],
    ),
    "actuator": (HEAD + PD.format("lyft"), ["pd control law", "lyft"]),
    "key of a law": (
        HEAD + '[[control]]\nkind = "keyframes"\nkeys = ["up"]\n',
        ["No key 'up'"],
    ),
    "geom": (HEAD + QUERY.format("bux"), ["no geom 'bux'", "Did you mean 'box'?"]),
    "pictured world": (HEAD + "[run]\npicture_world = 1\n", ["run.picture_world 1"]),
}


@pytest.fixture
def config(tmp_path):
    def write(text):
        (tmp_path / "scene.xml").write_text(SCENE, encoding="utf-8")
        (tmp_path / "task.toml").write_text(text, encoding="utf-8")
        return str(tmp_path / "task.toml")

    return write


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_run_does_not_pass_the_check(config, capsys, case):
    text, fragments = WRONG[case]
    path, said = config(text), list[str]()
    for command in (["check", path], ["run", path, "--out", f"{path}.out"]):
        assert main(command) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    assert all(fragment in said[0] for fragment in fragments)


def test_laws_and_settings_that_fit_pass(config, capsys):
    text = HEAD + PD.format("lift") + "[engine]\nthreads = 1\n" + QUERY.format("skin")
    assert main(["check", config(text)]) == 0


def test_settings_are_those_of_the_backend_of_the_config(config, capsys):
    path = config('accept = ["*"]\n' + HEAD + "[engine]\nthreads = 1\n")
    assert main(["check", path, "--backend", "fake"]) == 0
    assert main(["run", path, "--backend", "fake", "--out", f"{path}.out"]) == 0


def test_what_is_not_deterministic_is_refused_as_in_a_run(config, monkeypatch, capsys):
    have = registry.load("mujoco").manifest
    loose = replace(have, abilities=replace(have.abilities, deterministic=False))
    monkeypatch.setattr("unisim.backend.adapter.manifest_of", lambda _: loose)
    assert main(["check", config(HEAD)]) == 1
    assert "deterministic = true: equal runs differ" in capsys.readouterr().out


def test_the_check_imports_no_engine(config):
    path = config(HEAD + "[engine]\nthreads = 1\n" + QUERY.format("box"))
    code = (
        "import sys; from unisim.cli import main;"
        f"status = main(['check', {path!r}, '--backend', 'all', '--accept', '*']);"
        "bad = {'warp', 'mujoco_warp', 'mujoco.batch', 'torch'} & set(sys.modules);"
        "sys.exit(f'imported: {bad}' if bad else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
