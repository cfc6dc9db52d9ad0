"""Collects, step by step, what a run reports of all worlds."""

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.runtime.measured import QUANTILES, Series, Touch


class Quantiles:
    """Collects a `Series`."""

    def __init__(self, count: int) -> None:
        """Expect a number of control steps."""
        self._spread = np.full((count, len(QUANTILES)), np.nan)
        self._one, self._mean = np.full((2, count), np.nan)

    def take(self, i: int, values: Array, sound: NDArray[np.bool_], world: int) -> None:
        """Take the values of all worlds after control step i. Shape (n,)."""
        self._one[i] = values[world]
        if sound.any():
            self._spread[i] = np.quantile(values[sound], QUANTILES)
            self._mean[i] = values[sound].mean()

    def series(self) -> Series:
        """What was collected."""
        return Series(self._spread, self._mean, self._one)


class TouchSum:
    """Collects a `Touch`."""

    def __init__(self) -> None:
        """Start at nothing."""
        self._found, self._any, self._overflow = 0, 0, False
        self._peak: float | None = None

    def take(
        self,
        found: NDArray[np.int64],
        overflow: NDArray[np.bool_],
        force: Array | None,
    ) -> None:
        """Take a reading of all worlds."""
        self._found += int(found.sum())
        self._any += int(np.count_nonzero(found))
        self._overflow |= bool(overflow.any())
        if force is not None:
            largest = float(np.sqrt((force**2).sum(axis=-1)).max())
            self._peak = max(self._peak or 0.0, largest)

    def of(self, name: str, samples: int) -> Touch:
        """What was collected of a query, in a number of worlds times steps."""
        share = self._any / samples
        return Touch(name, self._found / samples, share, self._peak, self._overflow)
