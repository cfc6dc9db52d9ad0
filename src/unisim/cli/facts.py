"""What is known of a feature or a family, from the data that everything else uses."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unisim.backend import registry
from unisim.backend.manifest import Level, Support
from unisim.cli.remedies import remedies
from unisim.errors import UnknownName
from unisim.mjcf.feature import Feature
from unisim.mjcf.features import FAMILIES, FEATURES
from unisim.mjcf.meaning import meaning
from unisim.mjcf.places import field, places
from unisim.probe.scenes import SCENES
from unisim.scene.source import parse, write


@dataclass(frozen=True)
class Claim:
    """What a backend makes of a feature in one of its solver profiles.

    Attributes:
        backend: Name of the backend.
        profile: Name of the solver profile.
        default: Whether a task that names no profile gets it.
        version: The engine's package and version that the claims were made on.
        support: The claim.
        remedies: What can be done where it is not exact.
    """

    backend: str
    profile: str
    default: bool
    version: str
    support: Support
    remedies: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """What is known of a feature.

    Attributes:
        id: Dotted id.
        doc: What it asks for.
        meaning: What MuJoCo means by it.
        mjcf: Elements and attributes that ask for it.
        field: What shows it in the model, "" for nothing of its own.
        stated: Whether the attribute counts even where it states the default.
        above: The families it belongs to, nearest first.
        below: The features of which it is the family.
        example: A scene that uses it, "" for what has no physical effect.
        claims: What each backend makes of it, per solver profile.
    """

    id: str
    doc: str
    meaning: str
    mjcf: tuple[str, ...]
    field: str
    stated: bool
    above: tuple[str, ...]
    below: tuple[str, ...]
    example: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Group:
    """What is known of a family.

    Attributes:
        id: Dotted id.
        meaning: What MuJoCo means by it.
        members: The features below it.
        levels: By backend in its default profile: how many members are at each level.
    """

    id: str
    meaning: str
    members: tuple[Feature, ...]
    levels: dict[str, dict[Level, int]]


def facts(name: str) -> Facts:
    """Everything about a feature.

    Raises:
        UnknownName: If there is no such feature, with those of similar names.
    """
    if name not in FEATURES:
        raise UnknownName("feature", name, (*FEATURES, *FAMILIES))
    row = FEATURES[name]
    scene = SCENES.get(name)
    return Facts(
        id=name,
        doc=row.doc,
        meaning=meaning(name),
        mjcf=_places(row),
        field=field(row),
        stated=row.stated is not None,
        above=row.families,
        below=tuple(below.id for below in _below(name)),
        example=write(parse(scene.used, Path()))[0] if scene else "",
        claims=tuple(_claims(name)) if scene else (),
    )


def group(name: str) -> Group:
    """Everything about a family.

    Raises:
        UnknownName: If there is no such family.
    """
    if name not in FAMILIES:
        raise UnknownName("family", name, FAMILIES)
    members = _below(name)
    levels = {
        backend: dict(_levels(backend, members))
        for backend in registry.known()
        if not members[0].visual
    }
    return Group(name, meaning(name), members, levels)


def _below(name: str) -> tuple[Feature, ...]:
    return tuple(row for row in FEATURES.values() if name in row.families)


def _levels(backend: str, members: tuple[Feature, ...]) -> Counter[Level]:
    manifest = registry.manifest(backend)
    default = manifest.default_profile
    return Counter(manifest.support(default, row.id).level for row in members)


def _claims(name: str) -> Iterator[Claim]:
    for backend in registry.known():
        manifest = registry.manifest(backend)
        for profile in manifest.profiles:
            support = manifest.support(profile, name)
            yield Claim(
                backend,
                profile,
                profile == manifest.default_profile,
                f"{manifest.package} {manifest.version}",
                support,
                tuple(remedies(name, backend, support)),
            )


def _places(row: Feature) -> tuple[str, ...]:
    """What asks for a feature, its own attribute before notation that stands for it."""
    ordered = sorted(places(row), key=lambda place: place[1] != row.attribute)
    return tuple(_place(*place) for place in ordered)


def _place(element: str, attribute: str) -> str:
    """An element and attribute as MJCF writes them."""
    outer, _, inner = element.rpartition("/")
    tag = f"<{inner}>" if outer in {"", "actuator"} else f"<{inner}> in <{outer}>"
    if inner == "*":
        tag = f"any element in <{outer}>"
    return f"{attribute} of {tag}" if attribute else tag
