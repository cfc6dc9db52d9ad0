"""The MJCF that the engine's importer is given: what it reads, and no more."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.motrix.acting import actuators, made, numbers
from unisim.backend.motrix.margins import margins_of
from unisim.backend.motrix.masks import WORLD, masks_of
from unisim.backend.motrix.share import Share
from unisim.backend.motrix.shift import shift_of
from unisim.mjcf.pairs import allowed
from unisim.scene.passes import (
    drop_frames,
    drop_sections,
    explicit_inertials,
    strip_visual,
)
from unisim.scene.scene import Scene
from unisim.scene.source import Element, parse, write

SENSOR = "unisim_pair_"
"""Prefix of the contact sensors, one for each pair of geoms."""
SLOTS = 8
"""Contacts of a pair that are reported."""
REPORT = "found force torque dist pos normal tangent"
_BITS = 0xFFFFFFFF
"""Of a mask, which the importer reads without a sign."""
_ROUND, _POINT = 1e-9, "1e-10 1e-10 1e-10"
_OURS = ("sensor", "keyframe", "custom", "visual", "statistic", "size", "extension")
"""Sections that are only the reference's business."""
_FLAGS = frozenset(
    {"contact", "gravity", "limit", "equality", "frictionloss", "constraint"}
    | {"refsafe", "override"}
)
_OPTIONS = frozenset(
    {"timestep", "gravity", "o_margin", "o_solref", "o_solimp", "o_friction"}
)
_DROPPED = {
    "body": {"sleep", "user", "childclass"},
    "joint": {"group", "user", "actuatorfrcrange", "actuatorfrclimited"}
    | {"actuatorgravcomp", "springdamper"},
    "freejoint": {"group", "align"},
    "geom": {"group", "user", "material", "rgba", "mass", "density", "shellinertia"}
    | {"fluidshape", "fluidcoef", "fitscale"},
    "fixed": {"group", "user", "material", "rgba", "width", "actuatorfrcrange"}
    | {"actuatorfrclimited"},
}
"""Attributes that are drawn only, that the reference does, or that are resolved."""
_LIMITED = {"joint", "fixed"}


@dataclass(frozen=True)
class Text:
    """MJCF for the importer.

    Attributes:
        xml: The text.
        lines: The element of each of its lines.
        pairs: Names of the geoms whose contacts are reported, in the scene's order.
    """

    xml: str
    lines: Sequence[Element]
    pairs: tuple[tuple[str, str], ...]


def text_of(scene: Scene, share: Share, *, watched: bool) -> Text:
    """MJCF of the engine's share of a scene.

    Args:
        scene: The composed scene.
        share: What the engine does by itself.
        watched: Whether contacts are reported after every step.

    Raises:
        CompileFailed: If MuJoCo cannot strip what is only visual.
    """
    plain = drop_sections(scene, _OURS)
    plain = drop_frames(explicit_inertials(strip_visual(plain)))
    root = parse(plain.xml, Path())
    _trim(root, plain.model, share, masks_of(plain.model, scene))
    _fill(root, plain.model)
    root.children.append(actuators(scene.model, share))
    pairs = _pairs(plain.model) if watched else ()
    root.children.append(made("sensor", {}, _sensors(pairs)))
    xml, lines = write(root)
    return Text(xml, lines, pairs)


def _pairs(model: mujoco.MjModel) -> tuple[tuple[str, str], ...]:
    """Names of the geoms that may collide, in the engine's order.

    What nothing moves comes first. Asked for the other order, its sensors turn tangents
    the wrong way.
    """
    still = unmoved(model)
    found: list[tuple[str, str]] = []
    for first, second in np.argwhere(np.triu(allowed(model))).tolist():
        pair = (
            (second, first) if still[second] and not still[first] else (first, second)
        )
        found.append((model.geom(pair[0]).name, model.geom(pair[1]).name))
    return tuple(found)


