"""What is built through the whole of unisim, audit and all."""

import mujoco
import numpy as np
import pytest

from drake_scenes import CHAIN, free
from drakes import Beside  # noqa: F401  (where Drake is not installed, it skips)
from unisim.config import SceneCfg, TaskCfg
from unisim.task import build


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_what_drake_integrates_otherwise_is_compared_with_what_it_does(
    tmp_path, integrator
):
    xml = free(CHAIN.format(ball="")).replace(
        "<option", f'<option integrator="{integrator}"', 1
    )
    file = tmp_path / "scene.xml"
    file.write_text(xml)
    task = TaskCfg(
        scene=SceneCfg(model_file=file), worlds=3, backend="drake", accept=("*",)
    )
    build(task).close()


LOOSE = """<mujoco><worldbody>
<body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody>
</mujoco>"""


def test_a_quaternion_of_no_length_does_not_turn_as_in_mujoco(tmp_path):
    file = tmp_path / "scene.xml"
    file.write_text(LOOSE)
    model = mujoco.MjModel.from_xml_string(LOOSE)
    data = mujoco.MjData(model)
    data.qpos[3:], data.qvel[3] = 0, 1
    with build(TaskCfg(scene=SceneCfg(model_file=file), backend="drake")) as sim:
        sim.write("qpos", data.qpos[None])
        sim.write("qvel", data.qvel[None])
        sim.step(count=3)
        mujoco.mj_step(model, data, 3)
        np.testing.assert_allclose(sim.read("qpos")[0], data.qpos, atol=1e-12)
