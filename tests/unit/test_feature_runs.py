"""What the MuJoCo backend's manifest claims of each feature, measured on its scene."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import unisim
from unisim.backend.manifest import Level
from unisim.backend.mujoco import BACKEND
from unisim.errors import UnsupportedFeature
from unisim.probe.scenes import GONE_4, SCENES, SINCE_4

STEPS, WORLDS = 20, 3
MAJOR = int(mujoco.__version__.split(".")[0])
ABSENT = SINCE_4 if MAJOR < 4 else GONE_4


def task_of(feature: str, folder: Path) -> unisim.TaskCfg:
    file = folder / "scene.xml"
    file.write_text(SCENES[feature].used)
    return unisim.TaskCfg(scene=unisim.SceneCfg(model_file=file), worlds=WORLDS)


def in_mujoco(model: mujoco.MjModel, ctrl: np.ndarray) -> np.ndarray:
    data = mujoco.MjData(model)
    data.ctrl[:] = ctrl
    mujoco.mj_step(model, data, STEPS)
    return np.concatenate([data.qpos, data.qvel, data.act])


@pytest.mark.filterwarnings("ignore:flex .* is not rigid:UserWarning")
@pytest.mark.parametrize("feature", sorted(SCENES.keys() - ABSENT))
def test_a_feature_runs_as_in_mujoco_or_is_refused(feature: str, tmp_path: Path):
    support = BACKEND.manifest.support("default", feature)
    task = task_of(feature, tmp_path)
    if support.level is Level.UNSUPPORTED:
        with pytest.raises(UnsupportedFeature) as refusal:
            unisim.build(task)
        assert feature in refusal.value.features
        return
    assert support.level is Level.EXACT
    with unisim.build(task) as sim:
        model = mujoco.MjModel.from_xml_path(str(task.scene.model_file))
        ctrl = np.linspace(-0.5, 0.5, WORLDS)[:, None] * np.ones(model.nu)
        sim.step(ctrl, STEPS)
        got = [sim.read(name) for name in ("qpos", "qvel", "act")]
    want = [in_mujoco(model, row) for row in ctrl]
    np.testing.assert_array_equal(np.concatenate(got, axis=1), want)
