"""What to do about a feature that a backend does not represent."""

from collections.abc import Iterator, Mapping

from unisim.backend import registry
from unisim.backend.manifest import Basis, Level, Support, Why

REMEDIES: Mapping[Why, str] = {
    Why.ADAPTER: "no adapter does it: choose another backend, or leave it out",
    Why.ENGINE: "the engine lacks it: choose another backend, or leave it out",
    Why.NEVER: "no engine of this nature has it: choose another backend",
}
"""By who lacks it."""
_UNKNOWN = "nobody knows whether it works: choose another backend, or leave it out"


def remedies(feature: str, backend: str, support: Support) -> list[str]:
    """What can be done where a backend does otherwise, most useful last."""
    if support.why is not None:
        known = support.basis is not Basis.NOTHING
        remedy = REMEDIES[support.why] if known else _UNKNOWN
        return [remedy, *other_profiles(feature, backend)]
    if support.level is Level.APPROXIMATE:
        return [f'if you agree: accept = ["{feature}"]']
    return []


def other_profiles(feature: str, backend: str) -> Iterator[str]:
    """What other profiles of a backend make of a feature that one of them lacks."""
    manifest = registry.manifest(backend)
    for profile in manifest.profiles:
        level = manifest.support(profile, feature).level
        if level is not Level.UNSUPPORTED:
            yield f'with profile = "{profile}" it is {level}'
