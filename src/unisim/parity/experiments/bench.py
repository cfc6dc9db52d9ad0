"""Where experiments are built: one profile of one backend."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict, Unpack

from unisim.backend import registry
from unisim.backend.manifest import Abilities
from unisim.config import (
    ContactQueryCfg,
    OptionsCfg,
    SceneCfg,
    Setting,
    TaskCfg,
    TerrainCfg,
)
from unisim.sim import Sim
from unisim.task import build

SCENES = Path(__file__).with_name("scenes")


class Setup(TypedDict, total=False):
    """What an experiment states beside its scene."""

    contacts: tuple[ContactQueryCfg, ...]
    """Contact queries."""
    terrain: TerrainCfg
    """The ground."""


@dataclass(frozen=True)
class Bench:
    """Builds the scenes of experiments.

    Attributes:
        backend: Name of the backend.
        profile: Solver profile.
        accept: Approximations that are agreed to.
        device: Device the worlds live on; None is `cpu` where the backend runs there.
        dtype: Precision of the state; None is `float64` where the backend has it.
        settings: The backend's own settings.
    """

    backend: str
    profile: str | None = None
    accept: tuple[str, ...] = ()
    device: str | None = None
    dtype: str | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict[str, Setting])

    @property
    def single(self) -> bool:
        """Whether the state is of single precision."""
        return self._dtype == "float32"

    def precise(self, double: float, single: float) -> float:
        """The tolerance that belongs to the precision of the state."""
        return single if self.single else double

    def build(
        self,
        scene: str,
        worlds: int,
        options: OptionsCfg,
        **setup: Unpack[Setup],
    ) -> Sim:
        """Build and audit a scene; use it in a `with` block.

        Args:
            scene: File among `SCENES`.
            worlds: Number of worlds.
            options: Options of the scene; what they leave open is the profile's.
            setup: Contact queries and ground.

        Raises:
            UnisimError: In any form that `unisim.build` raises.
        """
        cfg = SceneCfg(
            model_file=SCENES / scene,
            options=options,
            terrain=setup.get("terrain", TerrainCfg()),
        )
        task = TaskCfg(
            scene=cfg,
            backend=self.backend,
            profile=self.profile,
            engine=dict(self.settings),
            worlds=worlds,
            device=self._device,
            dtype="float32" if self.single else "float64",
            deterministic=self._abilities.deterministic,
            contacts=setup.get("contacts", ()),
            accept=self.accept,
        )
        return build(task)

    @property
    def _abilities(self) -> Abilities:
        return registry.load(self.backend).manifest.abilities

    @property
    def _device(self) -> str:
        known = self._abilities.devices
        return self.device or ("cpu" if "cpu" in known else known[0])

    @property
    def _dtype(self) -> str:
        if self.dtype is not None:
            return self.dtype
        known = self._abilities.dtypes
        return "float64" if "float64" in known else known[0]
