"""States in which the audit compares contacts: something presses in each of them."""

from pathlib import Path

import pytest

from audit_scene import ROBOT, scene
from unisim import SceneCfg, compose
from unisim.backend.audit.oracle import Oracle
from unisim.backend.audit.sampling import Sampler
from unisim.backend.audit.touching import pressing, touching_states

QUADRUPED = Path(__file__).parents[2] / "models" / "quadruped" / "scene.xml"
OUTSIDE = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
  <body name="ball" pos="0 0 {}"><freejoint/><geom name="ball" size=".1"/></body>
</worldbody></mujoco>"""


def states(model):
    oracle = Oracle(model, -1)
    return oracle, touching_states(oracle, Sampler(oracle, 0), 16)


@pytest.mark.parametrize("kind", ["robot", "quadruped", "sunk", "falling"])
def test_in_every_state_something_presses(tmp_path, kind):
    # the quadruped and the sunk ball start in the floor, which throws them up
    xml = {"robot": ROBOT, "sunk": OUTSIDE.format(0.03), "falling": OUTSIDE.format(0.2)}
    if kind == "quadruped":
        model = compose(SceneCfg(model_file=QUADRUPED)).model
    else:
        model = scene(tmp_path, xml[kind]).model
    oracle, found = states(model)
    assert len(found) == 16
    for world in range(16):
        oracle.place(found, world)
        assert pressing(oracle)


def test_where_nothing_is_below_nothing_presses(tmp_path):
    alone = OUTSIDE.format(1).replace('<geom name="floor" type="plane"', "<site")
    alone = alone.replace('size="1 1 .1"', "")
    assert states(scene(tmp_path, alone).model)[1] is None
