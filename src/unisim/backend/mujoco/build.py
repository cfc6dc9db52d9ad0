"""Builds a batch of worlds on MuJoCo from the reference model."""

from copy import copy

import mujoco
from mujoco.batch import Batch

from unisim.backend.base import BuildCfg
from unisim.backend.layout import Layout
from unisim.backend.mujoco.cfg import MujocoCfg
from unisim.backend.mujoco.readback import QUERY
from unisim.backend.mujoco.sim import MujocoEngine, Query
from unisim.config import ContactQueryCfg, validate
from unisim.errors import UnknownName
from unisim.scene.compile import parse_spec

_OBJECTS = {
    "geom": mujoco.mjtObj.mjOBJ_GEOM,
    "body": mujoco.mjtObj.mjOBJ_BODY,
    "subtree": mujoco.mjtObj.mjOBJ_XBODY,
}
_REDUCE = {"none": 0, "mindist": 1, "maxforce": 2, "netforce": 3}
_WIDTHS = {"force": 3, "torque": 3, "dist": 1, "pos": 3, "normal": 3, "tangent": 3}
"""Columns of each field, in the order in which MuJoCo's contact sensor writes them."""
_SENSOR = QUERY + "{}"
_FRAMES = frozenset({"body_ipos", "body_iquat"})


def build(request: BuildCfg, layout: Layout) -> MujocoEngine:
    """Compile queries and varied frames in, switch autoreset off, make the batch.

    Raises:
        BadConfig: If a setting is unknown or has the wrong type.
        UnknownName: If a contact query names what the scene does not have.
        MemoryError: If the worlds do not fit.
    """
    settings = validate(MujocoCfg, dict(request.settings), "engine")
    model = _model(request, layout)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    batch = _batch(model, request.worlds, settings)
    queries = tuple(_query(model, item) for item in request.contacts)
    return MujocoEngine(batch, layout, queries, request.vary)


def _batch(model: mujoco.MjModel, worlds: int, settings: MujocoCfg) -> Batch:
    try:
        return Batch(model, worlds, settings.threads, settings.persistent)
    except ValueError as error:
        # what MuJoCo makes of a std::bad_alloc
        if "bad_alloc" not in str(error):
            raise
        raise MemoryError(str(error)) from None


def _model(request: BuildCfg, layout: Layout) -> mujoco.MjModel:
    """A model of our own: the reference, with a contact sensor for every query."""
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


def _add_sensor(spec: mujoco.MjSpec, query: ContactQueryCfg, layout: Layout) -> None:
    kind = "body" if query.kind == "subtree" else query.kind
    for name in filter(None, (query.first, query.second)):
        if name not in layout.names[kind]:
            raise UnknownName(
                f"{kind} in contact query {query.name!r}", name, layout.names[kind]
            )
    data = sum(1 << _bit(field) for field in ("found", *query.fields))
    spec.add_sensor(
        name=_SENSOR.format(query.name),
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
    sensor = model.sensor(_SENSOR.format(query.name)).id
    fields = tuple((k, width) for k, width in _WIDTHS.items() if k in query.fields)
    sums = query.reduce == "netforce"
    return Query(int(model.sensor_adr[sensor]), query.slots, sums, fields)
