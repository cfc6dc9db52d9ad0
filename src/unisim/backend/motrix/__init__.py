"""MotrixSim: its own MJCF importer, given what it reads, mended, and audited.

It reads and steps float32, all worlds of a batch in one call.
"""

from unisim.backend.adapter import Adapter
from unisim.backend.base import Backend, BuildCfg
from unisim.backend.layout import Layout
from unisim.backend.raw import RawEngine


class MotrixBackend(Adapter):
    """The adapter; importing it does not import the engine."""

    def raw(self, request: BuildCfg, _layout: Layout) -> RawEngine:
        """See `unisim.backend.raw.HasRaw`."""
        self.need_engine()
        from unisim.backend.motrix.raw import RawMotrix  # noqa: PLC0415

        return RawMotrix(request)


BACKEND: Backend = MotrixBackend(__name__, ("motrixsim",))
