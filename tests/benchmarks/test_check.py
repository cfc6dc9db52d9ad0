"""What `unisim check --backend all` takes as a whole process; nothing is asserted.

`pytest tests/benchmarks/test_check.py -p no:xdist --benchmark-only` prints the times;
extra info has the CPU time of a round, which a busy machine changes less, and the uses
found. Scenes are compiled once before, and so is Python's bytecode.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from many_bodies import many_bodies

SHARED = Path(__file__).resolve().parents[3] / "shared"
GO1 = "policies/go1/mujoco_playground/_src/locomotion/go1/xmls"
SCENES = {
    "go1": f"{GO1}/scene_mjx_feetonly_flat_terrain.xml",
    "adroit_door": "models/gymnasium_robotics__adroit_door/adroit_door.xml",
}
ROUNDS = 5


def timed(benchmark, file: Path, cache: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k[:10] != "PYTHONDONT"}
    environment |= {"UNISIM_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(cache)}
    command = [sys.executable, "-m", "unisim", "check", str(file), "--backend", "all"]

    def check(*more: str) -> str:
        return subprocess.run(
            [*command, *more],
            check=False,
            env=environment,
            capture_output=True,
            text=True,
        ).stdout

    reports = json.loads(check("--json"))["backends"]
    before = getrusage(RUSAGE_CHILDREN)
    benchmark.pedantic(check, rounds=ROUNDS)
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    benchmark.extra_info.update(
        cpu_seconds=spent / ROUNDS,
        backends=len(reports),
        uses=len(reports[0]["uses"]),
    )


@pytest.mark.real_robot
@pytest.mark.parametrize("name", SCENES)
def test_a_robot_is_checked(benchmark, tmp_path, name):
    timed(benchmark, SHARED / SCENES[name], tmp_path)


def test_two_thousand_bodies_are_checked(benchmark, tmp_path):
    file = tmp_path / "many.xml"
    file.write_text(many_bodies(2000), encoding="utf-8")
    timed(benchmark, file, tmp_path)
