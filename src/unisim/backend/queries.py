"""Contact queries as MuJoCo's own contact sensors, and models that can be varied.

For adapters whose engine takes a MuJoCo model: the sensors come after the scene's own,
so that nothing else moves.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass

import mujoco

from unisim.backend.audit.fields import AUDITED
from unisim.backend.base import BuildCfg, Readback
from unisim.backend.layout import Layout
from unisim.config import ContactQueryCfg
from unisim.errors import UnknownName
from unisim.scene.compile import parse_spec

PREFIX = "unisim_contact_"
"""Prefix of the sensors that contact queries are built as; the scene has none."""
_OBJECTS = {
    "geom": mujoco.mjtObj.mjOBJ_GEOM,
    "body": mujoco.mjtObj.mjOBJ_BODY,
    "subtree": mujoco.mjtObj.mjOBJ_XBODY,
}
_REDUCE = {"none": 0, "mindist": 1, "maxforce": 2, "netforce": 3}
WIDTHS = {"force": 3, "torque": 3, "dist": 1, "pos": 3, "normal": 3, "tangent": 3}
"""Columns of each field, in the order in which MuJoCo's contact sensor writes them."""
_FRAMES = frozenset({"body_ipos", "body_iquat"})


@dataclass(frozen=True)
class Query:
    """Where a contact query's sensor writes.

    Attributes:
        start: First column in sensordata.
        slots: Contacts kept per world.
        sums: Whether all contacts are summed in one slot.
        fields: Field names and widths, in the sensor's order after `found`.
    """

    start: int
    slots: int
    sums: bool
    fields: tuple[tuple[str, int], ...]

    @property
    def width(self) -> int:
        """Columns of one slot."""
        return 1 + sum(size for _, size in self.fields)

    def starts(self) -> Iterator[tuple[str, int, int]]:
        """Name, first column within a slot, and width of each field."""
        column = 1
        for name, size in self.fields:
            yield name, column, size
            column += size


def model_of(request: BuildCfg, layout: Layout) -> mujoco.MjModel:
    """A model of one's own: the reference, with a contact sensor for every query.

    Raises:
        UnknownName: If a contact query names what the scene does not have.
    """
    scene, frames = request.scene, _FRAMES.intersection(request.vary)
    if not request.contacts and not frames:
        return copy(scene.model)
    spec = parse_spec(scene.xml, scene.assets, None, scene.file)
    for query in request.contacts:
        _add_sensor(spec, query, layout)
    for body in spec.bodies[1:] if frames else ():
        # a simple body may not have its inertia moved away from its own frame
        body.simple = False
    return spec.compile()


def queries_of(
    model: mujoco.MjModel, queries: Sequence[ContactQueryCfg]
) -> tuple[Query, ...]:
    """Where the sensors of queries write in a model that `model_of` made."""
    return tuple(_query(model, item) for item in queries)


def without_queries(found: Readback, one: Readback) -> Readback:
    """Drop the sensors of contact queries; `one` is the readback of one world."""
    names = found.names["sensor"]
    own = [i for i, name in enumerate(names) if not name.startswith(PREFIX)]
    if len(own) == len(names):
        return found
    # a value that differs between worlds has an axis of worlds in front
    values = {
        name: array.take(own, axis=array.ndim - one.values[name].ndim)
        if name in AUDITED and AUDITED[name].kind == "sensor"
        else array
        for name, array in found.values.items()
    }
    kept = tuple(names[i] for i in own)
    return Readback({**found.names, "sensor": kept}, values, found.pairs)


def check_names(query: ContactQueryCfg, layout: Layout) -> None:
    """Refuse a query that names what the scene does not have.

    Raises:
        UnknownName: Then.
    """
    kind = "body" if query.kind == "subtree" else query.kind
    for name in filter(None, (query.first, query.second)):
        if name not in layout.names[kind]:
            raise UnknownName(
                f"{kind} in contact query {query.name!r}", name, layout.names[kind]
            )


def _add_sensor(spec: mujoco.MjSpec, query: ContactQueryCfg, layout: Layout) -> None:
    check_names(query, layout)
    data = sum(1 << _bit(field) for field in ("found", *query.fields))
    spec.add_sensor(
        name=PREFIX + query.name,
        type=mujoco.mjtSensor.mjSENS_CONTACT,
        objtype=_OBJECTS[query.kind],
        objname=query.first,
        reftype=_OBJECTS[query.kind] if query.second else mujoco.mjtObj.mjOBJ_UNKNOWN,
        refname=query.second or "",
        intprm=[data, _REDUCE[query.reduce], query.slots],
    )


def _bit(field: str) -> int:
    return int(getattr(mujoco.mjtConDataField, f"mjCONDATA_{field.upper()}"))


def _query(model: mujoco.MjModel, query: ContactQueryCfg) -> Query:
    sensor = model.sensor(PREFIX + query.name).id
    fields = tuple((k, width) for k, width in WIDTHS.items() if k in query.fields)
    sums = query.reduce == "netforce"
    return Query(int(model.sensor_adr[sensor]), query.slots, sums, fields)
