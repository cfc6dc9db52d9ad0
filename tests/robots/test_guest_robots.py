"""Robots on engines that are translated to: they hold their pose, or are refused."""

import os
from pathlib import Path

import pytest

from robots.every import files
from robots.guests import GUESTS, let_go
from unisim.errors import UnsupportedFeature

OWN = Path(__file__).resolve().parent.parent.parent / "models"
FILES = {
    "biped": OWN / "biped/scene.xml",
    "cartpole": OWN / "cartpole/cartpole.xml",
    "quadruped": OWN / "quadruped/scene.xml",
    "twoarm": OWN / "twoarm/scene.xml",
}
REAL = {name: file for name, file in files().items() if "__" in name}
SHORT = (
    "menagerie__unitree_a1__novis",
    "menagerie__skydio_x2",
    "menagerie__wonik_allegro__scene_right",
    "mujoco__car__car",
    "mujoco__flex__pulley",
)
"""What every run takes of the real robots; `UNISIM_CONTRACT=full` takes all."""
REFUSED = {
    ("drake", "gymnasium_robotics__adroit_door"): (
        "tendon.limited", "tendon 'T_WRJ1r'", "adroit_assets.xml:96",
    ),
    ("motrix", "gymnasium_robotics__adroit_door"): (
        "pair 'contact_pair_q'", "adroit_assets.xml:88",
    ),
    ("drake", "mujoco__flex__pulley"): ("flex", "flex 'cable'", "pulley.xml:32"),
    ("motrix", "mujoco__flex__pulley"): ("flex", "flex 'cable'", "pulley.xml:32"),
    ("drake", "dm_control__suite__quadruped"): (
        "equality.tendon", "equality 'coupling_front_left'", "quadruped.xml:272",
    ),
    ("motrix", "dm_control__suite__quadruped"): (
        "equality.tendon", "equality 'coupling_front_left'", "quadruped.xml:272",
    ),
}  # fmt: skip
"""What an engine lacks: feature, element and place that the refusal names."""
HEIGHT = 0.02
"""Of a free body beside MuJoCo's [m]."""
STANDS = (1.0, 0.01)
"""Seconds, and how far joints may then be from MuJoCo's [rad or m]."""
FALLS = {
    # motors that give nothing: it collapses from the start
    "loco_mujoco__atlas": (0.2, 0.03),
    "biped": (1.0, 0.12),
    "menagerie__agility_cassie": (1.0, 0.15),
    # a hand drawn to where it already nearly is, by more joints than that takes
    "gymnasium_robotics__fetch__pick_and_place": (1.0, 0.12),
}
"""The same of what nothing holds: firm and soft contacts take it different ways."""


def cases():
    full = os.environ.get("UNISIM_CONTRACT") == "full"
    real = REAL if full else {name: REAL.get(name) for name in SHORT}
    for guest in GUESTS:
        (backend,) = guest.values
        for name in {**FILES, **real}:
            marks = [*guest.marks]
            if name not in FILES:
                marks.append(pytest.mark.real_robot)
            yield pytest.param(backend, name, id=f"{backend}-{name}", marks=marks)


@pytest.mark.parametrize(("backend", "name"), list(cases()))
def test_it_holds_its_pose_as_in_mujoco_or_the_refusal_says_what_is_lacking(
    backend, name
):
    file = {**FILES, **REAL}[name]
    if (backend, name) in REFUSED:
        with pytest.raises(UnsupportedFeature) as refused:
            let_go(file, backend, 0.0)
        said = str(refused.value)
        assert all(word in said for word in REFUSED[backend, name]), said[:500]
        return
    seconds, joints = FALLS.get(name, STANDS)
    held = let_go(file, backend, seconds)
    print(held)
    assert held.faults == 0
    assert held.height < HEIGHT
    assert held.joints < joints
