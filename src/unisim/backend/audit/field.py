"""One row of the audit's table: a value that every engine must hold."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.backend.audit.names import PARTS

Values = NDArray[np.float64]
Read = Callable[[mujoco.MjModel], ArrayLike]


class Tolerance(Enum):
    """How far a value may be off: relative to its row's largest entry, and absolute."""

    EXACT = (0.0, 0.0)
    """Types, counts, flags, names."""
    VALUE = (1e-6, 1e-9)
    """Anything continuous: above the rounding of float32, below any effect."""
    QUAT = (0.0, 1e-6)
    """Quaternions, whose sign is free."""


@dataclass(frozen=True)
class AuditedField:
    """A field of the audit.

    Attributes:
        name: The field, in MuJoCo's words.
        kind: What its rows are: a key of `Readback.names`.
        unit: Unit of its values.
        raw: MuJoCo's model fields that it is read from; options as `opt.<name>`.
        read: The values in a model. Shape (rows, ...); NaN where a value has no
            effect and is not compared.
        tolerance: How far it may be off.
        attribute: MJCF attribute that states it, to find its line.
        refers: Kind of names that its values index; "object" is any of them.
        derived: Whether MuJoCo's compiler derives it from other fields: compared only
            where an engine holds it, and not once a difference was agreed to.
    """

    name: str
    kind: str
    unit: str
    raw: tuple[str, ...]
    read: Read
    tolerance: Tolerance = Tolerance.VALUE
    attribute: str | None = None
    refers: str = ""
    derived: bool = False

    def accepted(self, features: tuple[str, ...]) -> bool:
        """Whether consent to one of these features covers this field."""
        kind = PARTS.get(self.kind, self.kind)
        stated = f"{kind}.{self.attribute or self.name}"
        return any(item == stated or item.startswith(stated + ".") for item in features)


def raw(model: mujoco.MjModel, name: str) -> NDArray[np.generic]:
    """A model field by MuJoCo's name, `opt.<name>` for an option."""
    if name.startswith("opt."):
        return np.asarray(getattr(model.opt, name[4:]))
    return np.asarray(getattr(model, name))


def plain(name: str) -> Read:
    """Read a model field as it is."""
    return lambda model: raw(model, name)


def values(
    kind: str,
    name: str,
    unit: str = "",
    attribute: str | None = None,
    effect: Read | None = None,
) -> AuditedField:
    """A continuous field as MuJoCo holds it, where it has an effect."""
    read = plain(name) if effect is None else _where(effect, name)
    return AuditedField(name, kind, unit, (name,), read, attribute=attribute)


def counts(
    kind: str, name: str, attribute: str | None = None, effect: Read | None = None
) -> AuditedField:
    """A type, a count or a flag as MuJoCo holds it, where it has an effect."""
    field = values(kind, name, "", attribute, effect)
    return replace(field, tolerance=Tolerance.EXACT)


def quats(kind: str, name: str) -> AuditedField:
    """An orientation as MuJoCo holds it."""
    return replace(values(kind, name, "", "quat"), tolerance=Tolerance.QUAT)


def whole(name: str) -> Read:
    """Read a model field as one row. Shape (1, k)."""
    return lambda model: np.asarray(raw(model, name), dtype=float).reshape(1, -1)


def indices(kind: str, name: str, source: str, refers: str) -> AuditedField:
    """An index of another object, compared by that object's name."""
    read = plain(source)
    return AuditedField(name, kind, "", (source,), read, Tolerance.EXACT, refers=refers)


def ranges(kind: str, unit: str, attribute: str, stem: str) -> AuditedField:
    """A range, infinite where its flag says that there is none."""
    span, flag = f"{stem}range", f"{stem}limited"
    read = _limits(flag, span)
    return AuditedField(span, kind, unit, (span, flag), read, attribute=attribute)


def _where(effect: Read, name: str) -> Read:
    """Values of the rows that have an effect; NaN in the others."""

    def read(model: mujoco.MjModel) -> Values:
        found = np.array(raw(model, name), dtype=np.float64)
        found[~np.asarray(effect(model), dtype=bool)] = np.nan
        return found

    return read


def _limits(flag: str, span: str) -> Read:
    """Ranges, with ±inf in the rows that have none. Shape (rows, 2)."""

    def read(model: mujoco.MjModel) -> Values:
        found = np.array(raw(model, span), dtype=np.float64)
        found[~np.asarray(raw(model, flag), dtype=bool)] = (-np.inf, np.inf)
        return found

    return read
