"""What a manifest says that a sim can do: it can, or it says that it cannot."""

import inspect

import numpy as np
import pytest

from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.base import Backend, Engine
from unisim.errors import LacksAbility
from unisim.probe.contract.worlds import commands, same, scatter, state
from unisim.task import build

NO_METHODS = {"manifest", "name", "handle", "faults"}


def test_some_scene_of_the_contract_is_run(contract, build_sim):
    assert any(not build_sim.refusals(name) for name in contract.every)


def methods(protocol):
    return sorted(
        name
        for name in vars(protocol)
        if not name.startswith("_") and name not in NO_METHODS
    )


@pytest.mark.parametrize("name", methods(Backend))
def test_the_adapter_takes_what_the_protocol_says(contract, name):
    backend = registry.load(contract.backend)
    assert backend.name == contract.backend == backend.manifest.name
    assert arguments(getattr(backend, name)) == arguments(getattr(Backend, name))


def arguments(method):
    """Names of the arguments of a method, those that are not used too."""
    names = inspect.signature(method).parameters
    return [name.removeprefix("_") for name in names if name != "self"]


def test_the_engine_takes_what_the_protocol_says(build_sim, full_scene):
    engine = build_sim(full_scene).built.engine
    for name in methods(Engine):
        expected = arguments(getattr(Engine, name))
        assert arguments(getattr(engine, name)) == expected, name


def test_a_second_sim_lives_beside_the_first_or_is_refused(build_sim, full_scene):
    sim = build_sim(full_scene)
    again = sim.built.task, sim.built.scene
    if not build_sim.manifest.abilities.second_sim:
        with pytest.raises(LacksAbility, match="second_sim"):
            build(*again)
        sim.close()
    with build(*again) as other:
        other.step(count=2)
        assert np.all(host(other.steps) == 2)


def test_a_restore_gives_back_what_can_be_written(build_sim, full_scene):
    sim = build_sim(full_scene)
    scatter(sim)
    if build_sim.manifest.abilities.snapshot == "none":
        with pytest.raises(LacksAbility, match="snapshot"):
            sim.snapshot()
        return
    before, saved = state(sim), sim.snapshot()
    sim.step(commands(sim, np.random.default_rng(5)), 4)
    sim.reset([1, 4])
    sim.restore(saved)
    same(before, state(sim))
