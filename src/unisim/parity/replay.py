"""The same controls, from the same states, on any backend."""

from dataclasses import dataclass, replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.config import TaskCfg
from unisim.control.pd import PD
from unisim.runtime.start import start
from unisim.scene.scene import Scene
from unisim.sim import Sim
from unisim.task import build

Rows = NDArray[np.float64]
_TURN, _SPEED = 0.02, 0.05
"""Largest offset of a joint [rad or m], and of any velocity [rad/s or m/s]."""
_WAVES, _SLOWEST, _FASTEST = 4, 0.3, 2.0
"""Sines that a command is made of, and their frequencies [Hz]."""


@dataclass(frozen=True)
class Replay:
    """Initial states, and the controls of every physics step.

    All of them are numbers that single precision holds, so that every engine gets the
    same ones.

    Attributes:
        qpos: Shape (n, nq).
        qvel: Shape (n, nv).
        ctrl: Shape (n, t, nu).
        timestep: Physics step [s].
    """

    qpos: Rows
    qvel: Rows
    ctrl: Rows
    timestep: float

    @property
    def worlds(self) -> int:
        """Number of worlds n."""
        return len(self.qpos)

    @property
    def steps(self) -> int:
        """Number of physics steps t."""
        return self.ctrl.shape[1]

    @property
    def time(self) -> Rows:
        """Time after every physics step [s]. Shape (t,)."""
        return self.timestep * np.arange(1, self.steps + 1, dtype=np.float64)


@dataclass(frozen=True)
class Path:
    """What a replay did.

    Attributes:
        qpos: After every physics step of the replay. Shape (n, t, nq).
        faults: `Fault` bits at the end. Shape (n,), uint8.
    """

    qpos: Rows
    faults: NDArray[np.uint8]


def record(task: TaskCfg, scene: Scene) -> Replay:
    """Run a task under its own laws and smooth random commands, and keep the controls.

    Args:
        task: The task, on the backend that records.
        scene: Its scene.

    Raises:
        UnisimError: In any form that `unisim.build` raises.
    """
    cfg = task.parity
    random = np.random.default_rng(task.seed)
    task = replace(task, worlds=cfg.worlds, faults="flag")
    with build(task, scene) as sim:
        start(sim)
        qpos, qvel = _starts(sim, random)
        sim.reset(qpos=qpos, qvel=qvel)
        rest = np.array(sim.read("ctrl"))
        sim.built.law.rest(rest, np.asarray(sim.read("qpos")))
        count = max(1, round(cfg.seconds / sim.timestep / task.decimation))
        interval = sim.timestep * task.decimation
        wander = _smooth(
            random, rest.shape, interval * np.arange(count, dtype=np.float64)
        )
        wander *= cfg.amplitude * _half_ranges(sim)[:, None]
        controls = [
            sim.step(rest + wander[..., i], task.decimation, record=("ctrl",))["ctrl"]
            for i in range(count)
        ]
        ctrl = np.concatenate([np.asarray(item) for item in controls], axis=1)
        return Replay(qpos, qvel, _single(_clipped(sim, ctrl)), sim.timestep)


def play(sim: Sim, replay: Replay, *, split: int = 1, rounded: bool = False) -> Path:
    """Step a sim without laws through a replay.

    Args:
        sim: As many worlds of the same scene.
        replay: What to play.
        split: Physics steps of the sim per step of the replay.
        rounded: Round the state to single precision after every step.
    """
    sim.reset(qpos=replay.qpos, qvel=replay.qvel)
    path = np.empty((replay.worlds, replay.steps, replay.qpos.shape[1]))
    for step in range(replay.steps):
        sim.step(replay.ctrl[:, step], split)
        if rounded:
            for name in ("qpos", "qvel", "act"):
                sim.write(name, _single(np.asarray(sim.read(name))))
        path[:, step] = np.asarray(sim.read("qpos"))
    return Path(path, np.array(sim.faults))


def _starts(sim: Sim, random: np.random.Generator) -> tuple[Rows, Rows]:
    """Distinct states around the initial one, which is the first world's."""
    model = sim.built.scene.model
    qpos = np.array(sim.read("qpos"), np.float64)
    qvel = np.array(sim.read("qvel"), np.float64)
    moved = _TURN * random.uniform(-1, 1, qvel.shape)
    pushed = _SPEED * random.uniform(-1, 1, qvel.shape)
    moved[0] = pushed[0] = 0
    free = model.jnt_type == mujoco.mjtJoint.mjJNT_FREE
    moved[:, np.isin(model.dof_jntid, np.flatnonzero(free))] = 0
    if model.neq:
        moved[:] = 0  # an open loop would be pulled shut with a jerk
    for row, offset in zip(qpos, moved, strict=True):
        mujoco.mj_integratePos(model, row, offset, 1.0)
    for joint in np.flatnonzero(model.jnt_limited):
        if model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_BALL:
            column = model.jnt_qposadr[joint]
            np.clip(qpos[:, column], *model.jnt_range[joint], out=qpos[:, column])
    return _single(qpos), _single(qvel + pushed)


def _smooth(random: np.random.Generator, shape: tuple[int, ...], time: Rows) -> Rows:
    """Sums of sines, between -1 and 1. Shape (*shape, t)."""
    size = (*shape, 1, _WAVES)
    rate = 2 * np.pi * random.uniform(_SLOWEST, _FASTEST, size)
    phase = random.uniform(0, 2 * np.pi, size)
    # every command starts where it rests
    wave = np.sin(rate * time[:, None] + phase) - np.sin(phase)
    return wave.mean(axis=-1) / 2


def _ranges(sim: Sim) -> Rows:
    """Lower and upper end of every control, infinite without a limit. Shape (nu, 2)."""
    model = sim.built.scene.model
    found = np.tile([-np.inf, np.inf], (sim.layout.sizes["nu"], 1))
    for i, name in enumerate(sim.layout.names["actuator"]):
        if ("ctrl", name) in sim.layout.slices and model.actuator_ctrllimited[i]:
            found[sim.layout.columns("ctrl", name)] = model.actuator_ctrlrange[i]
    return found


def _half_ranges(sim: Sim) -> Rows:
    """Half the range of every command, 1 where it has none. Shape (nu,)."""
    ranges = _ranges(sim)
    for law in sim.built.law.laws:
        if isinstance(law, PD):
            ends = law.motors.lower, law.motors.upper
            ranges[law.motors.ctrl] = np.stack(ends, axis=1)
    half = np.diff(ranges, axis=1)[:, 0] / 2
    return np.where(np.isfinite(half), half, 1.0)


def _clipped(sim: Sim, ctrl: NDArray[np.floating]) -> NDArray[np.floating]:
    low, high = _ranges(sim).T
    return np.clip(ctrl, low, high)


def _single(values: NDArray[np.floating]) -> Rows:
    """The nearest numbers that single precision holds."""
    return values.astype(np.float32).astype(np.float64)
