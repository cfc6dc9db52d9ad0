"""A package outside of the source tree brings a backend and is held to the contract."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import unisim
from unisim.probe.contract.scenes import RAILS, SINK
from unisim.probe.probes import present

TOY = Path(__file__).with_name("toy")
TASK = """backend = "toy"
worlds = 3
[scene]
model_file = "rails.xml"
keyframe = "high"
[camera]
body = "lift"
[run]
seconds = 0.4
"""
Process = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Package:
    """The toy as it is installed somewhere else."""

    folder: Path
    environment: dict[str, str]

    def process(self, *arguments: object, **environment: str) -> Process:
        """Run a module of Python in the folder of the package."""
        return subprocess.run(
            [sys.executable, "-m", *map(str, arguments)],
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )


@dataclass(frozen=True)
class Outcome:
    """What a run of the contract came to, in names of tests."""

    status: int
    text: str
    held: tuple[str, ...]
    refused: tuple[str, ...]
    failed: tuple[str, ...]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """Install it as pip does, into a folder that one environment variable shows."""
    folder = tmp_path_factory.mktemp("toy")
    shutil.copytree(TOY, folder, dirs_exist_ok=True)
    (folder / "rails.xml").write_text(RAILS)
    rubbed = RAILS.replace("damping=", 'frictionloss="9" damping=')
    (folder / "rubbed.xml").write_text(rubbed)
    (folder / "sink.xml").write_text(SINK)
    (folder / "task.toml").write_text(TASK)
    source = Path(unisim.__file__).parents[1]
    path = os.pathsep.join([str(folder / "site"), str(source)])
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("PYTEST")},
        "PYTHONPATH": path,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    made = Package(folder, environment)
    install = ("--no-deps", "--no-build-isolation", "--no-index", "--target", "site")
    done = made.process("pip", "install", "-q", *install, ".")
    assert done.returncode == 0, done.stderr
    return made


def names(cases: list[ElementTree.Element]) -> tuple[str, ...]:
    return tuple(case.get("name", "") for case in cases)


@pytest.fixture(scope="module")
def held_to(package: Package) -> Callable[..., Outcome]:
    """Run the package's own contract test on one of its backends."""

    def run(backend: str, *options: str) -> Outcome:
        junit = package.folder / f"{backend}.xml"
        pytest_ = ("pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={junit}")
        done = package.process(*pytest_, *options, "tests", TOY=backend)
        cases = [*ElementTree.parse(junit).getroot().iter("testcase")]
        failed = [case for case in cases if len(case.findall("failure"))]
        refused = [
            case
            for case in cases
            if case.find(".//property[@name='refused']") is not None
        ]
        held = [case for case in cases if case not in failed and case not in refused]
        return Outcome(
            done.returncode, done.stdout, *map(names, (held, refused, failed))
        )

    return run


def test_the_entry_point_is_all_that_makes_it_a_backend(package: Package) -> None:
    listed = json.loads(package.process("unisim", "engines", "--json").stdout)
    (toy,) = [item for item in listed if item["backend"] == "toy"]
    assert (toy["package"], toy["installed"]) == ("unisim-toy", "1.2.3")
    assert toy["adapter"]
    assert not toy["broken"]


def test_check_answers_for_it_with_the_line(package: Package) -> None:
    check = ("unisim", "check", "--backend", "toy")
    assert package.process(*check, "rails.xml").returncode == 0
    refused = package.process(*check, "sink.xml")
    assert refused.returncode == 1
    line = 1 + SINK[: SINK.index('name="tail" type="ball"')].count("\n")
    assert "joint.type.ball" in refused.stdout
    assert f"sink.xml:{line}" in refused.stdout


def test_it_runs_a_task(package: Package) -> None:
    done = package.process("unisim", "run", "task.toml", "--json", "--out", "out")
    assert done.returncode == 0, done.stderr
    heights = json.loads(done.stdout)["height"]["pictured_world"]
    assert np.ptp(heights) > 0.01


def test_it_is_held_to_the_whole_contract(held_to: Callable[..., Outcome]) -> None:
    outcome = held_to("toy")
    assert outcome.status == 0, outcome.text
    assert not outcome.failed
    assert len(outcome.held) >= 150
    assert len(outcome.refused) >= 150
    assert "test_a_snapshot_continues_bit_exactly[toy-rails-default]" in outcome.held
    assert "test_a_snapshot_continues_bit_exactly[toy-pile-default]" in outcome.refused
    assert "test_readings_are_read_only[toy]" in outcome.refused
    assert "test_driven_worlds_go_where_mujocos_go" in outcome.held


def test_what_declares_less_is_refused_the_rest(
    held_to: Callable[..., Outcome],
) -> None:
    outcome = held_to("toy_modest", "-k", "snapshot or restore or second or equal_runs")
    assert outcome.status == 0, outcome.text
    assert "test_a_snapshot_continues_bit_exactly[toy_modest-rails-default]" in (
        outcome.refused
    )
    assert "test_equal_runs_are_bit_equal[toy_modest-rails]" in outcome.refused
    assert "test_a_restore_gives_back_what_can_be_written[toy_modest]" in outcome.held
    second = "test_a_second_sim_lives_beside_the_first_or_is_refused[toy_modest]"
    assert second in outcome.held


def test_all_probes_run_and_confirm_what_it_claims(package: Package) -> None:
    done = package.process("unisim", "probe", "toy", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)["features"]
    assert set(found) == set(present())
    for name in ("joint.damping", "joint.several", "actuator.gear", "sensor.framepos"):
        assert found[name]["verdict"] == "exact", name
    assert found["joint.frictionloss"]["verdict"] == "ignored"
    assert found["joint.type.free"]["verdict"] in {"refused", "inconclusive"}


def test_dampers_that_do_nothing_fail_at_the_audit(
    held_to: Callable[..., Outcome],
) -> None:
    outcome = held_to("toy_undamped", "-x")
    assert outcome.status == 1
    assert len(outcome.failed) == 1
    assert "AuditFailed" in outcome.text
    assert "joint force" in outcome.text


def test_a_snapshot_that_forgets_fails_at_the_contract(
    held_to: Callable[..., Outcome],
) -> None:
    outcome = held_to("toy_forgetful", "-k", "snapshot_cont or arrays_are_read_only")
    assert outcome.status == 1
    assert "test_a_snapshot_continues_bit_exactly[toy_forgetful-rails-default]" in (
        outcome.failed
    )
    assert "path of qvel" in outcome.text or "qfrc_applied" in outcome.text
    assert outcome.held


def test_a_feature_that_is_claimed_and_ignored_fails_at_the_audit(
    package: Package,
) -> None:
    honest = package.process("unisim", "check", "rubbed.xml", "--backend", "toy")
    assert honest.returncode == 1
    assert "joint.frictionloss" in honest.stdout
    (package.folder / "rubbed.toml").write_text(TASK.replace("rails", "rubbed"))
    command = ("unisim", "run", "rubbed.toml", "--backend", "toy_boastful")
    boast = package.process(*command, "--out", "no")
    assert boast.returncode == 1
    assert "built something else" in boast.stderr


def test_a_feature_that_is_claimed_and_ignored_fails_at_its_probe(
    package: Package,
) -> None:
    probe = ("unisim", "probe", "toy_boastful", "--feature", "joint.frictionloss")
    done = package.process(*probe)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    (line,) = [line for line in lines if line.startswith("joint.frictionloss ")]
    assert "ignored" in line
    assert "false claim" in line
