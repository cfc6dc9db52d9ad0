"""What is changed on the device after the build, the audit names."""

import numpy as np
import pytest

from contract.scenes import composed
from mjwarp_sims import NEEDED, quadruped
from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.run import expected
from unisim.backend.audit.value import compare

pytestmark = NEEDED
wp = pytest.importorskip("warp")


@pytest.fixture(scope="module")
def sim():
    with quadruped() as sim:
        yield sim


def differences(sim):
    scene = composed("quadruped")
    got = registry.load("mjwarp").readback(sim.built.engine.handle)
    skip = {
        "opt_tolerance", "opt_jacobian", "opt_o_margin", "opt_o_solref", "opt_o_solimp",
        "opt_o_friction",
    }  # fmt: skip
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
        if not seen:
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
