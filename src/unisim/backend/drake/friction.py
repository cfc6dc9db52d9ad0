"""Friction of each part, so that Drake's rule gives MuJoCo's friction of each pair.

Drake makes 2ab / (a + b) of two frictions: 1/a and 1/b add up to 2/mu. Where no numbers
do, parts are there several times, once for each friction that they have with others.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisim.backend.collide.sums import Sum, solve_sums
from unisim.backend.drake.slots import Meetings, Part

Array = NDArray[np.float64]
_LEAST = 1e-9
"""Slipperiness of what does not slip at all: a friction of 1e9."""
_SLIPPERY = 1e-3
"""The least friction that is worth staying near."""


@dataclass(frozen=True)
class Conflict:
    """Two parts that do not get the friction that their geoms have in MuJoCo.

    Attributes:
        parts: Both.
        wanted: Their friction.
    """

    parts: tuple[Part, Part]
    wanted: float


def solve(met: Meetings, pairs: Array, hint: Array) -> dict[Part, float] | Conflict:
    """Friction of every part, with which Drake's rule gives that of the pairs.

    Args:
        met: Parts that may collide.
        pairs: Sliding friction of two geoms. Shape (ngeom, ngeom).
        hint: Friction of the geoms, to stay near where there is a choice. (ngeom,).

    Returns:
        By part, or a pair that does not come out.
    """
    rubs = {x for one, other in met if _mu(pairs, one, other) for x in (one, other)}
    sums: list[Sum[Part]] = []
    for one, other in met:
        mu = _mu(pairs, one, other)
        if mu > 0:
            sums.append(Sum(one, other, 2.0 / mu))
        elif one in rubs and other in rubs:
            return Conflict((one, other), 0.0)
    wishes = {x: 1.0 / max(float(hint[x.geom]), _SLIPPERY) for x in rubs}
    found = solve_sums(sums, wishes, _LEAST)
    if isinstance(found, Sum):
        return Conflict((found.one, found.other), 2.0 / found.total)
    slippery = {x for pair in met for x in pair} - rubs
    return dict.fromkeys(slippery, 0.0) | {x: 1.0 / n for x, n in found.items()}


def copied(
    met: Meetings, pairs: Array, hint: Array
) -> tuple[Meetings, dict[Part, float]]:
    """The same parts, as often as they must be there, and their frictions.

    Args:
        met: Parts that may collide.
        pairs: Sliding friction of two geoms. Shape (ngeom, ngeom).
        hint: Friction of the geoms. Shape (ngeom,).
    """
    found = solve(met, pairs, hint)
    while isinstance(found, Conflict):
        # what has one friction only never is in conflict again
        met = _apart(met, pairs, _joined(met, found.parts[0]))
        found = solve(met, pairs, hint)
    return met, found


def _mu(pairs: Array, one: Part, other: Part) -> float:
    return float(pairs[one.geom, other.geom])


def _joined(met: Meetings, start: Part) -> set[Part]:
    """All parts that chains of pairs join to one of them."""
    links: dict[Part, list[Part]] = defaultdict(list)
    for one, other in met:
        links[one].append(other)
        links[other].append(one)
    found, todo = {start}, [start]
    while todo:
        new = [x for x in links[todo.pop()] if x not in found]
        found.update(new)
        todo += new
    return found


def _apart(met: Meetings, pairs: Array, parts: set[Part]) -> Meetings:
    """A copy of each of these parts for each friction that it has with others."""
    frictions = sorted({_mu(pairs, *pair) for pair in met if pair[0] in parts})
    copies = {mu: i for i, mu in enumerate(frictions)}

    def copy(one: Part, other: Part) -> tuple[Part, Part]:
        if one not in parts:
            return one, other
        number = copies[_mu(pairs, one, other)]
        return one._replace(copy=number), other._replace(copy=number)

    return tuple(copy(one, other) for one, other in met)
