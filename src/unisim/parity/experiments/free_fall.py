"""Free fall: z = z0 + v t - g t²/2, and its discrete form under semi-implicit Euler.

| what | tolerance | from |
| --- | --- | --- |
| height, any integrator | g t dt / 2, and 1 % of it | a step's velocity |
| height, Euler | rounding | sums of some 500 terms below 13 m |
| height, RK4 | rounding | RK4 is exact for a constant acceleration |
| velocity, any integrator | rounding | all integrators are exact for it |
| horizontal position | rounding | nothing acts along it |

Rounding is 1e-9 in double precision, 3e-4 in single precision.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unisim.config import OptionsCfg
from unisim.options import Integrator
from unisim.parity.experiments.bench import Bench
from unisim.parity.experiments.experiment import Check, Experiment, check

G, DT, STEPS, WORLDS = 9.81, 0.002, 500, 4
T = STEPS * DT
V = np.array([-1.0, 0.0, 2.0, 5.0])
"""Initial vertical velocity of each world [m/s]."""
Z = np.array([3.0, 10.0, 11.0, 12.5])
"""Initial height of each world [m]."""
ACROSS = 0.1 * np.arange(WORLDS)
"""Horizontal velocity of each world [m/s]."""
CONTINUOUS = Z + V * T - G * T**2 / 2
PLANETS = ((0.0, 0.0, -1.62), (0.5, -1.0, 3.0))
"""Gravities that no engine has by itself [m/s²]."""


def _rounding(bench: Bench) -> float:
    return bench.precise(1e-9, 3e-4)


def _drop(
    bench: Bench, integrator: Integrator | None = None
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Positions and velocities at the end. Shapes (n, 7) and (n, 6)."""
    options = OptionsCfg(timestep=DT, integrator=integrator)
    with bench.build("free_fall.xml", WORLDS, options) as sim:
        qpos, qvel = (np.array(sim.read(name)) for name in ("qpos", "qvel"))
        qpos[:, 2], qvel[:, 2], qvel[:, 0] = Z, V, ACROSS
        sim.reset(qpos=qpos, qvel=qvel)
        sim.step(count=STEPS)
        return np.array(sim.read("qpos")), np.array(sim.read("qvel"))


def _fall(bench: Bench) -> Iterator[Check]:
    qpos, qvel = _drop(bench)
    rounding = _rounding(bench)
    step = 1.01 * G * T * DT / 2 + rounding
    yield check("height", "m", qpos[:, 2], CONTINUOUS, within=step)
    yield check("vertical velocity", "m/s", qvel[:, 2], V - G * T, within=rounding)
    yield check("way across", "m", qpos[:, 0], ACROSS * T, within=rounding)


def _fall_with_euler(bench: Bench) -> Iterator[Check]:
    qpos, _ = _drop(bench, "Euler")
    steps = Z + V * T - G * T * (T + DT) / 2
    yield check("height", "m", qpos[:, 2], steps, within=_rounding(bench))


def _fall_with_rk4(bench: Bench) -> Iterator[Check]:
    qpos, _ = _drop(bench, "RK4")
    yield check("height", "m", qpos[:, 2], CONTINUOUS, within=_rounding(bench))


def _other_gravity(bench: Bench) -> Iterator[Check]:
    for gravity in PLANETS:
        options = OptionsCfg(timestep=DT, gravity=gravity)
        with bench.build("free_fall.xml", WORLDS, options) as sim:
            qvel = np.zeros((WORLDS, 6))
            qvel[:, 2] = V
            sim.reset(qvel=qvel)
            sim.step(count=STEPS)
            got = np.array(sim.read("qvel"))
        qvel[:, :3] += np.multiply(gravity, T)
        name = f"velocity under {' '.join(f'{part:g}' for part in gravity)} m/s²"
        yield check(name, "m/s, rad/s", got, qvel, within=_rounding(bench))


FREE_FALL = (
    Experiment("free fall", "z = z₀ + v t − g t²/2, within a step", _fall),
    Experiment(
        "free fall, Euler", "z is the sum over Euler's own steps", _fall_with_euler
    ),
    Experiment("free fall, RK4", "z = z₀ + v t − g t²/2", _fall_with_rk4),
    Experiment("other gravity", "the velocity grows by g t", _other_gravity),
)
