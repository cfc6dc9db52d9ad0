"""Mentions of options and flags."""

from mentions.templates import MOTOR, Mentions, alone, flag, options
from unisim.probe.templates import Pair, arm, box

OPTIONS: Mentions = {
    **{
        f"option.flag.{name}": (flag(name, alone()),)
        for name in (
            *("constraint", "equality", "frictionloss", "limit", "contact", "spring"),
            *("damper", "clampctrl", "warmstart", "filterparent", "actuation"),
            *("refsafe", "sensor", "midphase", "eulerdamp", "nativeccd", "island"),
            "multiccd",
        )
    },
    "option.flag.eulerdamp": (
        flag("eulerdamp", alone()),
        Pair(
            arm(
                'damping="3"',
                head='<option integrator="RK4"><flag eulerdamp="disable"/></option>',
            ),
            arm('damping="3"', head='<option integrator="RK4"/>'),
        ),
    ),
    "option.flag.gravity": (
        Pair(
            arm(head='<option gravity="0 0 0"><flag gravity="disable"/></option>'),
            arm(head='<option gravity="0 0 0"/>'),
        ),
    ),
    **{
        f"option.flag.{name}": (flag(name, alone(), "enable"),)
        for name in ("override", "diagexact", "speculative")
    },
    "option.flag.sleep": (flag("sleep", arm(), "disable"),),
    "option.flag.ipc": (
        Pair(
            alone(
                '<option integrator="discrete" solver="CG"><flag ipc="enable"/>'
                "</option>"
            ),
            alone('<option integrator="discrete" solver="CG"/>'),
        ),
    ),
    "option.gravity": (
        Pair(
            arm(head='<option gravity="1 0 -5"><flag gravity="disable"/></option>'),
            arm(head='<option><flag gravity="disable"/></option>'),
        ),
        flag("gravity", arm(), "enable"),
    ),
    "option.density": (options('density="0"'),),
    "option.viscosity": (options('viscosity="0"'),),
    "option.wind": (options('wind="9 0 0"'),),
    "option.magnetic": (options('magnetic="1 0 0"'),),
    **{
        f"option.{word}": (options(f'{word}="{value}"'),)
        for word, value in (
            ("noslip_iterations", "3"),
            ("sdf_iterations", "3"),
            ("sdf_initpoints", "9"),
            ("sleep_tolerance", ".1"),
        )
    },
    "option.noslip_tolerance": (
        Pair(box(head='<option noslip_tolerance="1e-2"/>'), box(head="<option/>")),
    ),
    **{
        f"option.o_{word}": (
            Pair(box(head=f'<option o_{word}="{value}"/>'), box(head="<option/>")),
        )
        for word, value in (
            ("margin", ".02"),
            ("solref", ".05 .7"),
            ("solimp", ".5 .9 .01"),
            ("friction", ".3 .3"),
        )
    },
    "option.o_solref.direct": (
        Pair(box(head='<option o_solref="-3000 -40"/>'), box(head="<option/>")),
    ),
    "option.actuatorgroupdisable": (
        Pair(
            arm(head='<option actuatorgroupdisable="2"/>', tail=MOTOR.format("")),
            arm(head="<option/>", tail=MOTOR.format("")),
        ),
    ),
    "size.nuserdata": (Pair(box(head='<size nuserdata="0"/>'), box()),),
}
