"""Builds a fake engine on its own copy of the reference model."""

from copy import copy

from unisim.backend.base import BuildCfg
from unisim.backend.fake.cfg import FakeCfg
from unisim.backend.fake.sim import FakeEngine
from unisim.backend.layout import Layout
from unisim.config import validate
from unisim.errors import OutOfRange, UnknownName


def build(request: BuildCfg, layout: Layout) -> FakeEngine:
    """Make a fake engine.

    Raises:
        BadConfig: If a setting is unknown or has the wrong type.
        OutOfRange: If the world that is to fault does not exist.
        UnknownName: If a contact query names what the scene does not have.
    """
    settings = validate(FakeCfg, dict(request.settings), "engine")
    if settings.fault_world is not None and settings.fault_world >= request.worlds:
        allowed = f"0 to {request.worlds - 1}"
        raise OutOfRange("engine.fault_world", settings.fault_world, allowed)
    for query in request.contacts:
        names = layout.names["body" if query.kind == "subtree" else query.kind]
        for name in filter(None, (query.first, query.second)):
            if name not in names:
                kind = f"{query.kind} in contact query {query.name!r}"
                raise UnknownName(kind, name, names)
    return FakeEngine(copy(request.scene.model), request, settings)
