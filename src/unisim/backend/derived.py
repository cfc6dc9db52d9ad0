"""Derived quantities from MuJoCo's own arrays: the one place that computes them.

`unisim.backend.fields` says what each name means; MuJoCo's `cvel` is taken about the
centre of mass of a kinematic tree, and is moved to the origin of each frame here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array

Bind = Callable[[str], Array]
"""Gives MuJoCo's array of some name for all worlds. Shape (n, ...)."""


@dataclass(frozen=True)
class Frames:
    """Which body each frame of a kind moves with.

    Attributes:
        body: Index of the body. Shape (k,).
        root: Index of the root of that body's tree. Shape (k,).
        pos: MuJoCo's array of the frames' origins.
    """

    body: NDArray[np.int32]
    root: NDArray[np.int32]
    pos: str

    def angvel(self, bind: Bind) -> Array:
        """Angular velocity in world [rad/s]. Shape (n, k, 3)."""
        return bind("cvel")[:, self.body, :3]

    def linvel(self, bind: Bind) -> Array:
        """Velocity of the frame's origin in world [m/s]. Shape (n, k, 3)."""
        spatial = bind("cvel")[:, self.body]
        with np.errstate(invalid="ignore", over="ignore"):  # in faulted worlds
            arm = bind(self.pos) - bind("subtree_com")[:, self.root]
            return spatial[..., 3:] + np.cross(spatial[..., :3], arm)


_DIRECT = (
    "xpos",
    "xquat",
    "xipos",
    "geom_xpos",
    "geom_xmat",
    "site_xpos",
    "site_xmat",
    "ten_length",
    "ten_velocity",
    "sensordata",
    "qacc",
    "actuator_force",
    "qfrc_actuator",
    "qfrc_passive",
    "qfrc_constraint",
)


class Derived:
    """Computes every derived quantity of one model from MuJoCo's arrays."""

    def __init__(self, model: mujoco.MjModel) -> None:
        """Prepare the index tables of a model."""
        bodies = np.arange(model.nbody, dtype=np.int32)
        of = {
            "body": (bodies, "xpos"),
            "geom": (model.geom_bodyid, "geom_xpos"),
            "site": (model.site_bodyid, "site_xpos"),
        }
        self._compute: dict[str, Callable[[Bind], Array]] = {
            name: _direct(name) for name in _DIRECT
        }
        self._inputs: dict[str, tuple[str, ...]] = {name: (name,) for name in _DIRECT}
        for kind, (body, pos) in of.items():
            frames = Frames(body, model.body_rootid[body], pos)
            self._compute[f"{kind}_angvel"] = frames.angvel
            self._compute[f"{kind}_linvel"] = frames.linvel
            self._inputs[f"{kind}_angvel"] = ("cvel",)
            self._inputs[f"{kind}_linvel"] = ("cvel", pos, "subtree_com")

    @property
    def inputs(self) -> Mapping[str, tuple[str, ...]]:
        """MuJoCo's arrays that each quantity needs."""
        return self._inputs

    def read(self, name: str, bind: Bind) -> Array:
        """A derived quantity of all worlds. Shape (n, ...)."""
        return self._compute[name](bind)


def _direct(name: str) -> Callable[[Bind], Array]:
    return lambda bind: bind(name)
