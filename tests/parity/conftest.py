"""The benches: every installed backend that simulates, in every profile."""

import os
from collections.abc import Mapping

import pytest

from unisim.backend import registry
from unisim.parity.experiments import Bench

REQUIRED = frozenset(filter(None, os.environ.get("UNISIM_REQUIRE", "").split(",")))
CONSENT: Mapping[str, tuple[str, ...]] = {
    # Contacts yield by laws of their own: firmer, or softer, than is stated. What is
    # known without any engine is said of bodies that do not yield.
    "drake": ("geom", "contact", "option.cone"),
    "motrix": ("geom", "contact", "option.cone"),
}
"""By backend: approximations that do not spoil these experiments, and why."""
LACKING: Mapping[str, frozenset[str]] = {
    # Steps of another kind: experiments that name an integrator ask for its accuracy.
    "drake": frozenset({"option.integrator.rk4"}),
    "motrix": frozenset({"option.integrator.rk4"}),
}
"""By backend: what no consent makes up for, so that the refusal is right."""
_HOPS = "SAP lifts what slides: 3 mm at 1.9 m/s and 19 mm at 4.5 m/s, and turning"
_SPREADS = "a surface presses at its centre, and has no corners that carry"
_INCLINES = tuple(
    f"incline of {degrees}°, {cone} cone"
    for degrees in (15, 30)
    for cone in ("pyramidal", "elliptic")
)
FAILS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("drake", "sap"): dict.fromkeys(_INCLINES, _HOPS),
    ("drake", "hydroelastic"): {
        "corners": _SPREADS,
    },
}
"""By backend and profile: experiments that come out wrong there, and how."""

PROFILES = [
    (name, profile)
    for name in registry.names()
    for profile, facts in registry.load(name).manifest.profiles.items()
    if not facts.kinematic
]


@pytest.fixture(params=PROFILES, ids="-".join)
def bench(request: pytest.FixtureRequest) -> Bench:
    backend, profile = request.param
    return Bench(backend, profile, accept=CONSENT.get(backend, ()))
