"""Lets the parts of two geoms collide where MuJoCo lets the geoms."""

from collections.abc import Mapping, Sequence

import numpy as np
from pydrake.geometry import (
    CollisionFilterDeclaration,
    CollisionFilterManager,
    GeometryId,
    GeometrySet,
)

from unisim.backend.collide.groups import alike
from unisim.backend.drake.slots import Meetings, Part


def apply_filters(
    manager: CollisionFilterManager,
    parts: Mapping[Part, Sequence[GeometryId]],
    met: Meetings,
) -> None:
    """Replace all filters, those of the plant too, once it is finalized.

    Args:
        manager: The scene graph's.
        parts: What is registered for each part.
        met: Parts that may collide.
    """
    if not parts:
        return
    every = [item for ids in parts.values() for item in ids]
    manager.Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(every)))
    number = {part: i for i, part in enumerate(parts)}
    matrix = np.zeros((len(parts), len(parts)), bool)
    for one, other in met:
        matrix[number[one], number[other]] = matrix[number[other], number[one]] = True
    names = list(parts)
    groups = alike(matrix)
    sets = [[x for i in group for x in parts[names[i]]] for group in groups]
    for k, group in enumerate(groups):
        declaration = CollisionFilterDeclaration()
        if len(group) > 1 and matrix[group[0], group[1]]:
            declaration.AllowWithin(GeometrySet(sets[k]))
        others = [
            x
            for later in range(k + 1, len(groups))
            if matrix[group[0], groups[later][0]]
            for x in sets[later]
        ]
        if others:
            declaration.AllowBetween(GeometrySet(sets[k]), GeometrySet(others))
        manager.Apply(declaration)
