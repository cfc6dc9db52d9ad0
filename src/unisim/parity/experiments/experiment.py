"""What an experiment is, and what it finds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.parity.experiments.bench import Bench


@dataclass(frozen=True)
class Check:
    """Numbers that were measured, beside those that are right.

    Attributes:
        what: What was measured.
        unit: Its unit, "1" for a ratio.
        measured: A number per world, or more. Shape (...).
        expected: What a closed form says. Same shape.
        tolerance: Largest difference that passes. Same shape.
    """

    what: str
    unit: str
    measured: NDArray[np.float64]
    expected: NDArray[np.float64]
    tolerance: NDArray[np.float64]

    @property
    def share(self) -> NDArray[np.float64]:
        """Differences over their tolerances; 1 just passes. Same shape."""
        apart = np.abs(self.measured - self.expected) / self.tolerance
        return np.where(np.isnan(apart), np.inf, apart)

    @property
    def worst(self) -> int:
        """Index of the largest share, in the flattened arrays."""
        return int(np.argmax(self.share))

    @property
    def passed(self) -> bool:
        """Whether every number is within its tolerance."""
        return bool((self.share <= 1).all())


def check(
    what: str,
    unit: str,
    measured: ArrayLike,
    expected: ArrayLike = 0.0,
    *,
    within: ArrayLike,
) -> Check:
    """A check whose expected values and tolerances are spread to what was measured."""
    values = np.atleast_1d(np.array(measured, np.float64))
    right, bound = (
        np.broadcast_to(np.asarray(item, np.float64), values.shape)
        for item in (expected, within)
    )
    return Check(what, unit, values, right, bound)


@dataclass(frozen=True)
class Experiment:
    """A small scene whose right behaviour is known without any engine.

    Attributes:
        name: Its name.
        law: What must come out.
        run: Runs it on a bench.
    """

    name: str
    law: str
    run: Callable[[Bench], Iterator[Check]]
