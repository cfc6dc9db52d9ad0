"""A probe: two scenes that differ by one feature, and what is looked at in both."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from unisim.probe.rule import RULE
from unisim.probe.start import CONSTANTS


class Watch(StrEnum):
    """What is looked at, in MuJoCo's names and unisim's conventions."""

    MOTION = "motion"
    """Velocities of the joints that both scenes have."""
    BODIES = "bodies"
    """Velocities of the bodies that both scenes have, in world; all of the scene with
    the feature where they have none in common."""
    PLACE = "place"
    """Positions of the bodies that both scenes have, in world: where it comes to lie,
    how far it slides."""
    REST = "rest"
    """The same where it has come to rest."""
    SENSOR = "sensor"
    """Output of the sensor `x`; nothing where a scene has none."""
    RESET = "reset"
    """The state that a reset to the key `home` leaves, or to the defaults."""
    HELD = "held"
    """The value that the engine holds, read back: for what moves nothing."""


HORIZONS: dict[Watch, tuple[int, ...]] = {
    Watch.MOTION: (1, 10, 100),
    Watch.BODIES: (1, 10, 100),
    Watch.PLACE: (10, 100, 300),
    Watch.REST: (300,),
    Watch.SENSOR: (1, 10, 100),
    Watch.RESET: (0,),
    Watch.HELD: (0,),
}
"""Physics steps after which it is looked at; a contact has its full effect late."""


@dataclass(frozen=True, kw_only=True)
class Probe:
    """What tells whether an engine honours one feature.

    Attributes:
        feature: Id of the feature.
        used: MJCF text of a scene that uses it.
        unused: The same scene without it.
        watch: What is looked at.
        held: Audited field that is read back, for `Watch.HELD`.
        bent: Whether joints start away from their rest, or only moving.
    """

    feature: str
    used: str
    unused: str
    watch: Watch
    held: str = ""
    bent: bool = True

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "Probe":
        """The probe that `dataclasses.asdict` made a mapping of."""
        values: dict[str, Any] = {**plain, "watch": Watch(plain["watch"])}
        return cls(**values)

    @property
    def horizons(self) -> tuple[int, ...]:
        """Physics steps after which it is looked at."""
        return HORIZONS[self.watch]

    @property
    def digest(self) -> str:
        """Hex digest of everything that a measurement depends on."""
        numbers = [self.horizons, CONSTANTS, RULE]
        content = json.dumps([asdict(self), *numbers], sort_keys=True)
        return sha256(content.encode()).hexdigest()[:16]
