"""Settings of the Drake backend."""

from pydantic import NonNegativeInt
from pydantic.dataclasses import dataclass

from unisim.backend.base import BuildCfg
from unisim.config import STRICT, validate


@dataclass(frozen=True, kw_only=True, config=STRICT)
class DrakeCfg:
    """What a task may set under `[engine]`."""

    threads: NonNegativeInt = 0
    """Threads that step worlds; 0 is one per processor."""


def settings(request: BuildCfg) -> DrakeCfg:
    """The settings of a request, checked.

    Raises:
        BadConfig: If one is unknown, or has the wrong type.
    """
    return validate(DrakeCfg, dict(request.settings), "engine")
