"""Reads back fixed tendons and equalities: names as imported, values as compiled."""

import mujoco
import numpy as np
from motrixsim import low, msd

from unisim.backend.guest.soft import rubbing, told
from unisim.backend.motrix.parts import Handle

_OBJ, _EQ = mujoco.mjtObj, mujoco.mjtEq
Tie = low.EqualityConnect | low.EqualityWeld
_NEAR = 1e-5
"""How near to a site an anchor has to be [m], which single precision holds."""


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
    held, engine = handle.world.equality_constraint_set, handle.model.low
    names: list[str] = []
    for stated, item in (
        *zip(held.connects, engine.equality_connects, strict=True),
        *zip(held.welds, engine.equality_welds, strict=True),
        *zip(held.joints, engine.equality_joints, strict=True),
    ):
        names.append(str(stated.name))
        row = mujoco.mj_name2id(model, _OBJ.mjOBJ_EQUALITY, names[-1])
        if row < 0:
            continue
        model.eq_active0[row] = item.active
        # what no tie of its kind uses, and whether MuJoCo found the pose by itself
        model.eq_data[row] = handle.rest.eq_data[row]
        if isinstance(item, low.EqualityJoint):
            _couple(model, row, item, engine)
            coeff = item.constraint_force.coeff
        else:
            if isinstance(item, low.EqualityWeld):
                _weld(model, row, stated, item, handle)
            else:
                _connect(model, row, stated, item, handle)
            coeff = item.force_model.coeff
        model.eq_solref[row] = told(handle.rest.eq_solref[row], coeff, step)
        model.eq_solimp[row] = coeff[2:7]
    ours = [model.equality(i).name for i in range(model.neq)]
    return {"equality": (*(n for n in ours if n in names), *(set(names) - set(ours)))}


def _couple(
    model: mujoco.MjModel, row: int, item: low.EqualityJoint, engine: low.LowSceneModel
) -> None:
    model.eq_type[row] = int(_EQ.mjEQ_JOINT)
    dofs = engine.joint_dof_vel_indices
    second = item.joint_b
    model.eq_obj1id[row] = model.dof_jntid[dofs[item.joint_a]]
    model.eq_obj2id[row] = -1 if second is None else model.dof_jntid[dofs[second]]
    model.eq_data[row, :5] = item.polycoeff


def _body(
    model: mujoco.MjModel, handle: Handle, name: str | None, held: low.Entity
) -> int:
    """The named body, -1 if it is not what the engine ties."""
    if name is None:  # what the world is made of comes first
        return 0 if (held.ty, held.index) == ("link", 0) else -1
    place = handle.model.low.link_low_maps[handle.model.get_link(name).index]
    # of what a free joint moves, the last of several
    tied = held.index - (place.num - 1 if held.ty == "link" else 0)
    if (held.ty, tied) != (place.ty, place.index):
        return -1
    return mujoco.mj_name2id(model, _OBJ.mjOBJ_BODY, name)


def _anchors(
    handle: Handle, item: Tie, first: str | None, second: str | None
) -> tuple[np.ndarray, np.ndarray]:
    """Anchors of the engine's own constraint, in the frames of the named bodies."""
    found: list[np.ndarray] = []
    for name, anchor in ((first, item.anchor_a), (second, item.anchor_b)):
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
    model: mujoco.MjModel,
    row: int,
    stated: msd.EqualityConnect,
    item: low.EqualityConnect,
    handle: Handle,
) -> None:
    model.eq_type[row] = int(_EQ.mjEQ_CONNECT)
    ends = stated.connect_type.value
    if stated.connect_type.variant != "link_anchor":
        _sites(model, row, ends, item, handle)
        return
    near, far = _bodies(model, row, ends, item, handle)
    model.eq_data[row, :3], model.eq_data[row, 3:6] = near, far


def _bodies(
    model: mujoco.MjModel,
    row: int,
    ends: dict[str, str | None],
    item: Tie,
    handle: Handle,
) -> tuple[np.ndarray, np.ndarray]:
    """Fill in two bodies. Returns their anchors."""
    first, second = ends["link_a"], ends["link_b"]
    model.eq_objtype[row] = int(_OBJ.mjOBJ_BODY)
    model.eq_obj1id[row] = _body(model, handle, first, item.entity_a)
    model.eq_obj2id[row] = _body(model, handle, second, item.entity_b)
    return _anchors(handle, item, first, second)


