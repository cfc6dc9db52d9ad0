"""Records quantities at every physics step of one `step` call."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from unisim.backend.arrays import HOST, Arrays, Over
from unisim.backend.base import Array, Engine
from unisim.backend.fields import QUANTITIES
from unisim.backend.layout import check_name
from unisim.errors import BadArray


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

    def __init__(
        self, items: Sequence[str | Record] | Record, arrays: Arrays = HOST
    ) -> None:
        """Prepare to record several items, or one, in a kind of arrays.

        Raises:
            UnknownName: If an item names no quantity, or no reduction.
            BadArray: If it is not items at all.
        """
        self._arrays = arrays
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
            values.append(self._arrays.pick(engine.read(_name(item)), None))

    def result(self) -> Mapping[str | Record, Array]:
        """By item: shape (n, steps, ...), or (n, ...) when reduced."""
        return {
            item: self._arrays.reduce(taken, _over(item))
            for item, taken in self._taken.items()
        }


def _name(item: str | Record) -> str:
    return item.name if isinstance(item, Record) else item


def _over(item: str | Record) -> Over:
    return "all" if isinstance(item, str) else item.over
