"""Worlds that a guest moves beside MuJoCo's, without anything between them."""

import mujoco
import numpy as np

from unisim.backend.guest.guest import Inputs


class BesideMujoco:
    """n worlds of a model that a guest moves, and the same in MuJoCo."""

    def follow(self, guest, model, rest, worlds):
        """Take a guest, and the model of what is left to the reference."""
        self.guest, self.model, self.rest = guest, model, rest
        off = mujoco.mjtDisableBit
        rest.opt.disableflags |= off.mjDSBL_CONSTRAINT | off.mjDSBL_AUTORESET
        self.datas = [mujoco.MjData(model) for _ in range(worlds)]
        self.rests = [mujoco.MjData(rest) for _ in range(worlds)]
        self.eq_active = np.tile(model.eq_active0, (worlds, 1)).astype(float)

    def put(self):
        self.guest.put(self.of("qpos"), self.of("qvel"), None)

    def of(self, name):
        return np.array([getattr(data, name) for data in self.datas])

    def inputs(self):
        """What the reference makes of the guest's state."""
        push = np.zeros((len(self.datas), self.model.nv))
        for i, data in enumerate(self.rests):
            data.qpos, data.qvel = self.guest.qpos[i], self.guest.qvel[i]
            data.qfrc_applied = self.datas[i].qfrc_applied
            data.xfrc_applied = self.datas[i].xfrc_applied
            mujoco.mj_step(self.rest, data)
            push[i] = data.qfrc_smooth + data.qfrc_bias
        poses = self.of("mocap_pos"), self.of("mocap_quat")
        return Inputs(self.of("ctrl"), push, *poses, self.eq_active)

    def step(self, count=1):
        for _ in range(count):
            self.guest.step(self.inputs(), 1, None)
            for data in self.datas:
                mujoco.mj_step(self.model, data)
