"""What MotrixSim welds or rubs otherwise than stated is refused by name."""

import pytest

from motrixes import REQUIRED  # noqa: F401  (where it is not installed, it skips)
from sabotage import Scenes
from unisim.errors import UnsupportedFeature

BODY = """<mujoco><worldbody>{}<body name="a" {}><freejoint name="f"/>
  <inertial pos="0 .1 0" mass="1" diaginertia=".01 .01 .01"/></body></worldbody>
  <equality><weld name="w" body1="a" {}/></equality></mujoco>"""
POST = """<body name="post" pos="3 1 1" quat="1 1 0 0" {}><inertial pos="0 0 0" mass="1"
  diaginertia="1 1 1"/></body>"""
WELDS = {
    "turned": (BODY.format("", 'quat="1 1 0 0"', ""), "'a'"),
    "post": (BODY.format(POST.format(""), "", 'body2="post"'), "'post'"),
}
GOOD = {
    "origin": BODY.format("", "", ""),
    "world": BODY.format("", 'pos="1 2 3"', ""),
    "mocap": BODY.format(
        POST.format('mocap="true"'), 'pos="1 2 3" quat="1 1 0 0"', 'body2="post"'
    ),
    "sites": """<mujoco><worldbody><site name="s0" pos="1 2 3"/><body name="a"
      pos="1 2 3" quat="1 1 0 0"><freejoint name="f"/><site name="s1" pos=".1 0 0"/>
      <inertial pos="0 .1 0" mass="1" diaginertia=".01 .01 .01"/></body></worldbody>
      <equality><weld name="w" site1="s1" site2="s0"/></equality></mujoco>""",
}
RUB = """<mujoco><worldbody><body name="a"><joint name="f" type="free"
  frictionloss="3"/><inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/></body>
  </worldbody></mujoco>"""


SOFT = """<mujoco><worldbody><body name="a"><joint name="h" axis="0 1 0" {}/>
  <inertial pos="0 .1 0" mass="1" diaginertia=".01 .01 .01"/></body></worldbody>
  <tendon><fixed name="t" {}><joint joint="h" coef="1"/></fixed></tendon></mujoco>"""
AGREED = {
    "stop": SOFT.format('range="-1 1" solreflimit="-300 -20"', ""),
    "quick": SOFT.format('range="-1 1" solreflimit=".001 1"', ""),
    "rubs": SOFT.format('frictionloss="1" solimpfriction=".5 .9 .01"', ""),
    "rubs straight": SOFT.format('frictionloss="30" solreffriction="-30 -4"', ""),
    "tendon stop": SOFT.format("", 'range="-1 1" solreflimit="-300 -20"'),
    "tendon": SOFT.format("", 'frictionloss=".5" solimpfriction=".5 .9 .01"'),
}
"""Springs that the engine has in another form, or a part of."""


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    texts = {**GOOD, **AGREED, **{x: y for x, (y, _) in WELDS.items()}, "rub": RUB}
    return Scenes(tmp_path_factory.mktemp("motrix"), texts)


@pytest.mark.parametrize("name", WELDS)
def test_a_weld_to_what_stands_elsewhere_is_refused_by_name(scenes, name):
    with pytest.raises(UnsupportedFeature, match=r"'w' \(.*xml:\d+\)") as refused:
        scenes.build(name, "motrix")
    assert WELDS[name][1] in str(refused.value)
    assert "mocap body instead" in str(refused.value)


@pytest.mark.parametrize("name", GOOD)
def test_a_weld_that_the_engine_has_right_is_held(scenes, name):
    scenes.build(name, "motrix").close()


def test_dry_friction_of_a_free_joint_is_refused_by_name(scenes):
    with pytest.raises(UnsupportedFeature, match=r"'f'.*xml:2.*state 0, or damping"):
        scenes.build("rub", "motrix")


@pytest.mark.parametrize("name", AGREED)
def test_a_spring_that_was_agreed_to_is_built(scenes, name):
    scenes.build(name, "motrix").close()
