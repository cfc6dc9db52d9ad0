"""Finds backends: packages register them under the entry point `unisim.backends`.

What is known of an engine may be here before its adapter is: the manifest in a folder
beside this file that nobody registers can be checked against, and not be built.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from unisim.backend.base import Backend
from unisim.backend.manifest import Manifest, load_manifest
from unisim.errors import BadConfig, NoAdapter, UnknownBackend

GROUP = "unisim.backends"


@cache
def _registered() -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        other = found.get(point.name)
        if other is not None and other.value != point.value:
            raise BadConfig(
                f"entry points {GROUP}",
                [f"{point.name!r} is registered by {other.value} and {point.value}"],
            )
        found[point.name] = point
    return found


@cache
def _unregistered() -> dict[str, Path]:
    """By name of a backend without adapter: its manifest."""
    files = sorted(Path(__file__).parent.glob("*/manifest.toml"))
    named = {file.parent.name: file for file in files}
    return {name: file for name, file in named.items() if name not in _registered()}


def names() -> tuple[str, ...]:
    """Names of all registered backends, sorted; none of them is imported."""
    return tuple(sorted(_registered()))


def known() -> tuple[str, ...]:
    """Names of all backends with a manifest: the registered, then the others."""
    return (*names(), *_unregistered())


@cache
def load(name: str) -> Backend:
    """Import a backend's adapter, without its engine.

    Raises:
        UnknownBackend: If no installed package registers it.
        NoAdapter: If it has a manifest and no adapter.
    """
    if name in _unregistered():
        raise NoAdapter(name, names())
    if name not in _registered():
        raise UnknownBackend(name, known())
    return _registered()[name].load()


def module(name: str) -> str:
    """Name of the module that holds a backend's adapter.

    Raises:
        UnknownBackend: If no installed package registers it.
        NoAdapter: If it has a manifest and no adapter.
    """
    load(name)
    return _registered()[name].module


def manifest(name: str) -> Manifest:
    """What a backend can represent, also where there is no adapter for it.

    Raises:
        UnknownBackend: If nothing is known of it.
    """
    file = _unregistered().get(name)
    return load(name).manifest if file is None else _read(file)


@cache
def _read(file: Path) -> Manifest:
    return load_manifest(file)
