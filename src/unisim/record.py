"""Records quantities at every physics step of one `step` call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from unisim.backend.arrays import HOST, Arrays, Over
from unisim.backend.base import Array, Engine
from unisim.backend.fields import QUANTITIES
from unisim.errors import UnknownName


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

    def __init__(self, items: Sequence[str | Record], arrays: Arrays = HOST) -> None:
        """Prepare to record in a kind of arrays.

        Raises:
            UnknownName: If an item names no quantity, or no reduction.
        """
        self._arrays = arrays
        self._taken: dict[str | Record, list[Array]] = {item: [] for item in items}
        for item in items:
            if _name(item) not in QUANTITIES:
                raise UnknownName("quantity", _name(item), QUANTITIES)
            if isinstance(item, Record) and item.over not in get_args(Over):
                raise UnknownName("reduction", item.over, get_args(Over))

    def take(self, engine: Engine) -> None:
        """Copy what the engine holds now."""
        for item, values in self._taken.items():
            values.append(self._arrays.pick(engine.read(_name(item)), None))

    def result(self) -> Mapping[str | Record, Array]:
        """By item: shape (n, steps, ...), or (n, ...) when reduced."""
        return {
            item: self._arrays.reduce(taken, _over(item))
            for item, taken in self._taken.items()
        }


def _name(item: str | Record) -> str:
    return item if isinstance(item, str) else item.name


def _over(item: str | Record) -> Over:
    return "all" if isinstance(item, str) else item.over
