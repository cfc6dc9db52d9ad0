"""A height field before MuJoCo sees it."""

from dataclasses import dataclass
from hashlib import sha256

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.errors import BadTerrain

_THINNEST = 1e-3
"""MuJoCo wants a range above zero even where all samples are equal [m]."""
_FEWEST = 2


@dataclass(frozen=True, eq=False)
class Field:
    """Heights on a square lattice, in MuJoCo's own order.

    Attributes:
        heights: Heights [m]; the row grows with y, the column with x. Shape
            (rows, columns), float32.
        resolution: Distance between two samples [m].
    """

    heights: NDArray[np.float32]
    resolution: float

    @property
    def half(self) -> tuple[float, float]:
        """Half the extent in x and in y [m]."""
        rows, columns = self.heights.shape
        return (columns - 1) * self.resolution / 2, (rows - 1) * self.resolution / 2

    @property
    def lowest(self) -> float:
        """The lowest height [m]."""
        return float(self.heights.min())

    @property
    def range(self) -> float:
        """From the lowest height to the highest [m]."""
        return max(float(self.heights.max()) - self.lowest, _THINNEST)

    def file(self) -> tuple[str, bytes]:
        """Digest name and content of MuJoCo's binary height field."""
        size = np.array(self.heights.shape, "<i4").tobytes()
        content = size + self.heights.astype("<f4").tobytes()
        return sha256(content).hexdigest()[:32] + ".bin", content


def check_size(where: object, shape: tuple[int, ...], allowed: int) -> None:
    """Refuse a field that is no field, or takes more memory than allowed.

    Args:
        where: What is blamed.
        shape: Rows and columns.
        allowed: Samples allowed.

    Raises:
        BadTerrain: Saying how large it would be.
    """
    if len(shape) != _FEWEST or min(shape) < _FEWEST:
        raise BadTerrain(
            where,
            "a height field needs two or more rows and columns, not the shape "
            f"{shape}.",
        )
    cells = shape[0] * shape[1]
    if cells > allowed:
        raise BadTerrain(
            where,
            f"{shape[0]} x {shape[1]} = {cells} samples would take {cells * 4} bytes "
            f"of the model; terrain.max_cells allows {allowed} samples, {allowed * 4} "
            "bytes.",
            "Take a coarser resolution or fewer tiles, or raise terrain.max_cells.",
        )


def memory_of(model: mujoco.MjModel) -> str:
    """What the height fields of a model take, in words; empty where it has none."""
    samples = model.hfield_data.size
    if not samples:
        return ""
    size = samples * model.hfield_data.itemsize
    return f"{samples:,} samples of ground, {size / 1e6:,.1f} MB, shared by all worlds"
