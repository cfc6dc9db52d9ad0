"""A box that turns without a torque: momentum, energy, and the intermediate axis.

| what | tolerance | from |
| --- | --- | --- |
| angular momentum and energy, any integrator | w² dt T / 2 | (w dt)²/2 per step |
| the same, RK4 | (w dt)² | on orientations it is of second order: it averages rates |
| growth about the intermediate axis | 2 % | second order in the disturbance, 1e-2 |
| wobble about the other axes | 2 % | the same |

Single precision adds 2e-4 to momentum and energy: 4,000 steps of rounding.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unisim.config import OptionsCfg
from unisim.options import Integrator
from unisim.parity.experiments.bench import Bench
from unisim.parity.experiments.experiment import Check, Experiment, check
from unisim.sim import Sim

A, B, C, MASS = 0.05, 0.1, 0.15, 1.2
INERTIA = MASS / 3 * np.array([B**2 + C**2, A**2 + C**2, A**2 + B**2])
"""Largest about x, intermediate about y, smallest about z [kg m²]."""
SPEED, SMALL, DT, SECONDS = 5.0, 1e-3, 0.0005, 2.0
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
WOBBLES = (
    ("x", 0, SPEED * np.sqrt((X - Y) * (X - Z) / (Y * Z))),
    ("z", 2, SPEED * np.sqrt((X - Z) * (Y - Z) / (X * Y))),
)
"""Axis, world and rate [rad/s] of turns that only wobble."""
Rows = NDArray[np.floating]


def turned(quat: Rows, vector: Rows) -> Rows:
    """Vectors turned by quaternions wxyz. Shapes (..., 4) and (..., 3) to (..., 3)."""
    w, axis = quat[..., :1], quat[..., 1:]
    across = 2 * np.cross(axis, vector)
    return vector + w * across + np.cross(axis, across)


def _spun(bench: Bench, integrator: Integrator | None = None) -> Sim:
    """A sim of distinct orientations and spins."""
    options = OptionsCfg(timestep=DT, gravity=(0.0, 0.0, 0.0), integrator=integrator)
    sim = bench.build("free_fall.xml", len(SPIN), options)
    quat = np.random.default_rng(1).normal(size=(len(SPIN), 4))
    qpos, qvel = np.array(sim.read("qpos")), np.zeros((len(SPIN), 6))
    qpos[:, 3:] = quat / np.linalg.norm(quat, axis=1, keepdims=True)
    qvel[:, 3:] = SPIN
    sim.reset(qpos=qpos, qvel=qvel)
    return sim


def _momentum(sim: Sim) -> Rows:
    """Angular momentum in world [N m s]. Shape (n, 3)."""
    box = sim.layout.index("body", "box")
    quat = np.asarray(sim.read("xquat"))[:, box].astype(np.float64)
    rate = np.asarray(sim.read("body_angvel"))[:, box].astype(np.float64)
    local = turned(quat * [1, -1, -1, -1], rate)
    return turned(quat, INERTIA * local)


def _drift(bench: Bench, bound: Rows, integrator: Integrator | None) -> Iterator[Check]:
    """Relative changes of angular momentum and of energy over some seconds."""
    bound = bound + bench.precise(0.0, 2e-4)
    with _spun(bench, integrator) as sim:
        start = _momentum(sim)
        sim.step(count=round(SECONDS / DT))
        change = np.linalg.norm(_momentum(sim) - start, axis=1)
        rate = np.asarray(sim.read("qvel"))[:, 3:].astype(np.float64)
    before, after = (np.sum(INERTIA * item**2, axis=1) for item in (SPIN, rate))
    relative = change / np.linalg.norm(start, axis=1)
    yield check("change of momentum", "1", relative, within=bound)
    yield check("change of energy", "1", after / before - 1, within=bound)


def _any_integrator(bench: Bench) -> Iterator[Check]:
    yield from _drift(bench, RATE**2 * DT * SECONDS / 2, None)


def _rk4(bench: Bench) -> Iterator[Check]:
    yield from _drift(bench, (RATE * DT) ** 2, "RK4")


def _axes(bench: Bench) -> Iterator[Check]:
    steps = round(3 / GROWTH / DT)
    with _spun(bench) as sim:
        found = np.array(sim.step(count=steps, record=("qvel",))["qvel"])[..., 3:]
    t = DT * np.arange(1, steps + 1, dtype=np.float64)
    growing = SMALL * np.cosh(GROWTH * t)
    yield check("growth about y", "rad/s", found[1, :, 0], growing, within=growing / 50)
    for axis, world, rate in WOBBLES:
        wobble = SMALL * np.cos(rate * t)
        name = f"wobble about {axis}"
        yield check(name, "rad/s", found[world, :, 1], wobble, within=SMALL / 50)


SPINNING = (
    Experiment("spin", "momentum and energy stay, within a step", _any_integrator),
    Experiment("spin, RK4", "the same, to second order", _rk4),
    Experiment("axes of a spin", "only the intermediate axis tumbles", _axes),
)
