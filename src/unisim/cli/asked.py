"""Which backends a check asks about, and which of them decide its answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unisim.backend import registry
from unisim.backend.gate import GateReport

ALL = "all"
"""Stands for every backend that has a manifest."""


@dataclass(frozen=True)
class Asked:
    """A backend in one of its profiles; None stands for what the task says."""

    backend: str | None = None
    profile: str | None = None
    named: bool = True
    """Whether the user named it, rather than `all`."""


def asked(names: Sequence[str], profile: str | None) -> tuple[Asked, ...]:
    """What `--backend` and `--profile` ask about.

    Args:
        names: Backends; several may stand in one word with commas between them, each
            alone or as `backend:profile`. None at all is the task's own.
        profile: Profile of those that name none.

    Raises:
        UnknownBackend: If nothing is known of one.
        UnknownName: If it has no such profile.
    """
    words = [word for name in names for word in name.split(",")]
    if not words:
        return (Asked(None, profile),)
    return tuple(dict.fromkeys(item for word in words for item in _of(word, profile)))


def one(word: str) -> Asked:
    """A backend, alone or as `backend:profile`.

    Raises:
        UnknownBackend: If nothing is known of it.
        UnknownName: If it has no such profile.
    """
    (item,) = _of(word, None, all_too=False)
    return item


def counts(item: Asked, report: GateReport) -> bool:
    """Whether a report decides the answer.

    Of what nobody named, backends do not that simulate nothing, or of which nothing is
    known.
    """
    if item.named:
        return True
    manifest = registry.manifest(report.backend)
    known = manifest.known(report.profile)
    return known and not report.decides.kinematic


def _of(word: str, profile: str | None, *, all_too: bool = True) -> Iterator[Asked]:
    if word == ALL and all_too:
        yield from (Asked(name, profile, named=False) for name in registry.known())
        return
    name, colon, own = word.partition(":")
    wanted = own if colon else profile
    registry.manifest(name).profile(wanted if colon else None)
    yield Asked(name, wanted)
