"""One row of the audit's table: a value that every engine must hold."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

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
        feature: MJCF's word for it, `element.attribute`: what consent names.
        refers: Kind of names that its values index; "object" is any of them.
    """

    name: str
    kind: str
    unit: str
    raw: tuple[str, ...]
    read: Read
    tolerance: Tolerance = Tolerance.VALUE
    attribute: str | None = None
    feature: str = ""
    refers: str = ""

    def accepted(self, features: tuple[str, ...]) -> bool:
        """Whether consent to one of these features covers this field."""
        stated = self.feature or f"{self.kind}.{self.attribute or self.name}"
        return any(item == stated or item.startswith(stated + ".") for item in features)


def raw(model: mujoco.MjModel, name: str) -> NDArray[np.generic]:
    """A model field by MuJoCo's name, `opt.<name>` for an option."""
    if name.startswith("opt."):
        return np.asarray(getattr(model.opt, name[4:]))
    return np.asarray(getattr(model, name))


def plain(name: str) -> Read:
    """Read a model field as it is."""
    return lambda model: raw(model, name)


def where(condition: ArrayLike, values: ArrayLike) -> Values:
    """Values of the rows that have an effect; NaN in the others."""
    kept = np.array(values, dtype=np.float64)
    kept[~np.asarray(condition, dtype=bool)] = np.nan
    return kept


def limits(limited: ArrayLike, values: ArrayLike) -> Values:
    """Ranges with ±inf in the rows that have none. Shape (rows, 2)."""
    ranges = np.array(values, dtype=np.float64)
    ranges[~np.asarray(limited, dtype=bool)] = (-np.inf, np.inf)
    return ranges
