"""Drake's worlds beside MuJoCo's, without anything between them."""

import os
from copy import copy

import mujoco
import numpy as np
import pytest

from beside import BesideMujoco
from physics import scene_from
from unisim.backend.base import BuildCfg

REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
if "drake" not in REQUIRED:
    pytest.importorskip("pydrake")

from pydrake.multibody.plant import DiscreteContactApproximation  # noqa: E402

from unisim.backend.drake.build import guest  # noqa: E402

_GONE = (
    ()
    if "kTamsi" in DiscreteContactApproximation.__members__
    else ("tamsi", "hydroelastic")
)
USUAL = "sap" if _GONE else "tamsi"
"""The profile of tests that are about any."""


def profiles(*names):
    """Those of them that the installed Drake has: TAMSI went with a release."""
    return [name for name in names if name not in _GONE]


class Beside(BesideMujoco):
    """n worlds of a scene in Drake, and the same in MuJoCo."""

    def __init__(self, xml, worlds=3, profile=USUAL, vary=(), **settings):
        self.scene = scene_from(xml)
        request = BuildCfg(
            scene=self.scene,
            worlds=worlds,
            profile=profile,
            vary=vary,
            settings=settings,
        )
        moved = guest(request)
        self.follow(moved, self.scene.model, copy(moved.handle.rest), worlds)

    def scatter(self, seed=0, move=0.7, speed=3.0, ctrl=1.0):
        """Other positions, velocities and controls in every world."""
        rng = np.random.default_rng(seed)
        model = self.model
        for data, other in zip(self.datas, self.rests, strict=True):
            step = rng.normal(size=model.nv) * move
            mujoco.mj_integratePos(model, data.qpos, step, 1)
            data.qvel[:] = rng.normal(size=model.nv) * speed
            data.ctrl[:] = other.ctrl[:] = rng.normal(size=model.nu) * ctrl
            data.mocap_pos[:] += rng.normal(size=data.mocap_pos.shape)
            data.mocap_quat[:] = rng.normal(size=data.mocap_quat.shape)
        self.put()

    def poses(self, world):
        """Where Drake has the bodies of a world: origins, and rotation matrices."""
        guest, which = self.guest, np.array([world])
        know, handle = guest._coordinates, guest.handle
        qpos, qvel = guest.qpos[which], guest.qvel[which]
        turn = know.rotations(qpos)
        guest._turn_balls(which, know.ball_rotations(qpos))
        context = handle.worlds[world].context
        context.SetDiscreteState(know.state(qpos, qvel, turn)[0])
        bodies = [handle.plant.world_body()]
        bodies += [
            handle.plant.GetBodyByName(self.model.body(i).name)
            for i in range(1, self.model.nbody)
        ]
        found = [body.EvalPoseInWorld(context) for body in bodies]
        turned = [item.rotation().matrix() for item in found]
        return np.array([item.translation() for item in found]), np.array(turned)

    def off(self):
        """How far off positions and velocities are, by what there is."""
        assert np.isfinite(self.of("qvel")).all()
        return max(
            np.abs(self.guest.qpos - self.of("qpos")).max(),
            np.abs(self.guest.qvel - self.of("qvel")).max(),
        )
