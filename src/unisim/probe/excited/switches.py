"""Flags and options, in scenes that hold what they switch."""

from unisim.probe.templates import (
    CONNECT,
    Pair,
    arm,
    box,
    options,
    sensor,
)


def _flag(name: str, scene: str, options: str = "", value: str = "disable") -> Pair:
    """A flag that switches off, or on, what a scene holds at `{}`."""
    head = f'<option {options}><flag {name}="{value}"/></option>'
    return Pair(
        scene.replace("<mujoco>", f"<mujoco>{head}"),
        scene.replace("<mujoco>", f"<mujoco><option {options}/>"),
    )


_MOTOR = '<actuator><motor name="u" joint="j" {}/></actuator>'
_SERVO = '<actuator><position name="u" joint="j" kp="20" kv="3"/></actuator>'
_EGG = (
    box()
    .replace('type="box" size=".1 .1 .1"', 'type="ellipsoid" size=".15 .12 .1"')
    .replace('"plane" size="3 3 .1"', '"box" size="3 3 1" pos="0 0 -1"')
)
_NESTED = arm().replace(
    'pos=".1 0 0"/>\n      </body>', 'pos="-.15 0 0"/>\n      </body>'
)
_FLAGS = {
    "option.flag.actuation": _flag("actuation", arm(tail=_MOTOR.format(""))),
    "option.flag.clampctrl": _flag(
        "clampctrl", arm(tail=_MOTOR.format('ctrlrange="-.3 .3"'))
    ),
    "option.flag.damper": _flag("damper", arm('damping=".3"')),
    "option.flag.eulerdamp": _flag("eulerdamp", arm('damping="3"')),
    "option.flag.spring": _flag("spring", arm('stiffness="3"')),
    "option.flag.frictionloss": _flag("frictionloss", arm('frictionloss="1"')),
    "option.flag.limit": _flag("limit", arm('range="-10 10"')),
    "option.flag.equality": _flag(
        "equality", arm(tail=f"<equality>{CONNECT.format('')}</equality>")
    ),
    "option.flag.filterparent": _flag("filterparent", _NESTED),
    "option.flag.refsafe": _flag(
        "refsafe", box('solref=".002 1"', floor='solref=".002 1"')
    ),
    "option.flag.warmstart": _flag("warmstart", box(), 'iterations="1"'),
    "option.flag.override": _flag("override", box(), 'o_solref=".05 .7"', "enable"),
    "option.flag.sensor": Pair(
        *(
            sensor('<gyro name="x" site="s"/>', head=f"<option>{flag}</option>").used
            for flag in ('<flag sensor="disable"/>', "")
        )
    ),
    "option.ccd_iterations": Pair(
        *(
            _EGG.replace("<mujoco>", f"<mujoco>{head}")
            for head in ('<option ccd_iterations="1"/>', "")
        )
    ),
    "option.ccd_tolerance": Pair(
        *(
            _EGG.replace("<mujoco>", f"<mujoco>{head}")
            for head in ('<option ccd_tolerance=".05"/>', "")
        )
    ),
    "option.ls_iterations": Pair(
        *(
            box(head=f'<option iterations="2" {word}/>')
            for word in ('ls_iterations="1"', "")
        )
    ),
    "option.gravity": options('gravity="1 0 -5"', arm),
    "option.timestep": options('timestep=".005"', arm),
    "size.nuserdata": Pair(arm(head='<size nuserdata="5"/>'), arm()),
    # What is on by default is compared with something else.
    "option.cone.pyramidal": Pair(
        box(head='<option cone="pyramidal"/>'), box(head='<option cone="elliptic"/>')
    ),
    **{
        f"option.integrator.{name.lower()}": Pair(
            arm('damping="3"', head=f'<option integrator="{name}"/>'),
            arm('damping="3"', head=f'<option integrator="{other}"/>'),
        )
        for name, other in (
            ("RK4", "Euler"),
            ("implicit", "Euler"),
            ("discrete", "RK4"),
        )
    },
    # A servo brakes at the start of a step, or at its end.
    **{
        f"option.integrator.{name.lower()}": Pair(
            arm(head=f'<option integrator="{name}"/>', tail=_SERVO),
            arm(head=f'<option integrator="{other}"/>', tail=_SERVO),
        )
        for name, other in (("Euler", "implicitfast"), ("implicitfast", "Euler"))
    },
    "option.jacobian.auto": Pair(
        box(head='<option jacobian="auto"/>'), box(head='<option jacobian="dense"/>')
    ),
    "option.solver.newton": Pair(
        box(head='<option solver="Newton"/>'), box(head='<option solver="CG"/>')
    ),
}


SWITCHES: dict[str, Pair] = _FLAGS
"""By feature id."""
