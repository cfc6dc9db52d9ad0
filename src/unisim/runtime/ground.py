"""What the ground carries, and how much that weighs."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import ContactReading
from unisim.config import ContactQueryCfg
from unisim.runtime.seen import Seen

_FRAME = ("force", "normal", "tangent")


@dataclass(frozen=True)
class Ground:
    """The contact queries between something free and something that stands still.

    Attributes:
        queries: Their names; there may be none.
        carried: The free bodies that they hold up.
        weight: Weight of those, with all that hangs on them [N].
        up: Direction against gravity, in world. Shape (3,).
    """

    queries: tuple[str, ...]
    carried: tuple[str, ...]
    weight: float
    up: NDArray[np.float64]

    def force(self, sim: Seen) -> NDArray[np.float64]:
        """Force of the ground on what it carries, against gravity [N]. Shape (n,)."""
        total = np.zeros(sim.worlds)
        for name in self.queries:
            total -= force_on_second(sim.contact(name)) @ self.up
        return total


def find_ground(sim: Seen) -> Ground:
    """Find the ground of a task: its queries whose second does not move."""
    model = sim.built.scene.model
    gravity = np.asarray(model.opt.gravity, np.float64)
    strength = float(np.linalg.norm(gravity))
    up = -gravity / strength if strength else np.array([0.0, 0.0, 1.0])
    queries: list[str] = []
    roots: dict[int, None] = {}
    for query in sim.built.task.contacts:
        root = _carried(sim, query)
        if root is not None:
            queries.append(query.name)
            roots[root] = None
    names = tuple(sim.layout.names["body"][root] for root in roots)
    mass = float(sum(model.body_subtreemass[root] for root in roots))
    return Ground(tuple(queries), names, mass * strength, up)


def force_on_second(reading: ContactReading) -> NDArray[np.float64]:
    """Sum of a query's forces on what it names second, in world [N]. Shape (n, 3)."""
    force, normal, tangent = (reading.fields[name] for name in _FRAME)
    across = np.cross(normal, tangent)
    world = force[..., :1] * normal + force[..., 1:2] * tangent
    return (world + force[..., 2:] * across).sum(axis=1)


def _carried(sim: Seen, query: ContactQueryCfg) -> int | None:
    """The free body that a query of the ground holds up, None for other queries."""
    model = sim.built.scene.model
    if query.second is None or any(name not in query.fields for name in _FRAME):
        return None
    first, second = (_body(sim, query, name) for name in (query.first, query.second))
    root = int(model.body_rootid[first])
    joint = int(model.body_jntadr[root])
    free = joint >= 0 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
    return root if free and model.body_weldid[second] == 0 else None


def _body(sim: Seen, query: ContactQueryCfg, name: str) -> int:
    if query.kind == "geom":
        geom = sim.layout.index("geom", name)
        return int(sim.built.scene.model.geom_bodyid[geom])
    return sim.layout.index("body", name)
