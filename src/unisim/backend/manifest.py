"""What an engine can represent: a data file that is read without the engine.

A manifest is total: every feature of the vocabulary resolves to one `Support` in every
solver profile, by the most specific entry that covers it (`joint` covers
`joint.type.ball`). Features without physical effect need no entry.
"""

import dataclasses
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PositiveFloat
from pydantic.dataclasses import dataclass

from unisim.backend.abilities import Abilities as Abilities  # noqa: PLC0414
from unisim.config import STRICT, validate
from unisim.errors import BadConfig, BadManifest, UnknownName
from unisim.mjcf.features import FAMILIES, FEATURES, nearest

Text = Annotated[str, Field(min_length=1)]


class Level(StrEnum):
    """How far an engine honours a feature."""

    EXACT = "exact"
    APPROXIMATE = "approximate"
    UNSUPPORTED = "unsupported"
    VISUAL = "visual"


class Why(StrEnum):
    """Who lacks what is unsupported."""

    ADAPTER = "adapter"
    """Ours to write."""
    ENGINE = "engine"
    """The engine cannot."""
    NEVER = "never"
    """No engine of this nature could."""


class Basis(StrEnum):
    """What a claim rests on."""

    MEASURED = "measured"
    DOCUMENTED = "documented"
    NOTHING = "nothing"
    """Nobody measured or documented it, so it is unsupported."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Support:
    """What an engine makes of one feature."""

    level: Level
    basis: Basis
    source: Text
    """The test, measurement or page the claim rests on; for `nothing`, why there is
    none."""
    how: str = ""
    """For `approximate`: what the engine does instead, and how far off it is."""
    why: Why | None = None
    """For `unsupported`: who lacks it."""
    note: str = ""
    """For `unsupported`: what is missing; else anything worth knowing."""
    beyond: str = ""
    """Where a probe finds more than is claimed: what shows that it is less."""
    rtol: PositiveFloat | None = None
    """Largest relative difference of a value read back; None is the audit's own."""

    @property
    def ground(self) -> str:
        """What the claim rests on, in words."""
        word = "rests on nothing" if self.basis is Basis.NOTHING else self.basis
        return f"{word}: {self.source}"


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Entry(Support):
    """A support that several features or families share."""

    ids: Annotated[tuple[str, ...], Field(min_length=1)]
    """Feature ids, or families such as `joint` and `actuator.dyntype`."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Profile:
    """One way an engine can be run."""

    contact: Text
    """Contact model, in words."""
    integrator: Text
    """Integrator, in words."""
    friction: Text
    """Friction rule, in words."""
    precision: Text
    """Floating-point precision of the physics, in words."""
    default: bool = False
    """Whether this is the profile of a task that names none."""
    compliance: Literal["mujoco", "own"] = "mujoco"
    """By whose law contacts, limits, dry friction and equalities yield: the audit
    compares such forces with MuJoCo's, or holds them to what is true of any law."""
    square: bool = False
    """Whether friction is bounded along each of two axes by itself: between them it may
    be the square root of 2 larger than what is stated."""
    kinematic: bool = False
    """Whether no force moves anything: the audit then checks state and poses alone."""
    consumes: tuple[str, ...] = ()
    """The `<option>` fields the engine honours; `*` is all."""
    replaces: dict[str, str] = dataclasses.field(default_factory=dict[str, str])
    """By `<option>` field: what the engine does instead."""
    follows: dict[str, tuple[Text, ...]] = dataclasses.field(
        default_factory=dict[str, tuple[Text, ...]]
    )
    """By `<option>` field: the choices of the file's that the engine follows. In place
    of any other it takes the first."""
    settings: dict[str, str] = dataclasses.field(default_factory=dict[str, str])
    """By name of an engine setting: type, unit and meaning."""
    features: tuple[Entry, ...] = ()
    """What differs from the engine's own entries in this profile."""

    @property
    def law(self) -> str:
        """By whose law contacts yield, and what `compliance` names with them."""
        return "MuJoCo's law" if self.compliance == "mujoco" else "a law of its own"


