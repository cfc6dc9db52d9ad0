"""Settings of the MotrixSim backend."""

from pydantic import PositiveFloat, PositiveInt
from pydantic.dataclasses import dataclass

from unisim.backend.base import BuildCfg
from unisim.config import STRICT, validate


@dataclass(frozen=True, kw_only=True, config=STRICT)
class MotrixCfg:
    """What a task may set under `[engine]`."""

    iterations: PositiveInt = 100
    """Iterations of the constraint solver, at most. The file's are another solver's."""
    tolerance: PositiveFloat = 1e-4
    """Residual at which the constraint solver stops."""


def settings(request: BuildCfg) -> MotrixCfg:
    """The settings of a request, checked.

    Raises:
        BadConfig: If one is unknown, or has the wrong type.
    """
    return validate(MotrixCfg, dict(request.settings), "engine")
