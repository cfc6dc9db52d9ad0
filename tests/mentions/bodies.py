"""Mentions of features of bodies and joints."""

from mentions.templates import MOTOR, Mentions, switched
from unisim.probe.templates import Pair, arm, free, joint


def _body(attributes: str, scene: str = "") -> Pair:
    scene = scene or arm()
    return Pair(scene.replace('name="b"', f'name="b" {attributes}'), scene)


def _each(word: str, flag: str) -> Mentions:
    """A joint attribute that is 0, or whose flag is off, on every type of joint."""
    off = f'<option><flag {flag}="disable"/></option>' if flag else ""
    value = f'{word}="0.3"' if flag else f'{word}="0"'
    return {
        f"joint.{word}": (
            joint(f'{word}="0"'),
            Pair(arm(value, head=off), arm(head=off)),
        ),
        **{
            f"joint.{word}.{kind}": (
                Pair(free(f'{word}="0"', kind=kind), free("", kind=kind)),
                Pair(free(value, kind=kind, head=off), free("", kind=kind, head=off)),
            )
            for kind in ("ball", "free")
        },
    }


_LIMITS = 'range="-10 10"'
_UNLIMITED = 'range="-10 10" limited="false"'
JOINTS: Mentions = {
    "joint.pos": (
        joint('pos="0 0 0"'),
        Pair(arm('pos=".1 0 .2"', kind="slide"), arm(kind="slide")),
    ),
    "joint.ref": (joint('ref="0"'),),
    **_each("damping", "damper"),
    **_each("stiffness", "spring"),
    **_each("armature", ""),
    **_each("frictionloss", "frictionloss"),
    "joint.damping.polynomial": (
        joint('damping=".3 0"', 'damping=".3"'),
        switched("damper", 'damping=".3 .1"'),
    ),
    "joint.stiffness.polynomial": (
        joint('stiffness="3 0"', 'stiffness="3"'),
        switched("spring", 'stiffness="3 1"'),
    ),
    "joint.springref": (
        joint('springref="30"'),
        joint('springref="30" stiffness="0"'),
        joint('stiffness="3" springref="0"', 'stiffness="3"'),
        switched("spring", 'stiffness="3" springref="30"'),
    ),
    "joint.springyield": (joint('springyield=".1"'),),
    "joint.limited": (
        joint(_UNLIMITED),
        joint('range="0 0"'),
        switched("limit", _LIMITS),
        switched("constraint", _LIMITS),
    ),
    "joint.limited.ball": (
        Pair(free('range="0 10" limited="false"', kind="ball"), free("", kind="ball")),
    ),
    "joint.margin": (
        joint('margin=".1"'),
        joint(f'{_LIMITS} margin="0"', _LIMITS),
        joint(f'{_UNLIMITED} margin=".1"', _UNLIMITED),
        switched("limit", f'{_LIMITS} margin=".1"'),
    ),
    "joint.solreflimit": (
        joint('solreflimit=".1 1"'),
        joint(f'{_UNLIMITED} solreflimit=".1 1"'),
        switched("limit", f'{_LIMITS} solreflimit=".1 1"'),
    ),
    "joint.solreflimit.direct": (
        joint('solreflimit="-3000 -40"'),
        switched("limit", f'{_LIMITS} solreflimit="-3000 -40"'),
    ),
    "joint.solreffriction.direct": (
        joint('solreffriction="-30 -4"'),
        switched("frictionloss", 'frictionloss="1" solreffriction="-30 -4"'),
    ),
    "joint.solimplimit": (
        joint('solimplimit=".5 .9 .01"'),
        joint(f'{_UNLIMITED} solimplimit=".5 .9 .01"'),
    ),
    "joint.solreffriction": (
        joint('solreffriction=".1 1"'),
        joint('solreffriction=".1 1" frictionloss="0"'),
        switched("frictionloss", 'frictionloss="1" solreffriction=".1 1"'),
    ),
    "joint.solimpfriction": (joint('solimpfriction=".5 .9 .01"'),),
    "joint.actuatorfrcrange": (
        joint('actuatorfrcrange="-1 1"'),
        Pair(
            arm(
                'actuatorfrcrange="-.1 .1" actuatorfrclimited="false"',
                tail=MOTOR.format(""),
            ),
            arm(tail=MOTOR.format("")),
        ),
    ),
    "joint.actuatorgravcomp": (joint('actuatorgravcomp="true"'),),
    "body.gravcomp": (
        _body('gravcomp="0"'),
        _body(
            'gravcomp="1"',
            arm(head='<option><flag gravity="disable"/></option>'),
        ),
        _body('gravcomp="1"', arm(head='<option gravity="0 0 0"/>')),
        Pair(
            arm(geoms='<body name="w" gravcomp="1"><geom size=".1"/></body>'),
            arm(geoms='<body name="w"><geom size=".1"/></body>'),
        ),
    ),
}
