"""Nothing of the reference's constraint stage enters an engine that is a guest."""

from copy import copy

import mujoco
import numpy as np
import pytest

from guests import GUESTS, adapter
from unisim.backend.base import BuildCfg
from unisim.backend.guest import engine as guest_engine
from unisim.backend.layout import layout_of
from unisim.probe.contract.scenes import composed

# an actuator with dynamics is always left to the reference, whose forces then push
SCENES = {
    "contacts": """<mujoco><option timestep=".004"/><worldbody>
      <geom type="plane" size="2 2 .1"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/>
        <site name="s"/><body pos=".1 0 .1"><joint name="k" axis="0 1 0" damping=".1"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body>
      </worldbody><sensor><accelerometer site="s"/></sensor><actuator>
      <general joint="k" dyntype="filter" dynprm=".05"/></actuator></mujoco>""",
    "limits": """<mujoco><option timestep=".004"/><worldbody>
      <body pos="0 0 1"><joint name="a" axis="0 1 0" range="-20 20" limited="true"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <body pos=".3 0 0"><joint axis="0 1 0" damping=".1"/>
          <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body>
      </worldbody><actuator><general joint="a" gear="3" dyntype="filter"
      dynprm=".05"/></actuator></mujoco>""",
}


def without_constraints(model):
    """The same model with every constraint off, and with other numbers in it."""
    spoiled = copy(model)
    spoiled.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    spoiled.geom_contype[:] = spoiled.geom_conaffinity[:] = 0
    spoiled.geom_friction[:] *= 3
    spoiled.geom_solref[:] = 0.5, 0.1
    spoiled.geom_solimp[:, :2] = 0.1, 0.2
    spoiled.jnt_range[:] *= 0.1
    spoiled.jnt_solref[:] = 0.5, 0.1
    spoiled.dof_frictionloss[:] = 7.0
    return spoiled


def path(backend, text):
    scene = composed(text)
    manifest = adapter(backend).manifest
    request = BuildCfg(
        scene=scene, worlds=2, profile=manifest.default_profile,
        dtype=manifest.abilities.dtypes[0],
    )  # fmt: skip
    engine = adapter(backend).build(request, layout_of(scene.model))
    found = []
    for i in range(60):
        ctrl = np.full((2, scene.model.nu), 0.4 * np.sin(0.2 * i), request.dtype)
        engine.step(ctrl, 2)
        found.append(np.concatenate([engine.read("qpos"), engine.read("qvel")], 1))
    engine.close()
    return np.array(found)


@pytest.mark.parametrize("text", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("backend", GUESTS)
def test_an_engine_moves_alike_without_the_references_constraints(
    backend, text, monkeypatch
):
    first = path(backend, text)
    for name in ("Push", "Senses"):
        part = getattr(guest_engine, name)
        monkeypatch.setattr(
            *(guest_engine, name),
            lambda model, *rest, _part=part: _part(without_constraints(model), *rest),
        )
    np.testing.assert_array_equal(path(backend, text), first)
