"""What a probe is done to: an engine, or MuJoCo itself; both are driven alike."""

from copy import copy
from typing import Protocol

import mujoco
import numpy as np

from unisim.backend.arrays import host
from unisim.backend.audit.profile import reference_model
from unisim.backend.base import Backend, BuildCfg, Engine
from unisim.backend.layout import layout_of
from unisim.backend.manifest import Profile
from unisim.probe.start import STARTS, Array
from unisim.scene.scene import Scene


class Subject(Protocol):
    """A running scene of `STARTS` worlds, and what it holds."""

    def reset(self, key: int) -> None:
        """Return all worlds to a key, -1 for the defaults."""
        ...

    def write(self, name: str, values: Array) -> None:
        """Set a quantity of all worlds. Shape (STARTS, ...)."""
        ...

    def step(self, ctrl: Array) -> None:
        """Advance all worlds by one physics step. `ctrl` has shape (STARTS, nu)."""
        ...

    def read(self, name: str) -> Array:
        """A quantity of all worlds, copied. Shape (STARTS, ...)."""
        ...


class Reference:
    """MuJoCo, one set of data per world."""

    def __init__(
        self, scene: Scene, profile: Profile, *, rounded: bool = False
    ) -> None:
        """Take a scene, run with what the profile declares.

        Args:
            scene: The scene.
            profile: Solver profile of the engine beside it.
            rounded: Whether the state is rounded to single precision after each step.
        """
        self._rounded = rounded
        self._model = copy(reference_model(scene.model, profile))
        self._model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
        self._worlds = [mujoco.MjData(self._model) for _ in range(STARTS)]
        self._spare = mujoco.MjData(self._model)

    def reset(self, key: int) -> None:
        """See `Subject`."""
        for data in self._worlds:
            if key < 0:
                mujoco.mj_resetData(self._model, data)
            else:
                mujoco.mj_resetDataKeyframe(self._model, data, key)

    def write(self, name: str, values: Array) -> None:
        """See `Subject`."""
        for data, row in zip(self._worlds, values, strict=True):
            getattr(data, name)[:] = row

    def step(self, ctrl: Array) -> None:
        """See `Subject`."""
        for data, row in zip(self._worlds, ctrl, strict=True):
            data.ctrl[:] = row
            mujoco.mj_step(self._model, data)
            if self._rounded:
                data.qpos[:] = data.qpos.astype(np.float32)
                data.qvel[:] = data.qvel.astype(np.float32)

    def read(self, name: str) -> Array:
        """See `Subject`."""
        return np.array([self._current(data, name) for data in self._worlds])

    def _current(self, data: mujoco.MjData, name: str) -> Array:
        """A quantity of the current state; accelerations stay the last step's."""
        model, spare = self._model, self._spare
        mujoco.mj_copyData(spare, model, data)
        mujoco.mj_fwdPosition(model, spare)
        mujoco.mj_sensorPos(model, spare)
        mujoco.mj_fwdVelocity(model, spare)
        mujoco.mj_sensorVel(model, spare)
        if name not in {"body_linvel", "body_angvel"}:
            return np.array(getattr(spare, name), dtype=np.float64)
        velocity, found = np.empty(6), np.empty((model.nbody, 3))
        rows = slice(3, 6) if name == "body_linvel" else slice(0, 3)
        for body in range(model.nbody):
            kind = mujoco.mjtObj.mjOBJ_XBODY
            mujoco.mj_objectVelocity(model, spare, kind, body, velocity, 0)
            found[body] = velocity[rows]
        return found


class Built:
    """An engine that an adapter built, past the gate and without audit.

    The gate is left out, since a probe asks what the manifest is to say; and the audit,
    since it stops where a probe measures how far.
    """

    def __init__(self, backend: Backend, request: BuildCfg) -> None:
        """Build it.

        Raises:
            UnisimError: As the adapter does.
        """
        self.engine: Engine = backend.build(request, layout_of(request.scene.model))

    def reset(self, key: int) -> None:
        """See `Subject`."""
        self.engine.reset(None, key)

    def write(self, name: str, values: Array) -> None:
        """See `Subject`."""
        dtype = host(self.engine.read(name)).dtype
        self.engine.write(name, values.astype(dtype), None)

    def step(self, ctrl: Array) -> None:
        """See `Subject`."""
        dtype = host(self.engine.read("ctrl")).dtype
        self.engine.step(ctrl.astype(dtype), 1)

    def read(self, name: str) -> Array:
        """See `Subject`."""
        return np.array(host(self.engine.read(name)), dtype=np.float64)
