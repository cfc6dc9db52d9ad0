"""Records quantities at every physics step of one `step` call."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from unisim.backend.base import Array, Engine
from unisim.backend.fields import QUANTITIES
from unisim.backend.layout import check_name
from unisim.errors import BadArray

Over = Literal["all", "min", "max", "any"]


@dataclass(frozen=True)
class Record:
    """A quantity to record."""

    name: str
    """A quantity of `unisim.backend.fields`."""
    over: Over = "all"
    """`all` keeps every step; the others reduce over the steps of the call; `any` tells
    where a value was not zero, as 0 or 1."""


class Recorder:
    """Takes the recorded quantities after every physics step."""

    def __init__(self, items: Sequence[str | Record] | Record) -> None:
        """Prepare to record several items, or one.

        Raises:
            UnknownName: If an item names no quantity, or no reduction.
            BadArray: If it is not items at all.
        """
        several = (items,) if isinstance(items, str | Record) else items
        if not isinstance(several, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadArray("record", "names of quantities", repr(items))
        self._taken: dict[str | Record, list[Array]] = {}
        for item in several:
            check_name("quantity", _name(item), QUANTITIES)
            if isinstance(item, Record):
                check_name("reduction", item.over, get_args(Over))
            self._taken[item] = []

    def __bool__(self) -> bool:
        """Whether anything is recorded."""
        return bool(self._taken)

    def take(self, engine: Engine) -> None:
        """Copy what the engine holds now."""
        for item, values in self._taken.items():
            values.append(engine.read(_name(item)).copy())

    def result(self) -> Mapping[str | Record, Array]:
        """By item: shape (n, steps, ...), or (n, ...) when reduced."""
        return {item: _reduce(item, taken) for item, taken in self._taken.items()}


def _name(item: str | Record) -> str:
    return item.name if isinstance(item, Record) else item


def _reduce(item: str | Record, taken: list[Array]) -> Array:
    stacked = np.stack(taken, axis=1)
    match item:
        case Record(over="min"):
            return stacked.min(axis=1)
        case Record(over="max"):
            return stacked.max(axis=1)
        case Record(over="any"):
            return (stacked != 0).any(axis=1).astype(stacked.dtype)
        case _:
            return stacked
