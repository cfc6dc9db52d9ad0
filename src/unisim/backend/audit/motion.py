"""Checks of the state, of kinematics and of free dynamics."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.arrays import host
from unisim.backend.audit.causes import cause, deepest
from unisim.backend.audit.dry import free_residual, loosened
from unisim.backend.audit.everyone import check_everyone, write_everywhere
from unisim.backend.audit.oracle import Array, Sample, States
from unisim.backend.audit.probe import Probe

_KINDS = {"qpos": "qpos", "qvel": "dof", "ctrl": "ctrl"}
_MOST_KEYS, _LINEAR = 4, 3
_ORDER = "An order of joints, a frame of velocities or a quaternion's order is usual."


def check_reset(probe: Probe) -> None:
    """A reset returns the defaults, and each of the first keys."""
    oracle = probe.oracle
    for key in range(-1, min(oracle.model.nkey, _MOST_KEYS)):
        probe.engine.reset(probe.worlds, key)
        oracle.reset(key)
        for name in ("qpos", "qvel", "act", "ctrl"):
            want = np.asarray(getattr(oracle.data, name))
            _compare_state(probe, "reset", name, np.tile(want, (len(probe.worlds), 1)))


def check_state(probe: Probe, states: States) -> None:
    """State written reads back as written."""
    probe.write(states)
    for name in ("qpos", "qvel", "act", "ctrl"):
        _compare_state(probe, "state read back", name, getattr(states, name))


def check_mocap(probe: Probe, seed: int) -> None:
    """Mocap poses read back as written, and their bodies are there."""
    model, rng = probe.oracle.model, np.random.default_rng(seed)
    shape = (len(probe.worlds), model.nmocap)
    pos, quat = rng.uniform(-1, 1, (*shape, 3)), rng.normal(size=(*shape, 4))
    quat /= np.linalg.norm(quat, axis=-1, keepdims=True)
    probe.engine.reset(probe.worlds, probe.oracle.key)
    dtype = host(probe.engine.read("qpos")).dtype
    probe.engine.write("mocap_pos", pos.astype(dtype), probe.worlds)
    probe.engine.write("mocap_quat", quat.astype(dtype), probe.worlds)
    number = np.asarray(model.body_mocapid, dtype=np.int64)
    bodies = np.flatnonzero(number >= 0)
    bodies = bodies[np.argsort(number[bodies])]
    turn = probe.read("xquat")[:, bodies]
    turn = np.where(np.sum(turn * quat, -1, keepdims=True) < 0, -turn, turn)
    off = (
        probe.read("mocap_pos") - pos,
        probe.read("mocap_quat") - quat,
        probe.read("xpos")[:, bodies] - pos,
        turn - quat,
    )
    residual = np.array([np.abs(item).max(axis=-1) for item in off]).max(axis=0)
    for i in probe.judge("mocap", residual, probe.tolerance.pose):
        got = f"off by {residual[:, i].max():.3g}"
        text = (f"within {probe.tolerance.pose:g}", got, _ORDER)
        probe.report("body", probe.names["body"][int(bodies[i])], "mocap", text)


def check_kinematics(probe: Probe, states: States) -> None:
    """Body poses and velocities are the reference's; the states must be written."""
    want = probe.oracle.kinematics(states)
    extent = max(float(np.abs(want.xpos).max()), 1e-3)
    turn = probe.read("xquat")
    turn = np.where(np.sum(turn * want.xquat, -1, keepdims=True) < 0, -turn, turn)
    fast = max(float(np.abs(want.linvel).max()), 1e-3)
    spin = max(float(np.abs(want.angvel).max()), 1e-3)
    pose, velocity = probe.tolerance.pose, probe.tolerance.velocity
    for check, off, passes, hint in (
        (
            "xpos",
            (probe.read("xpos") - want.xpos) / extent,
            pose,
            "joint order, axis, anchor or body_pos",
        ),
        (
            "xquat",
            turn - want.xquat,
            pose,
            "quaternion order (wxyz), joint order, axis or body_quat",
        ),
        (
            "body_linvel",
            (probe.read("body_linvel") - want.linvel) / fast,
            velocity,
            "velocity of the centre of mass instead of the body frame's origin",
        ),
        (
            "body_angvel",
            (probe.read("body_angvel") - want.angvel) / spin,
            velocity,
            "body frame instead of world, or a joint's axis",
        ),
    ):
        residual = np.abs(off).max(axis=-1)
        for body in probe.judge(check, residual, passes):
            got = f"off by {residual[:, body].max():.3g}"
            text = (f"within {passes:g}", got, hint)
            probe.report("body", probe.names["body"][body], check, text)


