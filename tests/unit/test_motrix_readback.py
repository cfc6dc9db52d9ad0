"""What MotrixSim holds is read back from it, and so is what was done to it."""

import mujoco
import numpy as np
import pytest

from motrixes import request_of
from physics import scene_from
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model
from unisim.backend.audit.value import compare
from unisim.backend.motrix import mend
from unisim.backend.motrix.build import handle_of
from unisim.backend.motrix.readback import readback
from unisim.errors import BadArray

EVERY = """<mujoco><option timestep="0.004" gravity="1 -2 -9"/><worldbody>
  <geom name="floor" type="plane" size="1 2 1" friction=".7 .02 .003" condim="4"/>
  <geom name="wall" type="box" size=".1 .2 .3" pos="3 0 0" quat=".8 .2 .1 0"/>
  <body name="hull" pos="0 0 1" quat=".3 .2 .9 .1" gravcomp=".4">
    <freejoint name="root"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <geom name="egg" type="ellipsoid" size=".1 .2 .3" priority="2" solref=".03 .9"
      solimp=".8 .9 .002 .4 3" solmix="2"/>
    <body name="arm" pos=".1 .2 .3"><joint name="h" axis="0 1 .2" pos=".1 0 .02"
        range="-40 50" damping=".7" armature=".02" frictionloss=".3" ref="10"
        stiffness="3" springref="20" solreflimit=".03 .8"/>
      <geom name="rod" type="capsule" size=".05 .2" contype="6" conaffinity="3"/>
      <body name="stuck" pos="0 0 .3" quat="1 2 0 0">
        <geom name="can" type="cylinder" size=".05 .1"/></body>
      <body name="fore" pos="0 0 .4"><joint name="s" type="slide" axis="1 0 1"
          range="-1 2" ref=".2" stiffness="9" springref=".1"/>
        <geom name="ball" size=".07" pos="0 .1 0"/>
        <body name="hand" pos=".2 0 0"><joint name="b" type="ball" damping=".1"
            armature=".01"/>
          <geom name="die" type="mesh" mesh="m"/></body></body></body></body>
  </worldbody>
  <asset><mesh name="m" vertex="0 0 0 .1 0 0 0 .2 0 0 0 .3 .1 .1 .1"/></asset>
  <contact><exclude body1="hull" body2="hand"/>
    <pair name="p" geom1="ball" geom2="floor" friction=".3 .3 .1 .2 .2"/></contact>
  <tendon><fixed name="t" stiffness="4" damping=".2" springlength=".3" range="-1 1"
    frictionloss=".1"><joint joint="h" coef="2"/><joint joint="s" coef="-1"/></fixed>
  </tendon>
  <equality><joint name="ej" joint1="h" joint2="s" polycoef="0 1 .2 0 0"/>
    <connect name="ec" body1="hand" body2="hull" anchor=".1 .2 .3"/>
    <weld name="ew" body1="hand" body2="arm" torquescale="2" active="false"/>
  </equality>
  <actuator><motor name="mt" tendon="t" gear="3" ctrlrange="-1 1"/>
    <position name="ps" joint="s" kp="20" gear="2" forcerange="-9 8"/>
    <general name="mu" joint="h" dyntype="filter" dynprm=".1" gainprm="2"/></actuator>
  <sensor><gyro site="x"/></sensor></mujoco>""".replace(
    '<geom name="egg"', '<site name="x"/><geom name="egg"'
)
OPTIONS = frozenset(
    name
    for name, field in AUDITED.items()
    if field.kind == "option" and name not in {"opt_timestep", "opt_gravity"}
)


@pytest.fixture(scope="module")
def scene():
    return scene_from(EVERY)


def handle_from(scene):
    import motrixsim as mx

    handle = handle_of(request_of(scene), watched=False)
    handle.data = mx.SceneData(handle.model, [3])
    return handle


def differences(scene, handle):
    expected = from_model(scene.model)
    return compare(expected, readback(handle), scene.sources, OPTIONS)


def test_all_that_the_scene_states_is_read_back(scene):
    found = differences(scene, handle_from(scene))
    assert {(item.name, item.field) for item in found} <= {("p", "pair_solreffriction")}


def test_a_flat_field_and_masks_of_all_bits_are_read_back():
    flat = scene_from("""<mujoco><asset><hfield name="f" nrow="2" ncol="3"
      size="1 2 .5 .1" elevation="0 0 0 0 0 0"/></asset><worldbody>
      <geom type="hfield" hfield="f" contype="-1" conaffinity="-2147483648"/>
      <body><freejoint/><geom size=".1"/></body></worldbody></mujoco>""")
    assert not differences(flat, handle_from(flat))


def test_only_a_handle_can_be_read_back():
    with pytest.raises(BadArray, match="motrix Handle"):
        readback(mujoco.MjSpec())


FIRST = np.array([0, 1, 0], np.float32)


def some(value, change):
    """`change` more in the second world."""
    return np.float32(value) + FIRST.reshape(-1, *[1] * np.ndim(value)) * change


