"""MuJoCo Warp: MuJoCo's physics in float32, all worlds in the same launches.

The same launches run on the CPU and on CUDA. What the manifest declares was measured on
the CPU device.
"""

from unisim.backend.adapter import Adapter
from unisim.backend.arrays import Arrays
from unisim.backend.base import Backend, BuildCfg
from unisim.backend.layout import Layout
from unisim.backend.raw import RawEngine


class MjwarpBackend(Adapter):
    """The adapter; importing it does not import the engine."""

    def arrays(self, request: BuildCfg) -> Arrays:
        """See `unisim.backend.base.Backend`."""
        self.need_engine()
        from unisim.backend.device.arrays import DeviceArrays  # noqa: PLC0415
        from unisim.backend.device.compiling import start  # noqa: PLC0415

        start()
        return DeviceArrays(request.device)

    def raw(self, request: BuildCfg, layout: Layout) -> RawEngine:
        """See `unisim.backend.raw.HasRaw`."""
        self.need_engine()
        from unisim.backend.mjwarp.raw import RawWarp  # noqa: PLC0415

        return RawWarp(request, layout)


BACKEND: Backend = MjwarpBackend(__name__, ("mujoco_warp", "warp"), of_mujoco=True)
