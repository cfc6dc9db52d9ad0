"""The contract in its plainest form: a loop over worlds, each with an MjData."""

from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.fields import QUANTITIES

OBJECTS = {
    "body": mujoco.mjtObj.mjOBJ_XBODY,
    "geom": mujoco.mjtObj.mjOBJ_GEOM,
    "site": mujoco.mjtObj.mjOBJ_SITE,
}
WHOLE = int(mujoco.mjtState.mjSTATE_INTEGRATION)


class PlainWorld:
    """One world: `mj_step` moves it, and reads look at a copy."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self.model = model
        self.data = mujoco.MjData(model)
        self.last: dict[str, NDArray[np.floating]] | None = None
        self.late = np.zeros(model.nsensordata, bool)
        for start, size, stage in zip(
            model.sensor_adr, model.sensor_dim, model.sensor_needstage, strict=True
        ):
            self.late[start : start + size] = stage == mujoco.mjtStage.mjSTAGE_ACC

    def step(self, ctrl: NDArray[np.float64] | None, count: int) -> None:
        if ctrl is not None:
            self.data.ctrl = ctrl
        for _ in range(count):
            mujoco.mj_step(self.model, self.data)
        self.last = {
            name: np.array(getattr(self.data, name))
            for name, item in QUANTITIES.items()
            if item.stage == "acc"
        }

    def reset(self, key: int) -> None:
        mujoco.mj_resetData(self.model, self.data)
        if key >= 0:
            mujoco.mj_resetDataKeyframe(self.model, self.data, key)
        self.last = None

    def write(self, name: str, values: NDArray[np.float64]) -> None:
        if name == "time":
            self.data.time = values
        else:
            getattr(self.data, name)[...] = values
        self.last = None

    def read(self, name: str) -> NDArray[np.float64]:
        item = QUANTITIES[name]
        if item.stage == "state":
            return np.array(getattr(self.data, name), float)
        fresh = self._forwarded()
        if item.stage in ("pos", "vel"):
            return self._derived(name, fresh)
        if self.last is None:
            return np.array(getattr(fresh, name))
        if name == "sensordata":
            return np.where(self.late, self.last[name], fresh.sensordata)
        return self.last[name]

    def state(self) -> NDArray[np.float64]:
        """The whole integration state."""
        row = np.zeros(mujoco.mj_stateSize(self.model, WHOLE))
        mujoco.mj_getState(self.model, self.data, row, WHOLE)
        return row

    def _forwarded(self) -> mujoco.MjData:
        copy = mujoco.MjData(self.model)
        mujoco.mj_setState(self.model, copy, self.state(), WHOLE)
        mujoco.mj_forward(self.model, copy)
        return copy

    def _derived(self, name: str, data: mujoco.MjData) -> NDArray[np.float64]:
        kind, _, what = name.partition("_")
        if what not in ("linvel", "angvel"):
            return np.array(getattr(data, name))
        count = {"body": data.xpos, "geom": data.geom_xpos, "site": data.site_xpos}
        rows = np.zeros((len(count[kind]), 6))
        for i, row in enumerate(rows):
            mujoco.mj_objectVelocity(self.model, data, OBJECTS[kind], i, row, 0)
        return rows[:, :3] if what == "angvel" else rows[:, 3:]


class PlainWorlds:
    """n of them, with the names of `unisim.Sim`."""

    def __init__(self, model: mujoco.MjModel, count: int) -> None:
        self.each = [PlainWorld(model) for _ in range(count)]

    def step(self, ctrl: NDArray[np.float64] | None, count: int = 1) -> None:
        for i, world in enumerate(self.each):
            world.step(None if ctrl is None else ctrl[i], count)

    def reset(self, worlds: Sequence[int], key: int) -> None:
        for i in worlds:
            self.each[i].reset(key)

    def write(
        self, name: str, values: NDArray[np.float64], worlds: Sequence[int]
    ) -> None:
        for i, row in zip(worlds, values, strict=True):
            self.each[i].write(name, row)

    def read(self, name: str) -> NDArray[np.float64]:
        return np.array([world.read(name) for world in self.each])


def without_autoreset(model: mujoco.MjModel) -> mujoco.MjModel:
    """A copy in which MuJoCo does not reset what diverges."""
    from copy import copy

    model = copy(model)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    return model
