"""Every real robot and every case: where its file is, and how far a path may stray."""

import json
from collections.abc import Mapping
from copy import copy
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from conftest import SHARED

STEPS, WORLDS = 20, 4
_ROUNDED = 2.0**-23  # float32
_AMPLIFIED = 4.0  # a step rounds its results, and what it computes on the way
_RUNS = 6


def files() -> Mapping[str, Path]:
    """By name: the file of every robot and case; none where the folder is absent."""
    if not SHARED.is_dir():
        return {}
    listed = json.loads((SHARED / "models/sets.json").read_text())
    robots = {
        model["folder"]: next(
            (SHARED / "models" / model["folder"]).rglob(model["main"])
        )
        for model in listed
    }
    cases = {path.parent.name: path for path in SHARED.glob("cases/*/model.xml")}
    return dict(sorted({**robots, **cases}.items()))


def commands(model: mujoco.MjModel) -> NDArray[np.float64]:
    """Controls of every step, that float32 holds. Shape (t, n, nu)."""
    random = np.random.default_rng(1)
    size = (STEPS, WORLDS, model.nu)
    low, high = model.actuator_ctrlrange.T if model.nu else np.zeros((2, 0))
    inside = low + random.uniform(size=size) * (high - low)
    drawn = np.where(low < high, inside, random.normal(0, 0.2, size))
    return drawn.astype(np.float32).astype(float)


def speeds(model: mujoco.MjModel) -> NDArray[np.float64]:
    """Initial velocities, that float32 holds. Shape (n, nv)."""
    drawn = np.random.default_rng(2).normal(0, 0.1, (WORLDS, model.nv))
    return drawn.astype(np.float32).astype(float)


def reference(model: mujoco.MjModel) -> NDArray[np.float64]:
    """Where MuJoCo's C engine is after every step. Shape (n, t, nq)."""
    return _paths(model, None)


def allowed(model: mujoco.MjModel) -> NDArray[np.float64]:
    """How far float32 may be from it: MuJoCo against itself, rounded.

    The largest distance so far of some runs in which every state and force is off by
    one rounding in a random direction, times what a step rounds besides. Shape (t,).
    """
    exact = _paths(model, None)
    runs = (_paths(model, np.random.default_rng(i)) for i in range(_RUNS))
    largest = np.max([apart(run, exact) for run in runs], axis=(0, 1))
    return _AMPLIFIED * np.maximum.accumulate(largest) + 1e-6


def apart(path: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Largest distance of two paths at every step. Shape (n, t).

    Nothing where both have diverged: one of the robots explodes from its defaults.
    """
    gone = ~np.isfinite(path) & ~np.isfinite(other)
    return np.abs(np.where(gone, 0, path) - np.where(gone, 0, other)).max(axis=2)


def _paths(
    model: mujoco.MjModel, random: np.random.Generator | None
) -> NDArray[np.float64]:
    model = copy(model)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    data, controls, moving = mujoco.MjData(model), commands(model), speeds(model)
    path = np.empty((WORLDS, STEPS, model.nq))
    for world in range(WORLDS):
        mujoco.mj_resetData(model, data)
        data.qvel = moving[world]
        for step in range(STEPS):
            if random is not None:
                _round(data, random)
            data.ctrl = controls[step, world]
            mujoco.mj_step(model, data)
            path[world, step] = data.qpos
    return path


def _round(data: mujoco.MjData, random: np.random.Generator) -> None:
    """Move a state by up to one rounding, and the joint forces by those of a solve."""
    for values in (data.qpos, data.qvel, data.act):
        values[:] = values * (1 + random.uniform(-1, 1, values.shape) * _ROUNDED)
    parts = [data.qfrc_bias, data.qfrc_passive, data.qfrc_actuator]
    size = np.abs([*parts, data.qfrc_constraint, data.qfrc_smooth]).max(axis=0)
    size *= data.model.nv  # a solve for so many accelerations
    data.qfrc_applied = random.uniform(-1, 1, size.shape) * _ROUNDED * size
