"""Faults leave no log of MuJoCo's where the user happens to be."""

import subprocess
import sys

import pytest

CODE = """
import mujoco, sys
import unisim
if len(sys.argv) > 1:
    config = mujoco.MjLogConfig.get()
    config.logfile = sys.argv[1]
    config.set()
open("ball.xml", "w").write(
    '<mujoco><worldbody><body><joint type="slide"/><geom size=".1"/></body>'
    "</worldbody></mujoco>"
)
task = unisim.TaskCfg(scene=unisim.SceneCfg(model_file="ball.xml"), faults="flag")
with unisim.build(task) as sim:
    sim.write("qvel", [[1e12]])
    sim.step()
    assert sim.faults.any()
"""


@pytest.mark.parametrize("named", [[], ["mine.txt"]])
def test_a_fault_is_logged_only_where_the_user_has_it_logged(tmp_path, named):
    subprocess.run(
        [sys.executable, "-c", CODE, *named],
        cwd=tmp_path,
        check=True,
        timeout=60,
        capture_output=True,
    )
    assert {file.name for file in tmp_path.iterdir()} == {"ball.xml", *named}
