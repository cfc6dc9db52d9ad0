"""States of the reference in which geoms touch and slide."""

import mujoco
import numpy as np

from unisim.backend.audit.oracle import Array, Oracle, States, single
from unisim.backend.audit.sampling import Sampler

_STEPS = 150
_SETTLE = 5
_SLIDE = 0.4  # m/s
_WILD = 1e6  # an acceleration of a start that is not a state of rest
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
    kept = [qpos for qpos in found if qpos is not None]
    if not kept:
        kept = sampler.meeting(count)
    if not kept:
        return None
    qpos = np.array([kept[i % len(kept)] for i in range(count)])
    oracle.reset(oracle.key)
    act = np.tile(oracle.data.act, (count, 1))
    ctrl = np.tile(oracle.data.ctrl, (count, 1))
    qvel = rng.normal(size=(count, oracle.model.nv)) * 0.1
    for joint, kind in enumerate(oracle.model.jnt_type.tolist()):
        if kind == _FREE:
            start = oracle.model.jnt_dofadr[joint]
            qvel[:, start : start + 2] += rng.normal(size=(count, 2)) * _SLIDE
    return single(States(qpos, qvel, act, ctrl, np.zeros_like(qvel)))


def _let_go(oracle: Oracle, rng: np.random.Generator, world: int) -> Array | None:
    """Configuration a few steps after the first force between geoms. Shape (nq,)."""
    model, data = oracle.model, oracle.data
    oracle.reset(oracle.key)
    data.qvel[:] = rng.normal(size=model.nv) * 0.05 * world
    mujoco.mj_forward(model, data)
    left = -1
    for _ in range(_STEPS):
        if left == 0:
            return data.qpos.copy()
        if not np.all(np.abs(data.qacc) < _WILD):
            return None
        mujoco.mj_step(model, data)
        if left > 0:
            left -= 1
        elif pressing(oracle):
            left = _SETTLE + world
    return None


def pressing(oracle: Oracle) -> bool:
    """Whether any contact of the reference carries a force."""
    data = oracle.data
    rows = [int(c.efc_address) for c in data.contact if c.efc_address >= 0]
    return bool(np.any(np.asarray(data.efc_force)[rows] > 0)) if rows else False
