"""Which tile every world is on, as arrays over all worlds."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.errors import BadArray, OutOfRange
from unisim.scene.terrain.terrain import Terrain


class Curriculum:
    """Level and type of every world; types are spread evenly and stay.

    Attributes:
        terrain: The grid.
        levels: Level of each world. Shape (n,), int64.
        types: Type of each world. Shape (n,), int64.
    """

    def __init__(
        self,
        terrain: Terrain,
        worlds: int,
        seed: int,
        *,
        highest: int = 0,
        at_top: Literal["random", "stay"] = "random",
    ) -> None:
        """Put every world on a tile.

        Args:
            terrain: The grid.
            worlds: Number of worlds n.
            seed: Of every random choice that is made here.
            highest: Worlds start on random levels up to this one.
            at_top: What promotes a world from the highest level: a random level, or
                nothing.

        Raises:
            OutOfRange: If there is no such level, or less than one world.
        """
        if worlds < 1:
            raise OutOfRange("worlds", worlds, "1 or more")
        levels, types = terrain.patch_counts.shape
        if not 0 <= highest < levels:
            raise OutOfRange("highest", highest, f"0 to {levels - 1}")
        self.terrain = terrain
        self._rng = np.random.default_rng(seed)
        self._random = at_top == "random"
        self.levels: NDArray[np.int64] = self._rng.integers(0, highest + 1, worlds)
        self.types: NDArray[np.int64] = np.arange(worlds, dtype=np.int64) % types

    def origins(self, worlds: ArrayLike | None = None) -> NDArray[np.float64]:
        """Middle of the tiles of some worlds, in world [m]. Shape (k, 3).

        Args:
            worlds: By index, shape (k,), or by boolean mask, shape (n,); None is all.

        Raises:
            BadArray: If that is neither, or names a world twice.
            OutOfRange: If a world index is not in [0, n).
        """
        at = self._index(worlds)
        return self.terrain.origins[self.levels[at], self.types[at]]

    def spawn(self, worlds: ArrayLike | None = None) -> NDArray[np.float64]:
        """A random flat place on the tiles of some worlds, in world [m]. Shape (k, 3).

        Raises:
            BadArray: If worlds are given neither by index nor by mask, or one twice.
            OutOfRange: If a world index is not in [0, n).
        """
        at = self._index(worlds)
        return self.terrain.spawn(self.levels[at], self.types[at], self._rng)

    def promote(self, worlds: ArrayLike) -> None:
        """One level up; from the highest, as `at_top` says.

        Raises:
            BadArray: If worlds are given neither by index nor by mask, or one twice.
            OutOfRange: If a world index is not in [0, n).
        """
        at, count = self._index(worlds), self.terrain.cfg.levels
        levels = self.levels[at] + 1
        over = levels >= count
        anew = self._rng.integers(0, count, len(levels))
        levels[over] = anew[over] if self._random else count - 1
        self.levels[at] = levels

    def demote(self, worlds: ArrayLike) -> None:
        """One level down; the lowest stays.

        Raises:
            BadArray: If worlds are given neither by index nor by mask, or one twice.
            OutOfRange: If a world index is not in [0, n).
        """
        at = self._index(worlds)
        self.levels[at] = np.maximum(self.levels[at] - 1, 0)

    def _index(self, worlds: ArrayLike | None) -> NDArray[np.int64]:
        count = len(self.levels)
        if worlds is None:
            return np.arange(count)
        given = np.asarray(worlds)
        if given.dtype == np.bool_ and given.shape == (count,):
            return np.flatnonzero(given)
        if given.shape == (0,):
            return np.zeros(0, np.int64)
        if given.ndim != 1 or given.dtype.kind not in "iu":
            expected = f"indices of shape (k,) or a mask of shape ({count},)"
            got = f"{given.dtype} of shape {given.shape}"
            raise BadArray("worlds", expected, got)
        wrong = given[(given < 0) | (given >= count)]
        if wrong.size:
            raise OutOfRange("world", wrong[0], f"0 to {count - 1}")
        if len(np.unique(given)) < len(given):
            raise BadArray("worlds", "every world once", "one twice")
        return given.astype(np.int64)
