"""Types and ids that make no sense together are named; nothing crashes on them."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import mujoco
import numpy as np
import pytest
from mujoco.batch import MODEL_FIELDS

import unisim
from audit_scene import RICH, ROBOT, build, inspect, scene
from unisim.backend.audit import AUDITED, expected, value
from unisim.backend.audit.value import compare
from unisim.backend.mujoco import BACKEND
from unisim.errors import AuditFailed

QUADRUPED = Path(__file__).parents[2] / "models" / "quadruped" / "scene.xml"
NONSENSE = (-7, 1000)
TYPES = {
    "jnt_type": mujoco.mjtJoint,
    "geom_type": mujoco.mjtGeom,
    "actuator_trntype": mujoco.mjtTrn,
    "actuator_gaintype": mujoco.mjtGain,
    "actuator_biastype": mujoco.mjtBias,
    "actuator_dyntype": mujoco.mjtDyn,
    "wrap_type": mujoco.mjtWrap,
    "eq_type": mujoco.mjtEq,
    "sensor_type": mujoco.mjtSensor,
    "sensor_objtype": mujoco.mjtObj,
    "sensor_reftype": mujoco.mjtObj,
}
IDS = {
    "body_parentid": "nbody",
    "body_rootid": "nbody",
    "body_weldid": "nbody",
    "jnt_bodyid": "nbody",
    "geom_bodyid": "nbody",
    "site_bodyid": "nbody",
    "geom_dataid": "nhfield",
    "dof_bodyid": "nbody",
    "dof_jntid": "njnt",
    "dof_parentid": "nv",
    "pair_geom1": "ngeom",
    "pair_geom2": "ngeom",
    "actuator_trnid": "njnt",
    "wrap_objid": "nsite",
    "sensor_objid": "nsite",
    "sensor_refid": "nbody",
    "eq_obj1id": "nbody",
    "eq_obj2id": "nbody",
}
MODELS = {
    "quadruped": mujoco.MjModel.from_xml_path(str(QUADRUPED)),
    "rich": mujoco.MjModel.from_xml_string(RICH),
    "robot": mujoco.MjModel.from_xml_string(ROBOT),
}
HELD = [
    (name, raw)
    for raw in (*TYPES, *IDS)
    for name, model in MODELS.items()
    if len(getattr(model, raw))
]
INTEGERS = sorted(
    name
    for name in MODEL_FIELDS
    if not name.startswith("opt.")
    and getattr(MODELS["rich"], name).size
    and np.issubdtype(getattr(MODELS["rich"], name).dtype, np.integer)
)
WHOLE = ("hfield_nrow", "hfield_ncol", "hfield_adr")


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes")
    return {
        "quadruped": unisim.compose(unisim.SceneCfg(model_file=QUADRUPED)),
        "rich": scene(folder, RICH),
        "robot": scene(folder, ROBOT),
    }


def values_of(model, raw):
    """Every value that a field of types or ids could hold, rightly or wrongly."""
    if raw in TYPES:
        return {*(int(member) for member in TYPES[raw].__members__.values()), *NONSENSE}
    return {-1, *range(getattr(model, IDS[raw])), *NONSENSE}


def wrongs(model, raw) -> Iterator[tuple[list[int], int]]:
    """Rows to change, and what into: every row to every value, and each one alone."""
    held = getattr(model, raw)
    own = [int(np.ravel(held[row])[0]) for row in range(len(held))]
    rows = range(len(held))
    if raw == "wrap_objid":  # a pulley refers to nothing
        rows = np.flatnonzero(model.wrap_type != mujoco.mjtWrap.mjWRAP_PULLEY).tolist()
    for other in sorted(values_of(model, raw)):
        if changed := [row for row in rows if own[row] != other]:
            yield changed, other
    for row in rows:
        yield from (([row], other) for other in (own[row] + 1, *NONSENSE))


@pytest.mark.parametrize(("name", "raw"), HELD)
def test_every_wrong_type_or_id_of_every_row_is_named(scenes, monkeypatch, name, raw):
    composed = scenes[name]
    cases = list(wrongs(composed.model, raw))
    engine = build(composed, len(cases))
    held = engine.handle.expand(raw)
    for world, (rows, other) in enumerate(cases):
        held[(world, rows) + (0,) * (held.ndim - 2)] = other
    monkeypatch.setattr(value, "_MOST_WORLDS", len(cases))  # that a note lists
    with pytest.raises(AuditFailed) as failed:
        inspect(composed, engine)
    names = expected(composed).names
    named = {
        (item.name, int(world))
        for item in failed.value.differences
        if raw in getattr(AUDITED.get(item.field), "raw", ())
        for world in re.findall(r"\d+", item.note) or range(len(cases))
    }
    (kind,) = {field.kind for field in AUDITED.values() if raw in field.raw}
    assert named == {
        (names[kind][row], i) for i, (rows, _) in enumerate(cases) for row in rows
    }


@pytest.mark.parametrize(("raw", "row"), [("jnt_type", 0), ("geom_type", 0)])
def test_a_wrong_type_in_one_world_names_that_world_and_nothing_else_of_it(
    scenes, raw, row
):
    composed = scenes["quadruped"]
    engine = build(composed)
    engine.handle.expand(raw)[2, row] = 1
    with pytest.raises(AuditFailed) as failed:
        inspect(composed, engine)
    (found,) = [item for item in failed.value.differences if item.field == raw]
    assert (found.name, found.note) == (
        expected(composed).names[AUDITED[raw].kind][row],
        "world 2",
    )


@pytest.mark.parametrize("raw", INTEGERS)
def test_no_integer_of_a_model_makes_the_comparison_crash(scenes, raw):
    composed = scenes["rich"]
    shape = getattr(composed.model, raw).shape
    info = np.iinfo(getattr(composed.model, raw).dtype)
    wrong = [max(info.min, -7), min(info.max, 1000), info.max, 0, 1]
    places = [0, shape[0] - 1, slice(None)]
    engine = build(composed, len(wrong) * len(places))
    held = engine.handle.expand(raw)
    for world, (place, other) in enumerate(product(places, wrong)):
        held[world, place] = other
    got = BACKEND.readback(engine.handle)
    compare(expected(composed), got, composed.sources, frozenset())


@pytest.mark.parametrize("raw", WHOLE)
@pytest.mark.parametrize("other", [-7, 0, 1000])
def test_a_height_field_whose_data_are_not_there_is_named(scenes, raw, other):
    composed = scenes["rich"]
    engine = build(composed)
    held = getattr(engine.handle.model, raw)
    held[0] = 1 if other == held[0] else other
    with pytest.raises(AuditFailed) as failed:
        inspect(composed, engine)
    assert ("geom_hfield", "ground") in [
        (item.field, item.name) for item in failed.value.differences
    ]
