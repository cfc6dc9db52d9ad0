"""MuJoCo Warp: MuJoCo's physics in float32, all worlds in the same launches.

The same launches run on the CPU and on CUDA. What the manifest declares was measured on
the CPU device.
"""

from importlib.metadata import version

from unisim.backend.adapter import Adapter
from unisim.backend.arrays import Arrays
from unisim.backend.base import Backend, BuildCfg
from unisim.backend.layout import Layout
from unisim.backend.raw import RawEngine
from unisim.errors import MissingEngine


class MjwarpBackend(Adapter):
    """The adapter; importing it does not import the engine."""

    def need_engine(self) -> None:
        """Say in one sentence what to install.

        Raises:
            MissingEngine: If MuJoCo Warp is missing, or belongs to another MuJoCo: it
                installs beside any, and was tried with its own.
        """
        super().need_engine()
        of, mine = (_release(name) for name in ("mujoco", "mujoco-warp"))
        if of != mine:
            what = f"mujoco-warp {of} beside mujoco {of} (there is {mine})"
            install = f"pip install 'mujoco-warp=={of}.*'"
            raise MissingEngine(self.name, what, install)

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


def _release(package: str) -> str:
    """Major and minor version that is installed."""
    return ".".join(version(package).split(".")[:2])


BACKEND: Backend = MjwarpBackend(__name__, ("mujoco_warp", "warp"))
