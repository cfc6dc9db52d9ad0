"""Every engine of this repository is held to the contract."""

import os

import pytest

from contract.scenes import FILES, REAL
from unisim.backend.manifest import Level
from unisim.backend.registry import known, manifest
from unisim.mjcf.features import FEATURES
from unisim.probe.contract import Contract, suite

OF_ALL = {
    "scenes": {**FILES, **REAL},
    "marks": dict.fromkeys(REAL, pytest.mark.real_robot),
}


def agreed(backend: str, profile: str) -> tuple[str, ...]:
    """Whatever an engine has a law of its own for."""
    return tuple(
        name
        for name in FEATURES
        if backend in known()
        and manifest(backend).support(profile, name).level is Level.APPROXIMATE
    )


CONTRACTS = {
    "mujoco": Contract(
        backend="mujoco",
        settings=({}, {"persistent": True}),
        # whatever rails has, the others have too: it is for engines that do less
        everyday=("sink", "pile", *FILES, *REAL),
        **OF_ALL,
    ),
    # kernels are compiled for every number of dofs: sink has the 18 of the quadruped
    # that other tests run, besides activations, delays, mocap and equalities
    "mjwarp": Contract(
        backend="mjwarp",
        accept=("contact.convex", "option.ls_iterations"),
        everyday=("sink",),
        **OF_ALL,
    ),
    "motrix": Contract(
        backend="motrix",
        accept=agreed("motrix", "pgs"),
        everyday=("pile", "sink"),
        **OF_ALL,
    ),
    "drake": Contract(
        backend="drake",
        accept=agreed("drake", "sap"),
        everyday=("pile",),
        **OF_ALL,
    ),
}
REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
# an engine on a device takes minutes to compile: it is asked for by name
HELD = [CONTRACTS[name] for name in CONTRACTS if name in {"mujoco", *REQUIRED}]

globals().update(suite(*HELD))
