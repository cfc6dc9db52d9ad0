"""Boxes come to rest on a floor, which carries their weight.

| what | tolerance | from |
| --- | --- | --- |
| sum of normal forces, m g | 2 % | what is left of the fall after 2 s |
| net force, m g upwards | 2 % | the same |
| height of the centre | 1 mm | MuJoCo's default contacts sink in by some 0.1 mm |
| speed | 1 mm/s | the same |
"""

import numpy as np
import pytest

from unisim import ContactQueryCfg

G, DT, HALF, WORLDS = 9.81, 0.002, 0.1, 4
MASS = {"light": 0.5, "middle": 2.0, "heavy": 8.0}
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


def settle(bench, contacts):
    sim = bench("weights.xml", WORLDS, timestep=DT, contacts=contacts)
    qpos = sim.read("qpos").copy()
    for i, name in enumerate(MASS):
        column = sim.layout.columns("qpos", name)
        qpos[:, column.start + 2] = HALF + DROP + 0.005 * i
    sim.reset(qpos=qpos)
    sim.step(count=1000)
    return sim


@pytest.mark.parametrize("name", MASS)
def test_the_floor_carries_each_weight(bench, name):
    sim = settle(bench, CORNERS)
    reading = sim.contact(name)
    assert (reading.found >= 3).all()
    assert not reading.overflow.any()
    normal = reading.fields["force"][..., 0].sum(axis=1)
    np.testing.assert_allclose(np.abs(normal), MASS[name] * G, rtol=0.02)
    for world, found in enumerate(reading.found):
        np.testing.assert_allclose(
            np.abs(reading.fields["normal"][world, :found]),
            np.tile([0, 0, 1], (found, 1)),
            atol=1e-6,
        )
        assert np.abs(reading.fields["dist"][world, :found]).max() < 1e-3
        corner = reading.fields["pos"][world, :found]
        centre = sim.read("xpos")[world, sim.layout.index("body", name)]
        np.testing.assert_allclose(np.abs(corner - centre), HALF, atol=2e-3)


@pytest.mark.parametrize("name", MASS)
def test_the_net_force_is_the_weight(bench, name):
    reading = settle(bench, NET).contact(name)
    size = np.linalg.norm(reading.fields["force"][:, 0], axis=-1)
    np.testing.assert_allclose(size, MASS[name] * G, rtol=0.02)


def test_boxes_rest_where_the_floor_is(bench):
    sim = settle(bench, ())
    for name in MASS:
        body = sim.layout.index("body", name)
        assert np.abs(sim.read("xpos")[:, body, 2] - HALF).max() < 1e-3
        assert np.abs(sim.read("body_linvel")[:, body]).max() < 1e-3
        assert np.abs(sim.read("body_angvel")[:, body]).max() < 1e-2
