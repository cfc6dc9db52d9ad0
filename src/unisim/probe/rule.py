"""The rule: what an engine makes of a feature, from what was seen on both sides.

MuJoCo's two scenes differ by the feature's effect; so must the engine's. Compared are
the differences, so that what an engine does otherwise in both scenes cancels.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from unisim.probe.start import Array

EXACT, APPROXIMATE, IGNORED = 0.01, 0.5, 0.02
"""Largest error of what is exact and of what is approximate, and the response below
which a feature is ignored; each a share of the effect that MuJoCo has."""
CLEAR = 100.0
"""An effect counts where it is so many times the noise."""
SHAKE = 1e-6
"""Relative disturbance of the initial state. What it leads to, with the state rounded
to single precision after each step, is the noise."""
RULE = (EXACT, APPROXIMATE, IGNORED, CLEAR, SHAKE)
"""What every verdict depends on."""


class Verdict(StrEnum):
    """What an engine makes of a feature."""

    EXACT = "exact"
    APPROXIMATE = "approximate"
    IGNORED = "ignored"
    """No response where MuJoCo has one."""
    WRONG = "wrong"
    """A response that is not MuJoCo's."""
    REFUSED = "refused"
    """The adapter or the engine says that it cannot."""
    INCONCLUSIVE = "inconclusive"
    """No effect that is clear of the noise: nothing can be said."""
    CRASHED = "crashed"
    """The engine took its process down."""
    HUNG = "hung"
    """The engine did not answer in time."""


@dataclass(frozen=True)
class Finding:
    """What one probe found.

    Attributes:
        verdict: What the engine makes of the feature.
        error: Largest difference of the effects, as a share of MuJoCo's; None where
            nothing could be compared.
        note: Why nothing could be, in the engine's or the adapter's words.
    """

    verdict: Verdict
    error: float | None = None
    note: str = ""


def clear(effect: Array, noise: Array) -> NDArray[np.bool_]:
    """Where an effect is clear of the noise.

    What rounding may do to one start it may do to another, and what it has done by one
    horizon is not undone by the next: the noise is the largest of all starts so far.

    Args:
        effect: Shape (horizons, STARTS, k).
        noise: What a disturbance makes of it. The same shape.

    Returns:
        Shape (horizons, STARTS).
    """
    size = np.linalg.norm(effect, axis=2)
    loudest = np.linalg.norm(noise, axis=2).max(axis=1, keepdims=True)
    return (size > 0) & (size >= CLEAR * np.maximum.accumulate(loudest, axis=0))


def judge(got: Array, want: Array, noise: Array) -> Finding:
    """Compare the effect that a feature has on an engine with that on MuJoCo.

    Args:
        got: The engine's scene with the feature less the one without. Shape
            (horizons, STARTS, k).
        want: MuJoCo's.
        noise: What a disturbance makes of MuJoCo's.
    """
    counts = clear(want, noise)
    if not counts.any():
        return Finding(Verdict.INCONCLUSIVE, None, "no effect clear of the noise")
    if not np.isfinite(got[counts]).all():
        return Finding(Verdict.WRONG, None, "not finite where MuJoCo is")
    size = np.linalg.norm(want, axis=2)[counts]
    error = float((np.linalg.norm(got - want, axis=2)[counts] / size).max())
    response = float((np.linalg.norm(got, axis=2)[counts] / size).max())
    return Finding(_verdict(error, response), float(f"{error:.2g}"))


def _verdict(error: float, response: float) -> Verdict:
    if error <= EXACT:
        return Verdict.EXACT
    if response < IGNORED:
        return Verdict.IGNORED
    return Verdict.APPROXIMATE if error <= APPROXIMATE else Verdict.WRONG
