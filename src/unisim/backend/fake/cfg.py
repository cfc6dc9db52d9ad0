"""Settings of the fake backend."""

from pydantic import NonNegativeInt, PositiveInt
from pydantic.dataclasses import dataclass

from unisim.config import STRICT


@dataclass(frozen=True, kw_only=True, config=STRICT)
class FakeCfg:
    """What a task may set under `[engine]`."""

    fault_world: NonNegativeInt | None = None
    """World that faults; None is none."""
    fault_after: PositiveInt = 1
    """Physics steps after each reset of that world until it faults."""
