"""Reads back fixed tendons and equalities."""

import mujoco
import numpy as np
from motrixsim import msd

from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.soft import rubbing_solref, solref_of

_OBJ, _EQ = mujoco.mjtObj, mujoco.mjtEq
_SHAPE = (0.95, 0.001, 0.5, 2.0)


def read_ties(model: mujoco.MjModel, handle: Handle) -> dict[str, tuple[str, ...]]:
    """Fill in tendons and equalities of a model.

    Args:
        model: What to fill in.
        handle: The engine's objects.

    Returns:
        Names of equalities.
    """
    _tendons(model, handle)
    step = float(handle.model.options.timestep)
    held = handle.world.equality_constraint_set
    names: list[str] = []
    for item in (*held.connects, *held.welds, *held.joints):
        names.append(str(item.name))
        row = mujoco.mj_name2id(model, _OBJ.mjOBJ_EQUALITY, names[-1])
        if row < 0:
            continue
        spring, shape = item.spring.spring, item.spring.impedance
        model.eq_active0[row] = item.active
        model.eq_solref[row] = solref_of(spring.k, spring.d, step)
        model.eq_solimp[row] = (
            *(shape.d0, shape.dmax, shape.width, shape.middle, shape.power),
        )
        model.eq_data[row] = 0
        model.eq_data[row, 10] = 1
        if isinstance(item, msd.EqualityJoint):
            _couple(model, row, item)
        elif isinstance(item, msd.EqualityConnect):
            _connect(model, row, item, handle)
        else:
            _weld(model, row, item, handle)
    ours = [model.equality(i).name for i in range(model.neq)]
    return {"equality": (*(n for n in ours if n in names), *(set(names) - set(ours)))}


def _couple(model: mujoco.MjModel, row: int, item: msd.EqualityJoint) -> None:
    model.eq_type[row] = int(_EQ.mjEQ_JOINT)
    joint = _OBJ.mjOBJ_JOINT
    model.eq_obj1id[row] = mujoco.mj_name2id(model, joint, item.joint_a)
    second = item.joint_b
    model.eq_obj2id[row] = (
        -1 if second is None else mujoco.mj_name2id(model, joint, second)
    )
    model.eq_data[row, :5] = item.polycoeff


def _body(model: mujoco.MjModel, name: str | None) -> int:
    return 0 if name is None else mujoco.mj_name2id(model, _OBJ.mjOBJ_BODY, name)


def _anchors(
    handle: Handle, low: object, first: str | None, second: str | None
) -> tuple[np.ndarray, np.ndarray]:
    """Anchors of the engine's own constraint, in the frames of the named bodies."""
    found: list[np.ndarray] = []
    for name, anchor in ((first, low.anchor_a), (second, low.anchor_b)):
        point = np.asarray(anchor, np.float64)
        if name is not None:
            link = handle.model.get_link(name)
            place = np.asarray(
                handle.model.low.link_low_maps[link.index].l2h_transform, np.float64
            )
            inverse, turned = np.zeros(4), np.zeros(3)
            mujoco.mju_negQuat(inverse, place[[6, 3, 4, 5]])
            mujoco.mju_rotVecQuat(turned, point - place[:3], inverse)
            point = turned
        found.append(point)
    return found[0], found[1]


def _connect(
    model: mujoco.MjModel, row: int, item: msd.EqualityConnect, handle: Handle
) -> None:
    model.eq_type[row] = int(_EQ.mjEQ_CONNECT)
    place = handle.world.equality_constraint_set.connects.index(item)
    low = handle.model.low.equality_connects[place]
    stated = item.connect_type.value
    if item.connect_type.variant == "link_anchor":
        first, second = stated["link_a"], stated["link_b"]
        model.eq_objtype[row] = int(_OBJ.mjOBJ_BODY)
        model.eq_obj1id[row], model.eq_obj2id[row] = (
            _body(model, first),
            _body(model, second),
        )
        anchors = _anchors(handle, low, first, second)
        model.eq_data[row, :3], model.eq_data[row, 3:6] = anchors
    else:
        _sites(model, row, stated)


