"""Numbers of some things, given the sum for some pairs of them.

Chains of pairs determine the numbers, up to one for all that no odd circle of pairs
holds together. An engine that combines the frictions a and b of two geoms to
2ab / (a + b) asks for that in 1/a, one that takes the geometric mean in log a.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import Generic, NamedTuple, TypeVar

import numpy as np

_EXACT = 1e-9


T = TypeVar("T", bound=Hashable)


class Sum(NamedTuple, Generic[T]):
    """The sum of the numbers of two things."""

    one: T
    other: T
    total: float


def solve_sums(
    sums: list[Sum[T]], wishes: Mapping[T, float], least: float
) -> dict[T, float] | Sum[T]:
    """Numbers that add up.

    Args:
        sums: What they have to add up to, each pair once.
        wishes: Numbers to stay near, where there is a choice.
        least: What none of them may fall below.

    Returns:
        By thing, sums right to 1e-9; or one of the sums that cannot be had.
    """
    links: dict[T, list[Sum[T]]] = defaultdict(list)
    for one, other, total in sums:
        links[one].append(Sum(one, other, total))
        links[other].append(Sum(other, one, total))
    found: dict[T, float] = {}
    for start in links:
        if start in found:
            continue
        cluster = _Cluster(links, least)
        bad = cluster.walk(start) or cluster.settle(wishes)
        if bad is not None:
            return bad
        found |= cluster.numbers()
    return found


class _Cluster(Generic[T]):
    """Things that chains of pairs join: each number is sign * free + offset."""

    def __init__(self, links: Mapping[T, list[Sum[T]]], least: float) -> None:
        self._links, self._least = links, least
        self._sign: dict[T, float] = {}
        self._offset: dict[T, float] = {}
        self._free: float | None = None

    def walk(self, start: T) -> Sum[T] | None:
        """Reach everything, and close each circle of pairs."""
        self._sign[start], self._offset[start] = 1.0, 0.0
        todo, circles = [start], list[Sum[T]]()
        while todo:
            for item in self._links[todo.pop()]:
                if item.other in self._sign:
                    circles.append(item)
                    continue
                self._sign[item.other] = -self._sign[item.one]
                self._offset[item.other] = item.total - self._offset[item.one]
                todo.append(item.other)
        return next((item for item in circles if not self._closes(item)), None)

    def _closes(self, item: Sum[T]) -> bool:
        slope = self._sign[item.one] + self._sign[item.other]
        rest = item.total - self._offset[item.one] - self._offset[item.other]
        if slope and self._free is None:
            self._free = rest / slope
        off = rest - slope * (self._free or 0.0)
        return abs(off) <= _EXACT * max(1.0, abs(item.total))

    def settle(self, wishes: Mapping[T, float]) -> Sum[T] | None:
        """Choose the number that is free, so that none falls below the least."""
        bounds = {x: s * (self._least - self._offset[x]) for x, s in self._sign.items()}
        low = max((x for x in bounds if self._sign[x] > 0), key=lambda x: bounds[x])
        high = min((x for x in bounds if self._sign[x] < 0), key=lambda x: bounds[x])
        if self._free is None:
            wish = np.mean(
                [s * (wishes[x] - self._offset[x]) for x, s in self._sign.items()]
            )
            self._free = max(min(float(wish), bounds[high]), bounds[low])
        slack = _EXACT * max(1.0, *map(abs, self._offset.values()))
        for part, below in (
            (low, bounds[low] - self._free),
            (high, self._free - bounds[high]),
        ):
            if below > slack:
                return min(self._links[part], key=lambda item: item.total)
        return None

    def numbers(self) -> dict[T, float]:
        """The number of each thing."""
        free = self._free or 0.0
        return {
            x: max(sign * free + self._offset[x], self._least)
            for x, sign in self._sign.items()
        }
