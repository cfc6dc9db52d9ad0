"""A pendulum: period of small and large swings, and energy.

| what | tolerance | from |
| --- | --- | --- |
| period, any integrator | 0.1 % | symplectic Euler: (w dt)²/24, below 1e-6; damping or pumping of first order moves it less than 1e-3 |
| period, RK4 | 1e-5 | interpolation between steps |
| energy, RK4 | 1e-7 | (w dt)^5 per step, 2,000 steps |
| energy, any integrator | 2 % | first order: w dt |

In single precision the period and the energy are known to 1e-4, by rounding.
"""  # noqa: E501

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unisim.config import OptionsCfg
from unisim.options import Integrator
from unisim.parity.experiments.bench import Bench
from unisim.parity.experiments.experiment import Check, Experiment, check

G, LENGTH, RADIUS, MASS = 9.81, 0.5, 0.05, 0.8
INERTIA = MASS * (LENGTH**2 + 2 / 5 * RADIUS**2)
RATE = np.sqrt(MASS * G * LENGTH / INERTIA)
"""Angular frequency of small swings [rad/s]."""
DT, STEPS = 0.002, 2000
SWINGS = np.array([0.02, 0.1, 0.8, 2.0])
"""Amplitude of each world [rad]."""
Rows = NDArray[np.floating]


def mean(a: Rows, b: Rows) -> Rows:
    """The arithmetic-geometric mean, which tells elliptic integrals K.

    K(k) is pi / 2 over the mean of 1 and sqrt(1 - k²).
    """
    for _ in range(8):
        a, b = (a + b) / 2, np.sqrt(a * b)
    return a


PERIOD = 2 * np.pi / (RATE * mean(np.ones_like(SWINGS), np.cos(SWINGS / 2)))
"""Of each world [s]: 4 K(sin(amplitude / 2)) / rate."""


def _swing(bench: Bench, integrator: Integrator | None = None) -> tuple[Rows, Rows]:
    """Angles and velocities at every step. Shapes (n, steps)."""
    options = OptionsCfg(timestep=DT, integrator=integrator)
    with bench.build("pendulum.xml", len(SWINGS), options) as sim:
        sim.reset(qpos=SWINGS[:, None])
        found = sim.step(count=STEPS, record=("qpos", "qvel"))
        # in float64: the energy of a small swing is a small difference
        angle, velocity = (
            np.array(found[name], np.float64)[..., 0] for name in ("qpos", "qvel")
        )
        return angle, velocity


def period(angle: Rows) -> Rows:
    """Mean time between upward crossings of 0, interpolated [s]. Shape (n,)."""
    found: list[float] = []
    for row in angle:
        up = np.flatnonzero((row[:-1] < 0) & (row[1:] >= 0))
        crossings = (up - row[up] / (row[up + 1] - row[up])) * DT
        found.append(float(np.diff(crossings).mean()) if len(up) > 1 else np.nan)
    return np.array(found)


def _energy(angle: Rows, velocity: Rows) -> Rows:
    return INERTIA * velocity**2 / 2 - MASS * G * LENGTH * np.cos(angle)


def _gain(angle: Rows, velocity: Rows) -> Rows:
    """Largest relative change of energy in each world. Shape (n,)."""
    start = _energy(SWINGS, np.zeros(len(SWINGS)))[:, None]
    moving = start + MASS * G * LENGTH
    return (np.abs(_energy(angle, velocity) - start) / moving).max(axis=1)


def _any_integrator(bench: Bench) -> Iterator[Check]:
    angle, velocity = _swing(bench)
    found = period(angle)
    small, within = 2 * np.pi / RATE, 1e-3 * PERIOD
    yield check("period", "s", found, PERIOD, within=within)
    yield check("period of a small swing", "s", found[:1], small, within=1e-3 * small)
    yield check("change of energy", "1", _gain(angle, velocity), within=2e-2)


def _rk4(bench: Bench) -> Iterator[Check]:
    angle, velocity = _swing(bench, "RK4")
    within = bench.precise(1e-5, 1e-4) * PERIOD
    yield check("period", "s", period(angle), PERIOD, within=within)
    gain = _gain(angle, velocity)
    yield check("change of energy", "1", gain, within=bench.precise(1e-7, 1e-4))


PENDULUM = (
    Experiment("pendulum", "a swing takes its elliptic integral", _any_integrator),
    Experiment("pendulum, RK4", "the same, and the energy stays", _rk4),
)
