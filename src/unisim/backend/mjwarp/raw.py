"""`mujoco_warp` as it comes: its functions, recorded once and replayed."""

import mujoco_warp as mjw
import numpy as np
import warp as wp

from unisim.backend.base import Array, BuildCfg, Worlds
from unisim.backend.device.arrays import DeviceArrays
from unisim.backend.device.compiling import compiling, start
from unisim.backend.device.program import Program
from unisim.backend.layout import Layout
from unisim.backend.mjwarp.build import put


class RawWarp:
    """Implements `unisim.backend.raw.RawEngine`."""

    def __init__(self, request: BuildCfg, layout: Layout) -> None:
        """Put model and data on the device, with the same room as the adapter.

        Raises:
            BadConfig: If a setting is unknown or has the wrong type.
            UnsupportedFeature: If MuJoCo Warp does not take the model.
        """
        start()
        arrays = DeviceArrays(request.device)
        handle = put(request, layout, arrays)
        self._model, self._data = handle.model, handle.data
        self._device, self._worlds = arrays.device, request.worlds
        self._mask = arrays.zeros((request.worlds,), "bool")
        self._key = wp.zeros(request.worlds, dtype=wp.int32, device=arrays.device)
        programs = (self._step, self._look, self._anew, self._to_key)
        self._programs = [Program(launches, arrays.device) for launches in programs]
        with compiling("mjwarp makes its kernels ready"):
            for program in self._programs * 2:
                program()
        self.reset(None, -1)

    def step(self, ctrl: Array, count: int, *, refresh: bool) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        if isinstance(ctrl, np.ndarray):
            self._data.ctrl.assign(ctrl)
        else:
            wp.copy(self._data.ctrl, ctrl)
        advance, look, _, _ = self._programs
        for _ in range(count):
            advance()
        if refresh:
            look()

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        _, _, anew, to_key = self._programs
        chosen = np.zeros(self._worlds, bool)
        chosen[slice(None) if worlds is None else worlds] = True
        if key < 0:
            self._mask.assign(chosen)
            anew()
        else:
            # MuJoCo Warp leaves worlds alone whose key is negative
            self._key.assign(np.where(chosen, key, -1).astype(np.int32))
            to_key()

    def wait(self) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        wp.synchronize_device(self._device)

    def close(self) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        vars(self).clear()

    def _step(self) -> None:
        mjw.step(self._model, self._data)

    def _look(self) -> None:
        """Position and velocity stages, as far as poses and sensors need them."""
        model, data = self._model, self._data
        mjw.kinematics(model, data)
        mjw.com_pos(model, data)
        mjw.camlight(model, data)
        mjw.tendon(model, data)
        mjw.transmission(model, data)
        mjw.sensor_pos(model, data)
        mjw.fwd_velocity(model, data)
        mjw.sensor_vel(model, data)

    def _anew(self) -> None:
        mjw.reset_data(self._model, self._data, self._mask)
        mjw.forward(self._model, self._data)

    def _to_key(self) -> None:
        mjw.reset_data_keyframe(self._model, self._data, self._key)
        mjw.forward(self._model, self._data)
