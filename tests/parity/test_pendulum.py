"""A pendulum: period of small and large swings, and energy.

| what | tolerance | from |
| --- | --- | --- |
| period, any integrator | 0.1 % | symplectic Euler: (w dt)²/24, below 1e-6; first-order damping or pumping moves it less than 1e-3 at this step |
| period, RK4 | 1e-5 | interpolation between steps |
| energy, RK4 | 1e-7 | (w dt)^5 per step, 2,000 steps |
| energy, any integrator | 2 % | first order: w dt |
"""  # noqa: E501

import numpy as np
from scipy.special import ellipk

G, LENGTH, RADIUS, MASS = 9.81, 0.5, 0.05, 0.8
INERTIA = MASS * (LENGTH**2 + 2 / 5 * RADIUS**2)
RATE = np.sqrt(MASS * G * LENGTH / INERTIA)
"""Angular frequency of small swings [rad/s]."""
DT, STEPS = 0.002, 2000
SWINGS = np.array([0.02, 0.1, 0.8, 2.0])
"""Amplitude of each world [rad]."""
PERIOD = 4 / RATE * ellipk(np.sin(SWINGS / 2) ** 2)


def swing(bench, **options):
    """Angles and velocities at every step. Shapes (worlds, steps)."""
    sim = bench("pendulum.xml", len(SWINGS), timestep=DT, **options)
    sim.reset(qpos=SWINGS[:, None])
    record = sim.step(count=STEPS, record=("qpos", "qvel"))
    return record["qpos"][..., 0], record["qvel"][..., 0]


def period(angle):
    """Mean time between upward crossings of 0, interpolated. Shape (worlds,)."""
    found = []
    for row in angle:
        up = np.flatnonzero((row[:-1] < 0) & (row[1:] >= 0))
        crossings = (up - row[up] / (row[up + 1] - row[up])) * DT
        found.append(np.diff(crossings).mean())
    return np.array(found)


def energy(angle, velocity):
    return INERTIA * velocity**2 / 2 - MASS * G * LENGTH * np.cos(angle)


def test_a_small_swing_takes_two_pi_over_its_rate(bench):
    small = np.flatnonzero(SWINGS < 0.05)
    angle, _ = swing(bench)
    np.testing.assert_allclose(period(angle[small]), 2 * np.pi / RATE, rtol=1e-3)


def test_a_large_swing_takes_its_elliptic_integral(bench):
    angle, _ = swing(bench)
    np.testing.assert_allclose(period(angle), PERIOD, rtol=1e-3)


def test_rk4_keeps_the_period_to_the_interpolation(bench):
    angle, _ = swing(bench, integrator="RK4")
    np.testing.assert_allclose(period(angle), PERIOD, rtol=1e-5)


def test_rk4_keeps_the_energy(bench):
    angle, velocity = swing(bench, integrator="RK4")
    start = energy(SWINGS, np.zeros(len(SWINGS)))[:, None]
    moving = start + MASS * G * LENGTH
    assert (np.abs(energy(angle, velocity) - start) / moving).max() < 1e-7


def test_no_integrator_loses_or_gains_much_energy(bench):
    angle, velocity = swing(bench)
    start = energy(SWINGS, np.zeros(len(SWINGS)))[:, None]
    moving = start + MASS * G * LENGTH
    assert (np.abs(energy(angle, velocity) - start) / moving).max() < 2e-2
