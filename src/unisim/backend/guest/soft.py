"""Soft constraints: the engine's springs that do what MuJoCo's solref says.

MuJoCo accelerates a constraint by -b v - k r, both taken at the start of a step; the
engine takes v at its end, and so does 1 / (1 + h b) of it. A stiffer damper makes up
for that, exactly for one row by itself.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_NEAR = 1e-6
_SHAPE = (0.95, 0.001, 0.5, 2.0)
"""Of MuJoCo's default impedance, of whose dry friction the engine has the first."""
_BEND, _SLOPE = 0.9, 100.0
"""Beyond this part of what a step could take, no damper makes up for all of it."""


def stiffened(part: float) -> float:
    """What a damper must be (h b) for an explicit one of `part` (h b)."""
    if part <= _BEND:
        return part / (1 - part)
    return _BEND / (1 - _BEND) + _SLOPE * (part - _BEND)


def relaxed(part: float) -> float:
    """The inverse of `stiffened`."""
    bent = _BEND / (1 - _BEND)
    return part / (1 + part) if part <= bent else _BEND + (part - bent) / _SLOPE


def spring_of(solref: "np.typing.ArrayLike", step: float) -> tuple[float, float]:
    """The engine's stiffness [1/s^2] and damping [1/s] for a solref.

    Args:
        solref: As MuJoCo has it: time constant and damping ratio, or both negative.
        step: The timestep h [s].
    """
    first, second = (float(value) for value in np.asarray(solref)[:2])
    if first > 0:
        constant = max(first, 2 * step)
        k, b = 1 / (constant * second) ** 2, 2 / constant
    else:
        k, b = -first, -second
    if b <= 0:
        return k, b
    factor = stiffened(step * b) / (step * b)
    return k * factor, b * factor


def solref_of(stiffness: float, damping: float, step: float) -> tuple[float, float]:
    """The solref that a spring of the engine does. The inverse of `spring_of`."""
    if damping <= 0 or stiffness <= 0:
        return -stiffness, -damping
    b = relaxed(step * damping) / step
    k = stiffness * b / damping
    return 2 / b, b / (2 * np.sqrt(k))


def told(
    stated: "np.typing.ArrayLike", spring: "Sequence[float]", step: float
) -> NDArray[np.float64]:
    """What is stated, if a spring of the engine is the one for it; else what it does.

    Args:
        stated: The solref. Shape (2,).
        spring: Stiffness [1/s^2] and damping [1/s].
        step: The timestep h [s].
    """
    if np.allclose(spring_of(stated, step), spring[:2], rtol=_NEAR, atol=0):
        return np.asarray(stated, np.float64)
    return np.array(solref_of(spring[0], spring[1], step))


def rubbing(
    stated: "tuple[np.typing.ArrayLike, np.typing.ArrayLike]",
    held: tuple[float, float],
    step: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What is stated of dry friction, if the engine's is for it; else what it does.

    Args:
        stated: The solref and the solimp.
        held: Damping [1/s] and impedance of the engine's.
        step: The timestep h [s].
    """
    solref, solimp = (np.asarray(item, np.float64) for item in stated)
    given = rubbing_of(solref, solimp, step), float(solimp[0])
    if np.allclose(given, held, rtol=_NEAR, atol=0):
        return solref, solimp
    return np.array([rubbing_solref(*held, step), 1]), np.array([held[1], *_SHAPE])


def rubbing_of(
    solref: "np.typing.ArrayLike", solimp: "np.typing.ArrayLike", step: float
) -> float:
    """The engine's damping of dry friction [1/s], which knows no impedance."""
    first, second = (float(value) for value in np.asarray(solref)[:2])
    least, most = (float(value) for value in np.asarray(solimp)[:2])
    b = 2 / (most * max(first, 2 * step)) if first > 0 else -second / most
    return stiffened(step * least * b) / step


def rubbing_solref(damping: float, impedance: float, step: float) -> float:
    """Time constant that a damping of dry friction does, by MuJoCo's default shape."""
    if damping <= 0 or impedance <= 0:  # no time constant does that
        return float("nan")
    b = relaxed(step * damping) / (step * impedance)
    return 2 / (0.95 * b)
