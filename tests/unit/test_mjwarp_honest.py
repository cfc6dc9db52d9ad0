"""What MuJoCo Warp drops without a word, and that the backend refuses it."""

from importlib.metadata import version

import mujoco
import numpy as np
import pytest

from contract.scenes import composed
from mjwarp_sims import NEEDED
from unisim import SceneCfg, TaskCfg, build, compose
from unisim.errors import UnsupportedFeature

pytestmark = NEEDED
wp = pytest.importorskip("warp")
mjw = pytest.importorskip("mujoco_warp")

ADDS_ARMATURE = int(version("mujoco-warp").split(".")[0]) >= 4
EDITS = {
    "disabled group": lambda spec: setattr(spec.option, "disableactuator", 1),
    "actuator armature": lambda spec: [
        setattr(item, "armature", 0.5) for item in spec.actuators
    ],
}


def path(model, engine):
    """Velocities after 20 steps under controls of the key plus one. Shape (nv,)."""
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.ctrl += 0.3
    if engine == "mujoco":
        mujoco.mj_step(model, data, 20)
        return data.qvel.copy()
    with wp.ScopedDevice("cpu"):
        held, worlds = mjw.put_model(model), mjw.put_data(model, data, nworld=1)
        for _ in range(20):
            mjw.step(held, worlds)
    return worlds.qvel.numpy()[0]


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_the_engine_itself_moves_about_as_if_it_were_not_there(edit):
    scene = composed("quadruped")
    spec = mujoco.MjSpec.from_file(str(scene.file))
    edit(spec)
    changed = spec.compile()
    want, without = path(changed, "mujoco"), path(scene.model, "mujoco")
    got = path(changed, "mjwarp")
    assert np.abs(without - want).max() > 1
    if edit is EDITS["actuator armature"] and ADDS_ARMATURE:
        assert np.abs(got - want).max() < 1e-4
        return
    assert np.abs(got - want).max() > 1
    assert np.abs(got - without).max() < 0.7


@pytest.mark.parametrize(
    ("option", "feature"),
    [
        ('<option solver="PGS"/>', "option.solver.pgs"),
        ('<option actuatorgroupdisable="0"/>', "option.actuatorgroupdisable"),
        ('<option><flag override="enable"/></option>', "option.flag.override"),
    ],
)
def test_it_is_refused_before_anything_is_built(tmp_path, option, feature):
    file = tmp_path / "scene.xml"
    file.write_text(f"""<mujoco>{option}<worldbody><geom type="plane" size="1 1 1"/>
      <body><joint name="a"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="a"/></actuator></mujoco>""")
    scene = compose(SceneCfg(model_file=file))
    task = TaskCfg(scene=SceneCfg(model_file=file), backend="mjwarp", dtype="float32")
    with pytest.raises(UnsupportedFeature, match=feature.replace(".", r"\.")):
        build(task, scene)


def test_what_put_model_warns_of_is_refused():
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"
      friction="0 0 0"/><body><joint name="a"/><geom size=".1"/></body></worldbody>
      </mujoco>"""
    scene = composed(text)
    task = TaskCfg(
        scene=SceneCfg(model_file=scene.file), backend="mjwarp", dtype="float32"
    )
    with pytest.raises(UnsupportedFeature, match="friction"):
        build(task, scene)
