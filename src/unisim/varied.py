"""Checks what model fields may be varied to, as MuJoCo's compiler would."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.names import names_of
from unisim.backend.base import Array
from unisim.backend.fields import LEAST
from unisim.errors import BadArray

MASSES: tuple[str, ...] = ("body_mass", "body_inertia")
"""Fields of which a moving body needs both."""
_ROUNDING = 4.0
"""Roundings of the dtype that a sum of two moments of inertia is forgiven."""
_SHOWN = 8
_UNIT = 1e-5
"""How far the length of a quaternion may be from 1."""
_LIMITED: Mapping[str, str] = {
    "jnt_range": "jnt_limited",
    "actuator_ctrlrange": "actuator_ctrllimited",
    "actuator_forcerange": "actuator_forcelimited",
}
"""Ranges, and the field that says where they limit anything."""
_KIND: Mapping[str, str] = {
    "actuator_ctrlrange": "ctrl",
    "actuator_forcerange": "out",
    **{name: name for name in ("body", "geom", "dof", "qpos", "actuator")},
    "jnt": "joint",
    "opt.gravity": "option",
    "opt.wind": "option",
}
"""What the elements of a field are, by the field or by the start of its name."""


@dataclass(frozen=True)
class Change:
    """New values of a model field.

    Attributes:
        name: The field.
        rows: Its new values. Shape (k, ...).
        worlds: The worlds they are of. Shape (k,).
        model: The reference model.
    """

    name: str
    rows: Array
    worlds: NDArray[np.integer]
    model: mujoco.MjModel

    def refuse(self, expected: str, wrong: NDArray[np.bool_]) -> None:
        """Refuse what is wrong, if anything is.

        Args:
            expected: What was expected.
            wrong: Shape (k or 1, elements).

        Raises:
            BadArray: With worlds, elements, and the first value.
        """
        if not wrong.any():
            return
        first = tuple(np.argwhere(wrong)[0])
        value = self.rows.reshape(len(self.rows), wrong.shape[1], -1)[first]
        shown = " ".join(f"{number:g}" for number in value)
        worlds = self.worlds[wrong.any(axis=1)] if len(wrong) > 1 else self.worlds
        names = [
            repr(self._element(i)) for i in np.flatnonzero(wrong.any(axis=0)).tolist()
        ]
        many = "s" if len(worlds) > 1 else ""
        got = f"{shown} in world{many} {_some(worlds)} for {_some(names)}"
        raise BadArray(self.name, expected, got)

    def _element(self, index: int) -> str:
        kind = _KIND.get(self.name) or _KIND[self.name.partition("_")[0]]
        names = names_of(self.model)[kind]
        return names[index] if index < len(names) else f"{kind} {index}"


def check_varied(change: Change, masses: Mapping[str, Array]) -> None:
    """Refuse values that no scene could state.

    Args:
        change: The new values of a model field.
        masses: What those of `MASSES` that differ between worlds hold in these worlds.
            Each of shape (k, ...).

    Raises:
        BadArray: If values are not finite or too small; if a range that limits has its
            ends in the wrong order; if a rotation is no unit quaternion; if a moving
            body, with all that is welded to it, has no mass or inertia; or if A + B < C
            for moments of inertia A, B, C of a body.
    """
    name, rows, model = change.name, change.rows, change.model
    least = LEAST.get(name, -np.inf)
    above = f", {least:g} or more" if name in LEAST else ""
    sound = np.isfinite(rows) & (rows >= least)
    wrong = np.asarray(~_each(sound, name).all(axis=2))
    change.refuse(f"finite values{above}", wrong)
    if name in _LIMITED:
        _check_ranges(change)
    if name == "body_iquat":
        off = np.abs(np.linalg.norm(rows, axis=2) - 1) > _UNIT
        change.refuse("unit quaternions, wxyz", off)
    if name == "body_inertia":
        expected = "A + B >= C in the moments of inertia of every body"
        change.refuse(expected, _impossible(rows))
    if name in MASSES:
        fields = {item: getattr(model, item)[None] for item in MASSES}
        fields |= {**masses, name: rows}
        expected = f"mass and inertia, above {mujoco.mjMINVAL:g}, of every moving body"
        change.refuse(expected, _light(fields, model))


def _check_ranges(change: Change) -> None:
    model, rows = change.model, change.rows
    limits = np.asarray(getattr(model, _LIMITED[change.name])) != 0
    rising = rows[..., 0] < rows[..., 1]
    expected = "low < high in every range that limits"
    change.refuse(expected, np.asarray(limits & ~rising))
    if change.name == "jnt_range":
        ball = limits & (model.jnt_type == mujoco.mjtJoint.mjJNT_BALL)
        wrong = np.asarray(ball & (rows[..., 0] != 0))
        change.refuse("0 as the low end of a ball's range", wrong)


def _each(values: NDArray[np.bool_], name: str) -> NDArray[np.bool_]:
    """Values by world and element. Shape (k, elements, ...)."""
    elements = 1 if name.startswith("opt.") else values.shape[1]
    return values.reshape(len(values), elements, -1)


def _some(items: Sequence[object] | NDArray[np.integer]) -> str:
    more = ", ..." if len(items) > _SHOWN else ""
    return ", ".join(map(str, items[:_SHOWN])) + more


def _impossible(inertia: Array) -> NDArray[np.bool_]:
    """Which bodies' moments of inertia belong to no body. Shape (k, nbody)."""
    small, middle, large = np.moveaxis(np.sort(inertia, axis=2), 2, 0)
    slack = _ROUNDING * float(np.finfo(inertia.dtype).eps)
    return small + middle < large * (1 - slack)


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
