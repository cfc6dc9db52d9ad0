"""Free fall: z = z0 + v t - g t²/2, and its discrete form under semi-implicit Euler.

| what | tolerance | from |
| --- | --- | --- |
| height, any integrator | g t dt / 2, and 1 % of it | a step's velocity |
| height, Euler | 1e-9 m | rounding: sums of some 500 terms below 10 m |
| height, RK4 | 1e-9 m | RK4 is exact for a constant acceleration |
| velocity, any integrator | 1e-9 m/s | all integrators are exact for it |
| horizontal position | 1e-9 m | nothing acts along it |
"""

import numpy as np
import pytest

G, DT, STEPS, WORLDS = 9.81, 0.002, 500, 4
T = STEPS * DT
V = np.array([-1.0, 0.0, 2.0, 5.0])
"""Initial vertical velocity of each world [m/s]."""
Z = np.array([3.0, 10.0, 11.0, 12.5])
ROUNDING = 1e-9


def drop(bench, **options):
    sim = bench("free_fall.xml", WORLDS, timestep=DT, **options)
    qpos, qvel = sim.read("qpos").copy(), sim.read("qvel").copy()
    qpos[:, 2], qvel[:, 2] = Z, V
    qvel[:, 0] = 0.1 * np.arange(WORLDS)
    sim.reset(qpos=qpos, qvel=qvel)
    sim.step(count=STEPS)
    np.testing.assert_allclose(sim.read("time"), T, rtol=ROUNDING)
    return sim.read("qpos"), sim.read("qvel")


def test_a_body_falls_by_half_g_t_squared_within_the_error_of_one_step(bench):
    qpos, qvel = drop(bench)
    exact = Z + V * T - G * T**2 / 2
    assert np.abs(qpos[:, 2] - exact).max() <= 1.01 * G * T * DT / 2
    np.testing.assert_allclose(qvel[:, 2], V - G * T, atol=ROUNDING)
    np.testing.assert_allclose(qpos[:, 0], 0.1 * np.arange(WORLDS) * T, atol=ROUNDING)


def test_eulers_fall_is_the_sum_over_its_steps(bench):
    qpos, _ = drop(bench, integrator="Euler")
    steps = Z + V * T - G * T * (T + DT) / 2
    np.testing.assert_allclose(qpos[:, 2], steps, atol=ROUNDING)


def test_rk4_falls_exactly(bench):
    qpos, _ = drop(bench, integrator="RK4")
    np.testing.assert_allclose(qpos[:, 2], Z + V * T - G * T**2 / 2, atol=ROUNDING)


@pytest.mark.parametrize("gravity", [(0.0, 0.0, -1.62), (0.5, -1.0, 3.0)])
def test_a_body_falls_along_the_gravity_that_the_config_states(bench, gravity):
    sim = bench("free_fall.xml", WORLDS, timestep=DT, gravity=gravity)
    qvel = np.zeros((WORLDS, 6))
    qvel[:, 2] = V
    sim.reset(qvel=qvel)
    sim.step(count=STEPS)
    qvel[:, :3] += np.multiply(gravity, T)
    np.testing.assert_allclose(sim.read("qvel"), qvel, atol=ROUNDING)
