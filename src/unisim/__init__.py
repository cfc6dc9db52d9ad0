"""One robot scene, written once as MJCF, run and compared on many physics engines."""

from typing import TYPE_CHECKING

from unisim.version import __version__ as __version__

if TYPE_CHECKING:
    from unisim.backend.lent import borrow as borrow
    from unisim.config import AttachCfg as AttachCfg
    from unisim.config import ContactQueryCfg as ContactQueryCfg
    from unisim.config import OptionsCfg as OptionsCfg
    from unisim.config import SceneCfg as SceneCfg
    from unisim.config import TaskCfg as TaskCfg
    from unisim.config import load as load
    from unisim.errors import UnisimError as UnisimError
    from unisim.record import Record as Record
    from unisim.scene.compose import compose as compose
    from unisim.scene.scene import Scene as Scene
    from unisim.scene.terrain.curriculum import Curriculum as Curriculum
    from unisim.scene.terrain.heights import Heights as Heights
    from unisim.scene.terrain.terrain import Terrain as Terrain
    from unisim.sim import Sim as Sim
    from unisim.surface import ground as ground
    from unisim.task import build as build
    from unisim.terrains import FieldCfg as FieldCfg
    from unisim.terrains import GridCfg as GridCfg
    from unisim.terrains import TerrainCfg as TerrainCfg

__all__ = [
    "AttachCfg",
    "ContactQueryCfg",
    "Curriculum",
    "FieldCfg",
    "GridCfg",
    "Heights",
    "OptionsCfg",
    "Record",
    "Scene",
    "SceneCfg",
    "Sim",
    "TaskCfg",
    "Terrain",
    "TerrainCfg",
    "UnisimError",
    "borrow",
    "build",
    "compose",
    "ground",
    "load",
]

_HOMES = {
    "AttachCfg": "unisim.config",
    "ContactQueryCfg": "unisim.config",
    "Curriculum": "unisim.scene.terrain.curriculum",
    "FieldCfg": "unisim.terrains",
    "GridCfg": "unisim.terrains",
    "Heights": "unisim.scene.terrain.heights",
    "OptionsCfg": "unisim.config",
    "Record": "unisim.record",
    "Scene": "unisim.scene.scene",
    "SceneCfg": "unisim.config",
    "Sim": "unisim.sim",
    "TaskCfg": "unisim.config",
    "Terrain": "unisim.scene.terrain.terrain",
    "TerrainCfg": "unisim.terrains",
    "UnisimError": "unisim.errors",
    "borrow": "unisim.backend.lent",
    "build": "unisim.task",
    "compose": "unisim.scene.compose",
    "ground": "unisim.surface",
    "load": "unisim.config",
}


def __dir__() -> list[str]:
    """The public names."""
    return sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: `import unisim` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'unisim' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(_HOMES[name]), name)
