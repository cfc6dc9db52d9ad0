"""Every audited field is changed in the built engine, and the audit names it."""

import dataclasses
import re

import mujoco
import numpy as np
import pytest
from mujoco.batch import MODEL_FIELDS

from audit_scene import RICH, SOFT, build, inspect, scene
from unisim.backend.audit import AUDITED, Tolerance, expected, from_model
from unisim.backend.audit.value import compare
from unisim.backend.audit.world import SIZES
from unisim.backend.mujoco import BACKEND
from unisim.errors import AuditFailed
from unisim.probe.scenes import SCENES

LIAR = 2  # the world that is changed
CASES = [(name, raw) for name, field in AUDITED.items() for raw in field.raw]
EXPANDED = [case for case in CASES if case[1] in MODEL_FIELDS]
WHOLE = [case for case in CASES if case not in EXPANDED]
OFF = 3  # a group of actuators that the options switch off
FLAGS = {
    "opt.disableflags": 1 << 5,
    "opt.enableflags": 1 << 1,
    "opt.disableactuator": 1,
}
# Compared as the set of pairs that may collide.
PAIRS = re.compile(r"^geom_(contype|conaffinity)$|_signature$")
# How MuJoCo stores its matrices and searches its geoms, not what they are.
STORAGE = re.compile(
    r"colind|rowadr|rownnz|^D_diag|perm$|^efm0_|^map[DM]2|bvh|^tree_(body|dof)|dof_Madr"
    r"|body_simple|dof_simplenum|dof_length|plasticadr$"
)
# No effect on the physics.
VISUAL = re.compile(
    r"_user$|_group$|rgba|matid|^cam_|^light_|^mat_|^text|^tuple|^numeric|^name"
    r"|flatskin|texcoord|tendon_width|castshadow|site_dataid|sensor_noise"
)
# Not compared: what the table of a flex leaves out, plugins, the policy of sleep.
OPEN = re.compile(r"plugin|^flex_|tree_sleep_policy")


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes")
    found = {"rich": scene(folder, RICH), "soft": scene(folder, SOFT)}
    if "key_plastic" in AUDITED:  # since MuJoCo 4
        found["plastic"] = scene(folder, SCENES["key.plastic"].used)
    return found


def audited_scene(scenes, name):
    """The scene in which a field has rows."""
    if name == "key_plastic":
        return scenes["plastic"]
    return scenes["soft" if name.startswith("flex") else "rich"]


def sabotage(values, raw):
    """Change one world's row of a raw field, whatever its type."""
    if raw in FLAGS:
        values[...] = values.astype(int) ^ FLAGS[raw]
    elif raw == "actuator_group":
        values[...] = OFF
    elif values.dtype == bool:
        values[...] = ~values
    elif np.issubdtype(values.dtype, np.integer):
        values[...] = np.where(values > 0, values - 1, values + 1)
    else:
        values[...] = values * 1.25 + 0.125


def effective(composed, name):
    """Index of the last row whose value is compared, and its name."""
    want = expected(composed)
    values = want.values[name].reshape(len(want.values[name]), -1)
    kind = AUDITED[name].kind
    row = int(np.flatnonzero(np.isfinite(values).any(axis=1))[-1])
    return row, want.names[kind][row]


def raw_row(name, raw, row):
    """Row of a raw field that belongs to the row of an audited one."""
    if AUDITED[name].kind in ("option", "model") or raw.startswith("opt."):
        return ...
    return row


def named(error, name, obj):
    return [
        item for item in error.differences if (item.field, item.name) == (name, obj)
    ]


@pytest.mark.parametrize(("name", "raw"), EXPANDED)
def test_a_field_changed_in_one_world_of_the_engine_is_named(scenes, name, raw):
    composed = audited_scene(scenes, name)
    row, obj = effective(composed, name)
    engine = build(composed)
    sabotage(engine.handle.expand(raw)[LIAR, raw_row(name, raw, row), None], raw)
    with pytest.raises(AuditFailed) as failed:
        inspect(composed, engine)
    found = named(failed.value, name, obj)
    assert found, str(failed.value)
    assert found[0].note == f"world {LIAR}"
    assert f"{name}" in str(failed.value)


@pytest.mark.parametrize(("name", "raw"), WHOLE)
def test_a_field_that_batches_share_is_named(scenes, name, raw):
    composed = audited_scene(scenes, name)
    _, obj = effective(composed, name)
    if name in SIZES:
        other = mujoco.MjModel.from_xml_string(BIGGER)
        got = from_model(other)
        found = compare(expected(composed), got, composed.sources, frozenset())
        assert [item for item in found if (item.field, item.name) == (name, obj)]
        return
    engine = build(composed)
    getattr(engine.handle.model, raw)[0] += 0.5
    with pytest.raises(AuditFailed) as failed:
        inspect(composed, engine)
    assert named(failed.value, name, obj)[0].note == ""


BIGGER = RICH.replace(
    '<body name="box"',
    '<body name="more" mocap="true"/><body name="box"',
).replace('nuserdata="3"', 'nuserdata="4"')
BIGGER = BIGGER.replace(
    '<motor name="knee"',
    '<general name="extra" joint="post" dyntype="integrator"/><motor name="knee"',
)
BIGGER = re.sub(r"<keyframe>.*</keyframe>", "", BIGGER, flags=re.DOTALL).replace(
    '<joint name="post"', '<joint name="more" axis="1 0 0"/><joint name="post"'
)


def test_every_field_of_a_mujoco_model_is_audited_or_left_out_for_a_reason():
    audited = {raw for field in AUDITED.values() for raw in field.raw}
    left = [
        name
        for name in sorted(MODEL_FIELDS - audited)
        if not any(why.search(name) for why in (PAIRS, STORAGE, VISUAL, OPEN))
    ]
    assert not left


