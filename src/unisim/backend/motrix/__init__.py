"""MotrixSim: its own MJCF importer, given what it reads, mended, and audited.

It reads and steps float32, all worlds of a batch in one call.
"""

import sys
from importlib import import_module

from unisim.backend.adapter import Adapter
from unisim.backend.base import Backend, BuildCfg
from unisim.backend.layout import Layout
from unisim.backend.motrix.console import heard
from unisim.backend.raw import RawEngine

_GREETING = "Motphys profiler"


class MotrixBackend(Adapter):
    """The adapter; importing it does not import the engine."""

    def need_engine(self) -> None:
        """See `Adapter`; what the engine greets with stays off the console."""
        super().need_engine()
        said: list[str] = []
        with heard(said):
            import_module("motrixsim")
        for line in said:
            if not line.startswith(_GREETING):
                print(line, file=sys.stderr)

    def raw(self, request: BuildCfg, _layout: Layout) -> RawEngine:
        """See `unisim.backend.raw.HasRaw`."""
        self.need_engine()
        from unisim.backend.motrix.raw import RawMotrix  # noqa: PLC0415

        return RawMotrix(request)


BACKEND: Backend = MotrixBackend(__name__, ("motrixsim",))
