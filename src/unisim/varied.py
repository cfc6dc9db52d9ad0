"""Checks what model fields may be varied to, as MuJoCo's compiler would."""

from collections.abc import Mapping

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.fields import LEAST
from unisim.errors import BadArray

MASSES: tuple[str, ...] = ("body_mass", "body_inertia")
"""Fields of which a moving body needs both."""
_ROUNDING = 4.0
"""Roundings of the dtype that a sum of two moments of inertia is forgiven."""
_SHOWN = 8


def check_varied(
    name: str, rows: Array, model: mujoco.MjModel, masses: Mapping[str, Array]
) -> None:
    """Refuse values that no scene could state.

    Args:
        name: The model field.
        rows: Its new values in some worlds. Shape (k, ...).
        model: The reference model.
        masses: What those of `MASSES` that differ between worlds hold in these worlds.
            Each of shape (k, ...).

    Raises:
        BadArray: If values are not finite or too small; if a moving body, with all that
            is welded to it, has no mass or inertia; or if A + B < C for moments of
            inertia A, B, C of a body.
    """
    least = LEAST.get(name, -np.inf)
    if not (np.isfinite(rows) & (rows >= least)).all():
        above = f", {least:g} or more" if name in LEAST else ""
        raise BadArray(name, f"finite values{above}", "some that are not")
    if name == "body_inertia":
        expected = "A + B >= C in the moments of inertia of every body"
        _refuse(name, expected, _impossible(rows), model)
    if name in MASSES:
        fields = {item: getattr(model, item)[None] for item in MASSES}
        fields |= {**masses, name: rows}
        expected = f"mass and inertia, above {mujoco.mjMINVAL:g}, of every moving body"
        _refuse(name, expected, _light(fields, model), model)


def _impossible(inertia: Array) -> NDArray[np.bool_]:
    """Which bodies' moments of inertia belong to no body. Shape (k, nbody)."""
    largest = inertia.max(axis=2)
    slack = _ROUNDING * float(np.finfo(inertia.dtype).eps) * largest
    return inertia.sum(axis=2) - largest < largest - slack


def _light(fields: Mapping[str, Array], model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Which moving bodies lack mass or inertia. Shape (k or 1, nbody)."""
    heavy = np.ones((1, model.nbody), bool)
    for values in fields.values():
        each = values.reshape(len(values), model.nbody, -1)
        heavy = heavy & (each >= mujoco.mjMINVAL).all(axis=2)
    light = np.zeros(heavy.shape, bool)
    weld = np.asarray(model.body_weldid)
    for root in np.flatnonzero(model.body_dofnum):
        light[:, root] = ~heavy[:, weld == root].any(axis=1)
    return light


def _refuse(
    name: str, expected: str, wrong: NDArray[np.bool_], model: mujoco.MjModel
) -> None:
    bodies: list[int] = np.flatnonzero(wrong.any(axis=0)).tolist()
    if bodies:
        names = ", ".join(repr(model.body(i).name) for i in bodies[:_SHOWN])
        more = ", ..." if len(bodies) > _SHOWN else ""
        raise BadArray(name, expected, f"others in some worlds for {names}{more}")
