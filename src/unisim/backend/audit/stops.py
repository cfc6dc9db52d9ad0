"""Check of joint limits: how a joint is pushed back from beyond its stop."""

import copy

import mujoco
import numpy as np

from unisim.backend.audit.controls import REST, draw_controls
from unisim.backend.audit.motion import force_scale
from unisim.backend.audit.oracle import Oracle, States, single
from unisim.backend.audit.probe import Probe
from unisim.backend.audit.reach import tied

_SINGLE = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]
_BEYOND, _LEAST, _MOST = 0.02, 1e-4, 0.02  # share of the range; rad or m
_STRENGTHS = (1.0, 3.0, 10.0, 30.0)  # of what the stop would push back with
_LIMIT = int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT)


def check_limits(probe: Probe, states: States) -> None:
    """Joints pushed a little beyond each end of their range move as the reference's.

    Args:
        probe: The audit under way.
        states: States at rest without contacts and active limits.
    """
    model = probe.oracle.model
    joints = stopped(model)
    tested: set[int] = set()
    for side in (0, 1):
        out, pushed = stop_states(probe.oracle, states, joints, side)
        tested |= pushed
        for batch in out.batches(len(probe.worlds)) if pushed else ():
            _compare(probe, batch, pushed)
    left = [probe.names["joint"][i] for i in joints if i not in tested]
    if left:
        reason = "in its stop it touches something, opens a loop or feels nothing"
        probe.skip("joint limits", reason, tuple(left))
    skip_limits(probe)


def skip_limits(probe: Probe) -> None:
    """Name the limits that nothing pushes."""
    model = probe.oracle.model
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


def stopped(model: mujoco.MjModel) -> list[int]:
    """Hinges and slides that have a range."""
    limited = np.asarray(model.jnt_limited).astype(bool)
    return np.flatnonzero(limited & np.isin(model.jnt_type, _SINGLE)).tolist()


def stop_states(
    oracle: Oracle, states: States, joints: list[int], side: int
) -> tuple[States, set[int]]:
    """Push each joint into one stop in one world; keep what touches nothing else."""
    loops = tied(oracle.model)
    pressed = copy.deepcopy(states)
    for number, joint in enumerate(joints):
        if joint not in loops:
            _press(oracle, pressed, (number % len(states), joint), side)
    pushed: set[int] = set()
    for world in range(len(pressed)):
        oracle.place(pressed, world)
        pushed |= {joint for joint in joints if pushes_back(oracle, joint)}
    return single(pressed), pushed


def beyond(model: mujoco.MjModel, joint: int) -> float:
    """How far beyond an end of its range a joint is put [rad or m]."""
    low, high = model.jnt_range[joint]
    return float(np.clip(_BEYOND * (high - low), _LEAST, _MOST))


def pushes_back(oracle: Oracle, joint: int) -> bool:
    """Whether a joint's stop carries a force."""
    data = oracle.data
    own = (data.efc_type == _LIMIT) & (data.efc_id == joint)
    return bool(np.any(np.asarray(data.efc_force)[own] > 0))


def _press(oracle: Oracle, states: States, where: tuple[int, int], side: int) -> None:
    """Move one joint of one world into its stop and force it to stay there.

    A state in which the stop does not push back is left as it was.
    """
    (world, joint), model, data = where, oracle.model, oracle.data
    column, dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    low, high = model.jnt_range[joint]
    far = beyond(model, joint)
    before = states.qpos[world, column]
    states.qpos[world, column] = high + far if side else low - far
    oracle.place(states, world)
    rng = np.random.default_rng(joint)
    states.act[world], states.ctrl[world] = draw_controls(model, data, rng, REST)
    unit, inertial = np.zeros(model.nv), np.empty(model.nv)
    unit[dof] = 1.0
    for strength in _STRENGTHS:
        oracle.place(states, world)
        own = (data.efc_type == _LIMIT) & (data.efc_id == joint)
        if data.ncon or not own.any():
            break
        if pushes_back(oracle, joint):
            return
        mujoco.mj_mulM(model, data, inertial, unit)
        push = strength * inertial[dof] * float(np.abs(data.efc_aref[own]).max())
        free = data.qfrc_smooth[dof] - data.qfrc_applied[dof]
        states.applied[world, dof] = (push if side else -push) - free
    states.qpos[world, column], states.applied[world, dof] = before, 0.0


def _compare(probe: Probe, states: States, pushed: set[int]) -> None:
    probe.write(states)
    sample = probe.step(states)
    scale = force_scale(probe, [sample], probe.tolerance.contact)
    residual = np.abs(sample.force) / scale
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
