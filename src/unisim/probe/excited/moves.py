"""Actuators and tendons that have something to pull at."""

from unisim.probe.templates import (
    Pair,
    actuator,
    arm,
    free,
    general,
)

_LATE = 'joint="j" delay=".0093" nsample="9"'
_ACTUATORS = {
    "actuator.biastype.none": actuator('<motor name="u" joint="j"/>', ""),
    "actuator.biastype.affine": general(
        'joint="j" biastype="affine" biasprm="0 -5 -.5"', 'joint="j"'
    ),
    "joint.type.hinge": Pair(free("", kind="hinge"), free("", kind="slide")),
    "actuator.gear.multiple": general(
        'site="t" gear="1 0 2 0 3 0"', 'site="t" gear="1"'
    ),
    # A delay between two samples is where interpolation counts.
    "actuator.interp": general(f'{_LATE} interp="linear"', _LATE),
    "actuator.nsample": general(_LATE, 'joint="j"'),
    **{
        f"actuator.trntype.joint.{kind}": Pair(
            *(
                free("", kind=kind).replace(
                    "</mujoco>", f"<actuator>{motor}</actuator></mujoco>"
                )
                for motor in ('<motor name="u" joint="j" gear="5 3 1 1 .5 .2"/>', "")
            )
        )
        for kind in ("ball", "free")
    },
    # On a hinge it is what `joint` is; a free body's own axes turn with it.
    "actuator.trntype.jointinparent": Pair(
        *(
            free("", kind="ball").replace(
                "</mujoco>",
                f'<actuator><motor name="u" {word}="j" gear="5 3 1"/></actuator>'
                "</mujoco>",
            )
            for word in ("jointinparent", "joint")
        )
    ),
    "joint.actuatorfrcrange": Pair(
        *(
            arm(limit, tail='<actuator><motor name="u" joint="j" gear="9"/></actuator>')
            for limit in ('actuatorfrcrange="-1 1"', "")
        )
    ),
    "option.actuatorgroupdisable": Pair(
        *(
            arm(
                head=head,
                tail='<actuator><motor name="u" joint="j" group="2"/></actuator>',
            )
            for head in ('<option actuatorgroupdisable="2"/>', "")
        )
    ),
    "tendon.actuatorfrcrange": Pair(
        *(
            arm(
                tail=f'<tendon><fixed name="f" {limit}><joint joint="j" coef="1"/>'
                '</fixed></tendon><actuator><motor name="u" tendon="f" gear="9"/>'
                "</actuator>"
            )
            for limit in ('actuatorfrcrange="-1 1"', "")
        )
    ),
}

_RUBBER = 'stiffness="40" springlength=".1"'
_OBSTACLES = """<geom name="w" size=".05" pos=".2 .1 1.15"/>
  <geom name="c" type="cylinder" size=".05 .2" euler="90 0 0" pos=".2 .1 1.15"/>"""
_ENDS = '<site site="o"/>{}<site site="t"/>'


def _rope(path: str) -> str:
    """A rubber band on an arm."""
    tail = f'<tendon><spatial name="p" {_RUBBER}>{path}</spatial></tendon>'
    return arm(geoms=_OBSTACLES, tail=tail)


_JOINTED = arm(
    tail='<tendon><fixed name="f" stiffness="5"><joint joint="j" coef="1"/>'
    '<joint joint="k" coef=".5"/></fixed></tendon>'
)
_STRAIGHT = _rope(_ENDS.format(""))
_AROUND = _rope(_ENDS.format('<geom geom="w"/>'))
_SHORT = '<site site="o"/><site site="s"/>'
_NO_ROPE = arm(geoms=_OBSTACLES)
_TENDONS = {
    "tendon.fixed": Pair(_JOINTED, arm()),
    "tendon.wrap.joint": Pair(_JOINTED, arm()),
    "tendon.spatial": Pair(_STRAIGHT, _NO_ROPE),
    "tendon.wrap.site": Pair(_STRAIGHT, _NO_ROPE),
    "tendon.wrap.pulley": Pair(
        _rope(f'{_SHORT}<pulley divisor="2"/>{_ENDS.format("")}'), _rope(_SHORT)
    ),
    "tendon.wrap.sphere": Pair(_AROUND, _STRAIGHT),
    "tendon.wrap.cylinder": Pair(_rope(_ENDS.format('<geom geom="c"/>')), _STRAIGHT),
    "tendon.wrap.sidesite": Pair(
        _rope(_ENDS.format('<geom geom="w" sidesite="s"/>')), _AROUND
    ),
}


MOVES: dict[str, Pair] = {**_ACTUATORS, **_TENDONS}
"""By feature id."""
