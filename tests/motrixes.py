"""MotrixSim's worlds beside MuJoCo's, without anything between them."""

import os
from copy import copy

import mujoco
import numpy as np
import pytest

from beside import BesideMujoco
from physics import scene_from
from unisim.backend.base import BuildCfg

REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
if "motrix" not in REQUIRED:
    pytest.importorskip("motrixsim")

from unisim.backend.motrix.build import handle_of  # noqa: E402
from unisim.backend.motrix.sim import MotrixGuest  # noqa: E402

INTEGRATOR = {
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "euler": mujoco.mjtIntegrator.mjINT_EULER,
}


def request_of(scene, worlds=3, vary=(), **settings):
    return BuildCfg(
        scene=scene,
        worlds=worlds,
        profile="pgs",
        dtype="float32",
        vary=vary,
        settings=settings,
    )


class Beside(BesideMujoco):
    """n worlds of a scene in MotrixSim, and the same in MuJoCo."""

    def __init__(self, xml, worlds=3, integrator="euler", vary=(), **settings):
        self.scene = scene_from(xml) if isinstance(xml, str) else xml
        self.scene.model.opt.integrator = int(INTEGRATOR[integrator])
        model = copy(self.scene.model)
        model.opt.iterations, model.opt.tolerance = 200, 0
        request = request_of(self.scene, worlds, vary, **settings)
        handle = handle_of(request, watched=True)
        moved = MotrixGuest(handle, model, worlds, vary, lambda: handle)
        self.follow(moved, model, handle.rest, worlds)

    def scatter(self, seed=0, move=0.7, speed=3.0, ctrl=1.0):
        """Other positions, velocities and controls in every world."""
        rng = np.random.default_rng(seed)
        model = self.model
        for data, other in zip(self.datas, self.rests, strict=True):
            step = rng.normal(size=model.nv) * move
            mujoco.mj_integratePos(model, data.qpos, step, 1)
            data.qvel[:] = rng.normal(size=model.nv) * speed
            data.ctrl[:] = rng.normal(size=model.nu) * ctrl
            for values in (data.qpos, data.qvel, data.ctrl):
                values[:] = values.astype(np.float32)
            other.ctrl[:] = data.ctrl
            data.mocap_pos[:] += rng.normal(size=data.mocap_pos.shape)
        self.put()

    def off(self):
        """How far off velocities are, by the largest that there is."""
        speeds = self.of("qvel")
        assert np.isfinite(speeds).all()
        return np.abs(self.guest.qvel - speeds).max() / np.abs(speeds).max()
