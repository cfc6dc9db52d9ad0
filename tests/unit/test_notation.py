"""Notation is reported as what it means, at the line that a person wrote."""

import json
import re
import warnings

import pytest

from physics import scene_from
from unisim.cli import main
from unisim.mjcf.detect import Use, detect
from unisim.scene.scene import Scene

ARM = """<mujoco>
  <compiler angle="radian"/>
  <default>
    <default class="soft">
      <position
        dampratio=".5"/>
      <joint
        springdamper=".5 1"/>
    </default>
  </default>
  <worldbody>
    <body name="a">
      <inertial pos="0 0 0" mass="1" diaginertia=".25 .25 .25"/>
      <joint name="j" axis="0 1 0"
        {joint}/>
    </body>
  </worldbody>
  <actuator>
    {actuator}
  </actuator>
</mujoco>"""
INERTIA = 0.25
"""About the joint [kg m^2]."""


def use(scene: Scene, feature: str) -> Use:
    (found,) = (use for use in detect(scene) if use.feature == feature)
    return found


def numbers(value: str) -> list[float]:
    return [float(word) for word in value.split()]


def written(joint: str = "", actuator: str = "") -> Scene:
    scene = scene_from(ARM.format(joint=joint, actuator=actuator))
    WRITTEN[scene.digest] = {"joint": joint, "actuator": actuator}
    return scene


def line(scene: Scene, use: Use) -> str:
    """What is written at a use's line."""
    text = ARM.format(**WRITTEN[scene.digest])
    return text.splitlines()[use.at.line - 1].strip()


WRITTEN: dict[str, dict[str, str]] = {}


def test_a_damping_ratio_is_the_damping_that_it_makes():
    servo = '<position name="u" joint="j"\n kp="100"\n dampratio="1"/>'
    made = written(actuator=servo)
    found = use(made, "actuator.biastype.affine")
    damping = 2 * (100 * INERTIA) ** 0.5
    assert numbers(found.value) == pytest.approx([0, -100, -damping])
    assert line(made, found) == 'dampratio="1"/>'
    assert found.notation == 'dampratio="1"'
    assert found.shown == "actuator 'u' = 0 -100 -10 by notation dampratio=\"1\""
    gain = use(made, "actuator.gaintype.fixed")
    assert (gain.value, line(made, gain)) == ("100", 'kp="100"')
    assert gain.notation == ""


def test_a_damping_ratio_of_a_class_is_at_the_line_of_the_class():
    servo = '<position name="u" joint="j" class="soft"\n kp="100"/>'
    made = written(actuator=servo)
    found = use(made, "actuator.biastype.affine")
    assert numbers(found.value) == pytest.approx([0, -100, -5])
    assert (found.class_at.line, found.notation) == (6, 'dampratio=".5"')
    assert line(made, found) == '<position name="u" joint="j" class="soft"'


def test_a_stated_damping_is_no_notation():
    made = written(actuator='<position name="u" joint="j" kv="7"/>')
    found = use(made, "actuator.biastype.affine")
    assert (found.value, found.notation) == ("0 -1 -7", "")


def test_a_spring_and_damper_by_time_constant_are_stiffness_and_damping():
    made = written('damping="3"\n springdamper=".5 2"')
    time, ratio = 0.5, 2
    for feature, value in (
        ("joint.stiffness", INERTIA / (time * ratio) ** 2),
        ("joint.damping", 2 * INERTIA / time),
    ):
        found = use(made, feature)
        assert numbers(found.value) == pytest.approx([value])
        assert found.notation == 'springdamper=".5 2"'
        assert line(made, found) == 'springdamper=".5 2"/>'


def test_a_spring_and_damper_of_zeros_say_nothing():
    made = written('springdamper="0 0"\n damping="3"')
    found = use(made, "joint.damping")
    assert (found.value, found.notation) == ("3", "")
    assert line(made, found) == 'damping="3"/>'


def test_a_spring_and_damper_of_a_class_name_both_lines():
    found = use(written('class="soft"'), "joint.stiffness")
    assert numbers(found.value) == pytest.approx([INERTIA / 0.5**2])
    assert (found.class_at.line, found.notation) == (8, 'springdamper=".5 1"')


def test_an_inherited_range_is_the_range_that_it_makes():
    servo = '<position name="u" joint="j"\n inheritrange=".5"/>'
    made = written('range="-1 3"', servo)
    found = use(made, "actuator.ctrllimited")
    assert found.value == "0 2"
    assert (line(made, found), found.notation) == (
        'inheritrange=".5"/>',
        'inheritrange=".5"',
    )
    motor = '<intvelocity name="u" joint="j" kp="1"\n inheritrange="1"/>'
    made = written('range="-1 3"', motor)
    found = use(made, "actuator.actlimited")
    assert (found.value, line(made, found)) == ("-1 3", 'inheritrange="1"/>')


def test_a_time_constant_is_the_filter_that_it_makes():
    made = written(actuator='<position name="u" joint="j"\n timeconst=".3"/>')
    found = use(made, "actuator.dyntype.filterexact")
    assert (found.value, found.notation) == ("0.3", 'timeconst=".3"')
    assert line(made, found) == 'timeconst=".3"/>'
    made = written(actuator='<cylinder name="u" joint="j"\n timeconst=".3"/>')
    found = use(made, "actuator.dyntype.filter")
    assert (found.value, line(made, found)) == ("0.3", 'timeconst=".3"/>')


