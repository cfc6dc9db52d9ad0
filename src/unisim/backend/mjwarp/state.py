"""The state of all worlds on the device, and what a reset returns it to."""

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

from unisim.backend.base import Fault
from unisim.backend.device import kernels
from unisim.backend.device.arrays import DeviceArrays, flat

_ROWS: tuple[str, ...] = (
    "qpos", "qvel", "act", "mocap_pos", "mocap_quat", "qfrc_applied", "xfrc_applied",
    "userdata", "history", "qacc_warmstart",
)  # fmt: skip
"""State that the engine's own arrays hold as it is."""
_CHECKED = {
    **dict.fromkeys(("qpos", "qvel", "act", "qacc_warmstart"), Fault.STATE),
    **dict.fromkeys(("qfrc_applied", "xfrc_applied"), Fault.STATE),
    **dict.fromkeys(("mocap_pos", "mocap_quat"), Fault.STATE),
    "ctrl": Fault.CONTROL,
}


class WorldState:
    """MuJoCo's integration state of n worlds.

    Time is kept in float64 and rounded for the engine before every pass. Controls and
    switches are kept as they were written; the engine gets what it may apply.

    Attributes:
        rows: By name, every part of the state. Shape (n, columns).
        mask: Worlds that the next reset returns. Shape (n,).
        key: Row of the origin that it returns them to. Shape (1,).
    """

    def __init__(
        self, model: mujoco.MjModel, data: mjw.Data, arrays: DeviceArrays
    ) -> None:
        """Look at the engine's arrays, and tabulate what resets return to."""
        worlds = data.nworld
        self._data, self._device = data, arrays.device
        self.time = arrays.zeros((worlds,), "float64")
        self.rows: dict[str, wp.array] = {
            name: flat(getattr(data, name)) for name in _ROWS
        }
        self.rows["time"] = flat(self.time)
        for name, columns in (("ctrl", model.nu), ("eq_active", model.neq)):
            self.rows[name] = arrays.zeros((worlds, columns), "float32")
        self.mask = arrays.zeros((worlds,), "bool")
        self.key = wp.zeros(1, dtype=wp.int32, device=arrays.device)
        self._origin = {
            name: arrays.upload(table) for name, table in _origin(model).items()
        }

    def reset(self) -> None:
        """Launch: return the masked worlds to the key."""
        for name, table in self._origin.items():
            into = self.rows[name]
            kernel = kernels.put_time if name == "time" else kernels.put_origin
            self._launch(kernel, into.shape, [self.mask, self.key, table, into])
        self.switch()

    def switch(self) -> None:
        """Launch: give the engine the switches of the equalities."""
        values, into = self.rows["eq_active"], self._data.eq_active
        self._launch(kernels.switch, into.shape, [values, into])

    def apply(self, faults: wp.array) -> None:
        """Launch: give the engine time and controls; worlds with bad ones get none."""
        self._launch(kernels.narrow, self.time.shape, [self.time, self._data.time])
        inputs = [self.rows["ctrl"], self._data.ctrl, faults]
        self._launch(kernels.apply_controls, self.time.shape, inputs)

    def check(self, faults: wp.array) -> None:
        """Launch: flag worlds whose state or control is not finite, or huge."""
        for name, fault in _CHECKED.items():
            if self.rows[name].size:
                inputs = [int(fault), self.rows[name], faults]
                self._launch(kernels.check_rows, self.time.shape, inputs)

    def advance(self, timestep: float) -> None:
        """Launch: let a step's time pass."""
        self._launch(kernels.add, self.time.shape, [wp.float64(timestep), self.time])

    def _launch(self, kernel: wp.Kernel, dim: tuple[int, ...], inputs: list) -> None:
        wp.launch(kernel, dim=dim, inputs=inputs, device=self._device)


def _origin(model: mujoco.MjModel) -> dict[str, np.ndarray]:
    """By name: what MuJoCo resets to, the defaults first, then every key."""
    data, tables = mujoco.MjData(model), {}
    for key in range(-1, model.nkey):
        mujoco.mj_resetData(model, data)
        if key >= 0:
            mujoco.mj_resetDataKeyframe(model, data, key)
        for name in (*_ROWS, "ctrl", "eq_active", "time"):
            row = np.array(getattr(data, name)).ravel()
            tables.setdefault(name, []).append(row)
    time = np.array(tables.pop("time"), np.float64)
    return {k: np.array(v, np.float32) for k, v in tables.items()} | {"time": time}
