"""Contact queries answered from a list of contacts, as MuJoCo's sensor answers them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, ContactReading
from unisim.backend.follower import locked
from unisim.backend.guest.guest import Contacts
from unisim.backend.layout import Layout
from unisim.backend.queries import WIDTHS, check_names
from unisim.config import ContactQueryCfg

_UPRIGHT = 0.5  # MuJoCo's: how far the first axis of a frame may lean to y


@dataclass(frozen=True)
class Match:
    """Contacts between two sets of geoms. Shapes (ngeom,)."""

    first: NDArray[np.bool_]
    second: NDArray[np.bool_]


@dataclass(frozen=True)
class _Rows:
    """The contacts that a query matches, seen from its first object.

    Attributes:
        world: Shape (m,).
        values: By field, shape (m, width).
    """

    world: NDArray[np.int64]
    values: Mapping[str, Array]


class ListQuery:
    """Which contacts count, and what is told of them."""

    def __init__(
        self, match: Match, reduce: str, slots: int, fields: Sequence[str]
    ) -> None:
        """Take what was looked up; see `of_query`.

        Args:
            match: The contacts that count.
            reduce: As in `ContactQueryCfg`.
            slots: Contacts kept per world.
            fields: Names of `WIDTHS`.
        """
        self._match, self._reduce = match, reduce
        self.slots, self._fields = slots, fields

    def read(self, contacts: Contacts, worlds: int, dtype: str) -> ContactReading:
        """Answer it for n worlds.

        Args:
            contacts: All contacts, in the order in which they count.
            worlds: Number of worlds n.
            dtype: Of the fields.
        """
        rows = self._matching(contacts)
        found = np.bincount(rows.world, minlength=worlds).astype(np.int64)
        sums = self._reduce == "netforce"
        rows = _summed(rows, found) if sums else _ranked(rows, self._reduce)
        first = np.searchsorted(rows.world, np.arange(worlds))
        slot = np.arange(len(rows.world)) - first[rows.world]
        kept = slot < self.slots
        fields: dict[str, Array] = {}
        for name in self._fields:
            table = np.zeros((worlds, self.slots, WIDTHS[name]), dtype)
            table[rows.world[kept], slot[kept]] = rows.values[name][kept]
            fields[name] = locked(table)
        overflow = np.zeros(worlds, bool) if sums else found > self.slots
        return ContactReading(found, overflow, fields)

    def _matching(self, contacts: Contacts) -> _Rows:
        one, two = contacts.geoms.T
        first, second = self._match.first, self._match.second
        forward = first[one] & second[two]
        turned = ~forward & first[two] & second[one]
        kept = np.flatnonzero(forward | turned)
        sign = np.where(forward[kept], 1.0, -1.0)[:, None]
        normal = sign * contacts.normal[kept]
        values: dict[str, Array] = {
            "world force": sign * contacts.force[kept],
            "dist": contacts.dist[kept, None].astype(np.float64),
            "pos": contacts.pos[kept].astype(np.float64),
            "normal": normal,
            "tangent": sign * _tangent(normal),
            "torque": np.zeros((len(kept), 3)),
        }
        third = np.cross(normal, values["tangent"])
        frame = np.stack([normal, values["tangent"], third], axis=1)
        values["force"] = np.einsum("kij,kj->ki", frame, values["world force"])
        return _Rows(contacts.world[kept], values)


def of_query(
    query: ContactQueryCfg, model: mujoco.MjModel, layout: Layout
) -> ListQuery:
    """A query of a task.

    Raises:
        UnknownName: If it names what the scene does not have.
    """
    check_names(query, layout)
    kind = "body" if query.kind == "subtree" else query.kind
    names = (query.first, query.second)
    ids = [-1 if name is None else layout.index(kind, name) for name in names]
    sets = [members(query.kind, number, model) for number in ids]
    return ListQuery(Match(*sets), query.reduce, query.slots, query.fields)


def members(kind: str, number: int, model: mujoco.MjModel) -> NDArray[np.bool_]:
    """The geoms of a geom, a body or a subtree; all for -1. Shape (ngeom,)."""
    if number < 0:
        return np.ones(model.ngeom, bool)
    if kind == "geom":
        return np.arange(model.ngeom) == number
    inside = np.arange(model.nbody) == number
    if kind == "subtree":
        for body in range(number + 1, model.nbody):
            inside[body] = inside[model.body_parentid[body]]
    return inside[np.asarray(model.geom_bodyid)]


def _tangent(normal: Array) -> NDArray[np.float64]:
    """The second axis of MuJoCo's contact frame. Shape (m, 3)."""
    upright = np.abs(normal[:, 1:2]) < _UPRIGHT
    axis = np.where(upright, [[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]])
    axis = axis - normal * np.sum(axis * normal, axis=1, keepdims=True)
    return axis / np.linalg.norm(axis, axis=1, keepdims=True)


def _ranked(rows: _Rows, reduce: str) -> _Rows:
    """The deepest or the strongest of each world first."""
    if reduce == "mindist":
        rank = rows.values["dist"][:, 0]
    elif reduce == "maxforce":
        rank = -np.linalg.norm(rows.values["force"], axis=1)
    else:
        return rows
    order = np.lexsort((rank, rows.world))
    return _Rows(rows.world[order], {k: v[order] for k, v in rows.values.items()})


def _summed(rows: _Rows, found: NDArray[np.int64]) -> _Rows:
    """The net wrench of each world at the centroid of its forces, in world axes."""
    worlds, count = np.flatnonzero(found), len(found)
    force = rows.values["world force"]
    weight = np.linalg.norm(force, axis=1)
    total = np.bincount(rows.world, weight, count)[rows.world]
    share = np.where(total > 0, weight / np.where(total > 0, total, 1.0), 0.0)
    pos = _added(rows, share[:, None] * rows.values["pos"], count)
    arm = rows.values["pos"] - pos[rows.world]
    values = {
        "pos": pos,
        "force": _added(rows, force, count),
        "torque": _added(rows, np.cross(arm, force), count),
        "dist": np.zeros((count, 1)),
        "normal": np.tile([1.0, 0.0, 0.0], (count, 1)),
        "tangent": np.tile([0.0, 1.0, 0.0], (count, 1)),
    }
    return _Rows(worlds, {name: value[worlds] for name, value in values.items()})


def _added(rows: _Rows, values: Array, count: int) -> NDArray[np.float64]:
    found = np.zeros((count, values.shape[1]))
    np.add.at(found, rows.world, values)
    return found
