"""Honest builds pass, whatever the scene, and the report says what was looked at."""

import dataclasses
import json

import mujoco
import numpy as np
import pytest

from audit_scene import RICH, ROBOT, SOFT, Liar, build, build_wrong, inspect, scene
from unisim.backend.audit import AUDITED, audit
from unisim.backend.audit.profile import reference_model
from unisim.backend.layout import layout_of
from unisim.backend.mujoco import BACKEND
from unisim.config import SceneCfg
from unisim.errors import AuditFailed, CompileFailed
from unisim.scene.compose import compose

ALWAYS = {"reset", "state read back", "xpos", "xquat", "body_linvel", "body_angvel"}
REAL = {
    "policies/go1/mujoco_playground/_src/locomotion/go1/xmls/"
    "scene_mjx_feetonly_flat_terrain.xml": set(),
    "models/dm_control__suite__quadruped/quadruped.xml": {"joint limits"},
    "models/gymnasium_robotics__adroit_door/adroit_door.xml": {
        "joint force", "joint limits", "contact force",
    },
    "models/loco_mujoco__atlas/atlas.xml": set(),
    "models/menagerie__agility_cassie/scene.xml": {"joint limits"},
    "models/menagerie__skydio_x2/scene.xml": set(),
    "models/menagerie__unitree_a1__novis/scene.xml": set(),
    "models/menagerie__wonik_allegro__scene_right/scene_right.xml": set(),
    "models/mujoco__car__car/car.xml": set(),
    "models/mujoco__flex__pulley/scene.xml": {"motion"},
    "models/mujoco__tendon_arm__arm26/arm26.xml": {"contact force"},
    "models/trossen_arm_sim__wxai_scene/scene_empty.xml": {"joint limits"},
    "models/gymnasium_robotics__fetch__pick_and_place/fetch/pick_and_place.xml": {
        "joint limits",
    },
}  # fmt: skip
"""By scene: the checks that some part of it cannot take."""
REFUSED = (
    {"models/mujoco__tendon_arm__arm26/arm26.xml"}
    if int(mujoco.__version__.split(".")[0]) >= 4
    else set()
)
"""What this MuJoCo does not compile."""


@pytest.mark.parametrize("worlds", [1, 3, 20])
@pytest.mark.parametrize("xml", [RICH, ROBOT, SOFT], ids=["rich", "robot", "soft"])
def test_an_honest_engine_passes_with_any_number_of_worlds(tmp_path, xml, worlds):
    composed = scene(tmp_path, xml)
    report = inspect(composed, build(composed, worlds))
    assert report.residuals.keys() >= ALWAYS
    assert max(report.residuals.values()) < 1e-9
    assert report.fields == len(AUDITED)


@pytest.mark.real_robot
@pytest.mark.parametrize("file", REAL, ids=lambda file: file.split("/")[1])
def test_a_real_robot_passes_and_what_was_left_out_is_named(shared, file):
    if file in REFUSED:
        with pytest.raises(CompileFailed, match=r"arm26.xml.*did not converge"):
            compose(SceneCfg(model_file=shared / file))
        return
    composed = compose(SceneCfg(model_file=shared / file))
    report = inspect(composed, build(composed, 8))
    assert max(report.residuals.values()) < 1e-9
    assert {item.what for item in report.unaudited} == REAL[file]


def test_a_report_is_plain_enough_for_json(tmp_path):
    composed = scene(tmp_path, ROBOT)
    report = inspect(composed, build(composed))
    again = json.loads(json.dumps(dataclasses.asdict(report)))
    assert again["backend"] == "mujoco"
    assert again["tolerances"]["joint force"] == 1e-3


def test_few_worlds_see_what_many_see(tmp_path):
    composed = scene(tmp_path, ROBOT)

    def damped(model):
        model.dof_damping[model.joint("knee_r").dofadr[0]] = 0

    wrong = dataclasses.replace(composed, model=changed(composed, damped))
    with pytest.raises(AuditFailed) as failed:
        inspect(composed, build(wrong, 1), Liar(composed))
    assert ("knee_r", "joint force") in [
        (item.name, item.field) for item in failed.value.differences
    ]


