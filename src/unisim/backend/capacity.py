"""How many contacts and constraint rows a world needs, seen on the reference.

For engines that reserve room before the first step: the reference settles, and rolls
out under random controls, where its keyframe stands and on other places of its ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

ROLLOUTS, STEPS, EVERY = 4, 200, 10
_LONGEST, _STILL = 2000, 1e-2
"""Steps at most until everything is as slow as this: it may fall from high up."""
_HEADROOM, _LEAST = 2.0, 16
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)
_PLANE = int(mujoco.mjtGeom.mjGEOM_PLANE)
_HFIELD = int(mujoco.mjtGeom.mjGEOM_HFIELD)


@dataclass(frozen=True)
class Capacity:
    """Room for one world.

    Attributes:
        contacts: Contacts, and pairs of geoms near enough to be looked at.
        rows: Constraint rows.
    """

    contacts: int
    rows: int


def needed(
    model: mujoco.MjModel,
    key: int,
    seed: int = 0,
    places: Sequence[NDArray[np.float64]] = (),
) -> Capacity:
    """Twice what any of some roll-outs of the reference took at once.

    Args:
        model: The reference.
        key: Keyframe it starts from, -1 for the defaults.
        seed: Seed of velocities and controls; the first roll-out only settles.
        places: Where else to start, as moves of everything free [m]. Shape (3,) each.
    """
    data, rng = mujoco.MjData(model), np.random.default_rng(seed)
    near = _Near(model)
    most_contacts = most_rows = 0
    moves = [np.zeros(3)] * ROLLOUTS + list(places)
    for rollout, move in enumerate(moves):
        mujoco.mj_resetData(model, data)
        if key >= 0:
            mujoco.mj_resetDataKeyframe(model, data, key)
        for start in model.jnt_qposadr[model.jnt_type == _FREE].tolist():
            data.qpos[start : start + 3] += move
        data.qvel[:] += rng.normal(size=model.nv) * 0.5 * (rollout > 0)
        rest = data.ctrl.copy()
        for step in range(_LONGEST):
            if step >= STEPS and (rollout or _still(data)):
                break
            if rollout and step % EVERY == 0:
                data.ctrl[:] = _controls(model, rng, rest)
            mujoco.mj_step(model, data)
            if step % EVERY == 0:
                most_contacts = max(most_contacts, near.count(data))
            most_contacts = max(most_contacts, data.ncon)
            most_rows = max(most_rows, data.nefc)
    rows = max(most_rows, _widest(model) * most_contacts // 2)
    return Capacity(_room(most_contacts), _room(rows))


def _still(data: mujoco.MjData) -> bool:
    return bool(np.abs(data.qvel).max(initial=0.0) < _STILL)


def _room(most: int) -> int:
    return 8 * (-(-int(_HEADROOM * most + _LEAST) // 8))


def _widest(model: mujoco.MjModel) -> int:
    """Rows of the widest contact."""
    dims = np.concatenate([model.geom_condim, model.pair_dim, [1]])
    return int(max(1, 2 * (dims.max() - 1)))


def _controls(
    model: mujoco.MjModel, rng: np.random.Generator, rest: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Anywhere in the range of each control, around the start where it has none."""
    low, high = model.actuator_ctrlrange.T
    free = rest + rng.normal(size=model.nu)
    inside = rng.uniform(size=model.nu) * (high - low) + low
    return np.where(low < high, inside, free)


class _Near:
    """Counts pairs of geoms whose bounding spheres meet."""

    def __init__(self, model: mujoco.MjModel) -> None:
        first, second = np.triu_indices(model.ngeom, 1)
        kind, affinity = model.geom_contype, model.geom_conaffinity
        match = (kind[first] & affinity[second]) | (kind[second] & affinity[first])
        weld = model.body_weldid[model.geom_bodyid]
        chosen = (match != 0) & (weld[first] != weld[second])
        self._pairs = first[chosen], second[chosen]
        self._endless = np.isin(model.geom_type, (_PLANE, _HFIELD))
        self._radius = model.geom_rbound + model.geom_margin + model.geom_gap

    def count(self, data: mujoco.MjData) -> int:
        """Pairs that are near; height fields are near to everything."""
        first, second = self._pairs
        pos, radius = data.geom_xpos, self._radius
        apart = np.linalg.norm(pos[first] - pos[second], axis=1)
        near = apart <= radius[first] + radius[second]
        endless = self._endless[first] | self._endless[second]
        plane = np.where(self._endless[first], first, second)[endless]
        other = np.where(self._endless[first], second, first)[endless]
        normal = data.geom_xmat[plane][:, 2::3]
        height = np.einsum("ij,ij->i", normal, pos[other] - pos[plane])
        near[endless] = height <= radius[other]
        return int(near.sum())
