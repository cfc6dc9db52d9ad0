"""MuJoCo in the place of an engine that is a guest: what is right is known."""

from copy import copy
from functools import cache

import mujoco
import numpy as np

from unisim.backend.adapter import manifest_of
from unisim.backend.arrays import HOST
from unisim.backend.audit.model import from_model
from unisim.backend.guest.engine import GuestEngine, Parts
from unisim.backend.guest.guest import Contacts

_ALL = ("gainprm", "biasprm")


def moved(model):
    """What the guest does itself: dampers, gravity, all constraints."""
    own = copy(model)
    own.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    own.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    own.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SPRING
    own.opt.density = own.opt.viscosity = 0
    own.body_gravcomp[:] = 0
    own.tendon_stiffness[:] = own.tendon_damping[:] = 0
    return own


def rest(model):
    left = copy(model)
    left.dof_damping[:] = 0
    return left


class MujocoGuest:
    """Implements `Guest`, a world after the other."""

    def __init__(self, model, worlds):
        self.model = self.handle = moved(model)
        self.data = [mujoco.MjData(self.model) for _ in range(worlds)]
        self.trial = [mujoco.MjData(self.model) for _ in range(worlds)]
        self.listed = [()] * worlds

    qpos = property(lambda self: np.array([data.qpos for data in self.data]))
    qvel = property(lambda self: np.array([data.qvel for data in self.data]))

    def put(self, qpos, qvel, worlds):
        for row, world in enumerate(self._all(worlds)):
            data = self.data[world]
            data.qpos[:], data.qvel[:] = qpos[row], qvel[row]
            data.qacc_warmstart[:] = 0

    def step(self, inputs, count, worlds):
        for world in self._all(worlds):
            for _ in range(count):
                self._step(self.data[world], inputs, world)

    def forward(self, inputs, worlds):
        for world in worlds:
            trial, data = self.trial[world], self.data[world]
            for name in ("qpos", "qvel", "qacc_warmstart"):
                getattr(trial, name)[:] = getattr(data, name)
            self._step(trial, inputs, world)
        return np.array([self.trial[world].qvel for world in worlds])

    def contacts(self, worlds):
        rows = [
            (world, *row) for world in self._all(worlds) for row in self.listed[world]
        ]
        world = np.array([row[0] for row in rows], np.int64)
        shapes = ((0, 2), (0,), (0, 3), (0, 3), (0, 3))
        parts = [
            np.array([row[1 + i] for row in rows]) if rows else np.zeros(shape)
            for i, shape in enumerate(shapes)
        ]
        return Contacts(world, parts[0].astype(np.int32), *parts[1:])

    def vary(self, name, values, worlds):
        raise NotImplementedError

    def save(self):
        return [copy(data) for data in self.data], list(self.listed)

    def restore(self, saved):
        self.data, self.listed = [copy(data) for data in saved[0]], list(saved[1])

    def close(self):
        pass

    def _all(self, worlds):
        return range(len(self.data)) if worlds is None else worlds

    def _step(self, data, inputs, world):
        data.qfrc_applied[:] = 0 if inputs.push is None else inputs.push[world]
        data.mocap_pos[:] = inputs.mocap_pos[world]
        data.mocap_quat[:] = inputs.mocap_quat[world]
        data.eq_active[:] = inputs.eq_active[world]
        mujoco.mj_step(self.model, data)
        self.listed[world] = [self._row(data, i) for i in range(data.ncon)]

    def _row(self, data, i):
        contact, local = data.contact[i], np.zeros(6)
        mujoco.mj_contactForce(self.model, data, i, local)
        frame = contact.frame.reshape(3, 3)
        return (
            contact.geom.copy(),
            contact.dist,
            contact.pos.copy(),
            frame[0].copy(),
            frame.T @ local[:3],
        )


class Backend:
    """Implements `unisim.backend.base.Backend`."""

    name = "guest"
    manifest = property(lambda self: _manifest())

    def settings(self, request):
        return None

    def arrays(self, request):
        return HOST

    def build(self, request, layout):
        model = request.scene.model
        guest = MujocoGuest(model, request.worlds)
        parts = Parts(guest, rest(model), np.array(model.dof_damping))
        return GuestEngine(parts, request, layout)

    def readback(self, handle):
        return from_model(handle)


@cache
def _manifest():
    return manifest_of("unisim.backend.mujoco")
