"""MuJoCo's C engine: many worlds on a thread pool, through `mujoco.batch`."""

from functools import cache
from pathlib import Path

from unisim.backend.arrays import HOST, Arrays
from unisim.backend.base import Backend, BuildCfg, Engine, Readback
from unisim.backend.layout import Layout
from unisim.backend.manifest import Manifest, load_manifest
from unisim.backend.raw import RawEngine


class MujocoBackend:
    """The adapter; importing it does not import the engine's batch module."""

    name = "mujoco"

    @property
    def manifest(self) -> Manifest:
        """See `unisim.backend.base.Backend`."""
        return _manifest()

    def arrays(self, request: BuildCfg) -> Arrays:  # noqa: ARG002
        """See `unisim.backend.base.Backend`."""
        return HOST

    def build(self, request: BuildCfg, layout: Layout) -> Engine:
        """See `unisim.backend.base.Backend`."""
        from unisim.backend.mujoco.build import build  # noqa: PLC0415

        return build(request, layout)

    def readback(self, handle: object) -> Readback:
        """See `unisim.backend.base.Backend`."""
        from unisim.backend.mujoco.readback import readback  # noqa: PLC0415

        return readback(handle)

    def raw(self, request: BuildCfg, _layout: Layout) -> RawEngine:
        """See `unisim.backend.raw.HasRaw`."""
        from unisim.backend.mujoco.raw import RawBatch  # noqa: PLC0415

        return RawBatch(request)


@cache
def _manifest() -> Manifest:
    return load_manifest(Path(__file__).with_name("manifest.toml"))


BACKEND: Backend = MujocoBackend()
