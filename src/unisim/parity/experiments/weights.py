"""Boxes come to rest on a floor, which carries their weight.

| what | tolerance | from |
| --- | --- | --- |
| sum of normal forces, m g | 2 % | what is left of the fall after 2 s |
| net force, m g | 2 % | the same |
| height of the centre | 1 mm | MuJoCo's default contacts sink in by some 0.1 mm |
| speed | 1 mm/s, 10 mrad/s | the same |
| place of a corner that touches | 2 mm | the same, and a box that leans |
| contact normal | 1e-6, in single precision 1e-4 | rounding |
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unisim.config import ContactQueryCfg, OptionsCfg
from unisim.parity.experiments.bench import Bench
from unisim.parity.experiments.experiment import Check, Experiment, check
from unisim.sim import Sim

G, DT, HALF, WORLDS, STEPS = 9.81, 0.002, 0.1, 4, 1000
MASS = {"light": 0.5, "middle": 2.0, "heavy": 8.0}
"""Of each box [kg]."""
DROP = np.array([0.0, 0.01, 0.03, 0.05])
"""Height above the floor that each world starts from [m]."""
CORNERS = tuple(
    ContactQueryCfg(
        name=name,
        first=name,
        second="floor",
        slots=8,
        fields=("force", "dist", "pos", "normal"),
    )
    for name in MASS
)
NET = tuple(
    ContactQueryCfg(
        name=name, kind="body", first=name, fields=("force",), reduce="netforce"
    )
    for name in MASS
)
Rows = NDArray[np.floating]


def _settled(bench: Bench, contacts: tuple[ContactQueryCfg, ...]) -> Sim:
    options = OptionsCfg(timestep=DT)
    sim = bench.build("weights.xml", WORLDS, options, contacts=contacts)
    qpos = np.array(sim.read("qpos"))
    for i, name in enumerate(MASS):
        column = sim.layout.columns("qpos", name)
        qpos[:, column.start + 2] = HALF + DROP + 0.005 * i
    sim.reset(qpos=qpos)
    sim.step(count=STEPS)
    return sim


def _still(bench: Bench) -> Iterator[Check]:
    with _settled(bench, ()) as sim:
        boxes = [sim.layout.index("body", name) for name in MASS]
        place, moving, turning = (
            np.array(np.asarray(sim.read(name))[:, boxes])
            for name in ("xpos", "body_linvel", "body_angvel")
        )
    yield check("height", "m", place[..., 2], HALF, within=1e-3)
    yield check("velocity", "m/s", moving, within=1e-3)
    yield check("turning", "rad/s", turning, within=1e-2)


def _net(bench: Bench) -> Iterator[Check]:
    with _settled(bench, NET) as sim:
        for name, mass in MASS.items():
            force = np.asarray(sim.contact(name).fields["force"])[:, 0]
            size, weight = np.linalg.norm(force, axis=-1), mass * G
            yield check(f"force on {name}", "N", size, weight, within=0.02 * weight)


def _corners(bench: Bench) -> Iterator[Check]:
    with _settled(bench, CORNERS) as sim:
        for name, mass in MASS.items():
            reading, weight = sim.contact(name), mass * G
            found = np.array(reading.found)
            fields = {k: np.array(v) for k, v in reading.fields.items()}
            body = sim.layout.index("body", name)
            centre = np.asarray(sim.read("xpos"))[:, None, body]
            touching = np.arange(CORNERS[0].slots) < found[:, None]
            normal = np.abs(fields["force"][..., 0].sum(axis=1))
            corner = np.abs(fields["pos"] - centre)[touching]
            # three corners carry a box, eight slots hold all that it has
            yield check(f"corners of {name}", "1", found, 5.5, within=2.5)
            yield check(f"load of {name}", "N", normal, weight, within=0.02 * weight)
            yield check(f"places below {name}", "m", corner, HALF, within=2e-3)
            gap = fields["dist"][touching]
            yield check(f"depth of {name}", "m", gap, within=1e-3)
            yield check(
                f"normals below {name}",
                "1",
                np.abs(fields["normal"])[touching],
                np.array([0.0, 0.0, 1.0]),
                within=bench.precise(1e-6, 1e-4),
            )


WEIGHTS = (
    Experiment("boxes at rest", "they stand on the floor, still", _still),
    Experiment("weights", "the force on each box is m g", _net),
    Experiment("corners", "three corners or more carry m g, upwards", _corners),
)