@pytest.mark.parametrize("limited", ["", 'limited="auto" ', 'limited="true" '])
def test_limits_are_at_the_line_of_the_range_in_radians(limited):
    xml = ARM.replace("<compiler", "<option/><compiler").replace("radian", "degree")
    text = xml.format(joint=f'{limited}\n range="-90 45"', actuator="")
    found = use(scene_from(text), "joint.limited")
    assert numbers(found.value) == pytest.approx([-1.570796, 0.785398], rel=1e-5)
    assert text.splitlines()[found.at.line - 1].strip() == 'range="-90 45"/>'


def uses(xml: str) -> set[tuple[str, str, str]]:
    return {(use.feature, use.name, use.value) for use in detect(scene_from(xml))}


BODY = """<mujoco>
  <compiler {compiler}/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="a" {body}>
      <joint name="j" damping="2"/>
      <geom name="g" type="capsule" {geom}/>
      {inner}
    </body>
  </worldbody>
</mujoco>"""


def body(compiler: str = "", body: str = "", geom: str = "size='.1 .5'", inner=""):
    return BODY.format(compiler=compiler, body=body, geom=geom, inner=inner)


STATIC = '<body name="s" {}><geom name="t" size=".1" condim="6"/></body>'


@pytest.mark.parametrize(
    ("notation", "meaning"),
    [
        (
            body(geom='size=".1" fromto="0 0 0 1 0 0"'),
            body(geom='size=".1 .5" pos=".5 0 0" quat="1 0 1 0"'),
        ),
        (body(body='euler="0 90 0"'), body(body='quat="1 0 1 0"')),
        (body(body='axisangle="0 1 0 90"'), body(body='quat="1 0 1 0"')),
        (body(body='zaxis="1 0 0"'), body(body='quat="1 0 1 0"')),
        (body('settotalmass="7"'), body(geom='size=".1 .5" mass="7"')),
        (
            body('fusestatic="true"', inner=STATIC.format('pos="0 0 1"')),
            body(inner='<geom name="t" size=".1" condim="6" pos="0 0 1"/>'),
        ),
    ],
    ids=["fromto", "euler", "axisangle", "zaxis", "settotalmass", "fusestatic"],
)
@pytest.mark.filterwarnings("ignore:compiler attribute 'settotalmass':UserWarning")
def test_what_only_says_a_pose_or_a_mass_asks_for_what_its_meaning_asks(
    notation, meaning
):
    assert uses(notation) == uses(meaning)
    assert len(uses(notation)) >= 6


def test_what_was_fused_or_turned_keeps_its_line():
    xml = body('fusestatic="true"', inner=STATIC.format('euler="0 90 0"'))
    found = {use.name: use for use in detect(scene_from(xml)) if use.name == "t"}
    assert xml.splitlines()[found["t"].at.line - 1].strip().startswith("<body")
    assert found["t"].at.line == 8


def test_every_copy_of_replicate_points_at_the_element_that_it_copies():
    xml = """<mujoco>
  <worldbody>
    <replicate count="3" offset="1 0 0">
      <body name="a">
        <joint name="j"
          damping="2"/>
        <geom name="g" size=".1"/>
      </body>
    </replicate>
  </worldbody>
</mujoco>"""
    found = [use for use in detect(scene_from(xml)) if use.feature == "joint.damping"]
    assert [(use.name, use.value, use.at.line) for use in found] == [
        (f"j{number}", "2", 6) for number in range(3)
    ]


def test_what_a_child_of_the_element_says_is_at_the_childs_line():
    xml = """<mujoco>
  <worldbody>
    <geom name="w" size=".1"/><site name="o" pos="0 1 0"/>
    <body name="a"><joint name="j"/><geom name="g" size=".1"/><site name="t"/></body>
    <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 3"
      mass="1" radius=".01">
      <edge
        damping="1"/>
    </flexcomp>
  </worldbody>
  <tendon>
    <spatial name="p">
      <site site="o"/>
      <geom geom="w"/>
      <site site="t"/>
    </spatial>
  </tendon>
</mujoco>"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = scene_from(xml)
    assert use(made, "flex.edge.damping").at.line == 8
    assert use(made, "tendon.wrap.sphere").at.line == 14
    assert use(made, "tendon.spatial").at.line == 12


def test_check_says_the_notation_in_text_and_json(tmp_path, capsys):
    servo = '<position name="u" joint="j"\n kp="100"\n dampratio="1"/>'
    file = tmp_path / "arm.xml"
    file.write_text(ARM.format(joint="", actuator=servo))
    assert main(["check", str(file), "--backend", "fake"]) == 1
    out = capsys.readouterr().out
    place = f"{file}:21  actuator 'u' = 0 -100 -10 by notation dampratio=\"1\""
    assert re.search(rf"{re.escape(place)}$", out, re.MULTILINE)
    assert main(["check", str(file), "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["backends"]
    found = {item["feature"]: item for item in report["uses"]}
    assert found["actuator.biastype.affine"]["notation"] == 'dampratio="1"'
    assert found["actuator.biastype.affine"]["at"]["line"] == 21
    assert found["actuator.gaintype.fixed"]["notation"] == ""
