"""Mentions of features of equality constraints and tendons."""

from mentions.templates import MOTOR, Mentions
from unisim.probe.templates import CONNECT, TENDONS, Pair, arm, flexes, tendon

_EQUALITY = '<connect name="e" body1="b" anchor=".1 0 0" {}/>'
_NO_EQUALITY = '<option><flag equality="disable"/></option>'


def _tied(used: str, without: str | None = None) -> Pair:
    """A constraint whose flag is off, or an attribute that says nothing."""
    if without is None:
        tail = f"{TENDONS}<equality>{used}</equality>"
        return Pair(
            arm(head=_NO_EQUALITY, tail=tail), arm(head=_NO_EQUALITY, tail=TENDONS)
        )
    return Pair(
        arm(tail=f"{TENDONS}<equality>{used}</equality>"),
        arm(tail=f"{TENDONS}<equality>{without}</equality>"),
    )


_WELD = '<weld name="e" body1="b" {}/>'
_FOLLOW = '<joint name="e" joint1="j" {}/>'
_LENGTH = '<tendon name="e" tendon1="f" {}/>'
LINKS: Mentions = {
    "equality.connect": (_tied(CONNECT.format("")),),
    "equality.weld": (_tied(_WELD.format("")),),
    "equality.joint": (_tied(_FOLLOW.format('joint2="k"')),),
    "equality.tendon": (_tied(_LENGTH.format('tendon2="p"')),),
    "equality.flex": (flexes('<edge equality="false"/>'),),
    "equality.connect.site": (_tied('<connect name="e" site1="o" site2="t"/>'),),
    "equality.weld.site": (_tied('<weld name="e" site1="o" site2="t"/>'),),
    "equality.weld.torquescale": (
        _tied(_WELD.format('torquescale="1"'), _WELD.format("")),
        _tied(_WELD.format('torquescale=".1"')),
    ),
    "equality.joint.constant": (_tied(_FOLLOW.format("")),),
    "equality.joint.polynomial": (
        _tied(
            _FOLLOW.format('joint2="k" polycoef="0 1 0 0 0"'),
            _FOLLOW.format('joint2="k"'),
        ),
        _tied(_FOLLOW.format('polycoef=".1 1 2 3 4"'), _FOLLOW.format('polycoef=".1"')),
    ),
    "equality.tendon.constant": (_tied(_LENGTH.format("")),),
    "equality.tendon.polynomial": (
        _tied(
            _LENGTH.format('tendon2="p" polycoef="0 1 0 0 0"'),
            _LENGTH.format('tendon2="p"'),
        ),
        _tied(_LENGTH.format('polycoef=".1 1 2 3 4"'), _LENGTH.format('polycoef=".1"')),
    ),
    "equality.active": (
        _tied(_EQUALITY.format('active="true"'), _EQUALITY.format("")),
    ),
    "equality.solref": (_tied(_EQUALITY.format('solref=".05 .7"')),),
    "equality.solref.direct": (_tied(_EQUALITY.format('solref="-3000 -40"')),),
    "equality.solimp": (_tied(_EQUALITY.format('solimp=".5 .9 .01"')),),
    "tendon.limited": (
        tendon('range="-.1 .1" limited="false"'),
        tendon('range="0 0"'),
    ),
    "tendon.margin": (
        tendon('margin=".05"'),
        tendon('range="-.1 .1" margin="0"', 'range="-.1 .1"'),
    ),
    "tendon.solreflimit": (tendon('solreflimit=".1 1"'),),
    "tendon.solreflimit.direct": (tendon('solreflimit="-3000 -40"'),),
    "tendon.solreffriction.direct": (tendon('solreffriction="-30 -4"'),),
    "tendon.solimplimit": (tendon('solimplimit=".5 .9 .01"'),),
    "tendon.stiffness": (tendon('stiffness="0"'),),
    "tendon.stiffness.polynomial": (tendon('stiffness="5 0"', 'stiffness="5"'),),
    "tendon.springlength": (
        tendon('springlength=".2"'),
        tendon('stiffness="5" springlength="-1"', 'stiffness="5"'),
    ),
    "tendon.springlength.range": (
        tendon('springlength=".1 .2"'),
        tendon('stiffness="5" springlength=".1 .1"', 'stiffness="5" springlength=".1"'),
    ),
    "tendon.springyield": (tendon('springyield=".1"'),),
    "tendon.damping": (tendon('damping="0"'),),
    "tendon.damping.polynomial": (tendon('damping=".5 0"', 'damping=".5"'),),
    "tendon.frictionloss": (tendon('frictionloss="0"'),),
    "tendon.solreffriction": (tendon('solreffriction=".1 1"'),),
    "tendon.solimpfriction": (tendon('solimpfriction=".5 .9 .01"'),),
    "tendon.armature": (tendon('armature="0"'),),
    "tendon.actuatorfrcrange": (
        tendon('actuatorfrcrange="-.1 .1"'),
        tendon('actuatorfrcrange="-.1 .1"', tail=MOTOR.format("")),
    ),
}
