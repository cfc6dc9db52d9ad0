"""Finds backends: packages register them under the entry point `unisim.backends`."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from unisim.backend.base import Backend
from unisim.errors import BadConfig, UnknownBackend

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


def names() -> tuple[str, ...]:
    """Names of all registered backends, sorted; none of them is imported."""
    return tuple(sorted(_registered()))


@cache
def load(name: str) -> Backend:
    """Import a backend's adapter, without its engine.

    Raises:
        UnknownBackend: If no installed package registers it.
    """
    if name not in _registered():
        raise UnknownBackend(name, names())
    return _registered()[name].load()
