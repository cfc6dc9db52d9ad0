"""States of the reference in which geoms touch and slide."""

from dataclasses import fields

import mujoco
import numpy as np

from unisim.backend.audit.oracle import Array, Oracle, States, single
from unisim.backend.audit.sampling import Sampler

_STEPS = 150
_SETTLE = 5
_SLIDE = 0.4  # m/s
_SHARES = (1.0, 0.3, 0.1, 0.0, -0.1, -0.3, -1.0)  # of a random velocity
WILD = 1e6  # an acceleration of a start that is not a state of rest
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)


def touching_states(oracle: Oracle, sampler: Sampler, count: int) -> States | None:
    """States with forces between geoms, some of them sliding; None if none is found.

    The reference is let go from its start, disturbed a little differently for each
    world, until something touches; if nothing does, configurations in which the
    model's own geoms meet are taken.

    Args:
        oracle: The reference; its state is changed.
        sampler: Source of randomness.
        count: Number of states.
    """
    rng = np.random.default_rng(1)
    found = [_let_go(oracle, rng, i) for i in range(count)]
    kept = [state for state in found if state is not None]
    if not kept:
        rest = np.zeros(oracle.model.nv)
        kept = [(qpos, rest) for qpos in sampler.meeting(count)]
    if not kept:
        return None
    qpos, before = (
        np.array([kept[i % len(kept)][part] for i in range(count)]) for part in (0, 1)
    )
    oracle.reset(oracle.key)
    act = np.tile(oracle.data.act, (count, 1))
    ctrl = np.tile(oracle.data.ctrl, (count, 1))
    qvel = rng.normal(size=(count, oracle.model.nv)) * 0.1
    for joint, kind in enumerate(oracle.model.jnt_type.tolist()):
        if kind == _FREE:
            start = oracle.model.jnt_dofadr[joint]
            qvel[:, start : start + 2] += rng.normal(size=(count, 2)) * _SLIDE
    states = single(States(qpos, qvel, act, ctrl, np.zeros_like(qvel)))
    return _pressed(oracle, states, before)


def _pressed(oracle: Oracle, states: States, before: Array) -> States | None:
    """Slow worlds down, or turn them round, until geoms press; None if none does.

    A world in which nothing presses gets the velocity that it came with,
    and if that does not help the state of a world in which something presses.
    """
    firm: list[int] = []
    for world in range(len(states)):
        fast = states.qvel[world].copy()
        for qvel in (*(fast * share for share in _SHARES), before[world]):
            states.qvel[world] = qvel.astype(np.float32)
            oracle.place(states, world)
            if pressing(oracle):
                firm.append(world)
                break
    if not firm:
        return None
    taken = [w if w in firm else firm[w % len(firm)] for w in range(len(states))]
    return States(*(getattr(states, item.name)[taken] for item in fields(States)))


def _let_go(
    oracle: Oracle, rng: np.random.Generator, world: int
) -> tuple[Array, Array] | None:
    """Last positions (nq,) and velocities (nv,) with a force, soon after the first."""
    model, data = oracle.model, oracle.data
    oracle.reset(oracle.key)
    data.qvel[:] = rng.normal(size=model.nv) * 0.05 * world
    mujoco.mj_forward(model, data)
    left, touched = -1, None
    for _ in range(_STEPS):
        if left == 0:
            break
        if not np.all(np.abs(data.qacc) < WILD):
            return None
        state = data.qpos.copy(), data.qvel.copy()
        mujoco.mj_step(model, data)
        left -= left > 0
        if pressing(oracle):  # the forces belong to the state before the step
            touched = state
            left = _SETTLE + world if left < 0 else left
    return touched


def pressing(oracle: Oracle) -> bool:
    """Whether any contact of the reference carries a force."""
    data = oracle.data
    rows = [int(c.efc_address) for c in data.contact if c.efc_address >= 0]
    return bool(np.any(np.asarray(data.efc_force)[rows] > 0)) if rows else False
