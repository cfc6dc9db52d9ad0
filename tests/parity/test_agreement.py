"""An arm under servos moves as MuJoCo's C engine moves it.

| what | tolerance | from |
| --- | --- | --- |
| joint positions over 0.5 s | 2e-3 rad or m | integrators differ by a step |
| body poses | 2e-3 | the same |
| MuJoCo itself | bit-equal | it is the same code |
"""

import mujoco
import numpy as np

DT, STEPS, WORLDS = 0.001, 500, 3
CLOSE = 2e-3


def test_an_arm_moves_as_in_mujoco(bench):
    sim = bench("arm.xml", WORLDS, timestep=DT)
    rng = np.random.default_rng(3)
    model = sim.built.scene.model
    qpos = rng.uniform(-0.5, 0.5, (WORLDS, model.nq))
    ctrl = rng.uniform(-0.5, 0.5, (WORLDS, model.nu))
    sim.reset(qpos=qpos)
    record = sim.step(ctrl, STEPS, record=("qpos", "xpos"))
    exact = sim.built.task.backend == "mujoco"
    for world in range(WORLDS):
        data = mujoco.MjData(model)
        data.qpos, data.ctrl = qpos[world], ctrl[world]
        path = np.zeros((STEPS, model.nq))
        for step in range(STEPS):
            mujoco.mj_step(model, data)
            path[step] = data.qpos
        assert np.ptp(path, axis=0).min() > 10 * CLOSE
        atol = 0 if exact else CLOSE
        np.testing.assert_allclose(record["qpos"][world], path, rtol=0, atol=atol)
        mujoco.mj_kinematics(model, data)
        np.testing.assert_allclose(
            record["xpos"][world, -1], data.xpos, rtol=0, atol=atol
        )
