"""Dry friction: a box slides on, slides to rest, or stays, as Coulomb's law says.

| what | tolerance | from |
| --- | --- | --- |
| way to rest, v²/(2 mu g) | 2 % | soft contacts: friction sets in over some 10 ms |
| acceleration down a slope, g (sin a - mu cos a) | 2 % of mu g cos a | the same |
| way to rest where tan a < mu | 5 % | the difference of two forces |
| creep after that, of the frictionless way | 2 % | it is viscous at rest |
| sideways drift, of the way | 1 % | symmetry |
| lift off or sink | 1 mm, 2 mm in single precision | soft contacts: it may hop |
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from unisim.config import OptionsCfg, TerrainCfg
from unisim.options import Cone
from unisim.parity.experiments.bench import Bench
from unisim.parity.experiments.experiment import Check, Experiment, check
from unisim.sim import Sim

G, DT, HALF = 9.81, 0.001, 0.02
SPEEDS = np.array([0.6, 0.8, 1.0, 1.3])
"""Initial speed of each world [m/s]."""
Rows = NDArray[np.floating]


@dataclass(frozen=True)
class _Plane:
    """A plane that falls along x by `slope` [rad], of sliding friction `mu`."""

    mu: float
    slope: float = 0.0
    cone: Cone | None = None

    @property
    def down(self) -> Rows:
        return np.array([np.cos(self.slope), 0.0, -np.sin(self.slope)])

    @property
    def up(self) -> Rows:
        return np.array([np.sin(self.slope), 0.0, np.cos(self.slope)])

    @property
    def brake(self) -> float:
        """Deceleration of what slides down [m/s²]."""
        return float(G * (self.mu * np.cos(self.slope) - np.sin(self.slope)))

    def box(self, bench: Bench) -> Sim:
        """A box at rest on it."""
        quat = (float(np.cos(self.slope / 2)), 0.0, float(np.sin(self.slope / 2)), 0.0)
        ground = TerrainCfg(kind="plane", friction=(self.mu, 0.005, 0.0001), quat=quat)
        options = OptionsCfg(timestep=DT, cone=self.cone)
        sim = bench.build("box.xml", len(SPEEDS), options, terrain=ground)
        qpos = np.tile([*(HALF * self.up), *quat], (len(SPEEDS), 1))
        sim.reset(qpos=qpos)
        sim.step(count=200)  # let the contacts take the weight
        return sim


def _push(sim: Sim, direction: Rows) -> Rows:
    """Give every world its speed; returns where it starts. Shape (n, 3)."""
    qvel = np.zeros((len(SPEEDS), 6))
    qvel[:, :3] = SPEEDS[:, None] * direction
    sim.write("qvel", qvel)
    return _place(sim)


def _place(sim: Sim) -> Rows:
    return np.asarray(sim.read("qpos"))[:, :3].astype(np.float64)


def _aside(bench: Bench, plane: _Plane, moved: Rows, way: float) -> Iterator[Check]:
    bound = bench.precise(1e-3, 2e-3)
    yield check("drift aside", "m", moved[:, 1], within=0.01 * way)
    yield check("lift off or sink", "m", moved @ plane.up, within=bound)


def _to_rest(bench: Bench) -> Iterator[Check]:
    plane = _Plane(0.1)
    with plane.box(bench) as sim:
        start = _push(sim, plane.down)
        sim.step(count=round(1.2 * SPEEDS.max() / plane.brake / DT))
        moved, qvel = _place(sim) - start, np.array(sim.read("qvel"))
    way = SPEEDS**2 / (2 * plane.brake)
    yield check("way to rest", "m", moved @ plane.down, way, within=0.02 * way)
    yield check("speed at rest", "m/s, rad/s", qvel, within=1e-2)
    yield from _aside(bench, plane, moved, float(way.min()))


def _incline(bench: Bench, degrees: float, cone: Cone) -> Iterator[Check]:
    plane, seconds = _Plane(0.2, float(np.radians(degrees)), cone), 1.0
    with plane.box(bench) as sim:
        start = _push(sim, plane.down)
        sim.step(count=round(seconds / DT))
        moved, qvel = _place(sim) - start, np.array(sim.read("qvel"))
    rate, friction = -plane.brake, plane.mu * G * np.cos(plane.slope)
    got = (qvel[:, :3] @ plane.down - SPEEDS) / seconds
    yield check("acceleration", "m/s²", got, rate, within=0.02 * friction)
    way = SPEEDS * seconds + rate * seconds**2 / 2
    bound = 0.02 * friction * seconds**2 / 2
    yield check("way", "m", moved @ plane.down, way, within=bound)
    yield from _aside(bench, plane, moved, float(way.min()))


def _stays(bench: Bench) -> Iterator[Check]:
    plane, seconds = _Plane(0.6, float(np.radians(20))), 0.5
    with plane.box(bench) as sim:
        start = _push(sim, plane.down)
        sim.step(count=round(1.2 * SPEEDS.max() / plane.brake / DT))
        rest = _place(sim)
        sim.step(count=round(seconds / DT))
        creep = (_place(sim) - rest) @ plane.down
    way = SPEEDS**2 / (2 * plane.brake)
    yield check("way", "m", (rest - start) @ plane.down, way, within=0.05 * way)
    bound = 0.02 * G * np.sin(plane.slope) * seconds**2 / 2
    yield check("creep", "m", creep, within=bound)


_CASES: tuple[tuple[int, Cone], ...] = (
    (15, "pyramidal"),
    (15, "elliptic"),
    (30, "pyramidal"),
    (30, "elliptic"),
)
SLIDING = (
    Experiment("slide to rest", "it stops after v²/(2 μ g)", _to_rest),
    *(
        Experiment(
            f"incline of {degrees}°, {cone} cone",
            "it gains g (sin α − μ cos α)",
            partial(_incline, degrees=degrees, cone=cone),
        )
        for degrees, cone in _CASES
    ),
    Experiment("rest on an incline", "it stops and stays where tan α < μ", _stays),
)
