"""What the adapters share: files of fixed names, read when they are asked for."""

from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from unisim.backend.arrays import HOST, Arrays
from unisim.backend.base import BuildCfg, Engine, Readback
from unisim.backend.layout import Layout
from unisim.backend.manifest import Manifest, load_manifest
from unisim.errors import MissingEngine


class Adapter:
    """A backend whose package has `manifest.toml`, `cfg`, `build` and `readback`.

    Each module has a function of its own name; that of `cfg` is `settings`. Implements
    `unisim.backend.base.Backend`.
    """

    def __init__(
        self, package: str, engine: tuple[str, ...] = (), *, of_mujoco: bool = False
    ) -> None:
        """Name the package, and what its engine needs.

        Args:
            package: Name of the adapter's package.
            engine: Modules that must be installed.
            of_mujoco: Whether every release of the engine belongs to one of MuJoCo.
        """
        self._package, self._engine, self._of_mujoco = package, engine, of_mujoco
        self.name = package.rpartition(".")[2]

    @property
    def manifest(self) -> Manifest:
        """See `unisim.backend.base.Backend`."""
        return manifest_of(self._package)

    def settings(self, request: BuildCfg) -> object:
        """See `unisim.backend.base.Backend`."""
        return self._module("cfg").settings(request)

    def arrays(self, request: BuildCfg) -> Arrays:  # noqa: ARG002
        """See `unisim.backend.base.Backend`."""
        return HOST

    def build(self, request: BuildCfg, layout: Layout) -> Engine:
        """See `unisim.backend.base.Backend`."""
        self.need_engine()
        return self._module("build").build(request, layout)

    def readback(self, handle: object) -> Readback:
        """See `unisim.backend.base.Backend`."""
        return self._module("readback").readback(handle)

    def need_engine(self) -> None:
        """Say in one sentence what to install.

        Raises:
            MissingEngine: If a module of the engine is missing, or it belongs to
                another MuJoCo than is installed.
        """
        package = self.manifest.package
        if not all(find_spec(name) for name in self._engine):
            raise MissingEngine(self.name, package, self.manifest.install)
        if self._of_mujoco and (want := _release("mujoco")) != _release(package):
            mine = _release(package)
            what = f"{package} {want} beside mujoco {want} (there is {mine})"
            install = f"pip install '{package}=={want}.*'"
            raise MissingEngine(self.name, what, install)

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self._package}.{name}")


def _release(package: str) -> str:
    """Major and minor version of what is installed."""
    return ".".join(version(package).split(".")[:2])


@cache
def manifest_of(package: str) -> Manifest:
    """The `manifest.toml` of an adapter's package."""
    file = str(import_module(package).__file__)
    return load_manifest(Path(file).with_name("manifest.toml"))
