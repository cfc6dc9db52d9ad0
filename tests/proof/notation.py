"""Scenes that say the same with an attribute, and without it.

A scene states the attribute. It is written again: by the passes, where they resolve it,
or by MuJoCo's own writer, with the values that it compiled, to six digits. From the new
text the attribute is then taken out, where it still stands, so that whatever it said is
said by others alone.
"""

import math
from collections.abc import Mapping
from pathlib import Path

import mujoco

from proof.soft import CABLE, SOFT
from unisim.config import SceneCfg
from unisim.mjcf.schema.walk import placed
from unisim.scene.compose import compose
from unisim.scene.passes import drop_frames, explicit_inertials, resolve_notation
from unisim.scene.source import Element, parse, write

EXACT, SIX_DIGITS = 1e-9, 1e-4
_SERVOS = ("position", "intvelocity", "pid", "general", "orientation")
_ATTACH = """<body name="n_carrier" pos="1 1 1"><geom size=".05"/><joint/>
      <attach model="n_model" prefix="p_" body="n_child"/></body>"""
LIMBS = f"""<mujoco>
  <compiler/>
  <default><default class="rod"><geom/><site/></default>
    <joint/><camera/><geom/>
    {"".join(f'<default class="{tag}"><{tag}/></default>' for tag in _SERVOS)}
  </default>
  <asset>
    <mesh name="n_mesh" vertex="0 0 0  .2 0 0  0 .3 0  0 0 .4"/>
    <model name="n_model" file="part.xml"/><model name="n_second" file="second.xml"/>
  </asset>
  <worldbody>
    <site name="n_world" type="capsule" size=".1 .1"/>
    <body name="n_arm" pos="0 0 1"><inertial pos="0 .01 0" mass="1"
        diaginertia=".1 .12 .13"/>
      <joint name="n_hinge" axis="0 1 0" range="-.5 .6" stiffness="1" damping=".1"/>
      <geom name="n_geom" type="capsule" size=".05 .1"/>
      <site name="n_site" class="rod" type="capsule" size=".05 .1"/>
      <geom name="n_rod" class="rod" type="capsule" size=".02 .1"/>
      <camera name="n_camera" pos="0 -1 0" resolution="4 3"/>
      <body name="n_fore" pos=".4 0 0" euler="10 20 30"><joint axis="1 0 0"/>
        <geom name="n_fit" type="box" mesh="n_mesh"/></body>
    </body>
    <body name="n_loose" pos="-.6 .3 .3"><freejoint name="n_free"/>
      <geom type="box" size=".1 .2 .3" pos=".02 0 0" euler="0 30 0" group="2"/>
      <geom type="box" size=".1 .1 .1" pos="0 .1 0" group="3" contype="0"
        conaffinity="0"/>
    </body>
    <frame pos="0 0 .5"><body pos="-.5 -1 .2"><joint/>
      <geom type="box" size=".1 .2 .1" pos=".1 0 0"/></body></frame>
    <replicate count="2" offset=".3 0 0" sep="_"><body name="n_copy" pos="-1 -1 .3">
      <joint axis="1 0 0" pos="0 .1 0"/><geom type="box" size=".1 .2 .1"/></body>
    </replicate>
    {_ATTACH}
  </worldbody>
  <actuator>
    <position class="position" joint="n_hinge" kp="3"/>
    <intvelocity class="intvelocity" joint="n_hinge" kp="3"/>
    <pid class="pid" joint="n_hinge" kp="3"/>
    <general class="general" joint="n_hinge" biastype="affine" biasprm="0 -1 -.1"/>
    <orientation class="orientation" site="n_site" refsite="n_world" kp="2"/>
  </actuator>
  <sensor>
    <insidesite site="n_site" objtype="body" objname="n_fore"/>
    <rangefinder camera="n_camera"/><framequat objtype="site" objname="n_site"/>
  </sensor>
</mujoco>"""
_ALONE = LIMBS.replace(_ATTACH, "")
"""A model that is attached would bring the compiler's settings of its own."""
_VALUES: Mapping[str, str] = {
    "axisangle": ".1 .2 .3 40",
    "euler": "10 20 40",
    "xyaxes": "1 .2 0 0 1 .1",
    "zaxis": ".1 .2 1",
    "fromto": "0 0 0 .1 .2 .3",
    "fitscale": "1.5",
    "fullinertia": ".1 .12 .13 .01 .02 .03",
    "springdamper": ".2 .7",
    "dampratio": ".5",
    "inheritrange": ".8",
    "timeconst": ".1",
    "align": "true",
    "pos": ".1 .2 .3",
    "quat": ".7 .1 .1 .1",
    "alignfree": "true",
    "angle": "radian",
    "balanceinertia": "true",
    "boundinertia": ".5",
    "boundmass": "3",
    "discardvisual": "true",
    "eulerseq": "zyx",
    "fitaabb": "true",
    "inertiafromgeom": "true",
    "inertiagrouprange": "0 2",
    "settotalmass": "50",
    "body/replicate offset": ".1 .2 .3",
    "body/replicate count": "3",
    "body/attach body": "n_other",
    "body/attach frame": "n_inner",
    "body/attach model": "n_second",
    "body/composite count": "7 1 1",
    "body/composite curve": "cos(s) s 0",
    "body/composite initial": "free",
    "body/composite offset": ".1 .2 .5",
    "body/composite size": "1.4",
    "body/composite type": "cable",
    "body/composite/joint kind": "main",
    "body/composite vertex": "0 0 0 .2 0 0 .4 .1 0 .6 .2 0 .8 .2 .1",
}
_ON: Mapping[str, str] = {
    "body": "n_fore",
    "body/geom fitscale": "n_fit",
    "body/geom fromto": "n_geom",
    "body/site fromto": "n_site",
}
"""By element, or element and attribute: the name of the element that states it."""
_WITHOUT: Mapping[str, tuple[str, ...]] = {
    "fullinertia": ("diaginertia",),
    "frame": ("body",),
    "vertex": ("count", "size", "curve"),
    **dict.fromkeys(("axisangle", "xyaxes", "zaxis"), ("euler",)),
}
"""By attribute: others that cannot stand beside it."""
_BY_WRITER = ("align", "alignfree", "discardvisual", "fitaabb", "fitscale")
"""Settings that no pass resolves."""

