"""Groups of what may collide with the same others."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from unisim.mjcf.feature import Mask


def alike(matrix: Mask) -> list[list[int]]:
    """Groups whose members may collide with the same others.

    Within a group either all may collide, or none.

    Args:
        matrix: Who may collide, symmetric. Shape (k, k).
    """
    cliques = _equal_rows(matrix | np.eye(len(matrix), dtype=bool), range(len(matrix)))
    alone = [group[0] for group in cliques if len(group) == 1]
    return [
        *(group for group in cliques if len(group) > 1),
        *_equal_rows(matrix, alone),
    ]


def _equal_rows(matrix: Mask, rows: Sequence[int]) -> list[list[int]]:
    groups: dict[bytes, list[int]] = defaultdict(list)
    for row in rows:
        groups[np.packbits(matrix[row]).tobytes()].append(row)
    return list(groups.values())