OVERRIDDEN = {
    "body_mass": lambda h: h.model.get_link("hull").set_mass_override(
        h.data, some(1.2, 0.1)
    ),
    "body_com": lambda h: h.model.get_link("hull").set_center_of_mass_override(
        h.data, some([0.1, 0.02, 0.03], 0.01).astype(np.float32)
    ),
    "body_inertia": lambda h: h.model.get_link("arm").set_inertia_override(
        h.data, np.tile(np.float32([1, 1, 1, 0, 0, 0]), (3, 1))
    ),
    "geom_friction": lambda h: h.model.get_geom("egg").set_friction_override(
        h.data, some([1, 0.005, 0.0001], 0.1).astype(np.float32)
    ),
    "dof_armature": lambda h: h.model.get_joint("h").set_armature_override(
        h.data, some(0.02, 0.01)
    ),
    "dof_frictionloss": lambda h: h.model.get_joint("h").set_frictionloss_override(
        h.data, some(0.3, 0.1)
    ),
    "actuator_gainprm": lambda h: h.model.get_actuator("ps").set_gain_override(
        h.data, some(20, 1)
    ),
    "actuator_biasprm": lambda h: h.model.get_actuator("ps").set_stiffness_override(
        h.data, some(20, 1)
    ),
    "opt_timestep": lambda h: setattr(h.model.options, "timestep", 0.005),
}
"""Sabotage of a built engine, through its own interface, by field."""


@pytest.mark.parametrize("field", OVERRIDDEN)
def test_what_is_changed_in_the_built_engine_is_seen(scene, field):
    handle = handle_from(scene)
    OVERRIDDEN[field](handle)
    assert field in {item.field for item in differences(scene, handle)}


def geom(name, change):
    def meddle(world):
        items = list(world.hierarchy.geoms)
        items += [item for link in mend.links_of(world) for item in link.geoms]
        change(next(item for item in items if item.name == name))

    return meddle


def joint(name, change):
    def meddle(world):
        items = [item for link in mend.links_of(world) for item in link.joints]
        change(next(item for item in items if item.name == name))

    return meddle


def put(attribute, value):
    return lambda item: setattr(item, attribute, value)


def material(attribute, value):
    def change(item):
        held = item.physics_material
        setattr(held, attribute, value)
        item.physics_material = held

    return change


def first(collection, attribute, value):
    def meddle(world):
        setattr(collection(world)[0], attribute, value)

    return meddle


BUILT = {
    "body_pos": lambda w: put("local_translation", np.float32([1, 0, 0]))(
        next(x for x in mend.links_of(w) if x.name == "arm")
    ),
    "body_quat": lambda w: put("local_rotation", np.float32([0, 0, 1, 0]))(
        next(x for x in mend.links_of(w) if x.name == "arm")
    ),
    "body_gravcomp": lambda w: put("gravcomp", 0.0)(
        next(x for x in mend.links_of(w) if x.name == "hull")
    ),
    "jnt_axis": joint("h", put("axis", np.float32([1, 0, 0]))),
    "jnt_pos": joint("h", put("pos", np.float32([1, 0, 0]))),
    "qpos0": joint("h", put("ref_", 0.5)),
    "geom_size": geom("rod", put("size", [0.06, 0.2, 0.0])),
    "geom_pos": geom("rod", put("position", np.float32([0.1, 0, 0]))),
    "geom_condim": geom("rod", material("condim", 6)),
    "geom_solmix": geom("egg", material("force_mix", 1.0)),
    "geom_priority": geom("egg", put("priority", 0)),
    "geom_margin": geom("ball", put("margin", 0.1)),
    "eq_active0": first(
        lambda w: w.equality_constraint_set.welds, "active", value=True
    ),
    "eq_data": first(
        lambda w: w.equality_constraint_set.joints, "polycoeff", [0.0, 2, 0.2, 0, 0]
    ),
    "tendon_frictionloss": first(
        lambda w: w.tendon_set.joint_tendons, "frictionloss", 0.5
    ),
    "pair_dim": first(lambda w: w.contact_pairs.pairs, "condim", 6),
    "actuator_gear": first(lambda w: w.actuators, "gear", [4.0, 0, 0, 0, 0, 0]),
}
"""Sabotage of the engine's intermediate before it is compiled, by field."""


@pytest.mark.parametrize("field", BUILT)
def test_what_is_changed_in_the_intermediate_is_seen(scene, field, monkeypatch):
    mended = mend.Mender.__call__

    def meddled(self, world):
        mended(self, world)
        BUILT[field](world)

    monkeypatch.setattr(mend.Mender, "__call__", meddled)
    assert field in {item.field for item in differences(scene, handle_from(scene))}


def test_a_pair_that_may_collide_no_more_is_seen(scene, monkeypatch):
    mended = mend.Mender.__call__

    def meddled(self, world):
        mended(self, world)
        held = world.collision_ignores
        held.link_pairs = []
        world.collision_ignores = held

    monkeypatch.setattr(mend.Mender, "__call__", meddled)
    found = differences(scene, handle_from(scene))
    assert any(item.field == "collision_pairs" for item in found)


def test_gravity_that_a_flag_switches_off_is_read_as_the_file_has_it():
    option = '<option timestep="0.004" gravity="1 -2 -9"'
    text = EVERY.replace(f"{option}/>", f'{option}><flag gravity="disable"/></option>')
    assert text != EVERY
    plain = scene_from(text)
    found = {item.field for item in differences(plain, handle_from(plain))}
    assert "opt_gravity" not in found
    assert "opt_disableflags" not in found
