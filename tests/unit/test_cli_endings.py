"""How commands end that are cut short: by a signal, a closed pipe or a full disk."""

import os
import signal
import subprocess
import sys
import time

import pytest

SCENE = """<mujoco>
  <worldbody><body name="box"><joint name="x" type="slide"/><geom name="box" size=".1"/>
  </body></worldbody>
</mujoco>"""
TASK = '[scene]\nmodel_file = "scene.xml"\n[run]\nseconds = 3000.0\n'


@pytest.fixture
def config(tmp_path):
    (tmp_path / "scene.xml").write_text(SCENE, encoding="utf-8")
    (tmp_path / "task.toml").write_text(TASK, encoding="utf-8")
    return tmp_path / "task.toml"


def command(*words):
    return [sys.executable, "-m", "unisim", *map(str, words)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle_of_a_run_leaves_nothing(config, number):
    out = config.parent / "deep" / "out"
    with subprocess.Popen(
        command("run", config, "--out", out, "--progress"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        said = ""
        while "built and audited" not in said:
            said += process.stderr.readline()
        time.sleep(0.3)
        process.send_signal(number)
        printed, rest = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "unisim: interrupted: nothing is left half-written\n" in rest
    assert "Traceback" not in rest
    assert not printed
    assert not out.parent.exists()


@pytest.mark.parametrize(
    "words", [["support"], ["check"], ["run", "--help"], ["--version"]]
)
def test_what_cannot_be_printed_is_one_sentence(config, words):
    words = [*words, config] if words == ["check"] else words
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command(*words),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 3
    assert done.stderr.startswith(
        "unisim: standard output: cannot write here: No space"
    )
    assert done.stderr.count("\n") == 1


def test_a_reader_that_has_seen_enough_gets_no_words(config):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        done = subprocess.run(
            command("check", config, "--json"),
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 128 + signal.SIGPIPE
    assert done.stderr == ""
