"""Settings of the fake backend."""

from pydantic import NonNegativeInt, PositiveInt
from pydantic.dataclasses import dataclass

from unisim.backend.base import BuildCfg
from unisim.config import STRICT, validate
from unisim.errors import OutOfRange


@dataclass(frozen=True, kw_only=True, config=STRICT)
class FakeCfg:
    """What a task may set under `[engine]`."""

    fault_world: NonNegativeInt | None = None
    """World that faults; None is none."""
    fault_after: PositiveInt = 1
    """Physics steps after each reset of that world until it faults."""


def settings(request: BuildCfg) -> FakeCfg:
    """The settings of a request, checked.

    Raises:
        BadConfig: If one is unknown, or has the wrong type.
        OutOfRange: If the world that is to fault does not exist.
    """
    found = validate(FakeCfg, dict(request.settings), "engine")
    if found.fault_world is not None and found.fault_world >= request.worlds:
        allowed = f"0 to {request.worlds - 1}"
        raise OutOfRange("engine.fault_world", found.fault_world, allowed)
    return found
