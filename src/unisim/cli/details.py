"""What every manifest says, as a page of Markdown."""

import re
from collections.abc import Iterator, Sequence

from unisim.backend import registry
from unisim.backend.manifest import Entry, Level, Manifest, Profile

_MARKS = re.compile(r"([*_|<\[\]`])")


def details() -> str:
    """A section per backend: its profiles, and each entry with what it rests on."""
    return "\n".join(line for name in registry.known() for line in _section(name))


def _section(name: str) -> Iterator[str]:
    manifest = registry.manifest(name)
    builds = "" if name in registry.names() else "; no adapter yet, it can be checked"
    yield from ("", f"## {name}", "")
    yield f"Claims made on {manifest.package} {manifest.version}{builds}."
    yield ""
    for title, profile in manifest.profiles.items():
        yield _profile(title, profile)
    yield from ("", *_table(manifest))


def _profile(name: str, profile: Profile) -> str:
    words = {
        "contact": profile.contact,
        "integrator": profile.integrator,
        "friction": profile.friction,
        "precision": profile.precision,
        "compliance": profile.law,
    }
    said = "; ".join(f"{word}: {_plain(text)}" for word, text in words.items())
    default = " (default)" if profile.default else ""
    return f"- **{name}**{default}: {said}"


def _table(manifest: Manifest) -> Iterator[str]:
    yield "| features | profile | level | what | rests on |"
    yield "| --- | --- | --- | --- | --- |"
    yield from _rows("all", manifest.features)
    for name, profile in manifest.profiles.items():
        yield from _rows(name, profile.features)


def _rows(profile: str, entries: Sequence[Entry]) -> Iterator[str]:
    for entry in entries:
        ids = ", ".join(f"`{name}`" for name in entry.ids)
        what = entry.how if entry.level is Level.APPROXIMATE else entry.note
        basis = _plain(entry.ground.removeprefix("rests on "))
        yield f"| {ids} | {profile} | {entry.level} | {_plain(what)} | {basis} |"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\1", text)
