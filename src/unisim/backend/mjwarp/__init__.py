"""MuJoCo Warp: MuJoCo's physics in float32, all worlds in the same launches.

The same launches run on the CPU and on CUDA. What the manifest declares was measured on
the CPU device.
"""

from functools import cache
from pathlib import Path

from unisim.backend.arrays import Arrays
from unisim.backend.base import Backend, BuildCfg, Engine, Readback
from unisim.backend.layout import Layout
from unisim.backend.manifest import Manifest, load_manifest
from unisim.errors import MissingEngine


class MjwarpBackend:
    """The adapter; importing it does not import the engine."""

    name = "mjwarp"

    @property
    def manifest(self) -> Manifest:
        """See `unisim.backend.base.Backend`."""
        return _manifest()

    def arrays(self, request: BuildCfg) -> Arrays:
        """See `unisim.backend.base.Backend`."""
        self._need_engine()
        from unisim.backend.device.arrays import DeviceArrays  # noqa: PLC0415
        from unisim.backend.device.compiling import start  # noqa: PLC0415

        start()
        return DeviceArrays(request.device)

    def build(self, request: BuildCfg, layout: Layout) -> Engine:
        """See `unisim.backend.base.Backend`."""
        self._need_engine()
        from unisim.backend.mjwarp.build import build  # noqa: PLC0415

        return build(request, layout)

    def readback(self, handle: object) -> Readback:
        """See `unisim.backend.base.Backend`."""
        from unisim.backend.mjwarp.readback import readback  # noqa: PLC0415

        return readback(handle)

    def _need_engine(self) -> None:
        """Say in one sentence what to install."""
        from importlib.util import find_spec  # noqa: PLC0415

        if find_spec("mujoco_warp") is None or find_spec("warp") is None:
            raise MissingEngine(self.name, "mujoco-warp", self.manifest.install)


@cache
def _manifest() -> Manifest:
    return load_manifest(Path(__file__).with_name("manifest.toml"))


BACKEND: Backend = MjwarpBackend()
