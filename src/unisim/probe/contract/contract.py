"""Which backend is held to the contract, and on which scenes."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from unisim.config import Setting
from unisim.errors import UnknownName
from unisim.probe.contract.scenes import TEXTS

FULL = "UNISIM_CONTRACT"
"""Environment variable: `full` runs every clause on every scene."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Contract:
    """A backend that is held to the contract.

    Attributes:
        backend: Its name, as the entry point `unisim.backends` has it.
        accept: Feature ids whose approximation is agreed to in every scene.
        task: Further fields of the `TaskCfg` of every sim, e.g. `device` or `profile`.
        settings: Settings of the engine under which state and snapshots are tried.
        scenes: Scenes beside the suite's own, by name: an MJCF file, or a text.
        marks: Marks of the tests that run on a scene, by its name.
        everyday: The scenes of an everyday run, for an engine that takes minutes to
            compile one; () is all. `UNISIM_CONTRACT=full` always takes all.

    Raises:
        UnknownName: If `marks` or `everyday` names no scene.
    """

    backend: str
    accept: tuple[str, ...] = ()
    task: Mapping[str, object] = field(default_factory=dict[str, object])
    settings: tuple[Mapping[str, Setting], ...] = ({},)
    scenes: Mapping[str, Path | str] = field(default_factory=dict[str, Path | str])
    marks: Mapping[str, pytest.MarkDecorator] = field(
        default_factory=dict[str, pytest.MarkDecorator]
    )
    everyday: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse names of scenes that are not there."""
        for name in (*self.marks, *self.everyday):
            if name not in self.every:
                owner = f"the contract of {self.backend}"
                raise UnknownName("scene", name, self.every, owner)

    @property
    def every(self) -> Mapping[str, Path | str]:
        """All scenes by name, the suite's first."""
        return {**TEXTS, **self.scenes}

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the scenes of this run."""
        if os.environ.get(FULL) == "full" or not self.everyday:
            return tuple(self.every)
        return self.everyday
