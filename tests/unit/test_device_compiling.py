"""Where kernels are kept, and that one process compiles at a time."""

import multiprocessing
import os
import subprocess
import sys
import time

import pytest

wp = pytest.importorskip("warp")
from unisim.backend.device import compiling  # noqa: E402


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(wp.config, "kernel_cache_dir", str(tmp_path))
    return tmp_path


def hold(folder, seconds, taken):
    wp.config.kernel_cache_dir = str(folder)
    with compiling.compiling("test"):
        taken.set()
        time.sleep(seconds)


def test_a_second_process_waits_for_the_first_and_says_so(folder, monkeypatch, capsys):
    monkeypatch.setattr(compiling, "_QUIET", 0.05)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    context = multiprocessing.get_context("spawn")
    taken = context.Event()
    other = context.Process(target=hold, args=(folder, 1.0, taken))
    other.start()
    assert taken.wait(60)
    start = time.monotonic()
    with compiling.compiling("test"):
        waited = time.monotonic() - start
    other.join()
    assert waited > 0.5
    line = f"test: waits for another process that compiles in {folder}, 0 s"
    assert line in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_needs_no_lock(monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(wp.config, "kernel_cache_dir", str(blocked / "sub"))
    with compiling.compiling("test"):
        pass


def test_progress_is_shown_on_a_terminal_only(folder, monkeypatch, capsys):
    monkeypatch.setattr(compiling, "_QUIET", 0.05)
    with compiling.compiling("kernels"):
        time.sleep(0.2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with compiling.compiling("kernels"):
        (folder / "wp_one").mkdir()
        time.sleep(0.2)
    assert "kernels: 0 s, 1 kernels compiled" in capsys.readouterr().err


KILLED = """
import sys, time
from pathlib import Path
from unisim.backend.device import compiling
import warp as wp
wp.config.kernel_cache_dir = sys.argv[1]
with compiling.compiling("test"):
    Path(sys.argv[1], "begun").touch()
    time.sleep(60)
"""


def test_who_is_killed_holds_no_lock(folder):
    other = subprocess.Popen([sys.executable, "-c", KILLED, str(folder)])
    while not (folder / "begun").exists():
        assert other.poll() is None
        time.sleep(0.05)
    other.kill()
    other.wait()
    start = time.monotonic()
    with compiling.compiling("test"):
        assert time.monotonic() - start < 5


def test_one_line_of_native_code_is_left_out_and_all_others_are_written(capfd):
    with compiling._without(b"no driver"):
        os.write(2, b"first\nWarning: no driver here\nlast")
    assert capfd.readouterr().err == "first\nlast"


def test_a_machine_without_a_gpu_is_not_warned_of_it():
    code = "from unisim.backend.device.compiling import start; start()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")
