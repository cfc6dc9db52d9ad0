"""Detection finds what has an effect, says where, and refuses what it does not know."""

import json
from pathlib import Path

import mujoco
import pytest

from by_hand import FILE, by_hand
from unisim.config import SceneCfg
from unisim.errors import UnsupportedFeature
from unisim.mjcf.detect import detect
from unisim.mjcf.features import FEATURES
from unisim.probe.scenes import GONE_4, SCENES, SINCE_4
from unisim.scene.compose import compose
from unisim.scene.source import Location

NEW = int(mujoco.__version__.split(".")[0]) >= 4
HERE = sorted(SCENES.keys() - (GONE_4 if NEW else SINCE_4))
QUIET = pytest.mark.filterwarnings("ignore:flex:UserWarning")


def features(xml: str) -> set[str]:
    return {use.feature for use in detect(by_hand(xml))}


def uses(xml: str, feature: str):
    return [use for use in detect(by_hand(xml)) if use.feature == feature]


@QUIET
@pytest.mark.parametrize("feature", HERE)
def test_a_feature_is_found_in_its_scene_and_not_in_the_twin_without(feature):
    pair = SCENES[feature]
    assert feature in features(pair.used)
    assert feature not in features(pair.unused)


def test_scenes_are_tiny():
    longest = max(len(xml.splitlines()) for pair in SCENES.values() for xml in pair)
    assert longest <= 15


def test_an_empty_scene_uses_nothing():
    assert detect(by_hand("<mujoco/>")) == ()


HINGE = """<mujoco>
  <worldbody><geom name="floor" type="plane" size="1 1 1" pos="0 0 -1"/>
    <body name="a"><joint name="j" {}/><geom name="g" size=".1" {}/></body>
  </worldbody>
</mujoco>"""
PLAIN = {
    "geom.type.plane",
    "joint.type.hinge",
    "geom.type.sphere",
    "geom.condim.3",
}


@pytest.mark.parametrize(
    ("joint", "geom"),
    [
        ('damping="0" stiffness="0" armature="0" frictionloss="0"', ""),
        ('springref="20" range="-1 1" limited="false" margin="1"', ""),
        ('solreflimit="1 1" solreffriction="1 1"', ""),
        ("", 'margin="0" gap="0" priority="0" contype="1" conaffinity="1"'),
        ('actuatorgravcomp="true"', 'fluidshape="ellipsoid"'),
    ],
)
def test_a_value_without_effect_is_not_a_use(joint, geom):
    assert features(HINGE.format(joint, geom)) == PLAIN


def test_a_geom_that_touches_nothing_is_visual_and_its_friction_no_use():
    xml = HINGE.format("", 'contype="0" conaffinity="0" friction=".3" condim="6"')
    assert features(xml) == {"joint.type.hinge", "geom.type.plane", "visual.geom"}


def test_a_default_that_the_file_states_is_a_use():
    stated = features(HINGE.format("", 'friction="1 .005 .0001" solref=".02 1"'))
    assert stated == PLAIN | {"geom.friction", "geom.solref"}
    head = '<mujoco><option integrator="Euler" timestep=".002"/>'
    options = features(HINGE.format("", "").replace("<mujoco>", head))
    assert options == PLAIN | {"option.integrator.euler", "option.timestep"}


def test_a_use_names_element_value_and_line():
    (use,) = uses(HINGE.format('damping=".25"', ""), "joint.damping")
    assert (use.kind, use.name, use.value) == ("joint", "j", "0.25")
    assert use.at == Location(FILE, 3)
    assert use.class_at is None
    assert str(use) == "joint.damping: joint 'j' = 0.25 (scene.xml:3)"


CLASS = """<mujoco>
  <default>
    <joint damping=".25"/>
    <default class="soft">
      <geom
        solref=".05 1"/>
    </default>
  </default>
  <worldbody><geom name="floor" type="plane" size="1 1 1" pos="0 0 -1"/>
    <body name="a"><joint name="j"/>
      <geom name="g" size=".1" class="soft"/>
    </body>
  </worldbody>
</mujoco>"""


def test_a_use_from_a_class_names_both_lines():
    (damping,) = uses(CLASS, "joint.damping")
    (solref,) = uses(CLASS, "geom.solref")
    assert (damping.at.line, damping.class_at) == (10, Location(FILE, 3))
    assert (solref.at.line, solref.class_at) == (11, Location(FILE, 6))
    assert "by the default at scene.xml:6" in str(solref)


