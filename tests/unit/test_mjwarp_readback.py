"""What is changed on the device after the build, the audit names."""

from copy import copy

import numpy as np
import pytest

from contract.scenes import composed
from mjwarp_sims import NEEDED, quadruped
from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model
from unisim.backend.audit.run import expected
from unisim.backend.audit.value import compare

pytestmark = NEEDED
wp = pytest.importorskip("warp")

REPLACED = registry.load("mjwarp").manifest.profile(None).replaces


@pytest.fixture(scope="module")
def sim():
    with quadruped() as sim:
        yield sim


def differences(sim):
    scene = composed("quadruped")
    got = registry.load("mjwarp").readback(sim.built.engine.handle)
    skip = {f"opt_{name}" for name in REPLACED}
    return {item.field for item in compare(expected(scene), got, scene.sources, skip)}


def held(sim):
    """Fields of the device's model that the audit reads, that hold something here."""
    model = sim.built.engine.handle.model
    names = {name for field in AUDITED.values() for name in field.raw}
    for name in sorted(names):
        owner = model.opt if name.startswith("opt.") else model
        value = vars(owner).get(name.removeprefix("opt."))
        if isinstance(value, wp.array) and value.size:
            yield name, value


def has_effect(name):
    """Whether the audit would see a change of this field in MuJoCo's own model."""
    scene = composed("quadruped")
    model = copy(scene.model)
    if name.startswith("opt."):
        return name.removeprefix("opt.") not in REPLACED
    getattr(model, name)[...] += 1
    return bool(compare(expected(scene), from_model(model), scene.sources, set()))


def test_an_engine_as_built_differs_in_nothing(sim):
    assert differences(sim) == set()


def test_every_array_that_is_audited_is_really_read(sim):
    unseen = []
    for name, array in held(sim):
        before = host(array).copy()
        changed = 1 - before if before.dtype == bool else before + 1
        array.assign(changed.astype(before.dtype))
        try:
            seen = bool(differences(sim))
        except (ValueError, IndexError, KeyError):
            seen = True  # an index that leads nowhere
        array.assign(before)
        if not seen and has_effect(name):
            unseen.append(name)
    assert differences(sim) == set()
    assert unseen == []


@pytest.mark.parametrize(
    ("array", "field"),
    [("body_mass", "body_mass"), ("geom_friction", "geom_friction"),
     ("dof_armature", "dof_armature"), ("actuator_gear", "actuator_gear")],
)  # fmt: skip
def test_a_difference_is_named(sim, array, field):
    values = getattr(sim.built.engine.handle.model, array)
    before = host(values).copy()
    values.assign((before * np.float32(1.01)).astype(np.float32))
    assert field in differences(sim)
    values.assign(before)