@pytest.mark.parametrize("name", sorted(AUDITED))
def test_a_field_that_is_not_read_back_is_a_difference(scenes, name):
    composed = audited_scene(scenes, name)
    want = expected(composed)
    values = {key: value for key, value in want.values.items() if key != name}
    got = dataclasses.replace(want, values=values)
    found = compare(want, got, composed.sources, frozenset())
    if np.isnan(want.values[name]).all() or want.values[name].size == 0:
        pytest.fail(f"no row of {name} is compared in {composed.file}")
    wanted = [] if AUDITED[name].derived else [(name, "not read back")]
    assert [(item.field, item.got) for item in found] == wanted


def test_a_field_that_was_agreed_to_is_not_compared(scenes):
    composed = scenes["rich"]
    want = expected(composed)
    values = {**want.values, "geom_solref": want.values["geom_solref"] + 1}
    got = dataclasses.replace(want, values=values)
    assert compare(want, got, composed.sources, frozenset())
    assert not compare(want, got, composed.sources, frozenset({"geom_solref"}))
    assert AUDITED["geom_solref"].accepted(("geom.solref",))
    assert AUDITED["actuator_dyntype"].accepted(("actuator.dyntype.muscle",))
    assert not AUDITED["geom_solref"].accepted(("geom.sol", "geom"))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_quaternion_may_have_either_sign(scenes, sign):
    want = expected(scenes["rich"])
    values = {**want.values, "body_quat": sign * want.values["body_quat"]}
    got = dataclasses.replace(want, values=values)
    assert not compare(want, got, scenes["rich"].sources, frozenset())


def test_the_rounding_of_float32_is_no_difference_and_ten_times_it_is(scenes):
    want = expected(scenes["rich"])
    single = {
        name: value.astype(np.float32).astype(np.float64)
        for name, value in want.values.items()
    }
    got = dataclasses.replace(want, values=single)
    assert not compare(want, got, scenes["rich"].sources, frozenset())
    heavier = {**want.values, "body_mass": want.values["body_mass"] * (1 + 2e-6)}
    got = dataclasses.replace(want, values=heavier)
    found = compare(want, got, scenes["rich"].sources, frozenset())
    assert {item.field for item in found} == {"body_mass"}


def test_another_order_of_joints_is_named(scenes):
    want = expected(scenes["rich"])
    joints = list(want.names["joint"])
    joints[1], joints[2] = joints[2], joints[1]
    names = {**want.names, "joint": tuple(joints)}
    got = dataclasses.replace(want, names=names)
    found = compare(want, got, scenes["rich"].sources, frozenset())
    assert (found[0].field, found[0].name, found[0].got) == ("place 1", "hip", "knee")


def test_a_pair_missing_in_one_world_is_named(scenes):
    engine = build(scenes["rich"])
    cube = engine.handle.model.geom("cube").id
    engine.handle.expand("geom_contype")[LIAR, cube] = 0
    engine.handle.expand("geom_conaffinity")[LIAR, cube] = 0
    with pytest.raises(AuditFailed) as failed:
        inspect(scenes["rich"], engine)
    found = [d for d in failed.value.differences if d.field == "collision_pairs"]
    assert [d.note for d in found] == [f"world {LIAR}"]


def test_a_pair_missing_in_all_worlds_is_named_with_both_geoms(scenes):
    engine = build(scenes["rich"])
    cube = engine.handle.model.geom("cube").id
    engine.handle.expand("geom_contype")[:, cube] = 0
    engine.handle.expand("geom_conaffinity")[:, cube] = 0
    with pytest.raises(AuditFailed) as failed:
        inspect(scenes["rich"], engine)
    found = [d for d in failed.value.differences if d.field == "collision_pairs"]
    stated = [(d.name, d.note, d.got) for d in found]
    assert ("cube", "with geom floor", "cannot") in stated


def test_a_difference_points_to_the_line_that_states_it(scenes):
    engine = build(scenes["rich"])
    mass = engine.handle.expand("dof_damping")
    mass[:, engine.handle.model.joint("slider").dofadr[0]] *= 2
    with pytest.raises(AuditFailed) as failed:
        inspect(scenes["rich"], engine)
    (found,) = failed.value.differences
    line = 1 + RICH[: RICH.index('damping="3"')].count("\n")
    assert found.at.endswith(f"scene.xml:{line}")
    assert (found.expected, found.got) == ("3", "6")
    assert str(BACKEND.name) in str(failed.value)
    assert AUDITED["dof_damping"].tolerance is Tolerance.VALUE


def test_every_sample_of_a_large_height_field_is_compared(tmp_path):
    composed = scene(tmp_path, GROUND)
    heights = composed.model.hfield_data
    heights[:] = np.random.default_rng(0).uniform(0, 1, heights.size)
    want = expected(composed)
    for change in ({500: 0.6}, {0: 0.01}, {7: heights[9], 9: heights[7]}):
        before = heights.copy()
        heights[list(change)] = list(change.values())
        found = compare(want, expected(composed), composed.sources, frozenset())
        assert [(item.field, item.name) for item in found] == [
            ("geom_elevation", "ground")
        ]
        heights[:] = before
    assert not compare(want, expected(composed), composed.sources, frozenset())


GROUND = """<mujoco><asset>
  <hfield name="hills" nrow="300" ncol="200" size="5 5 1 .1"/></asset>
  <worldbody><geom name="ground" type="hfield" hfield="hills"/></worldbody>
</mujoco>"""