def test_an_option_is_found_at_the_line_of_its_flag():
    xml = '<mujoco>\n<option timestep=".004">\n<flag contact="disable"/>'
    xml += "</option>\n" + HINGE.format("", "").removeprefix("<mujoco>\n")
    (step,) = uses(xml, "option.timestep")
    (flag,) = uses(xml, "option.flag.contact")
    assert (step.name, step.value, step.at.line) == ("timestep", "0.004", 2)
    assert (flag.name, flag.value, flag.at.line) == ("contact", "disable", 3)


def test_a_flag_is_not_taken_for_the_option_of_the_same_name():
    falling = HINGE.format("", "").replace(
        "<mujoco>", '<mujoco><option><flag gravity="enable"/></option>'
    )
    assert uses(falling, "option.gravity") == []
    both = falling.replace("<option>", '<option gravity="0 0 -9.81">')
    (use,) = uses(both, "option.gravity")
    assert use.value == "0 0 -9.81"


@QUIET
def test_what_a_flexcomp_makes_is_at_its_line():
    strained = SCENES["equality.flexstrain"].used
    (line,) = [
        number
        for number, text in enumerate(strained.splitlines(), 1)
        if "<flexcomp" in text
    ]
    made = uses(strained, "equality.flexstrain")
    made += uses(strained, "joint.type.slide") + uses(strained, "flex")
    assert {use.kind for use in made} == {"equality", "joint", "flex"}
    assert {use.at.line for use in made} == {line}


def test_each_element_of_many_is_named_once():
    xml = HINGE.format('damping="1"', "").replace(
        "</body>",
        '<body name="b"><joint name="k" damping="2"/><geom name="h" size=".1"/>'
        "</body></body>",
    )
    found = [(use.name, use.value) for use in uses(xml, "joint.damping")]
    assert found == [("j", "1"), ("k", "2")]


def test_members_that_nobody_knows_are_refused_by_name_all_at_once():
    scene = by_hand(HINGE.format("", ""))
    scene.model.jnt_type[0] = 77
    scene.model.opt.disableflags |= 1 << 25
    scene.model.opt.integrator = 9
    with pytest.raises(UnsupportedFeature) as refusal:
        detect(scene)
    text = str(refusal.value)
    assert "joint 'j' (scene.xml:3) uses mjtJoint 77" in text
    assert f"mjtDisableBit {1 << 25}" in text
    assert "mjtIntegrator 9" in text
    assert len(refusal.value.refusals) == 3


def test_a_member_that_no_model_should_hold_is_refused_by_its_name():
    scene = by_hand(HINGE.format("", ""))
    scene.model.geom_type[1] = mujoco.mjtGeom.mjGEOM_ARROW
    with pytest.raises(UnsupportedFeature, match=r"geom 'g' .* uses mjGEOM_ARROW"):
        detect(scene)


def test_an_orientation_actuator_that_owns_several_rows_shifts_no_one_elses():
    xml = """<mujoco><worldbody><site name="o"/>
      <body name="a"><joint name="j"/><geom name="g" size=".1"/><site name="t"/></body>
      </worldbody><actuator>
      <orientation name="u" site="t" refsite="o" kp="5"/>
      <motor name="v" joint="j" gear="7" ctrlrange="-1 1"/></actuator></mujoco>"""
    assert [use.name for use in uses(xml, "actuator.gear")] == ["v"]
    assert [use.name for use in uses(xml, "actuator.ctrllimited")] == ["v"]
    (several,) = uses(xml, "actuator.inputs.several")
    assert several.name == "u"


KNOWN = {
    "loco_mujoco__atlas": {"option.integrator.rk4", "joint.type.slide"},
    "menagerie__agility_cassie": {"equality.connect", "joint.type.ball"},
    "mujoco__flex__pulley": {"flex", "flex.contact"},
    "mujoco__tendon_arm__arm26": {"actuator.gaintype.muscle", "tendon.wrap.cylinder"},
    "mujoco__car__car": {"tendon.fixed", "actuator.trntype.tendon"},
}


REFUSED_4 = {"mujoco__tendon_arm__arm26"}
"""Robots whose lengthrange MuJoCo 4 itself cannot compute."""


@pytest.mark.real_robot
def test_every_real_robot_is_understood(shared: Path):
    for folder in sorted(
        path for path in (shared / "models").iterdir() if path.is_dir()
    ):
        if NEW and folder.name in REFUSED_4:
            continue
        main = json.loads((folder / "model.json").read_text())["main"]
        found = detect(compose(SceneCfg(model_file=folder / main)))
        assert {use.feature for use in found} >= KNOWN.get(folder.name, set())
        assert all(use.name and use.feature in FEATURES for use in found), folder.name
