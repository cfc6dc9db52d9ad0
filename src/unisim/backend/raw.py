"""An ability that a backend may have: its engine without anything of ours on top.

Benchmarks drive both with the same work and tell what an adapter adds.
"""

from typing import Protocol, runtime_checkable

from unisim.backend.base import Array, BuildCfg, Worlds
from unisim.backend.layout import Layout

READS = ("xpos", "sensordata")
"""What is read where poses are asked for: a raw engine has it ready after a refresh."""


class RawEngine(Protocol):
    """n worlds driven by the engine's own interface, doing the bare minimum.

    Calls may return before the device is done; `wait` does not.
    """

    def step(self, ctrl: Array, count: int, *, refresh: bool) -> None:
        """Set the controls, advance by some physics steps, and leave READS fresh.

        Args:
            ctrl: Shape (n, nu).
            count: Physics steps, at least 1.
            refresh: Whether READS must belong to the state after the last step.
        """
        ...

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """Return worlds (None: all) to a key (-1: the defaults), READS fresh."""
        ...

    def wait(self) -> None:
        """Return when all that was asked for is done."""
        ...

    def close(self) -> None:
        """Free what the engine holds."""
        ...


@runtime_checkable
class HasRaw(Protocol):
    """A backend whose engine can be driven without it."""

    def raw(self, request: BuildCfg, layout: Layout) -> RawEngine:
        """Build the scene as `Backend.build` does, for whoever needs nothing of ours.

        Raises:
            MissingEngine: If the engine is not installed.
            BadConfig: If the settings are not valid.
        """
        ...