def check_dynamics(probe: Probe, batches: list[States]) -> None:
    """One step from each state moves as the reference's does, in every world."""
    found: list[Sample] = []
    others = len(probe.engine.read("qpos")) > len(probe.worlds)
    for states in batches:
        if others:
            chosen = write_everywhere(probe, states)
            found.append(probe.step(states))
            check_everyone(probe, chosen)
        else:
            probe.write(states)
            found.append(probe.step(states))
        _compare_act(probe, found[-1])
    residual = np.concatenate([np.abs(sample.force) for sample in found])
    passes = row_tolerances(probe)
    scale = force_scale(probe, found, passes)
    residual /= scale
    if probe.smooth is not None and loosened(probe.oracle.model).any():
        residual = np.abs(free_residual(probe, probe.smooth, found, scale))
    failing = probe.judge("joint force", residual / passes, 1.0)
    probe.residuals["joint force"] = (float(residual.max(initial=0)), passes.max())
    last = deepest(probe.oracle.model, failing)
    for dof in failing:
        got = f"off by {residual[:, dof].max():.3g} of its force"
        text = (f"within {passes[dof]:g}", got, cause(probe, dof, found, last))
        probe.report("dof", probe.names["dof"][dof], "joint force", text)
    _compare_speeds(probe, found)


def _compare_speeds(probe: Probe, found: list[Sample]) -> None:
    """Velocities end where the reference's do, by what the fastest of a tree gains.

    Where light bodies hang on long chains, forces that are off by little move them by
    much. Dry friction and equalities may hold what the reference lets go.
    """
    model, passes = probe.oracle.model, probe.tolerance.gained
    want = np.concatenate([sample.want.qvel for sample in found])
    start = np.concatenate([sample.states.qvel for sample in found])
    off = np.abs(np.concatenate([sample.qvel for sample in found]) - want)
    gained, speed = np.abs(want - start), np.abs(want)
    kinds = 2 * np.asarray(model.dof_treeid) + _straight(model)
    for kind in np.unique(kinds):
        own = kinds == kind
        gained[:, own] = gained[:, own].max(axis=1, keepdims=True)
        speed[:, own] = speed[:, own].max(axis=1, keepdims=True)
    scale = np.maximum(gained, probe.tolerance.rounding * speed / passes)
    off[:, loosened(model)] = 0
    residual = off / np.maximum(scale, mujoco.mjMINVAL)
    for dof in probe.judge("velocity", residual, passes)[:1]:
        got = f"off by {residual[:, dof].max():.3g} of what is gained in a step"
        hint = "rounding, if the chain of joints to it is long"
        text = (f"within {passes:g}", got, hint)
        probe.report("dof", probe.names["dof"][dof], "velocity", text)


def _straight(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Dofs along a line, not about one. Shape (nv,)."""
    kind = np.asarray(model.jnt_type)[model.dof_jntid]
    first = np.arange(model.nv) - np.asarray(model.jnt_dofadr)[model.dof_jntid]
    free = (kind == mujoco.mjtJoint.mjJNT_FREE) & (first < _LINEAR)
    return free | (kind == mujoco.mjtJoint.mjJNT_SLIDE)


def force_scale(probe: Probe, samples: list[Sample], passes: Array | float) -> Array:
    """Largest force on each dof, with a floor for dofs that feel none. Shape (nv,).

    Args:
        probe: The audit under way.
        samples: Steps that were taken.
        passes: Share of the scale that passes: it is never less than what the rounding
            of a step's velocities makes.
    """
    scale = np.concatenate([sample.want.size for sample in samples]).max(axis=0)
    scale = np.maximum(scale, probe.tolerance.floor * scale.max(initial=0.0) + 1e-12)
    moving = [probe.oracle.momentum(s.states, s.want.qvel).max(axis=0) for s in samples]
    rounded = probe.tolerance.rounding * np.max(moving, axis=0)
    return np.maximum(scale, rounded / probe.oracle.model.opt.timestep / passes)


def row_tolerances(probe: Probe) -> Array:
    """What passes on each dof: more in trees with dry friction or equalities."""
    loose, tolerance = loosened(probe.oracle.model), probe.tolerance
    return np.where(loose, tolerance.rows, tolerance.force)


def _compare_state(probe: Probe, check: str, name: str, want: Array) -> None:
    got = probe.read(name)
    residual = np.abs(got - want) / np.maximum(1.0, np.abs(want))
    kind = _KINDS.get(name, "model")
    for column in probe.judge(check, residual, probe.tolerance.state):
        world = int(np.argmax(residual[:, column]))
        owner = probe.names[kind][column] if name in _KINDS else "act"
        values = (f"{want[world, column]:.9g}", f"{got[world, column]:.9g}")
        probe.report(kind, owner, f"{check} ({name})", (*values, _ORDER))


def _compare_act(probe: Probe, sample: Sample) -> None:
    model, want = probe.oracle.model, sample.want
    if model.na == 0:
        return
    size = np.abs(want.act - sample.states.act).max(axis=0)
    size = np.maximum(size, 1e-3 * np.abs(want.act).max(axis=0) + 1e-9)
    residual = np.abs(probe.read("act") - want.act) / size
    failing = probe.judge("activation", residual, probe.tolerance.rows)
    for i, name in enumerate(probe.names["actuator"]):
        first, count = model.actuator_actadr[i], model.actuator_actnum[i]
        own = [column for column in failing if first <= column < first + count]
        if own:
            got = f"off by {residual[:, own].max():.3g} of its change"
            text = (f"within {probe.tolerance.rows:g}", got, "dyntype or dynprm")
            probe.report("actuator", name, "activation", text)
