"""What is said where an engine is not there, or does not fit."""

from importlib import metadata

import pytest

from unisim import SceneCfg, TaskCfg, build
from unisim.backend import adapter
from unisim.errors import MissingEngine

BALL = """<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody>
</mujoco>"""


@pytest.fixture
def task(tmp_path):
    (tmp_path / "ball.xml").write_text(BALL)
    scene = SceneCfg(model_file=tmp_path / "ball.xml")
    return TaskCfg(scene=scene, backend="mjwarp")


def test_an_engine_that_is_not_installed_is_one_sentence(task, monkeypatch):
    monkeypatch.setattr(adapter, "find_spec", lambda name: None)
    with pytest.raises(MissingEngine) as missing:
        build(task)
    said = "needs mujoco-warp. Install it with: pip install 'unisim-mjcf[mjwarp]'"
    assert said in str(missing.value)


def test_an_engine_of_another_mujoco_is_one_sentence(task, monkeypatch):
    pytest.importorskip("mujoco_warp")
    have = {"mujoco": "4.0.1", "mujoco-warp": "3.17.0"}
    own = metadata.version
    monkeypatch.setattr(adapter, "version", lambda name: have.get(name) or own(name))
    with pytest.raises(MissingEngine) as missing:
        build(task)
    assert "needs mujoco-warp 4.0 beside mujoco 4.0 (there is 3.17)" in str(
        missing.value
    )
    assert "pip install 'mujoco-warp==4.0.*'" in str(missing.value)
