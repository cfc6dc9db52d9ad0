"""MuJoCo's C engine: many worlds on a thread pool, through `mujoco.batch`."""

from unisim.backend.adapter import Adapter
from unisim.backend.base import Backend, BuildCfg
from unisim.backend.layout import Layout
from unisim.backend.raw import RawEngine


class MujocoBackend(Adapter):
    """The adapter; importing it does not import the engine's batch module."""

    def raw(self, request: BuildCfg, _layout: Layout) -> RawEngine:
        """See `unisim.backend.raw.HasRaw`."""
        from unisim.backend.mujoco.raw import RawBatch  # noqa: PLC0415

        return RawBatch(request)


BACKEND: Backend = MujocoBackend(__name__)
