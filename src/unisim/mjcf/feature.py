"""One thing MJCF can ask for, and how to see in a model that it is asked for."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.mjcf.enums import ENUMS, members

Mask = NDArray[np.bool_]
Find = Callable[[mujoco.MjModel], Mask]
"""Which elements of a kind do something. Shape (number of elements,), bool."""

PREFIXES: Mapping[str, str] = {
    "body": "body",
    "jnt": "joint",
    "dof": "joint",
    "qpos": "joint",
    "geom": "geom",
    "pair": "pair",
    "eq": "equality",
    "tendon": "tendon",
    "actuator": "actuator",
    "sensor": "sensor",
    "key": "key",
    "flex": "flex",
}
"""Kind of the elements that an array of the model describes, by its prefix."""


@dataclass(frozen=True, kw_only=True)
class Feature:
    """One thing MJCF can ask for.

    Attributes:
        id: Dotted id in MJCF's words; public and never removed.
        doc: What it asks for, in one line.
        kind: Kind of the elements that ask for it; `option` and `size` have
            exactly one.
        find: Which elements use it.
        field: Array of the model that shows the value, "" for none.
        attribute: Attribute that asks for it, "" when the element itself does.
        stated: Which elements use it by stating the attribute alone, even at its
            default; None when only the value counts.
    """

    id: str
    doc: str
    kind: str
    find: Find
    field: str = ""
    attribute: str = ""
    stated: Find | None = None

    @property
    def visual(self) -> bool:
        """Whether it has no physical effect."""
        return self.id.startswith("visual.")

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The ids above this one, nearest first."""
        parts = self.id.split(".")
        return tuple(".".join(parts[:n]) for n in range(len(parts) - 1, 0, -1))


def values(model: mujoco.MjModel, field: str) -> NDArray[np.generic]:
    """An array of the model with one row per element of its kind. Shape (count, k).

    Where a joint or an actuator owns several rows, the first one. A field that the
    installed MuJoCo lacks has no rows.
    """
    if field.startswith("opt."):
        return np.reshape(getattr(model.opt, field[4:]), (1, -1))
    if not hasattr(model, field):
        return np.zeros((0, 1))
    array = np.asarray(getattr(model, field))
    first = FIRST.get(field) or FIRST.get(field.partition("_")[0])
    if first is not None:
        array = array[getattr(model, first)]
    return array.reshape(len(array), math.prod(array.shape[1:]))


def everywhere(field: str) -> Find:
    """All elements that an array describes."""
    return lambda model: np.ones(len(values(model, field)), bool)


FIRST: Mapping[str, str] = {
    "dof": "jnt_dofadr",
    "qpos": "jnt_qposadr",
    "qpos0": "jnt_qposadr",
    "actuator_gear": "actuator_outadr",
    "actuator_lengthrange": "actuator_outadr",
    "actuator_ctrlrange": "actuator_ctrladr",
}
"""By field or its prefix: where the first of an element's rows is."""

COUNTS: Mapping[str, str] = {
    "body": "nbody",
    "joint": "njnt",
    "geom": "ngeom",
    "pair": "npair",
    "exclude": "nexclude",
    "equality": "neq",
    "tendon": "ntendon",
    "actuator": "nactuator",
    "sensor": "nsensor",
    "key": "nkey",
    "flex": "nflex",
    "skin": "nskin",
    "camera": "ncam",
    "light": "nlight",
    "material": "nmat",
    "texture": "ntex",
    "numeric": "nnumeric",
    "text": "ntext",
    "tuple": "ntuple",
}
"""MuJoCo's size of each kind of element."""


def differs(
    id: str,
    doc: str,
    field: str,
    default: float | tuple[float, ...] = 0.0,
    scope: Find | None = None,
) -> Feature:
    """A value that is not its default, where it can have an effect."""

    def find(model: mujoco.MjModel) -> Mask:
        mask = (values(model, field) != default).any(axis=1)
        return mask & scope(model) if scope and mask.any() else mask

    return Feature(
        id=id, doc=doc, kind=_kind(field), find=find, field=field, attribute=_word(id)
    )


def stated(
    id: str,
    doc: str,
    field: str,
    default: float | tuple[float, ...],
    scope: Find | None = None,
) -> Feature:
    """A value that is not its default, or is stated where an engine could differ."""
    row = differs(id, doc, field, default, scope)
    return replace(row, stated=scope or everywhere(field))


def where(
    id: str, doc: str, kind: str, find: Find, field: str = "", attribute: str = ""
) -> Feature:
    """Elements that a rule of their own selects."""
    word = attribute or _word(id)
    return Feature(id=id, doc=doc, kind=kind, find=find, field=field, attribute=word)


def members_of(enum: str, scope: Find | None = None) -> Iterator[Feature]:
    """One feature per member of an enum, where it can have an effect."""
    row, present = ENUMS[enum], members(enum)
    for rest, doc in row.docs.items():
        find = _holds(row.field, present.get(f"{row.prefix}{rest}"), scope)
        yield where(row.id(rest), doc, _kind(row.field), find)


def _holds(field: str, value: int | None, scope: Find | None) -> Find:
    """Elements that hold a member; None is one the installed MuJoCo does not have."""

    def find(model: mujoco.MjModel) -> Mask:
        column = values(model, field)
        mask = column[:, 0] == (math.nan if value is None else value)
        return mask & scope(model) if scope and mask.any() else mask

    return find


def _kind(field: str) -> str:
    """Kind of the elements whose values an array holds."""
    if field.startswith("opt."):
        return "option"
    return PREFIXES[field.partition("_")[0].rstrip("0")]


def _word(id: str) -> str:
    """The attribute that an id names: its second word, a pair's third."""
    words = id.removeprefix("contact.").split(".")
    return words[1] if len(words) > 1 else ""