_VISUAL = Support(
    level=Level.VISUAL,
    basis=Basis.DOCUMENTED,
    source="unisim.mjcf.features: it has no physical effect",
)


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Manifest:
    """What a backend can represent and do.

    Raises:
        BadManifest: If it is not total or contradicts itself, listing everything.
    """

    name: Text
    """Name of the backend."""
    package: Text
    """The engine's package, as `importlib.metadata` knows it."""
    version: Text
    """Version of the engine that the claims were made on."""
    install: Text
    """Command that installs the engine."""
    releases: tuple[str, ...] = ()
    """Versions that recorded measurements cover; none where only `version` is."""
    abilities: Abilities
    profiles: Annotated[dict[str, Profile], Field(min_length=1)]
    """Solver profiles by name."""
    features: tuple[Entry, ...]
    """What holds in every profile that does not say otherwise."""

    def __post_init__(self) -> None:
        """Refuse what is not total."""
        problems = [*_check_profiles(self.profiles), *_check_entries(self)]
        if problems:
            raise BadManifest(f"manifest of {self.name}", problems)

    @property
    def measured(self) -> tuple[str, ...]:
        """Versions of the engine that the claims hold for."""
        return tuple(dict.fromkeys((self.version, *self.releases)))

    @property
    def default_profile(self) -> str:
        """Name of the profile of a task that names none."""
        return next(name for name, item in self.profiles.items() if item.default)

    def profile(self, name: str | None) -> Profile:
        """A profile by name, None for the default.

        Raises:
            UnknownName: If there is none of this name.
        """
        name = self.default_profile if name is None else name
        if name not in self.profiles:
            raise UnknownName(f"{self.name} profile", name, self.profiles)
        return self.profiles[name]

    def known(self, profile: str) -> bool:
        """Whether any claim of a profile was measured or documented."""
        entries = (*self.features, *self.profiles[profile].features)
        return any(entry.basis is not Basis.NOTHING for entry in entries)

    def support(self, profile: str, feature: str) -> Support:
        """What this backend makes of a feature in a profile.

        Raises:
            UnknownName: If the profile or the feature does not exist.
        """
        if feature not in FEATURES:
            raise UnknownName("feature", feature, FEATURES)
        self.profile(profile)
        found = _resolve(self._tables[profile], feature)
        if found is None:
            raise BadManifest(f"manifest of {self.name}", [f"{feature} has no entry"])
        return found

    @cached_property
    def _tables(self) -> dict[str, dict[str, Support]]:
        """By profile: support by id or family."""
        return {
            name: _table((*self.features, *profile.features))
            for name, profile in self.profiles.items()
        }


def load_manifest(path: Path) -> Manifest:
    """Read a manifest from TOML.

    Raises:
        BadManifest: If it cannot be read, has wrong keys or types, is not total or
            contradicts itself; the message lists everything.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return validate(Manifest, table, path)
    except (BadManifest, BadConfig) as error:
        raise BadManifest(path, error.problems) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadManifest(path, [f"it cannot be read as TOML: {error}"]) from None


def _table(entries: Iterable[Entry]) -> dict[str, Support]:
    """Support by id or family; later entries win."""
    return {name: entry for entry in entries for name in entry.ids}


def _resolve(table: Mapping[str, Support], feature: str) -> Support | None:
    """The most specific entry that covers a feature."""
    if FEATURES[feature].visual:
        return _VISUAL
    covering = (table.get(name) for name in (feature, *FEATURES[feature].families))
    return next((support for support in covering if support is not None), None)


def _check_profiles(profiles: Mapping[str, Profile]) -> Iterator[str]:
    defaults = [name for name, profile in profiles.items() if profile.default]
    if len(defaults) != 1:
        yield f"profiles: exactly one must say default = true, not {len(defaults)}"
    for name, profile in profiles.items():
        for field in sorted(set(profile.consumes) & set(profile.replaces)):
            yield f"profiles.{name}: {field} is both consumed and replaced"
        for field, words in profile.follows.items():
            if field in profile.consumes or field in profile.replaces:
                yield f"profiles.{name}: {field} is followed in part, and stated again"
            if not words:
                yield f"profiles.{name}: {field} follows no choice: say replaces"


def _check_entries(manifest: Manifest) -> Iterator[str]:
    yield from _check_ids("features", manifest.features)
    for name, profile in manifest.profiles.items():
        yield from _check_ids(f"profiles.{name}.features", profile.features)
        table = _table((*manifest.features, *profile.features))
        for feature in FEATURES:
            if _resolve(table, feature) is None:
                yield f"profiles.{name}: no entry covers {feature}"


def _check_ids(place: str, entries: Iterable[Entry]) -> Iterator[str]:
    seen: set[str] = set()
    for entry in entries:
        for name in entry.ids:
            if name in seen:
                yield f"{place}: {name} is stated twice"
            seen.add(name)
            if name not in FEATURES and name not in FAMILIES:
                yield f"{place}: there is no feature {name!r}{nearest(name)}"
            elif name.split(".")[0] == "visual":
                yield f"{place}: {name} has no physical effect, leave it out"
        yield from (f"{place}: {entry.ids[0]}: {line}" for line in _check_claim(entry))


def _check_claim(entry: Entry) -> Iterator[str]:
    if entry.level is Level.VISUAL:
        yield "only the vocabulary says what is visual"
    if (entry.level is Level.APPROXIMATE) != bool(entry.how):
        yield "`how` belongs to an approximate feature, and every such feature needs it"
    if (entry.level is Level.UNSUPPORTED) != (entry.why is not None):
        yield "`why` belongs to an unsupported feature, and every such feature needs it"
    if entry.basis is Basis.NOTHING and entry.level is not Level.UNSUPPORTED:
        yield "what rests on nothing is unsupported"
    if entry.beyond and entry.level is Level.EXACT:
        yield "`beyond` belongs to what is claimed to be less than a probe finds"
    if entry.level is Level.UNSUPPORTED and not entry.note:
        yield "an unsupported feature needs a `note` that says what is missing"
