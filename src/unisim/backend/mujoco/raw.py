"""`mujoco.batch` as it comes."""

from copy import copy

import mujoco
from mujoco.batch import Batch

from unisim.backend.base import Array, BuildCfg, Worlds
from unisim.backend.mujoco.cfg import settings
from unisim.backend.raw import READS

_NONE = int(mujoco.mjtStage.mjSTAGE_NONE)
_VEL = int(mujoco.mjtStage.mjSTAGE_VEL)


class RawBatch:
    """Implements `unisim.backend.raw.RawEngine`."""

    def __init__(self, request: BuildCfg) -> None:
        """Make a batch of the reference model.

        Raises:
            BadConfig: If a setting is unknown or has the wrong type.
        """
        cfg = settings(request)
        model = copy(request.scene.model)
        self._batch = Batch(model, request.worlds, cfg.threads, cfg.persistent)
        self._ctrl = self._batch.bind("ctrl")
        self._bound = [self._batch.bind(name) for name in READS]

    def step(self, ctrl: Array, count: int, *, refresh: bool) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        self._ctrl[...] = ctrl
        self._batch.step(nstep=count, stage=_VEL if refresh else _NONE)

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        self._batch.reset(worlds, keyframe=key)

    def wait(self) -> None:
        """See `unisim.backend.raw.RawEngine`: a call returns when it is done."""

    def close(self) -> None:
        """See `unisim.backend.raw.RawEngine`."""
        vars(self).clear()
