"""Check of joint limits: how a joint is pushed back from beyond its stop."""

from dataclasses import replace

import mujoco
import numpy as np

from unisim.backend.audit.drives import coupled
from unisim.backend.audit.motion import force_scale
from unisim.backend.audit.oracle import Oracle, States
from unisim.backend.audit.probe import Probe

_OBJ = mujoco.mjtObj
_SINGLE = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
_BEYOND, _LEAST, _MOST = 0.02, 1e-4, 0.02  # share of the range; rad or m
_LIMIT = int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT)


def check_limits(probe: Probe, states: States) -> None:
    """Joints pushed a little beyond each end of their range move as the reference's.

    Args:
        probe: The audit under way.
        states: States without contacts and active limits.
    """
    model = probe.oracle.model
    stopped = _stopped(model)
    tested: set[int] = set()
    for side in (0, 1):
        beyond, pushed = _push(probe.oracle, states, stopped, side)
        tested |= pushed
        if pushed:
            _compare(probe, beyond, pushed)
    left = [probe.names["joint"][i] for i in stopped if i not in tested]
    if left:
        reason = "beyond its stop it touches something or opens a loop"
        probe.skip("joint limits", reason, tuple(left))
    balls = np.asarray(model.jnt_limited).astype(bool) & ~np.isin(
        model.jnt_type, _SINGLE
    )
    if balls.any():
        names = tuple(probe.names["joint"][i] for i in np.flatnonzero(balls))
        probe.skip("joint limits", "limits of ball joints are not pushed", names)
    if np.any(model.tendon_limited):
        names = tuple(
            probe.names["tendon"][i] for i in np.flatnonzero(model.tendon_limited)
        )
        probe.skip("tendon limits", "limits of tendons are not pushed", names)


def _stopped(model: mujoco.MjModel) -> list[int]:
    limited = np.asarray(model.jnt_limited).astype(bool)
    return np.flatnonzero(limited & np.isin(model.jnt_type, _SINGLE)).tolist()


def _push(
    oracle: Oracle, states: States, stopped: list[int], side: int
) -> tuple[States, set[int]]:
    """Push each joint beyond one end in one world; keep what makes no contact."""
    model, pushed = oracle.model, set[int]()
    loops = _tied(model)
    qpos, qvel = states.qpos.copy(), np.zeros_like(states.qvel)
    for number, joint in enumerate(stopped):
        if joint in loops:
            continue
        world, column = number % len(states), int(model.jnt_qposadr[joint])
        low, high = model.jnt_range[joint]
        step = float(np.clip(_BEYOND * (high - low), _LEAST, _MOST))
        before = qpos[world, column]
        qpos[world, column] = high + step if side else low - step
        oracle.place(replace(states, qpos=qpos, qvel=qvel), world)
        if oracle.data.ncon or not np.any(oracle.data.efc_type == _LIMIT):
            qpos[world, column] = before
        else:
            pushed.add(joint)
    return replace(states, qpos=qpos, qvel=qvel), pushed


def _tied(model: mujoco.MjModel) -> set[int]:
    """Joints whose push an equality would undo."""
    joints: set[int] = set()
    for i, kind in enumerate(coupled(model)):
        if not model.eq_active0[i]:
            continue
        ids = (int(model.eq_obj1id[i]), int(model.eq_obj2id[i]))
        if kind == _OBJ.mjOBJ_JOINT:
            joints |= {joint for joint in ids if joint >= 0}
        elif kind in (_OBJ.mjOBJ_BODY, _OBJ.mjOBJ_SITE):
            bodies = ids if kind == _OBJ.mjOBJ_BODY else model.site_bodyid[list(ids)]
            first, second = (_above(model, int(body)) for body in bodies)
            joints |= first ^ second
        elif kind == _OBJ.mjOBJ_TENDON:
            joints |= set().union(*(_pulled(model, i) for i in ids if i >= 0))
        else:
            return set(range(model.njnt))
    return joints


def _pulled(model: mujoco.MjModel, tendon: int) -> set[int]:
    """Joints on the path of a fixed tendon; all joints for a spatial one."""
    start, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    path = slice(start, start + count)
    if np.all(model.wrap_type[path] == mujoco.mjtWrap.mjWRAP_JOINT):
        return set(model.wrap_objid[path].tolist())
    return set(range(model.njnt))


def _above(model: mujoco.MjModel, body: int) -> set[int]:
    """Joints that move a body."""
    joints: set[int] = set()
    while body > 0:
        start = int(model.body_jntadr[body])
        joints |= set(range(start, start + int(model.body_jntnum[body])))
        body = int(model.body_parentid[body])
    return joints


def _compare(probe: Probe, states: States, pushed: set[int]) -> None:
    probe.write(states)
    probe.read("qacc")
    probe.advance(states)
    want = probe.oracle.step(states)
    change = (probe.read("qvel") - want.qvel) / probe.oracle.model.opt.timestep
    residual = np.abs(probe.oracle.force(states, change)) / force_scale([want])
    passes = probe.tolerance.contact
    model = probe.oracle.model
    for dof in probe.judge("limit force", residual, passes):
        joint = int(model.dof_jntid[dof])
        hint = "range, margin, solref or solimp of the limit"
        if joint not in pushed:
            hint = "the stop of a joint beside it"
        got = f"off by {residual[:, dof].max():.3g} of its force"
        text = (f"within {passes:g}", got, hint)
        probe.report("dof", probe.names["dof"][dof], "limit force", text)
