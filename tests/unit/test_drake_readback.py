"""What Drake holds is read back from Drake, and what is changed there shows."""

import numpy as np
import pytest

from drake_scenes import DRIVEN, EVERY, MIXED
from drakes import Beside, profiles
from unisim.backend import registry
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model
from unisim.backend.audit.profile import reference_model
from unisim.backend.audit.value import compare
from unisim.backend.drake.readback import readback
from unisim.errors import BadArray

RUBBED = DRIVEN.replace('joint name="two"', 'joint name="two" frictionloss=".2"')
HELD = {**EVERY, "mixed": MIXED}
LAW = {
    *("jnt_solref", "jnt_solimp", "eq_solref", "eq_solimp"),
    *("geom_solref", "geom_solimp", "geom_solmix"),
}
"""What has no value in Drake: it has a law of its own."""
OTHERS = frozenset(name for name, field in AUDITED.items() if field.derived) | LAW


def differences(one):
    handle = one.guest.handle
    declared = registry.manifest("drake").profile(handle.profile)
    want = from_model(reference_model(one.model, declared))
    return compare(want, readback(handle), one.scene.sources, OTHERS)


@pytest.mark.parametrize(
    ("name", "profile"),
    [
        *(
            (name, profile)
            for name in sorted(HELD)
            for profile in profiles("tamsi", "sap")
        ),
        ("rubbed", "sap"),  # TAMSI has no dry friction
    ],
)
def test_a_plant_as_built_holds_the_reference(name, profile):
    xml = {**HELD, "rubbed": RUBBED}[name]
    one = Beside(xml, worlds=2, profile=profile)
    one.scatter()
    one.guest.step(one.inputs(), 1, None)
    assert differences(one) == []


def contexts(one):
    return [world.context for world in one.guest.handle.worlds]


def body(one, name):
    return one.guest.handle.plant.GetBodyByName(name)


def joint(one, name):
    return one.guest.handle.plant.GetJointByName(name)


def heavier(one):
    own = body(one, "arm")
    own.SetMass(contexts(one)[1], own.default_mass() * 1.001)


def moved_com(one):
    own = body(one, "arm")
    own.SetCenterOfMassInBodyFrame(
        contexts(one)[1], own.default_com() + np.array([1e-4, 0, 0])
    )


def damped(one):
    joint(one, "hinge").SetDamping(contexts(one)[1], 0.11)


def stiffer(one):
    springs = one.guest._variation._drives.springs
    springs[one.model.joint("hinge").id].SetStiffness(contexts(one)[1], 2.01)


def bent(one):
    springs = one.guest._variation._drives.springs
    springs[one.model.joint("hinge").id].SetNominalAngle(contexts(one)[1], 0.5)


def geared(one):
    rotor = next(iter(one.guest._variation._drives.rotors.values()))
    rotor.SetRotorInertia(contexts(one)[1], 0.5)


def unlimited(one):
    joint(one, "hinge").set_position_limits([-1.0], [1.0])


def falling(one):
    one.guest.handle.plant.mutable_gravity_field().set_gravity_vector([0, 0, -9.8])


def started(one):
    joint(one, "hinge").set_default_positions([0.3])


def turned(one):
    frame = joint(one, "hinge").frame_on_parent()
    pose = frame.GetPoseInParentFrame(contexts(one)[1])
    pose.set_translation(pose.translation() + np.array([0, 0, 1e-3]))
    frame.SetPoseInParentFrame(contexts(one)[1], pose)


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        (heavier, {"body_mass", "body_inertia"}),
        (moved_com, {"body_com"}),
        (damped, {"dof_damping", "dof_armature"}),
        (stiffer, {"jnt_stiffness"}),
        (bent, {"qpos_spring"}),
        (geared, {"dof_armature"}),
        (unlimited, {"jnt_range"}),
        (falling, {"opt_gravity"}),
        (started, {"qpos0", "body_quat"}),
        (turned, {"body_pos"}),
    ],
)
def test_a_change_in_drake_is_read_back(change, fields):
    one = Beside(MIXED, worlds=2)
    assert differences(one) == []
    change(one)
    found = {x.field for x in differences(one)}
    assert found
    assert found <= fields


def test_gravity_that_differs_between_worlds_is_read_back():
    one = Beside(MIXED, worlds=2, vary=("opt.gravity",))
    assert differences(one) == []
    one.guest.vary("opt.gravity", np.array([[0, 0, -9.81], [0, 1.0, -3]]), None)
    (found,) = differences(one)
    assert (found.field, found.note) == ("opt_gravity", "world 1")


def test_the_handle_of_another_engine_is_refused():
    with pytest.raises(BadArray):
        readback(object())
