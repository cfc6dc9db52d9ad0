"""What a guest engine holds, keeps and puts together."""

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.fields import STATE
from unisim.backend.follower import FollowerSnapshot
from unisim.backend.guest.guest import Contacts
from unisim.backend.guest.late import Step


@dataclass(frozen=True)
class GuestSnapshot:
    """All that the future of a guest engine depends on, and what it last told."""

    state: Mapping[str, Array]
    last: Step
    contacts: Contacts | None
    stale: NDArray[np.bool_]
    moved: NDArray[np.bool_]
    faults: NDArray[np.uint8]
    varied: Mapping[str, Array]
    push: FollowerSnapshot
    guest: object


def where(worlds: Worlds | None) -> Worlds | slice:
    """The rows of some worlds, None for all."""
    return slice(None) if worlds is None else worlds


def either(chosen: NDArray[np.bool_], first: Array, second: Array) -> Array:
    """Rows of the first where chosen, else of the second."""
    return np.where(chosen.reshape(-1, *[1] * (first.ndim - 1)), first, second)


def merged(kept: Contacts, fresh: Contacts, of: NDArray[np.bool_]) -> Contacts:
    """Contacts of some worlds kept, and those of others; sorted by world."""
    rows = of[kept.world]
    world = np.concatenate([kept.world[rows], fresh.world])
    order = np.argsort(world, kind="stable")
    names = ("geoms", "dist", "pos", "normal", "force")
    parts = [
        np.concatenate([getattr(kept, name)[rows], getattr(fresh, name)])[order]
        for name in names
    ]
    return Contacts(world[order], *parts)


def start(model: mujoco.MjModel, key: int) -> dict[str, NDArray[np.float64]]:
    """The state that a reset returns to, by quantity."""
    data = mujoco.MjData(model)
    if key >= 0:
        mujoco.mj_resetDataKeyframe(model, data, key)
    return {name: np.array(getattr(data, name), np.float64) for name in STATE}
