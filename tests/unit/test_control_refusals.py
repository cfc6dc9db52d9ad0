"""What a control law refuses, with the sentence that names it."""

import re

import pytest

from arm import ARM, bound
from unisim.config import DCMotorCfg, KeyframesCfg, PDCfg
from unisim.errors import BadControl, UnknownName


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"kp": {}}, "kp is empty"),
        ({"kp": {"hpi": 1.0}}, "kp: No actuator 'hpi'. Did you mean 'hip'?"),
        ({"kv": {"k*": 1.0, "x*": 1.0}}, "kv: No actuator 'x*'. Known: "),
        (
            {"kp": {"kne?": 1.0, "k*ee": 1.0}},
            "actuator 'knee' (arm.xml:18) takes its kp from 'kne?' and 'k*ee' alike",
        ),
        (
            {"limit": {"hip": 1.0}},
            "actuator 'hip' (arm.xml:19) has a limit, but no kp pattern matches it",
        ),
        (
            {"kv": {"foot": 1.0}},
            "actuator 'knee' (arm.xml:18) has a kp, but no kv pattern matches it",
        ),
    ],
)
def test_patterns_that_do_not_fit_are_named(fields, sentence):
    fields = {"kp": {"knee": 1.0}, "kv": {"knee": 1.0}} | fields
    with pytest.raises(BadControl, match=re.escape(sentence)):
        bound(PDCfg(**fields))


def test_a_dc_motor_needs_its_line_for_every_actuator():
    gains = dict.fromkeys(("foot", "knee", "hip"), 1.0)
    cfg = DCMotorCfg(kp=gains, kv=gains, stall={"knee": 1.0}, no_load={"foot": 1.0})
    with pytest.raises(BadControl, match="dcmotor") as refusal:
        bound(cfg)
    lacking = re.findall(r"'(\w+)' .* but no (\w+) pattern", str(refusal.value))
    assert lacking == [
        ("foot", "stall"),
        ("hip", "stall"),
        ("knee", "no_load"),
        ("hip", "no_load"),
    ]


def test_actuators_that_are_not_plain_motors_on_a_joint_are_named_all_at_once():
    xml = ARM.replace("<option", '<option actuatorgroupdisable="3"')
    xml = xml.replace('name="hip" joint', 'name="hip" group="3" joint')
    with pytest.raises(BadControl, match="pd control law") as refusal:
        bound(PDCfg(kp={"*": 1.0}, kv={"*": 1.0}), xml=xml)
    problems = [problem.partition(". Use")[0] for problem in refusal.value.problems]
    assert problems[1:] == [
        "actuator 'hip' (arm.xml:19) is in a group that the options disable",
        "actuator 'look' (arm.xml:20) acts on a ball joint",
        "actuator 'pull' (arm.xml:21) acts on a tendon, not on a joint",
        "actuator 'hold' (arm.xml:22) has biastype 'affine' instead of 'none'",
        "actuator 'slow' (arm.xml:23) has dyntype 'filter' instead of 'none'",
        "actuator 'off' (arm.xml:24) has a gain or a gear of 0",
    ]
    assert problems[0].startswith("actuator 'servo' (arm.xml:16) has gaintype 'pid'")


def test_an_actuator_is_not_driven_by_two_laws():
    first, second = (
        PDCfg(kp={name: 1.0, "hip": 1.0}, kv={name: 1.0, "hip": 1.0})
        for name in ("knee", "foot")
    )
    with pytest.raises(BadControl, match=r"'hip' \(arm.xml:19\) is driven by a later"):
        bound(first, second)


def test_an_unknown_key_is_refused_with_close_names():
    with pytest.raises(UnknownName, match=r"No key 'hihg'\. Did you mean 'high'\?"):
        bound(KeyframesCfg(keys=("low", "hihg")))
