"""One scene of every feature that can stand beside the others.

What belongs to the scene as a whole is merged; everything else is attached, each scene
of a feature under a prefix of its own, and MuJoCo writes one file of it.
"""

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import mujoco

from unisim.probe.scenes import GONE_4, SCENES, SINCE_4

FOUR = 4_000_000
CHOSEN = {
    "integrator": "Euler",
    "cone": "elliptic",
    "solver": "CG",
    "jacobian": "sparse",
}
"""Of what a scene can have only one: one that the attached scenes can do with."""
OFF = (
    *("constraint", "contact", "equality", "frictionloss", "limit", "spring"),
    *("damper", "gravity", "clampctrl", "actuation"),
)
"""Flags that are left alone: what they switch off would be no use of a feature."""
ALONE = {
    "flag": {
        "sleep": "a tendon's equality does not know of it",
        "ipc": "its integrator knows of no flex with stiff edges",
        "override": "what geoms and pairs state of contacts would not count",
        **dict.fromkeys(OFF, "what it switches off would not count"),
    },
    "option": {},
    "size": {},
}
"""By element: what does not go with the others."""
LEFT_OUT = frozenset(
    {
        *("option.integrator.implicitfast", "option.integrator.rk4"),
        *("option.integrator.implicit", "option.integrator.discrete", "flex.passive"),
        *("option.cone.pyramidal", "option.solver.pgs", "option.solver.newton"),
        *("option.jacobian.dense", "option.jacobian.auto"),
        *(f"option.flag.{name}" for name in ALONE["flag"]),
        *("option.o_margin", "option.o_solref", "option.o_solref.direct"),
        *("option.o_solimp", "option.o_friction", "option.sleep_tolerance"),
        # no actuator of the others is in a group
        "option.actuatorgroupdisable",
        *("body.sleep.never", "body.sleep.allowed", "body.sleep.init"),
        *("body.sleep.auto_allowed", "body.sleep.auto_never"),
    }
)
"""The features that cannot stand beside the others."""
WHOLE = ("option", "size")
EXPANDED = (
    *("equality.flexstrain", "flex.rigid", "flex.dof", "flex.dof.quadratic"),
    "flex.selfcollide.interpolated",
)
"""Features of a flexcomp that are not there any more when MuJoCo has read it."""
_OPTION = re.compile(r"<option[^<]*?/>|<option.*?</option>", re.DOTALL)
_NOBODY = re.compile(r' (obj|ref)name="n\d+_"')
"""The name of nothing, when it gets a prefix."""
APART = 6.0
"""Between scenes, so that no contact is shared [m]."""


@dataclass(frozen=True)
class Everything:
    """The scene.

    Attributes:
        text: MJCF of one file.
        prefixes: By feature that is attached: what its elements' names begin with.
        options: By attribute of `<option>` or `<flag>`: the value that is stated.
    """

    text: str
    prefixes: dict[str, str]
    options: dict[str, str]


def everything() -> Everything:
    """Make it of the scenes that the installed MuJoCo knows."""
    unknown = GONE_4 if mujoco.mj_version() >= FOUR else SINCE_4
    scenes = {name: pair.used for name, pair in SCENES.items() if name not in unknown}
    options, flags = _stated(scenes, "option"), _stated(scenes, "flag")
    head = f"<option {_written(options)}><flag {_written(flags)}/></option>"
    head += f"<size {_written(_stated(scenes, 'size'))}/>"
    main = mujoco.MjSpec.from_string(f"<mujoco>{head}<worldbody/></mujoco>")
    main.compiler.savecompiled = False
    # muscles would have their ranges found by simulating all of it
    main.compiler.LRopt.mode = mujoco.mjtLRMode.mjLRMODE_NONE
    prefixes = {name: f"n{i}_" for i, name in enumerate(_attached(scenes))}
    for i, (name, prefix) in enumerate(prefixes.items()):
        if name in EXPANDED:
            continue
        frame = main.worldbody.add_frame(pos=[i % 20 * APART, i // 20 * APART, 0])
        child = mujoco.MjSpec.from_string(_OPTION.sub("", scenes[name]))
        main.attach(child, prefix=prefix, frame=frame)
    with warnings.catch_warnings(action="ignore"):
        main.compile()
        text = _NOBODY.sub("", main.to_xml())
    worlds = [_world(scenes[name], prefixes[name]) for name in EXPANDED]
    text = text.replace("</mujoco>", "\n".join([*worlds, "</mujoco>"]))
    return Everything(text, prefixes, options | flags)


def _world(scene: str, prefix: str) -> str:
    """The body tree of a scene whose only element with a name is f."""
    (world,) = re.findall(r"<worldbody>.*</worldbody>", scene, re.DOTALL)
    return world.replace('name="f"', f'name="{prefix}f"')


def _attached(scenes: dict[str, str]) -> Iterator[str]:
    left = (name for name in scenes if name not in LEFT_OUT)
    return (name for name in left if name.partition(".")[0] not in WHOLE)


def _stated(scenes: dict[str, str], tag: str) -> dict[str, str]:
    """Attributes of all elements of a tag, by name."""
    found: dict[str, str] = {}
    for text in scenes.values():
        for element in ElementTree.fromstring(text).iter(tag):
            found |= element.attrib
    found |= {name: word for name, word in CHOSEN.items() if name in found}
    return {name: word for name, word in found.items() if name not in ALONE[tag]}


def _written(attributes: dict[str, str]) -> str:
    return " ".join(f'{name}="{value}"' for name, value in attributes.items())
