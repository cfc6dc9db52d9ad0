"""What an audit says: plain values that go into reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Difference:
    """Something the engine holds or does otherwise than the reference.

    Attributes:
        kind: Kind of the object.
        name: Its name.
        field: The audited field, or the check of the behaviour.
        expected: Value of the reference.
        got: Value of the engine.
        unit: Unit of both.
        at: Where the scene states it, as file:line.
        note: What usually causes it, or which worlds it concerns.
    """

    kind: str
    name: str
    field: str
    expected: str
    got: str
    unit: str
    at: str
    note: str = ""


@dataclass(frozen=True)
class Unaudited:
    """Something that could not be compared.

    Attributes:
        what: The check or field.
        names: What it concerns; empty for the whole scene.
        reason: Why.
    """

    what: str
    names: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class AuditReport:
    """Result of an audit that found no difference.

    Attributes:
        backend: Name of the backend.
        profile: Solver profile, in the words of the manifest.
        accepted: Features whose approximation was agreed to.
        fields: Number of fields compared by value.
        compared: Number of those that have a value with effect in this scene.
        residuals: By check, the largest residual found.
        tolerances: By check, the largest that passes.
        unaudited: What could not be compared.
    """

    backend: str
    profile: str
    accepted: tuple[str, ...]
    fields: int
    compared: int = 0
    residuals: Mapping[str, float] = field(default_factory=dict[str, float])
    tolerances: Mapping[str, float] = field(default_factory=dict[str, float])
    unaudited: tuple[Unaudited, ...] = ()
