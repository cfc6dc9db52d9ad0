"""Soft constraints: the engine's springs that do what MuJoCo's solref says.

MuJoCo accelerates a constraint by -b v - k r, both taken at the start of a step; the
engine takes v at its end, and so does 1 / (1 + h b) of it. A stiffer damper makes up
for that, exactly for one row by itself.
"""

import numpy as np

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
    b = relaxed(step * damping) / (step * impedance)
    return 2 / (0.95 * b)