def _sites(
    model: mujoco.MjModel, row: int, ends: dict[str, str], item: Tie, handle: Handle
) -> None:
    """Fill in two sites, -1 for one that is not where the engine ties."""
    model.eq_objtype[row] = int(_OBJ.mjOBJ_SITE)
    sites = [model.site(ends[name]).id for name in ("site_a", "site_b")]
    bodies = [int(model.site_bodyid[site]) for site in sites]
    names = [model.body(body).name if body else None for body in bodies]
    anchors = _anchors(handle, item, *names)
    for table, site, name, anchor, tied in zip(
        (model.eq_obj1id, model.eq_obj2id),
        sites,
        names,
        anchors,
        (item.entity_a, item.entity_b),
        strict=True,
    ):
        there = np.allclose(anchor, model.site_pos[site], rtol=0, atol=_NEAR)
        there &= _body(model, handle, name, tied) >= 0
        table[row] = site if there else -1


def _weld(
    model: mujoco.MjModel,
    row: int,
    stated: msd.EqualityWeld,
    item: low.EqualityWeld,
    handle: Handle,
) -> None:
    model.eq_type[row] = int(_EQ.mjEQ_WELD)
    ends = stated.weld_type.value
    model.eq_data[row, 10] = item.torque_scale
    if stated.weld_type.variant != "link_anchor":
        _sites(model, row, ends, item, handle)
        return
    near, far = _bodies(model, row, ends, item, handle)
    turn = np.asarray(item.relative_rotation, np.float64)[[3, 0, 1, 2]]
    if ends["link_b"] is None:  # welded to the world at another point, to the same pose
        point, moved = np.array(handle.rest.eq_data[row, :3]), np.zeros(3)
        mujoco.mju_rotVecQuat(moved, point - far, turn)
        near, far = near + moved, point
    model.eq_data[row, 3:6], model.eq_data[row, :3] = near, far
    model.eq_data[row, 6:10] = turn


def _tendons(model: mujoco.MjModel, handle: Handle) -> None:
    """Values of fixed tendons; their names and paths from the intermediate."""
    engine, step = handle.model.low, float(handle.model.options.timestep)
    rows = [
        mujoco.mj_name2id(model, _OBJ.mjOBJ_TENDON, str(item.name))
        for item in handle.world.tendon_set.joint_tendons
    ]
    for row, item in zip(rows, handle.world.tendon_set.joint_tendons, strict=True):
        _path(model, row, item)
    for spring in engine.tendon_springs:
        row = rows[spring.tendon_index]
        model.tendon_stiffness[row] += spring.stiffness
        if handle.share.elastic[row]:
            length = spring.target_length + handle.shift.tendons[row]
            model.tendon_lengthspring[row] = length
    for damper in engine.tendon_dampers:
        model.tendon_damping[rows[damper.tendon_index]] += damper.damping
    for limit in engine.tendon_limits:
        row = rows[limit.tendon_index]
        coeff = limit.limit_force.coeff
        model.tendon_limited[row] = 1
        span = np.array([limit.lower, limit.upper])
        model.tendon_range[row] = span + handle.shift.tendons[row]
        stated = handle.rest.tendon_solref_lim[row]
        model.tendon_solref_lim[row] = told(stated, coeff, step)
        model.tendon_solimp_lim[row] = coeff[2:7]
    for rub in engine.tendon_frictionloss_constraints:
        row = rows[rub.tendon_index]
        model.tendon_frictionloss[row] = rub.frictionloss
        rest = handle.rest
        both = rest.tendon_solref_fri[row], rest.tendon_solimp_fri[row]
        found = rubbing(both, (rub.damping, rub.impedance), step)
        model.tendon_solref_fri[row], model.tendon_solimp_fri[row] = found


def _path(model: mujoco.MjModel, row: int, item: msd.JointTendon) -> None:
    start, count = model.tendon_adr[row], model.tendon_num[row]
    model.wrap_objid[start : start + count] = -1
    for place, node in enumerate(item.joints[:count], int(start)):
        joint = mujoco.mj_name2id(model, _OBJ.mjOBJ_JOINT, node.joint_name)
        model.wrap_objid[place], model.wrap_prm[place] = joint, node.weight
