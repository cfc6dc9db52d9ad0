"""Dry friction: a box slides on, slides to rest, or stays, as Coulomb's law says.

| what | tolerance | from |
| --- | --- | --- |
| way to rest, v²/(2 mu g) | 2 % | soft contacts: friction sets in over some 10 ms |
| acceleration down a slope, g (sin a - mu cos a) | 2 % of mu g cos a | the same |
| way to rest where tan a < mu | 5 % | the difference of two forces |
| creep after that, of the frictionless way | 2 % | it is viscous at rest |
| sideways drift, of the way | 1 % | symmetry |
| lift off or sink | 1 mm | stiffness of MuJoCo's default contacts |
"""

import numpy as np
import pytest

from unisim.config import TerrainCfg

G, DT, HALF = 9.81, 0.001, 0.02
SPEEDS = np.array([0.6, 0.8, 1.0, 1.3])
"""Initial speed of each world [m/s]."""


def on_plane(bench, mu, slope=0.0, **options):
    """A box at rest on a plane that falls along x by `slope` [rad]."""
    quat = (np.cos(slope / 2), 0.0, np.sin(slope / 2), 0.0)
    plane = TerrainCfg(kind="plane", friction=(mu, 0.005, 0.0001), quat=quat)
    sim = bench("box.xml", len(SPEEDS), timestep=DT, terrain=plane, **options)
    down = np.array([np.cos(slope), 0.0, -np.sin(slope)])
    up = np.array([np.sin(slope), 0.0, np.cos(slope)])
    qpos = np.tile([*(HALF * up), *quat], (len(SPEEDS), 1))
    sim.reset(qpos=qpos)
    sim.step(count=200)  # let the contacts take the weight
    return sim, down, up


def push(sim, direction):
    """Give every world its speed, return where it starts."""
    qvel = np.zeros((len(SPEEDS), 6))
    qvel[:, :3] = SPEEDS[:, None] * direction
    sim.write("qvel", qvel)
    return sim.read("qpos")[:, :3].copy()


def test_a_box_slides_to_rest_after_v_squared_over_two_mu_g(bench):
    mu = 0.1
    sim, along, up = on_plane(bench, mu)
    start = push(sim, along)
    sim.step(count=round(1.2 * SPEEDS.max() / (mu * G) / DT))
    moved = sim.read("qpos")[:, :3] - start
    np.testing.assert_allclose(moved @ along, SPEEDS**2 / (2 * mu * G), rtol=0.02)
    assert np.abs(moved[:, 1]).max() < 0.01 * np.min(moved @ along)
    assert np.abs(moved @ up).max() < 1e-3
    assert np.abs(sim.read("qvel")).max() < 1e-2


@pytest.mark.parametrize("degrees", [15, 30])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_box_accelerates_down_a_steep_slope(bench, degrees, cone):
    mu, slope, seconds = 0.2, np.radians(degrees), 1.0
    sim, down, up = on_plane(bench, mu, slope, cone=cone)
    start = push(sim, down)
    sim.step(count=round(seconds / DT))
    rate = G * (np.sin(slope) - mu * np.cos(slope))
    got = (sim.read("qvel")[:, :3] @ down - SPEEDS) / seconds
    brake = mu * G * np.cos(slope)
    np.testing.assert_allclose(got, rate, atol=0.02 * brake)
    moved = sim.read("qpos")[:, :3] - start
    way = SPEEDS * seconds + rate * seconds**2 / 2
    np.testing.assert_allclose(moved @ down, way, atol=0.02 * brake * seconds**2 / 2)
    assert np.abs(moved[:, 1]).max() < 0.01 * way.min()
    assert np.abs(moved @ up).max() < 1e-3


def test_a_box_comes_to_rest_on_a_slope_below_the_friction_angle(bench):
    mu, slope = 0.6, np.radians(20)
    sim, down, _ = on_plane(bench, mu, slope)
    start = push(sim, down)
    brake = G * (mu * np.cos(slope) - np.sin(slope))
    sim.step(count=round(1.2 * SPEEDS.max() / brake / DT))
    rest = sim.read("qpos")[:, :3].copy()
    np.testing.assert_allclose(
        (rest - start) @ down, SPEEDS**2 / (2 * brake), rtol=0.05
    )
    seconds = 0.5
    sim.step(count=round(seconds / DT))
    creep = (sim.read("qpos")[:, :3] - rest) @ down
    assert np.abs(creep).max() < 0.02 * G * np.sin(slope) * seconds**2 / 2
