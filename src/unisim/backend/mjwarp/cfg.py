"""Settings of the MuJoCo Warp backend."""

from pydantic import PositiveInt
from pydantic.dataclasses import dataclass

from unisim.backend.base import BuildCfg
from unisim.config import STRICT, validate


@dataclass(frozen=True, kw_only=True, config=STRICT)
class MjwarpCfg:
    """What a task may set under `[engine]`."""

    contacts_per_world: PositiveInt | None = None
    """Contacts that fit, per world, in the one pool that all worlds share; None takes
    twice what the reference needs while it settles and rolls out."""
    rows_per_world: PositiveInt | None = None
    """Constraint rows that fit in each world; None as above."""


def settings(request: BuildCfg) -> MjwarpCfg:
    """The settings of a request, checked.

    Raises:
        BadConfig: If one is unknown, or has the wrong type.
    """
    return validate(MjwarpCfg, dict(request.settings), "engine")
