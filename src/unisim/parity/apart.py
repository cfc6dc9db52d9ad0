"""How far two paths are apart, in joints and at the base."""

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.parity.replay import Path

Rows = NDArray[np.float64]
_FREE, _BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
_SLIDE, _HINGE = int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_HINGE)
_JOINTS = {_HINGE: ("hinges", "rad"), _SLIDE: ("slides", "m"), _BALL: ("balls", "rad")}


@dataclass(frozen=True)
class Curve:
    """Differences of the joints of one kind.

    Attributes:
        name: `hinges`, `slides`, `balls`, `base position` or `base orientation`.
        unit: `rad` or `m`.
        rmse: Root mean square over worlds and joints, over time. Shape (t,).
        largest: Largest of any world and joint, over time. Shape (t,).
        joint: The joint that differs most at any time.
    """

    name: str
    unit: str
    rmse: Rows
    largest: Rows
    joint: str

    @property
    def most(self) -> float:
        """Largest root mean square at any time [rad or m]."""
        return float(self.rmse.max())


@dataclass(frozen=True)
class Apart:
    """How far a path is from another one.

    Attributes:
        curves: By kind of joint that the scene has.
        horizon: Time until a joint differs by more than the divergence that was set
            [s], infinite when none does; of the base where there are no joints. Shape
            (n,).
    """

    curves: tuple[Curve, ...]
    horizon: Rows

    @property
    def first(self) -> float:
        """Horizon of the world that diverges first [s]."""
        return float(self.horizon.min())

    @property
    def middle(self) -> float:
        """Median horizon of the worlds [s]."""
        return float(np.sort(self.horizon)[(len(self.horizon) - 1) // 2])


def compare(
    model: mujoco.MjModel, path: Path, other: Path, time: Rows, divergence: float
) -> Apart:
    """Compare two paths of the same scene.

    Args:
        model: The scene's reference model.
        path: A path.
        other: The one it is compared with.
        time: Of every sample [s]. Shape (t,).
        divergence: Joint difference that ends the horizon [rad or m].
    """
    with np.errstate(over="ignore", invalid="ignore"):
        found = _differences(model, path.qpos, other.qpos)
        names = {key: _joints(model, key[0]) for key in found}
        return _compare(found, names, time, divergence)


def _compare(
    found: Mapping[tuple[str, str], Rows],
    names: Mapping[tuple[str, str], list[str]],
    time: Rows,
    divergence: float,
) -> Apart:
    judged = [d for (name, _), d in found.items() if not name.startswith("base")]
    judged = judged or list(found.values())
    gone = np.zeros(judged[0].shape[:2], bool)
    for difference in judged:
        gone |= ~(difference <= divergence).all(axis=-1)
    first = np.where(gone.any(axis=1), time[gone.argmax(axis=1)], np.inf)
    curves = tuple(_curve(key, found[key], names[key]) for key in found)
    return Apart(curves, first)


def _curve(key: tuple[str, str], difference: Rows, names: list[str]) -> Curve:
    rmse = np.sqrt((difference**2).mean(axis=(0, 2)))
    joint = names[int(difference.max(axis=(0, 1)).argmax())]
    return Curve(*key, rmse, difference.max(axis=(0, 2)), joint)


def _joints(model: mujoco.MjModel, name: str) -> list[str]:
    """Names of the joints that a difference is about, in its order."""
    kinds = {text: kind for kind, (text, _) in _JOINTS.items()}
    chosen = np.flatnonzero(np.asarray(model.jnt_type) == kinds.get(name, _FREE))
    return [model.joint(int(i)).name for i in chosen]


def _differences(
    model: mujoco.MjModel, a: Rows, b: Rows
) -> Mapping[tuple[str, str], Rows]:
    """By name and unit: absolute differences. Shapes (n, t, joints of the kind)."""
    starts, kinds = np.asarray(model.jnt_qposadr), np.asarray(model.jnt_type)
    found: dict[tuple[str, str], Rows] = {}
    for kind, key in _JOINTS.items():
        columns = starts[kinds == kind]
        if len(columns):
            scalar = kind != _BALL
            found[key] = (
                np.abs(a[..., columns] - b[..., columns])
                if scalar
                else _angles(a, b, columns)
            )
    bases = starts[kinds == _FREE]
    if len(bases):
        places = [a[..., i : i + 3] - b[..., i : i + 3] for i in bases]
        apart = np.linalg.norm(np.stack(places, axis=2), axis=-1)
        found["base position", "m"] = apart
        found["base orientation", "rad"] = _angles(a, b, bases + 3)
    return found


def _angles(a: Rows, b: Rows, columns: NDArray[np.integer]) -> Rows:
    """Angles between quaternions that start at some columns. Shape (n, t, k)."""
    wide = columns[:, None] + np.arange(4)
    p, q = (item[..., wide] for item in (a, b))
    p, q = (item / np.linalg.norm(item, axis=-1, keepdims=True) for item in (p, q))
    # precise for small angles, unlike the cosine; q and -q are the same rotation
    near = np.minimum(np.linalg.norm(p - q, axis=-1), np.linalg.norm(p + q, axis=-1))
    return 4 * np.arcsin(np.clip(near / 2, 0, 1))
