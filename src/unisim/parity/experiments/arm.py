"""An arm under servos moves as MuJoCo's C engine moves it.

| what | tolerance | from |
| --- | --- | --- |
| joint positions over 0.5 s | 2e-3 rad or m | integrators differ by a step |
| body poses | 2e-3 | the same |
"""

from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.config import OptionsCfg
from unisim.parity.experiments.bench import Bench
from unisim.parity.experiments.experiment import Check, Experiment, check

DT, STEPS, WORLDS, CLOSE = 0.001, 500, 3, 2e-3
Rows = NDArray[np.floating]


def _arm(bench: Bench) -> Iterator[Check]:
    random = np.random.default_rng(3)
    with bench.build("arm.xml", WORLDS, OptionsCfg(timestep=DT)) as sim:
        model = sim.built.scene.model
        qpos = random.uniform(-0.5, 0.5, (WORLDS, model.nq))
        ctrl = random.uniform(-0.5, 0.5, (WORLDS, model.nu))
        sim.reset(qpos=qpos)
        found = sim.step(ctrl, STEPS, record=("qpos", "xpos"))
        paths, places = np.array(found["qpos"]), np.array(found["xpos"])[:, -1]
    want, poses = _reference(model, qpos, ctrl)
    yield check("joints", "rad, m", paths, want, within=CLOSE)
    yield check("bodies", "m", places, poses, within=CLOSE)


def _reference(model: mujoco.MjModel, qpos: Rows, ctrl: Rows) -> tuple[Rows, Rows]:
    """Joint paths (n, steps, nq) and last body positions (n, nbody, 3)."""
    paths = np.zeros((WORLDS, STEPS, model.nq))
    poses = np.zeros((WORLDS, model.nbody, 3))
    for world in range(WORLDS):
        data = mujoco.MjData(model)
        data.qpos[:], data.ctrl[:] = qpos[world], ctrl[world]
        for step in range(STEPS):
            mujoco.mj_step(model, data)
            paths[world, step] = data.qpos
        mujoco.mj_kinematics(model, data)
        poses[world] = data.xpos
    return paths, poses


ARM = (Experiment("arm", "servos move it as in MuJoCo's C engine", _arm),)
