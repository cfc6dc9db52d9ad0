"""Check of joint stops that yield by a law of the engine's."""

import copy

import mujoco
import numpy as np

from unisim.backend.audit.motion import force_scale
from unisim.backend.audit.oracle import Array, Oracle, States, single
from unisim.backend.audit.probe import Probe
from unisim.backend.audit.reach import tied
from unisim.backend.audit.smooth import Smooth, outside, unknown
from unisim.backend.audit.stops import (
    beyond,
    pushes_back,
    skip_limits,
    stop_states,
    stopped,
)

_LIMITS = [
    int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT),
    int(mujoco.mjtConstraint.mjCNSTR_LIMIT_TENDON),
]
_STRENGTHS = (1.0, 3.0, 9.0)
_PRESSED = 5.0  # rad/s^2 or m/s^2: least that a joint is pressed with
RANGE = ("joint.range", "joint.limited")


def check_firm(probe: Probe, states: States, smooth: Smooth) -> None:
    """Stops push back from a little beyond each end, and not from a little before it.

    Args:
        probe: The audit under way.
        states: States at rest without contacts and active limits.
        smooth: The reference without constraints.
    """
    joints, tested = stopped(probe.oracle.model), set[int]()
    if joints and any(feature in RANGE for feature in probe.agreed):
        names = tuple(probe.names["joint"][joint] for joint in joints)
        probe.skip("joint limits", "their approximation was agreed to", names)
        return
    for side in (0, 1):
        out, pushed = stop_states(probe.oracle, states, joints, side)
        size = len(probe.worlds)
        _press(probe.oracle, out, sorted(pushed), side)
        for batch in out.batches(size) if pushed else ():
            tested |= _check_beyond(probe, batch, smooth, (sorted(pushed), side))
        inside = _before(probe.oracle, states, joints, side)
        for batch in inside.batches(size) if joints else ():
            _check_before(probe, batch, smooth)
    left = [probe.names["joint"][joint] for joint in joints if joint not in tested]
    if left:
        reason = "in its stop it touches something, opens a loop or feels nothing"
        probe.skip("joint limits", reason, tuple(left))
    skip_limits(probe)


def _press(oracle: Oracle, states: States, joints: list[int], side: int) -> None:
    """Press what is in its stop against it, with a force of the size of its own.

    Where what moves beside a joint takes it away from its stop, with a larger one.
    """
    outward = 1.0 if side else -1.0
    for world in range(len(states)):
        oracle.place(states, world)
        own = [joint for joint in joints if pushes_back(oracle, joint)]
        for joint in own:
            dof = int(oracle.model.jnt_dofadr[joint])
            for strength in _STRENGTHS:
                press = outward * strength * _own_force(oracle, dof)
                data = oracle.data
                free = data.qfrc_smooth[dof] - data.qfrc_applied[dof]
                states.applied[world, dof] = press - free
                oracle.place(states, world)
                if outward * data.qacc_smooth[dof] > 0:
                    break


def _own_force(oracle: Oracle, dof: int) -> float:
    """What weight and motion ask of a dof, or what moves it a little."""
    model, inertial = oracle.model, np.empty(oracle.model.nv)
    unit = np.zeros(model.nv)
    unit[dof] = _PRESSED
    mujoco.mj_mulM(model, oracle.data, inertial, unit)
    return max(abs(float(oracle.data.qfrc_bias[dof])), float(inertial[dof]))


def _check_beyond(
    probe: Probe, states: States, smooth: Smooth, pushed: tuple[list[int], int]
) -> set[int]:
    """Each stop bears a share of its joint's own force; returns the joints."""
    probe.write(states)
    sample = probe.step(states)
    got = smooth.added(states, sample.qvel)
    want = smooth.added(states, sample.want.qvel)
    (joints, side), tested = pushed, set[int]()
    inward = -1.0 if side else 1.0
    need, lacks = np.zeros_like(got), np.zeros_like(got)
    for world in range(len(states)):
        probe.oracle.place(states, world)
        data = probe.oracle.data
        for joint in joints:
            dof = int(probe.oracle.model.jnt_dofadr[joint])
            most = inward * want[world, dof]
            outward = -inward * data.qacc_smooth[dof] > 0
            if outward and most > 0 and pushes_back(probe.oracle, joint):
                tested.add(joint)
                press = probe.tolerance.bears * _own_force(probe.oracle, dof)
                need[world, dof] = min(press, most / 2)
                short = need[world, dof] - inward * got[world, dof]
                lacks[world, dof] = max(short, 0.0) / need[world, dof]
    for dof in probe.judge("limit force", lacks, probe.tolerance.contact):
        world = int(np.argmax(lacks[:, dof]))
        at_least = f"at least {need[world, dof]:.3g}"
        text = (at_least, f"{inward * got[world, dof]:.3g}", "range, or a weak stop")
        probe.report("dof", probe.names["dof"][dof], "limit force", text)
    return tested


def _check_before(probe: Probe, states: States, smooth: Smooth) -> None:
    """No stop acts a little before its end."""
    passes = probe.tolerance.contact
    probe.write(states)
    sample = probe.step(states)
    scale = force_scale(probe, [sample], passes)
    force, residual = smooth.added(states, sample.qvel), list[Array]()
    for world, row in enumerate(force):
        probe.oracle.place(states, world)
        residual.append(outside(row, unknown(probe.oracle, stops=False), scale))
    for dof in probe.judge("force before a limit", np.abs(residual), passes):
        got = f"off by {np.abs(residual)[:, dof].max():.3g} of its force"
        text = (f"within {passes:g}", got, "range, or a stop beside it")
        probe.report("dof", probe.names["dof"][dof], "force before a limit", text)


def _before(oracle: Oracle, states: States, joints: list[int], side: int) -> States:
    """Each joint in one world as much before one end as others are beyond it."""
    model, found = oracle.model, copy.deepcopy(states)
    for number, joint in enumerate(joints):
        if joint in tied(model):
            continue
        world, column = number % len(states), int(model.jnt_qposadr[joint])
        low, high = model.jnt_range[joint]
        inside = beyond(model, joint) + float(model.jnt_margin[joint])
        kept = found.qpos[world, column]
        found.qpos[world, column] = high - inside if side else low + inside
        oracle.place(found, world)
        data = oracle.data
        limits = np.isin(data.efc_type, _LIMITS).any()
        if data.ncon or limits:
            found.qpos[world, column] = kept
    return single(found)