def changed(composed, change):
    return build_wrong(composed, change).handle.model


def test_an_engine_is_compared_with_the_integrator_that_its_profile_declares(tmp_path):
    composed = scene(tmp_path, ROBOT)

    def implicit(model):
        model.opt.integrator = 3

    engine = build_wrong(composed, implicit)
    stated = BACKEND.manifest.profile(None)
    declared = dataclasses.replace(
        stated, consumes=("timestep",), replaces={"integrator": "implicitfast"}
    )
    layout = layout_of(composed.model)
    report = audit(composed, layout, BACKEND, engine, declared)
    assert max(report.residuals.values()) < 1e-9
    left = {item.names[0] for item in report.unaudited if item.what == "value"}
    assert {"opt_gravity", "opt_cone"} <= left
    assert not {"opt_integrator", "opt_timestep"} & left
    with pytest.raises(AuditFailed) as failed:
        audit(composed, layout, BACKEND, engine, stated)
    assert [item.field for item in failed.value.differences] == ["opt_integrator"]


@pytest.mark.parametrize(
    ("stated", "taken"), [("RK4", 3), ("implicitfast", 3), ("Euler", 0)]
)
def test_what_a_profile_follows_stays_and_its_first_choice_is_for_all_else(
    stated, taken
):
    xml = f'<mujoco><option integrator="{stated}"/></mujoco>'
    model = mujoco.MjModel.from_xml_string(xml)
    profile = dataclasses.replace(
        BACKEND.manifest.profile(None),
        consumes=(),
        follows={"integrator": ("implicitfast", "Euler")},
    )
    before = int(model.opt.integrator)
    assert reference_model(model, profile).opt.integrator == taken
    assert model.opt.integrator == before


def test_an_agreed_approximation_is_reported(tmp_path):
    composed = scene(tmp_path, ROBOT)
    engine = build(composed)
    engine.handle.expand("jnt_solref")[:] *= 1.0001
    layout, profile = layout_of(composed.model), BACKEND.manifest.profile(None)
    accept = ("joint.solreflimit",)
    report = audit(composed, layout, BACKEND, engine, profile, accept)
    assert report.accepted == accept
    value, constants = report.unaudited
    assert (value.what, value.names) == ("value", ("jnt_solref",))
    assert constants.what == "derived constants"
    assert {"body_invweight0", "geom_rbound"} < set(constants.names)
    assert report.fields == len(AUDITED) - 1 - len(constants.names)
    assert 0 < report.residuals["limit force"] < 2e-2


def test_an_engine_without_derived_constants_passes_and_the_report_names_them(tmp_path):
    composed = scene(tmp_path, ROBOT)
    own = {name for name, field in AUDITED.items() if field.derived}

    class Other(Liar):
        def readback(self, handle):
            found = super().readback(handle)
            values = {k: v for k, v in found.values.items() if k not in own}
            return dataclasses.replace(found, values=values)

    report = inspect(composed, build(composed), Other(composed))
    (left,) = report.unaudited
    assert (left.what, set(left.names)) == ("derived constants", own)
    assert report.fields == len(AUDITED) - len(own)


def test_a_report_counts_the_fields_that_have_an_effect_in_the_scene(tmp_path):
    robot, rich = (scene(tmp_path, xml) for xml in (ROBOT, RICH))
    few, many = (inspect(item, build(item)).compared for item in (robot, rich))
    tendons = sum(field.kind in ("tendon", "wrap") for field in AUDITED.values())
    assert 0 < few < many - tendons < many < len(AUDITED)


def test_two_audits_of_one_engine_agree(tmp_path):
    composed = scene(tmp_path, RICH, "home")
    engine = build(composed)
    first, second = inspect(composed, engine), inspect(composed, engine)
    assert first == second
    assert np.isfinite(list(first.residuals.values())).all()
