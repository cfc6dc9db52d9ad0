"""What the engine does otherwise than the file states, and does not say.

Each was seen by driving the engine by itself. MuJoCo's implicitfast takes more at the
end of a step than it: dampers of joints and fixed tendons, and servos on them, are all
that it takes so.
"""

from collections.abc import Iterator
from typing import NamedTuple

import mujoco
import numpy as np

from unisim.backend.audit.places import place
from unisim.backend.guest.braking import brakes
from unisim.backend.motrix.share import Share, enabled, is_fast
from unisim.scene.scene import Scene

_WELD = int(mujoco.mjtEq.mjEQ_WELD)
_ORIGIN = np.array([0, 0, 0, 1, 0, 0, 0], float)
_FREE, _DOFS = int(mujoco.mjtJoint.mjJNT_FREE), 6
_ROUND = 1e-6
"""Difference of a body's moments of inertia, relative to them, that is none."""
_LIGHT = float(np.finfo(np.float32).eps)
"""Mass up to which the engine forgets where its centre is [kg]."""


class Unfit(NamedTuple):
    """An element that is not what it states.

    Attributes:
        kind: Kind of the element.
        name: Its name.
        why: What is wrong, and what to do.
        feature: Feature that the engine lacks there, "" if it is none of them.
    """

    kind: str
    name: str
    why: str
    feature: str = ""


def unfit(scene: Scene, share: Share) -> list[tuple[str, str]]:
    """A sentence and a feature for each of those.

    Args:
        scene: The scene.
        share: What the engine does by itself.
    """
    model, found = scene.model, list[Unfit]()
    found += [*_mocaps(model), *_pairs(model), *_light(model), *_welds(model)]
    if is_fast(model):
        found += [
            item._replace(
                why=f'{item.why}; state integrator = "Euler"',
                feature="option.integrator.implicitfast",
            )
            for item in _explicit(model, share)
        ]
    return [(_sentence(scene, item), item.feature) for item in found]


def _sentence(scene: Scene, item: Unfit) -> str:
    at = place(scene.sources, item.kind, item.name)
    who = "the option" if item.kind == "option" else f"{item.kind} {item.name!r}"
    return f"{who} ({at}): {item.why}"


def _mocaps(model: mujoco.MjModel) -> Iterator[Unfit]:
    for body in np.flatnonzero(np.asarray(model.body_mocapid) >= 0).tolist():
        below = np.flatnonzero(np.asarray(model.body_parentid) == body)
        if below.size:
            child = model.body(int(below[0])).name
            why = f"a mocap body, and the engine moves no child with it: {child!r}"
            yield Unfit("body", model.body(body).name, why, "body.mocap")


def _pairs(model: mujoco.MjModel) -> Iterator[Unfit]:
    """Explicit pairs that the engine drops with what masks would have brought."""
    excluded = {
        (int(sign) >> 16, int(sign) & 0xFFFF) for sign in model.exclude_signature
    }
    weld, parent = model.body_weldid, model.body_parentid
    for i in range(model.npair):
        geoms = (model.pair_geom1[i], model.pair_geom2[i])
        one, two = sorted(int(model.geom_bodyid[geom]) for geom in geoms)
        why, roots = "", (int(weld[one]), int(weld[two]))
        above = [int(weld[parent[root]]) for root in roots]
        if one and (one, two) in excluded:
            why = "the engine heeds the exclude of its bodies"
        elif roots[0] == roots[1]:
            why = "no joint is between its bodies, and the engine has no contact then"
        elif roots[0] and roots[1] and (above[0] == roots[1] or above[1] == roots[0]):
            why = "its bodies are parent and child, which never touch in the engine"
        if why:
            yield Unfit("pair", model.pair(i).name, why, "contact.pair")


def _light(model: mujoco.MjModel) -> Iterator[Unfit]:
    for body in np.flatnonzero(np.asarray(model.body_mass) > 0).tolist():
        mass, away = float(model.body_mass[body]), np.any(model.body_ipos[body])
        if model.body_weldid[body] and away and mass <= _LIGHT:
            why = f"of {mass:g} kg the engine forgets the centre, up to {_LIGHT:.2g}"
            yield Unfit("body", model.body(body).name, why)


def _welds(model: mujoco.MjModel) -> Iterator[Unfit]:
    """Welds to what stands still, whose pose the engine leaves out."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    poses = np.concatenate((data.xpos, data.xquat), axis=1)
    for i in np.flatnonzero(np.asarray(model.eq_type) == _WELD).tolist():
        if model.eq_objtype[i] != int(mujoco.mjtObj.mjOBJ_BODY):
            continue
        ends = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
        still = [x for x in ends if not model.body_weldid[x] and _fixed(model, x)]
        for end in still:
            # what stands at the origin, or what is not turned and welded to the world
            counts = end or next((x for x in ends if x != end), 0)
            off = np.abs(poses[counts] - _ORIGIN)[0 if end else 3 :]
            if off.max() > _ROUND:
                why = f"the engine leaves out where {model.body(counts).name!r} is, as "
                why += "one end stands still; weld to a mocap body instead"
                yield Unfit("equality", model.equality(i).name, why, "equality.weld")


def _fixed(model: mujoco.MjModel, body: int) -> bool:
    """Whether neither a joint nor a mocap body moves a body without dofs."""
    while body:
        if model.body_mocapid[body] >= 0:
            return False
        body = int(model.body_parentid[body])
    return True


def _explicit(model: mujoco.MjModel, share: Share) -> Iterator[Unfit]:
    """What implicitfast takes at the end of a step, and the engine does not."""
    acting = enabled(model) & ~share.actuators & ~share.brakes
    for i in np.flatnonzero(acting).tolist():
        if brakes(model, i):
            why = "it brakes, and not as a servo of the engine's"
            yield Unfit("actuator", model.actuator(i).name, why)
    damping = (model.tendon_damping != 0) | np.any(model.tendon_dampingpoly, axis=1)
    if not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_DAMPER:
        for i in np.flatnonzero(damping & ~share.viscous).tolist():
            yield Unfit("tendon", model.tendon(i).name, "its damping couples joints")
    if model.opt.density or model.opt.viscosity:
        yield Unfit("option", "option", "the drag of a fluid couples joints")
    for body in _alone(model):
        why = "it turns by itself, and its unequal moments of inertia act late"
        yield Unfit("body", model.body(body).name, why)


def _alone(model: mujoco.MjModel) -> Iterator[int]:
    """Free bodies that nothing is jointed to, and that resist some turns more."""
    tree, heavy = np.asarray(model.body_treeid), np.asarray(model.body_mass) > 0
    dofs = np.bincount(model.dof_treeid, minlength=model.ntree)
    for joint in np.flatnonzero(np.asarray(model.jnt_type) == _FREE).tolist():
        body = int(model.jnt_bodyid[joint])
        moments = model.body_inertia[(tree == tree[body]) & heavy]
        even = len(moments) == 1 and np.ptp(moments) <= _ROUND * moments.max()
        if dofs[tree[body]] == _DOFS and not even:
            yield body
