"""MotrixSim as it comes."""

import motrixsim as mx
import numpy as np

from unisim.backend.base import Array, BuildCfg, Worlds
from unisim.backend.motrix.build import handle_of
from unisim.backend.motrix.order import Order


class RawMotrix:
    """Implements `unisim.backend.raw.RawEngine`.

    Actuators that are left to the reference do nothing here.
    """

    def __init__(self, request: BuildCfg) -> None:
        """Make a batch of the engine's share of the scene.

        Raises:
            UnisimError: In any form that `unisim.backend.motrix.build.build` raises.
        """
        handle = handle_of(request, watched=False)
        model, self._model = request.scene.model, handle.model
        self._native = np.asarray(model.actuator_ctrladr)[handle.share.actuators]
        order = Order(model, handle.shift)
        keys = [model.qpos0, *model.key_qpos], [np.zeros(model.nv), *model.key_qvel]
        self._qpos = order.theirs(np.array(keys[0]))
        self._qvel = np.array(keys[1], np.float32)
        self._data = mx.SceneData(handle.model, [request.worlds])
        self._ctrl = np.zeros((request.worlds, handle.model.num_actuators), np.float32)
        self.reset(None, -1)

    def step(self, ctrl: Array, count: int, *, refresh: bool) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        self._ctrl[:, : len(self._native)] = ctrl[:, self._native]
        self._data.actuator_ctrls = self._ctrl
        self._model.step_n(self._data, count)
        if refresh:
            self._model.forward_kinematic(self._data)
            self._model.get_link_poses(self._data)

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        data = self._data
        if worlds is not None:
            chosen = np.zeros(len(self._ctrl), bool)
            chosen[worlds] = True
            data = data[chosen]
        data.set_dof_pos(self._qpos[key + 1], self._model)
        data.set_dof_vel(self._qvel[key + 1])

    def wait(self) -> None:
        """See `unisim.backend.raw.RawEngine`: a call returns when it is done."""

    def close(self) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        vars(self).clear()
