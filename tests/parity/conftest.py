"""The benches: every installed backend that simulates, in every profile."""

import os
from collections.abc import Mapping

import pytest

from unisim.backend import registry
from unisim.parity.experiments import Bench

REQUIRED = frozenset(filter(None, os.environ.get("UNISIM_REQUIRE", "").split(",")))
CONSENT: Mapping[str, tuple[str, ...]] = {}
"""By backend: approximations that do not spoil these experiments, and why."""

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
