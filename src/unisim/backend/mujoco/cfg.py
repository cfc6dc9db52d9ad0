"""Settings of the MuJoCo backend."""

from pydantic import NonNegativeInt
from pydantic.dataclasses import dataclass

from unisim.backend.base import BuildCfg
from unisim.config import STRICT, validate


@dataclass(frozen=True, kw_only=True, config=STRICT)
class MujocoCfg:
    """What a task may set under `[engine]`."""

    threads: NonNegativeInt = 0
    """Threads that step worlds; 0 is one per processor."""
    persistent: bool = False
    """Keep one MjData per world: reads after a step cost nearly nothing, and every
    world takes about 13 times the memory."""


def settings(request: BuildCfg) -> MujocoCfg:
    """The settings of a request, checked.

    Raises:
        BadConfig: If one is unknown, or has the wrong type.
    """
    return validate(MujocoCfg, dict(request.settings), "engine")
