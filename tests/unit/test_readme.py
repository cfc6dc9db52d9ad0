"""What the README shows is run as it stands."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import unisim
from mjwarp_sims import NEEDED
from unisim.cli import main
from unisim.config import TaskCfg, validate

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_python_example_runs(monkeypatch, capsys):
    assert len(EXAMPLE.strip().splitlines()) == 12
    monkeypatch.chdir(ROOT)
    exec(compile(EXAMPLE, "README.md", "exec"), {})
    shape = capsys.readouterr().out
    assert re.fullmatch(r"\(1000, 19\) [1-9]\d{0,2} \[\d \d \d \d\]\n", shape), shape


@NEEDED
def test_the_python_example_runs_on_mjwarp_too(monkeypatch, capsys):
    task = unisim.load(ROOT / "configs/quadruped.toml")
    other = replace(task, backend="mjwarp", worlds=200)
    monkeypatch.setattr(unisim, "load", lambda _: other)
    exec(compile(EXAMPLE, "README.md", "exec"), {})
    shape = capsys.readouterr().out
    assert re.fullmatch(r"\(200, 19\) [1-9]\d? \[\d \d \d \d\]\n", shape), shape


def test_the_commands_are_targets_of_the_makefile():
    (block,) = re.findall(r"```sh\n(make.*?)```", README, re.DOTALL)
    makefile = (ROOT / "Makefile").read_text()
    for line in block.splitlines():
        target = line.split()[1]
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README))
def test_a_link_leads_somewhere(link):
    assert (ROOT / link).exists(), link


@pytest.mark.parametrize(
    ("page", "asked"), [("README.md", []), ("docs/support.md", ["--details"])]
)
def test_a_support_table_is_that_of_the_manifests(tmp_path, page, asked):
    copy = tmp_path / "page.md"
    copy.write_text((ROOT / page).read_text())
    assert main(["support", *asked, "--write", str(copy)]) == 0
    stale = f"run: unisim support {' '.join([*asked, '--write', page])}"
    assert copy.read_text() == (ROOT / page).read_text(), stale


def test_the_task_of_the_guide_is_a_valid_task():
    (example,) = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs/guide.md").read_text(), re.DOTALL
    )
    task = validate(TaskCfg, tomllib.loads(example), "guide")
    assert task.scene.attach[0].to == "left_flange"