def _sites(model: mujoco.MjModel, row: int, stated: dict[str, str]) -> None:
    site = _OBJ.mjOBJ_SITE
    model.eq_objtype[row] = int(site)
    model.eq_obj1id[row] = mujoco.mj_name2id(model, site, stated["site_a"])
    model.eq_obj2id[row] = mujoco.mj_name2id(model, site, stated["site_b"])


def _weld(
    model: mujoco.MjModel, row: int, item: msd.EqualityWeld, handle: Handle
) -> None:
    model.eq_type[row] = int(_EQ.mjEQ_WELD)
    place = handle.world.equality_constraint_set.welds.index(item)
    low = handle.model.low.equality_welds[place]
    stated = item.weld_type.value
    model.eq_data[row, 10], model.eq_data[row, 11] = low.torque_scale, 1
    if item.weld_type.variant != "link_anchor":
        _sites(model, row, stated)
        return
    first, second = stated["link_a"], stated["link_b"]
    model.eq_objtype[row] = int(_OBJ.mjOBJ_BODY)
    model.eq_obj1id[row], model.eq_obj2id[row] = (
        _body(model, first),
        _body(model, second),
    )
    near, far = _anchors(handle, low, first, second)
    model.eq_data[row, 3:6], model.eq_data[row, :3] = near, far
    model.eq_data[row, 6:10] = np.asarray(low.relative_rotation)[[3, 0, 1, 2]]


def _tendons(model: mujoco.MjModel, handle: Handle) -> None:
    """Values of fixed tendons; their names and paths from the intermediate."""
    low, step = handle.model.low, float(handle.model.options.timestep)
    rows = [
        mujoco.mj_name2id(model, _OBJ.mjOBJ_TENDON, str(item.name))
        for item in handle.world.tendon_set.joint_tendons
    ]
    for row, item in zip(rows, handle.world.tendon_set.joint_tendons, strict=True):
        _path(model, row, item)
    for spring in low.tendon_springs:
        row = rows[spring.tendon_index]
        if not handle.share.elastic[row]:
            continue
        model.tendon_stiffness[row] = spring.stiffness
        length = spring.target_length + handle.shift.tendons[row]
        model.tendon_lengthspring[row] = length
    for damper in low.tendon_dampers:
        row = rows[damper.tendon_index]
        if handle.share.viscous[row]:
            model.tendon_damping[row] = damper.damping
    for limit in low.tendon_limits:
        row = rows[limit.tendon_index]
        coeff = limit.limit_force.coeff
        model.tendon_limited[row] = 1
        span = np.array([limit.lower, limit.upper])
        model.tendon_range[row] = span + handle.shift.tendons[row]
        model.tendon_solref_lim[row] = solref_of(coeff[0], coeff[1], step)
        model.tendon_solimp_lim[row] = coeff[2:7]
    for rub in low.tendon_frictionloss_constraints:
        row = rows[rub.tendon_index]
        model.tendon_frictionloss[row] = rub.frictionloss
        constant = rubbing_solref(rub.damping, rub.impedance, step)
        model.tendon_solref_fri[row] = (constant, 1)
        model.tendon_solimp_fri[row] = (rub.impedance, *_SHAPE)


def _path(model: mujoco.MjModel, row: int, item: msd.JointTendon) -> None:
    start, count = model.tendon_adr[row], model.tendon_num[row]
    model.wrap_objid[start : start + count] = -1
    for place, node in enumerate(item.joints[:count], int(start)):
        joint = mujoco.mj_name2id(model, _OBJ.mjOBJ_JOINT, node.joint_name)
        model.wrap_objid[place], model.wrap_prm[place] = joint, node.weight
