"""What a generator of heights fills, and how hard and how random it shall be."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from unisim.errors import BadTerrain

Heights = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lattice:
    """The samples of a tile without its border, (n + 1, n + 1) of them for n cells.

    Attributes:
        name: The tile's name, for messages.
        n: Cells in each direction.
        resolution: Edge of a cell [m].
        difficulty: From 0 at the lowest level to 1 at the highest.
        rng: The tile's own random numbers.
    """

    name: str
    n: int
    resolution: float
    difficulty: float
    rng: Generator

    def now(self, pair: tuple[float, float]) -> float:
        """From the first of a pair at difficulty 0 to the second at 1."""
        return pair[0] + (pair[1] - pair[0]) * self.difficulty

    def flat(self) -> Heights:
        """Height 0 everywhere [m]. Shape (n + 1, n + 1)."""
        return np.zeros((self.n + 1, self.n + 1))

    def inwards(self) -> NDArray[np.int64]:
        """Cells from the nearer end, along one direction. Shape (n + 1,)."""
        i = np.arange(self.n + 1)
        return np.minimum(i, self.n - i)

    def edge(self) -> NDArray[np.int64]:
        """Cells from the nearest edge of the tile. Shape (n + 1, n + 1)."""
        inwards = self.inwards()
        return np.minimum(inwards[:, None], inwards)

    def platform(self, width: float) -> int:
        """Cells from the edge to a platform of at least this width [m]."""
        return max(0, (self.n - self.up(width)) // 2)

    def up(self, length: float) -> int:
        """A length [m] in cells, rounded up."""
        return int(np.ceil(length / self.resolution - 1e-6))

    def count(self, length: float, what: str, least: int = 1) -> int:
        """A length in cells, rounded.

        Args:
            length: The length [m].
            what: What it is the length of.
            least: Cells that it takes to show it.

        Raises:
            BadTerrain: If that is fewer cells than it takes.
        """
        found = round(length / self.resolution)
        if found < least:
            raise BadTerrain(
                f"terrain tile {self.name!r}",
                f"{what} of {length:g} m is less than {least} cells of "
                f"{self.resolution:g} m.",
                f"Take a finer terrain.resolution or a larger {what}.",
            )
        return found
