"""A box that turns without a torque: momentum, energy, and the intermediate axis.

| what | tolerance | from |
| --- | --- | --- |
| angular momentum and energy, any integrator | w² dt T / 2 | (w dt)²/2 per step |
| the same, RK4 | (w dt)² | on orientations it is of second order: it averages rates |
| growth about the intermediate axis | 2 % | second order in the disturbance, 1e-2 |
| wobble about the other axes | 2 % | the same |
"""

import numpy as np

A, B, C, MASS = 0.05, 0.1, 0.15, 1.2
INERTIA = MASS / 3 * np.array([B**2 + C**2, A**2 + C**2, A**2 + B**2])
"""Largest about x, intermediate about y, smallest about z [kg m²]."""
SPEED, SMALL, DT = 5.0, 1e-3, 0.0005
X, Y, Z = INERTIA
GROWTH = SPEED * np.sqrt((X - Y) * (Y - Z) / (X * Z))
"""Rate at which a small disturbance of a turn about y grows [1/s]."""
SPIN = np.array(
    [
        [SPEED, SMALL, 0.0],
        [SMALL, SPEED, 0.0],
        [0.0, SMALL, SPEED],
        [1.0, -2.0, 3.0],
        [-3.0, 1.0, 0.5],
    ]
)
"""Initial angular velocity of each world, body frame [rad/s]."""
RATE = np.linalg.norm(SPIN, axis=1)
SECONDS = 2.0


def spin(bench, steps, **options):
    """A sim of distinct orientations and spins, and its initial momentum."""
    none = (0.0, 0.0, 0.0)
    sim = bench("free_fall.xml", len(SPIN), timestep=DT, gravity=none, **options)
    quat = np.random.default_rng(1).normal(size=(len(SPIN), 4))
    qpos, qvel = sim.read("qpos").copy(), np.zeros((len(SPIN), 6))
    qpos[:, 3:] = quat / np.linalg.norm(quat, axis=1, keepdims=True)
    qvel[:, 3:] = SPIN
    sim.reset(qpos=qpos, qvel=qvel)
    return sim, sim.step(count=steps, record=("qvel",))["qvel"][..., 3:]


def momentum(sim, turn, box):
    """Angular momentum in world. Shape (worlds, 3)."""
    quat = sim.read("xquat")[:, box]
    local = turn(quat * [1, -1, -1, -1], sim.read("body_angvel")[:, box])
    return turn(quat, INERTIA * local)


def drift(bench, turn, **options):
    """Relative changes of angular momentum and of energy over some seconds."""
    sim, _ = spin(bench, 1, **options)
    box = sim.layout.index("body", "box")
    start = momentum(sim, turn, box)
    sim.step(count=round(SECONDS / DT))
    change = np.linalg.norm(momentum(sim, turn, box) - start, axis=1)
    before = np.sum(INERTIA * SPIN**2, axis=1)
    after = np.sum(INERTIA * sim.read("qvel")[:, 3:] ** 2, axis=1)
    return change / np.linalg.norm(start, axis=1), np.abs(after / before - 1)


def test_angular_momentum_and_energy_stay(bench, turn):
    change, energy = drift(bench, turn)
    assert (change < RATE**2 * DT * SECONDS / 2).all()
    assert (energy < RATE**2 * DT * SECONDS / 2).all()


def test_rk4_keeps_them_to_its_order(bench, turn):
    change, energy = drift(bench, turn, integrator="RK4")
    assert (change < (RATE * DT) ** 2).all()
    assert (energy < (RATE * DT) ** 2).all()


def test_a_turn_about_the_intermediate_axis_falls_over_at_its_rate(bench):
    steps = round(3 / GROWTH / DT)
    _, found = spin(bench, steps)
    expected = SMALL * np.cosh(GROWTH * DT * np.arange(1, steps + 1))
    np.testing.assert_allclose(found[1, :, 0], expected, rtol=2e-2)


def test_a_turn_about_the_other_axes_only_wobbles(bench):
    steps = round(3 / GROWTH / DT)
    _, found = spin(bench, steps)
    t = DT * np.arange(1, steps + 1)
    for world, rate in (
        (0, SPEED * np.sqrt((X - Y) * (X - Z) / (Y * Z))),
        (2, SPEED * np.sqrt((X - Z) * (Y - Z) / (X * Y))),
    ):
        expected = SMALL * np.cos(rate * t)
        np.testing.assert_allclose(found[world, :, 1], expected, atol=2e-2 * SMALL)
