"""Builds a fake engine on its own copy of the reference model."""

from copy import copy

from unisim.backend.base import BuildCfg
from unisim.backend.fake.cfg import settings
from unisim.backend.fake.sim import FakeEngine
from unisim.backend.layout import Layout


def build(request: BuildCfg, _layout: Layout) -> FakeEngine:
    """Make a fake engine.

    Raises:
        BadConfig: If a setting is unknown or has the wrong type.
        OutOfRange: If the world that is to fault does not exist.
    """
    return FakeEngine(copy(request.scene.model), request, settings(request))