_STILL = """<mujoco><compiler {compiler}/><worldbody>{body}</worldbody></mujoco>"""
_HELD = """<geom size=".1" pos="{at}"/><body name="b" pos="{b}"><joint axis="0 1 0"/>
  <geom size=".1" pos=".2 0 0"/></body>"""
_APART = f"""<body name="a" {{}} pos="0 .3 1">{_HELD.format(at=".1 0 0", b="0 0 .4")}
  </body>"""
_FUSED = _HELD.format(at=".1 .3 1", b="0 .3 1.4")
_LIMITED = """<mujoco><compiler {}/><worldbody><body><joint name="j" {}/>
  <geom size=".1" pos=".2 0 0"/></body></worldbody></mujoco>"""
BY_HAND: Mapping[str, tuple[str, str]] = {
    "compiler angle": (
        _LIMITED.format('angle="radian"', 'range="0 .5"'),
        _LIMITED.format("", f'range="0 {math.degrees(0.5)!r}"'),
    ),
    "compiler autolimits": (
        _LIMITED.format('autolimits="false"', 'range="0 1" limited="true"'),
        _LIMITED.format("", 'range="0 1"'),
    ),
    "compiler fusestatic": (
        _STILL.format(compiler='fusestatic="true"', body=_APART.format("")),
        _STILL.format(compiler="", body=_FUSED),
    ),
    "body fuse": (
        _STILL.format(compiler='fusestatic="true"', body=_APART.format('fuse="false"')),
        _STILL.format(compiler="", body=_APART.format("")),
    ),
}
"""By element and attribute: a scene that states it, and what it means, by hand."""


def stated(path: str, attribute: str, *, out: bool = False) -> str:
    """A scene that states an attribute, or is the same without it."""
    text = CABLE if "composite" in path else SOFT if "flexcomp" in path else LIMBS
    root = parse(_ALONE if path == "compiler" else text, Path("limbs.xml"))
    if attribute == "balanceinertia":
        _inertial(root).attributes["diaginertia"] = ".1 .12 .5"
    element = _target(root, path, attribute)
    for name in (attribute, *_WITHOUT.get(attribute, ())):
        if not out or name == attribute:
            element.attributes.pop(name, None)
    if not out:
        key = f"{path} {attribute}"
        element.attributes[attribute] = _VALUES.get(key) or _VALUES[attribute]
    return write(root)[0]


def meant(file: Path, path: str, attribute: str) -> tuple[mujoco.MjModel, str, float]:
    """What the file at hand says, without an attribute.

    Returns:
        The model of the file, the new text, and how near its model has to come.
    """
    if attribute in _BY_WRITER:
        model, text = _by_writer(file)
        tolerance = SIX_DIGITS
    else:
        model, text = _by_passes(file)
        tolerance = EXACT
    root = parse(text, file)
    for place, element in placed(root):
        if place == path:
            element.attributes.pop(attribute, None)
    return model, write(root)[0], tolerance


def _by_passes(file: Path) -> tuple[mujoco.MjModel, str]:
    scene = compose(SceneCfg(model_file=file))
    model = scene.model
    for resolved in (resolve_notation, explicit_inertials, drop_frames):
        scene = resolved(scene)
    for name, content in scene.assets.items():
        (file.parent / name).write_bytes(content)
    return model, scene.xml


def _by_writer(file: Path) -> tuple[mujoco.MjModel, str]:
    spec = mujoco.MjSpec.from_file(str(file))
    model = spec.compile()
    spec.compiler.savecompiled = spec.compiler.savecanonical = True
    return model, spec.to_xml()


def _inertial(root: Element) -> Element:
    return next(element for element in root.walk() if element.tag == "inertial")


def _target(root: Element, path: str, attribute: str) -> Element:
    wanted = _ON.get(f"{path} {attribute}", _ON.get(path))
    found = [element for place, element in placed(root) if place == path]
    if wanted is not None:
        found = [item for item in found if item.attributes.get("name") == wanted]
    found.sort(key=lambda element: element.at.line)
    return found[-1 if f"{path} {attribute}" == "default/geom fitscale" else 0]