def unmoved(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Geoms that no joint moves. Shape (ngeom,)."""
    above = model.body_weldid[model.geom_bodyid]
    return (above == 0) | (model.body_mocapid[above] >= 0)


def _sensors(pairs: Iterable[tuple[str, str]]) -> Iterator[Element]:
    """One of the engine's contact sensors for each pair."""
    for i, (first, second) in enumerate(pairs):
        names = {"name": f"{SENSOR}{i}", "geom1": first, "geom2": second}
        yield made("contact", names | {"num": str(SLOTS), "data": REPORT})


@dataclass(frozen=True)
class Collide:
    """What of geoms the engine sees otherwise than MuJoCo does, by name.

    Attributes:
        margins: [m].
        masks: Type and affinity, of all or of none.
    """

    margins: Mapping[str, float]
    masks: Mapping[str, tuple[int, int]]


def _trim(
    root: Element,
    model: mujoco.MjModel,
    share: Share,
    masks: Mapping[str, tuple[int, int]],
) -> None:
    """Drop sections, elements and attributes that are not the engine's."""
    root.children = [item for item in root.children if item.tag != "actuator"]
    kept, collide = _coupled_sites(root), Collide(margins_of(model), masks)
    for element in root.walk():
        element.children = [
            child for child in element.children if _is_kept(child, kept)
        ]
    for element in root.walk():
        attributes = element.attributes
        for name in _DROPPED.get(element.tag, set()) & attributes.keys():
            del attributes[name]
        if element.tag == "geom":
            _geom(element, model, collide)
        elif element.tag in _SHARED:
            _SHARED[element.tag](element, model, share)
        if element.tag in _LIMITED and attributes.pop("limited", "") != "true":
            attributes.pop("range", None)
    _options(root)


def _inertial(element: Element, model: mujoco.MjModel, share: Share) -> None:
    del model, share
    attributes = element.attributes
    if "fullinertia" not in attributes:
        moments = attributes.setdefault("diaginertia", "0 0 0").split()
        if float(attributes["mass"]) > 0 and not any(map(float, moments)):
            attributes["diaginertia"] = _POINT  # a point: the engine wants a body
        if np.ptp(np.array(moments, float)) < _ROUND * float(moments[0]):
            # turning it would only round it
            attributes.pop("quat", None)


def _body(element: Element, model: mujoco.MjModel, share: Share) -> None:
    del model
    if not share.gravcomp:
        element.attributes.pop("gravcomp", None)


def _coupled_sites(root: Element) -> frozenset[str]:
    """Sites that equalities hold together."""
    return frozenset(
        name
        for section in root.sections("equality")
        for item in section.children
        for key, name in item.attributes.items()
        if key in ("site1", "site2")
    )


def _is_kept(child: Element, sites: frozenset[str]) -> bool:
    if child.tag == "exclude":
        return WORLD not in child.attributes.values()
    if child.tag == "site":
        return child.attributes.get("name") in sites
    return child.tag not in ("camera", "light", "spatial", "texture", "material")


def _joint(element: Element, model: mujoco.MjModel, share: Share) -> None:
    """Springs and dampers that the engine has; the reference does the others."""
    attributes = element.attributes
    if {"joint", "joint1"} & attributes.keys():  # of a tendon or an equality
        return
    joint = model.joint(attributes["name"]).id
    dof = int(model.jnt_dofadr[joint])
    for name in ("damping", "stiffness"):
        if name in attributes:
            attributes[name] = attributes[name].split()[0]
    if not (share.singles[dof] and share.dampers[dof]):
        attributes.pop("damping", None)
    shift = shift_of(model)
    if shift.joints[joint]:
        del attributes["ref"]
    if model.jnt_limited[joint]:
        attributes["range"] = numbers(model.jnt_range[joint] - shift.joints[joint])
    # left out, MuJoCo's spring rests at 0, the engine's at ref
    place = model.jnt_qposadr[joint]
    attributes["springref"] = numbers(model.qpos_spring[place] - shift.qpos[place])
    if not share.joints[joint]:
        attributes.pop("stiffness", None)
        del attributes["springref"]


def _tendon(element: Element, model: mujoco.MjModel, share: Share) -> None:
    attributes = element.attributes
    tendon = model.tendon(attributes["name"]).id
    for name in ("damping", "stiffness"):
        if name in attributes:
            attributes[name] = attributes[name].split()[0]
    shift = shift_of(model).tendons[tendon]
    if model.tendon_limited[tendon]:
        attributes["range"] = numbers(model.tendon_range[tendon] - shift)
    attributes["springlength"] = numbers(model.tendon_lengthspring[tendon] - shift)
    if not share.elastic[tendon]:
        attributes.pop("stiffness", None)
        attributes.pop("springlength", None)
    if not share.viscous[tendon]:
        attributes.pop("damping", None)


def _pair(element: Element, model: mujoco.MjModel, share: Share) -> None:
    """Every number of a pair that the importer wants, none left out."""
    del share
    pair = model.pair(element.attributes["name"])
    for name in ("solref", "solimp", "friction"):
        element.attributes[name] = numbers(getattr(pair, name))
    if "gap" in element.attributes:
        total = float(pair.margin[0]) + float(pair.gap[0])
        element.attributes["margin"] = repr(total)


_SHARED = {
    "inertial": _inertial,
    "body": _body,
    "joint": _joint,
    "fixed": _tendon,
    "pair": _pair,
}
"""What is changed of an element, by its tag."""


def _geom(element: Element, model: mujoco.MjModel, collide: Collide) -> None:
    """Margin and gap in the sense of the engine; what a mesh gave, spelled out."""
    attributes = element.attributes
    name = attributes["name"]
    margin = collide.margins.get(name, 0.0)
    geom = model.geom(name)
    own = int(geom.contype[0]), int(geom.conaffinity[0])
    contype, conaffinity = (x & _BITS for x in collide.masks.get(name, own))
    attributes |= {"contype": str(contype), "conaffinity": str(conaffinity)}
    attributes["margin"] = repr(margin + float(attributes.get("gap", 0)))
    if "mesh" in attributes:
        attributes["pos"], attributes["quat"] = numbers(geom.pos), numbers(geom.quat)
        if attributes.get("type") != "mesh":  # a shape fitted to a mesh
            del attributes["mesh"]
            attributes["size"] = numbers(geom.size)


def _options(root: Element) -> None:
    for section in root.sections("option"):
        section.attributes = {
            name: value
            for name, value in section.attributes.items()
            if name in _OPTIONS
        }
        for flag in section.children:
            flag.attributes = {
                name: value for name, value in flag.attributes.items() if name in _FLAGS
            }
    for section in root.sections("compiler"):
        section.attributes = {"angle": "radian", "autolimits": "true"}


def _fill(root: Element, model: mujoco.MjModel) -> None:
    """Write out, instead of files, the points of meshes and samples of height fields.

    Points are in the frame that MuJoCo gives a mesh; faces do not matter, since what
    collides is the hull.
    """
    for element in root.walk():
        name = element.attributes.get("name", "")
        if element.tag == "mesh":
            mesh = model.mesh(name).id
            start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
            points = numbers(model.mesh_vert[start : start + count])
            element.attributes = {"name": name, "vertex": points}
        elif element.tag == "hfield":
            field = model.hfield(name)
            rows, columns = int(field.nrow[0]), int(field.ncol[0])
            heights = np.asarray(field.data, np.float64).reshape(rows, columns)
            element.attributes = {
                "name": name,
                "nrow": str(rows),
                "ncol": str(columns),
                "size": numbers(field.size),
                "elevation": numbers(heights[::-1]),
            }
