"""Mentions of features of actuators, sensors, keys and flexes."""

from mentions.templates import MOTOR, SLIPPERY, Mentions
from unisim.probe.templates import (
    Pair,
    actuator,
    arm,
    flex,
    flexes,
    general,
    key,
    sensor,
)

_FILTER = 'joint="j" dyntype="filter" dynprm=".1"'
_NO_CLAMP = '<option><flag clampctrl="disable"/></option>'
ACTUATORS: Mentions = {
    "actuator.gaintype.affine": (
        general('joint="j" gaintype="affine" gainprm="2 0 0"', 'joint="j" gainprm="2"'),
    ),
    "actuator.biastype.affine": (
        general('joint="j" biastype="affine"'),
        general('joint="j" biastype="affine" biasprm="0 0 0 7"'),
        general('joint="j" biasprm="1 2 3"'),
    ),
    "actuator.ctrllimited": (
        general('joint="j" ctrlrange="-.1 .1" ctrllimited="false"'),
        general('joint="j" ctrlrange="0 0"'),
        Pair(
            arm(head=_NO_CLAMP, tail=MOTOR.format('ctrlrange="-.1 .1"')),
            arm(head=_NO_CLAMP, tail=MOTOR.format("")),
        ),
    ),
    "actuator.forcelimited": (
        general('joint="j" forcerange="-.1 .1" forcelimited="false"'),
    ),
    "actuator.actlimited": (
        general(f'{_FILTER} actrange="-.1 .1" actlimited="false"', _FILTER),
    ),
    "actuator.actearly": (
        general('joint="j" actearly="true"'),
        general(f'{_FILTER} actearly="false"', _FILTER),
    ),
    "actuator.gear": (general('joint="j" gear="1"'),),
    "actuator.gear.multiple": (
        general('site="t" gear="1 0 0 0 0 0"', 'site="t"'),
        general('joint="j" gear="5 2 3"', 'joint="j" gear="5"'),
        general('tendon="f" gear="5 2 3"', 'tendon="f" gear="5"'),
    ),
    "actuator.lengthrange": (
        general('joint="j" lengthrange=".1 1"'),
        actuator(
            '<position name="u" joint="j" kp="5" lengthrange=".1 1"/>',
            '<position name="u" joint="j" kp="5"/>',
        ),
    ),
    "actuator.armature": (general('joint="j" armature="0"'),),
    "actuator.damping": (general('joint="j" damping="0"'),),
    "actuator.damping.polynomial": (
        general('joint="j" damping=".1 0"', 'joint="j" damping=".1"'),
    ),
    "actuator.delay": (general('joint="j" delay="0"'),),
    "actuator.nsample": (general('joint="j" nsample="0"'),),
    "actuator.interp": (
        general('joint="j" interp="linear"'),
        general('joint="j" nsample="9" interp="linear"', 'joint="j" nsample="9"'),
    ),
}

_GYRO = '<gyro name="x" site="s" {}/>'


def _sensed(attributes: str, without: str = "") -> Pair:
    return sensor(_GYRO.format(attributes), _GYRO.format(without))


SENSORS: Mentions = {
    "sensor.cutoff": (_sensed('cutoff="0"'),),
    "sensor.delay": (_sensed('delay="0"'),),
    "sensor.nsample": (_sensed('nsample="0"'),),
    "sensor.interp": (
        _sensed('interp="linear"'),
        _sensed('nsample="9" interp="linear"', 'nsample="9"'),
    ),
    "sensor.interval": (_sensed('interval="0"'),),
    "key.qpos": (key('qpos="0"'),),
    "key.qvel": (key('qvel="0"'),),
    "key.time": (key('time="0"'),),
    "key.act": (key('act="0"'),),
    "key.ctrl": (key('ctrl="0"'),),
    "key.mpos": (key('mpos="1 0 0"'),),
    "key.mquat": (key('mquat="1 0 0 0"'),),
    "key.plastic": (
        Pair(
            *(
                arm(
                    'stiffness="3" springyield=".1"',
                    tail=f'<keyframe><key name="home" {word}/></keyframe>',
                )
                for word in ('plastic="0"', "")
            )
        ),
    ),
}

_ELASTIC = '<elasticity young="{}" poisson=".2" thickness=".01" {}/>'
_QUIET = '<contact contype="0" conaffinity="0" {}/>'
FLEXES: Mentions = {
    **{
        f"flex.selfcollide.{word}": (
            flexes(_QUIET.format(f'selfcollide="{word}"'), _QUIET.format("")),
        )
        for word in ("none", "narrow", "bvh", "sap", "auto")
    },
    "flex.selfcollide.solid": (
        flexes(
            _QUIET.format('selfcollide="auto"'),
            _QUIET.format(""),
            dim=3,
            count="3 3 3",
        ),
    ),
    "flex.selfcollide.interpolated": (
        Pair(
            *(
                flex('dof="trilinear"', _QUIET.format(word), dim=3, count="3 3 3")
                for word in ('selfcollide="auto"', "")
            )
        ),
    ),
    "flex.contact": (
        Pair(flex(head=SLIPPERY), flex(inner=_QUIET.format(""), head=SLIPPERY)),
    ),
    "flex.passive": (flexes('<contact passive="false"/>'),),
    "flex.rigid": (Pair(flex('rigid="false"'), flex()),),
    "flex.edge.stiffness": (flexes('<edge stiffness="0"/>', dim=1, count="5 1 1"),),
    "flex.edge.damping": (flexes('<edge damping="0"/>'),),
    "flex.elasticity": (flexes(_ELASTIC.format("0", "")),),
    "flex.elasticity.bending": (
        flexes(
            _ELASTIC.format("0", 'elastic2d="bend"'),
        ),
    ),
    "flex.elasticity.damping": (
        flexes(_ELASTIC.format("0", 'damping=".1"'), _ELASTIC.format("0", "")),
    ),
    "flex.elasticity.yield": (
        flexes(
            _ELASTIC.format("1e3", 'elastic2d="both" yield="0 0"'),
            _ELASTIC.format("1e3", 'elastic2d="both"'),
        ),
    ),
}
