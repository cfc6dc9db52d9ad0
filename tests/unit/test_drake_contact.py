"""Geoms in Drake rest, slide, stick and touch as MuJoCo's."""

import time
from pathlib import Path

import mujoco
import numpy as np
import pytest
from pydrake.geometry import (
    Box,
    CollisionFilterDeclaration,
    GeometrySet,
    ProximityProperties,
    RoleAssign,
    Sphere,
)
from pydrake.math import RigidTransform
from pydrake.multibody.plant import CoulombFriction

from drake_touch import Touching, mujoco_rests
from drakes import profiles
from unisim import SceneCfg
from unisim.backend.audit.model import from_model
from unisim.backend.drake.contact import varied
from unisim.backend.drake.geometry import let_collide, vary_friction
from unisim.backend.drake.geoms import read_geoms
from unisim.backend.drake.slots import Part, Slot
from unisim.errors import BadArray
from unisim.mjcf.pairs import allowed
from unisim.scene.compose import compose

GRAVITY, HALF = 9.81, 0.1
CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
ASSETS = f"""<asset>
  <mesh name="cube" vertex="{" ".join(str(HALF * x) for c in CORNERS for x in c)}"/>
  <hfield name="flat" nrow="9" ncol="11" size="1 2 .3 .1" elevation="0{" 1" * 98}"/>
</asset>"""
SHAPES = {
    "sphere": ('type="sphere" size=".1"', 0.1),
    "capsule": ('type="capsule" size=".05 .05" quat="1 0 1 0"', 0.05),
    "box": ('type="box" size=".1 .12 .1"', 0.1),
    "cylinder": ('type="cylinder" size=".1 .1"', 0.1),
    "lying cylinder": ('type="cylinder" size=".1 .1" quat="1 1 0 0"', 0.1),
    "ellipsoid": ('type="ellipsoid" size=".1 .12 .08"', 0.08),
    "mesh": ('type="mesh" mesh="cube"', 0.1),
}
GROUNDS = {
    "plane": 'type="plane" size="5 5 1"',
    "box": 'type="box" size="1 2 .1" pos="0 0 -.1"',
    "hfield": 'type="hfield" hfield="flat" pos="0 0 -.3"',
}


def lying(shape, ground="plane", *, mass=1.0, dt=0.002, mu=1.0, drop=0.002, tilt=0.0):
    """A shape just above a ground, as a scene; everything tilted about y."""
    geom, height = SHAPES[shape]
    below = GROUNDS[ground]
    where = f"0.03 0.02 {height + drop}"
    pull = GRAVITY * np.array([np.sin(tilt), 0, -np.cos(tilt)])
    return f"""<mujoco><option timestep="{dt}" gravity="{pull[0]} 0 {pull[2]}"/>{ASSETS}
      <default><geom friction="{mu} .005 .0001"/></default><worldbody>
      <geom name="ground" {below}/>
      <body name="it" pos="{where}"><freejoint/>
        <geom name="shape" {geom} mass="{mass}"/></body>
    </worldbody></mujoco>"""


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_rests_where_mujoco_has_it_and_its_weight_is_borne(shape, ground):
    world = Touching(lying(shape, ground))
    world.step(500)
    height = mujoco_rests(world.model, 500)[1, 2]
    assert abs(world.where()[2] - height) < 2e-3
    force = world.force(1)
    assert abs(force[2] - GRAVITY) < 0.02 * GRAVITY
    np.testing.assert_allclose(world.force(0), -force, atol=1e-9)
    for item in world.contacts():
        assert item.geoms == (0, 1)
        assert item.normal[2] > 0.98
        assert -2e-3 < item.dist <= 0
        assert abs(item.pos[2]) < 2e-3


@pytest.mark.parametrize("profile", profiles("tamsi", "sap"))
@pytest.mark.parametrize("dt", [0.001, 0.005])
@pytest.mark.parametrize("mass", [0.05, 50.0])
def test_light_and_heavy_boxes_rest_at_any_step(mass, dt, profile):
    world = Touching(lying("box", mass=mass, dt=dt), profile)
    world.step(round(1 / dt))
    assert abs(world.where()[2] - HALF) < 1e-3
    assert world.speed() < 1e-3
    np.testing.assert_allclose(
        world.force(1), [0, 0, mass * GRAVITY], atol=0.02 * mass * GRAVITY
    )


@pytest.mark.parametrize("profile", profiles("tamsi", "sap", "hydroelastic"))
@pytest.mark.parametrize("ground", ["plane", "box"])
def test_a_box_stops_where_coulomb_says(ground, profile):
    mu, speed = 0.1, 1.0
    world = Touching(lying("box", ground, mu=mu, drop=0.0), profile)
    world.push([speed, 0, 0])
    start = world.where()[0]
    world.step(750)
    assert world.where()[0] - start == pytest.approx(
        speed**2 / (2 * mu * GRAVITY), rel=0.01
    )
    assert world.speed() < 1e-3


@pytest.mark.parametrize("profile", profiles("tamsi", "sap", "hydroelastic"))
@pytest.mark.parametrize("drop", [0.0005, 0.01])
def test_a_box_that_lands_while_it_moves_stops_where_coulomb_says(drop, profile):
    mu, speed = 0.1, 1.0
    world = Touching(lying("box", mu=mu, drop=drop), profile)
    world.push([speed, 0, 0])
    start, falls = world.where()[0], np.sqrt(2 * drop / GRAVITY)
    world.step(850)
    after = speed - mu * GRAVITY * falls  # the ground takes the fall, mu of it rubs
    way = speed * falls + after**2 / (2 * mu * GRAVITY)
    assert world.where()[0] - start == pytest.approx(way, rel=0.01)
    assert world.speed() < 1e-3


@pytest.mark.parametrize(
    ("profile", "most"),
    [(name, {"tamsi": 1e-4, "sap": 9e-3}[name]) for name in profiles("tamsi", "sap")],
)
def test_what_slides_lifts_by_no_more_than_the_manifest_says(profile, most):
    mu = 0.5
    world = Touching(lying("box", mu=mu, drop=0.0), profile)
    world.push([1, 0, 0])
    start, lift = world.where()[0], 0.0
    for _ in range(200):
        world.step(1)
        lift = max(lift, world.where()[2] - HALF)
    assert lift < most
    way = 1 / (2 * mu * GRAVITY)
    assert world.where()[0] - start == pytest.approx(way, rel=0.01)


MU = 0.5


def on_slope(shape, profile, beyond):
    """Something on a slope that is so much steeper than the angle of friction."""
    world = Touching(lying(shape, mu=MU, tilt=np.arctan(MU) + beyond), profile)
    world.step(200)
    return world, world.where()[0], world.plant.GetVelocities(world.context)[3]


@pytest.mark.parametrize("profile", profiles("tamsi", "sap", "hydroelastic"))
@pytest.mark.parametrize("shape", ["box", "capsule", "mesh"])
def test_what_lies_on_a_slope_below_the_angle_of_friction_stays(shape, profile):
    world, start, _ = on_slope(shape, profile, -0.05)
    world.step(300)
    assert abs(world.where()[0] - start) < 2e-4


@pytest.mark.parametrize(
    ("profile", "off"),
    [
        (name, {"tamsi": 0.002, "sap": 0.03, "hydroelastic": 0.002}[name])
        for name in profiles("tamsi", "sap", "hydroelastic")
    ],
)
@pytest.mark.parametrize("shape", ["box", "capsule", "mesh"])
def test_what_lies_on_a_steeper_slope_slides_as_coulomb_says(shape, profile, off):
    """SAP lets go of what slides, and catches it again: right in the mean alone."""
    world, start, speed = on_slope(shape, profile, 0.05)
    world.step(1000)
    tilt = np.arctan(MU) + 0.05
    along = GRAVITY * (np.sin(tilt) - MU * np.cos(tilt))
    way = speed * 2 + along * 2**2 / 2
    assert world.where()[0] - start == pytest.approx(way, rel=off)


def test_a_contact_is_told_in_the_order_of_the_geoms():
    """The ball comes first here, so its normal points down, and it is pushed up."""
    world = Touching(
        """<mujoco><worldbody>
        <body name="it" pos="0 0 .0999"><freejoint/><geom name="ball" size=".1"/></body>
        <body name="table" pos="0 0 -.1"><geom name="top" type="box" size="1 1 .1"/>
        </body></worldbody></mujoco>"""
    )
    world.step(300)
    (touch,) = world.contacts()
    assert touch.geoms == (0, 1)
    np.testing.assert_allclose(touch.normal, [0, 0, -1], atol=1e-9)
    weight = world.model.body_mass[1] * GRAVITY
    np.testing.assert_allclose(touch.force, [0, 0, -weight], atol=1e-3 * weight)


@pytest.mark.parametrize(
    ("shape", "ground"),
    [("lying cylinder", "box"), ("capsule", "hfield"), ("box", "plane")],
)
def test_contacts_have_the_force_and_the_torque_that_act(shape, ground):
    """Turning and sliding, so that a surface of contact twists."""
    world = Touching(lying(shape, ground, drop=0.005, mu=0.4), "sap")
    plant, context, (_, body) = world.plant, world.context, world.tree.bodies
    plant.SetVelocities(context, np.array([0.5, -0.8, 1.0, 0.6, 0.3, -0.2]))
    port = plant.get_generalized_contact_forces_output_port(body.model_instance())
    touched = 0
    for _ in range(100):
        where = world.where()  # the step's forces act where it began
        world.step(1)
        found = np.zeros(6)
        for item in world.contacts():
            found[:3] += np.cross(item.pos - where, item.force)
            found[3:] += item.force
        touched += bool(found.any())
        np.testing.assert_allclose(found, port.Eval(context), atol=1e-8)
    assert touched > 5


def test_fingers_that_are_deep_in_each_other_are_pushed_apart():
    """A sphere in the corner of a thin box would come out on the far side."""
    finger = """<body name="{0}" pos="0 {1} 0"><joint name="{0}" type="slide"
      axis="0 1 0"/><geom name="{0}" type="box" size=".05 .005 .05"/></body>"""
    world = Touching(
        f"""<mujoco><worldbody><body name="palm"><joint name="turn"/>
        <geom size=".01" contype="0" conaffinity="0"/>
        {finger.format("left", -0.001)}{finger.format("right", 0.001)}
        </body></worldbody></mujoco>"""
    )
    world.step(1)
    found = world.contacts()
    assert found
    assert all(item.normal[1] > 0.99 for item in found)


FILTERED = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <geom name="ghost floor" type="plane" size="1 1 1" contype="2" conaffinity="2"/>
  <body name="post" pos="0 0 1"><geom name="post" type="box" size=".1 .1 .1"/>
    <body name="arm" pos=".3 0 0"><joint name="a"/>
      <geom name="arm" type="capsule" size=".05 .1"/>
      <geom name="arm too" type="box" size=".1 .1 .1" pos=".3 0 0"/>
      <body name="hand" pos="0 .3 0"><joint name="h"/>
        <geom name="hand" type="cylinder" size=".1 .1"/>
        <body name="glove" pos="0 .1 0"><geom name="glove" size=".1"/></body>
        <body name="finger" pos="0 0 .3"><joint name="f"/>
          <geom name="finger" type="ellipsoid" size=".1 .1 .1"/></body>
      </body>
    </body>
  </body>
  <body name="loose" pos="1 0 0"><freejoint name="l"/>
    <geom name="loose" type="box" size=".1 .1 .1"/>
    <geom name="ghost" size=".1" contype="0" conaffinity="2"/>
    <geom name="nothing" size=".1" contype="0" conaffinity="0"/></body>
  <body name="other" pos="2 0 0"><freejoint name="o"/>
    <geom name="other" type="box" size=".1 .1 .1" contype="4" conaffinity="1"/></body>
</worldbody>
<contact><exclude body1="loose" body2="finger"/><exclude body1="world" body2="arm"/>
</contact></mujoco>"""


@pytest.mark.parametrize("profile", profiles("tamsi", "hydroelastic"))
@pytest.mark.parametrize(
    "flag", ["", '<option><flag filterparent="disable"/></option>']
)
def test_the_pairs_that_may_collide_are_mujocos(flag, profile):
    world = Touching(FILTERED.replace("<worldbody>", flag + "<worldbody>", 1), profile)
    wanted = from_model(world.model)
    found = read_geoms(world.plant, world.graph, world.geometry.materials)
    assert len(wanted.pairs) > 12
    assert found.pairs == wanted.pairs
    touching = {name for pair in wanted.pairs for name in pair}
    assert found.names == tuple(n for n in wanted.names["geom"] if n in touching)


def test_what_is_read_back_of_geoms_is_the_references():
    shapes = "".join(
        f"""<body name="{name} body" pos="{i} 0 3"><freejoint name="{name} joint"/>
        <geom name="{name}" {geom} pos=".1 .2 .3" friction=".7 .0{i + 1} .1"/></body>"""
        for i, (name, (geom, _)) in enumerate(SHAPES.items())
    )
    rough = " ".join(str((7 * i) % 10) for i in range(99))
    world = Touching(
        f"""<mujoco>{ASSETS.replace("0" + " 1" * 98, rough)}<worldbody>
        <geom name="floor" type="plane" size="1 1 1" friction=".4"/>
        <geom name="rough" {GROUNDS["hfield"]} friction=".9"/>{shapes}
        </worldbody></mujoco>"""
    )
    wanted = from_model(world.model)
    found = read_geoms(world.plant, world.graph, world.geometry.materials)
    assert found.names == wanted.names["geom"]
    assert found.bodies[:3] == ("world", "world", "sphere body")
    for name, values in found.values.items():
        want = np.array(wanted.values[name], float).reshape(values.shape)
        if name == "geom_size":  # a plane's is a drawing, a field's another row
            want = np.where(np.isnan(want), values, want)
        if name == "geom_quat":
            want *= np.sign(np.sum(want * values, axis=1, keepdims=True))
        np.testing.assert_allclose(values, want, atol=1e-9, err_msg=name)


def test_hundreds_of_geoms_are_filtered_in_no_time():
    balls = "".join(
        f"""<body pos="{i} 0 1"><freejoint/><geom size=".1" contype="{1 << i % 7}"
          conaffinity="{i * 7919 % 127}"/></body>"""
        for i in range(300)
    )
    floor = '<geom type="plane" size="1 1 1" conaffinity="127"/>'
    world = Touching(f"<mujoco><worldbody>{floor}{balls}</worldbody></mujoco>")
    start = time.perf_counter()
    let_collide(world.graph, world.geometry)
    assert time.perf_counter() - start < 2
    pairs = world.graph.model_inspector().GetCollisionCandidates()
    assert len(pairs) == np.count_nonzero(np.triu(allowed(world.model)))


@pytest.mark.real_robot
def test_masks_beside_an_exclude_let_the_expected_pairs_touch():
    case = Path(__file__).parents[3] / "shared/cases/B29_masks_and_excludes/model.xml"
    scene = compose(SceneCfg(model_file=case))
    world = Touching(scene)
    assert (
        read_geoms(world.plant, world.graph, world.geometry.materials).pairs
        == from_model(scene.model).pairs
    )
    world.step(1)
    names = [scene.model.geom(i).name for i in range(scene.model.ngeom)]
    touching = {tuple(sorted(names[i] for i in x.geoms)) for x in world.contacts()}
    assert touching == {
        ("arm_l_g", "floor"), ("arm_r_g", "floor"),
        ("flag_g", "post_g"), ("floor", "trunk_g"),
    }  # fmt: skip


TRIO = """<mujoco><worldbody><geom name="floor" type="plane" size="9 9 1" {floor}/>
  <body pos="0 0 .0999"><freejoint/><geom name="a" size=".1" {a}/></body>
  <body pos="0 0 .2997"><freejoint/><geom name="b" size=".1" {b}/></body>
  <body pos="0 1 .0999"><freejoint/><geom name="c" size=".1" {c}/></body>
</worldbody></mujoco>"""


def acting(world):
    """Friction of each pair of geoms that is in the scene graph."""
    held, inspector = {}, world.graph.model_inspector()
    for one, other in inspector.GetCollisionCandidates():
        first, second = (
            inspector.GetProximityProperties(item)
            .GetProperty("material", "coulomb_friction")
            .dynamic_friction()
            for item in (one, other)
        )
        pair = sorted(world.geometry.owner[item] for item in (one, other))
        total = first + second
        mu = 2 * first * second / total if total else 0.0
        assert held.setdefault(tuple(pair), mu) == pytest.approx(mu, abs=1e-8)
    return held


@pytest.mark.parametrize(
    ("floor", "a", "b", "c", "wanted"),
    [
        (*['friction=".6"'] * 4, {(0, 1): 0.6, (1, 2): 0.6, (2, 3): 0.6}),
        (
            'friction="1"', 'friction=".2"', 'friction=".4"', 'friction=".3"',
            {(0, 1): 1, (0, 2): 1, (0, 3): 1, (1, 2): 0.4, (1, 3): 0.3, (2, 3): 0.4},
        ),
        (
            'friction="1"', 'friction=".2" priority="1"', 'friction=".4"',
            'friction=".4"', {(0, 1): 0.2, (0, 2): 1, (1, 2): 0.2, (2, 3): 0.4},
        ),
        (
            'friction="1" condim="1"', 'friction=".3" condim="1"',
            'friction=".4" condim="1"', 'friction=".5" condim="1"',
            {(0, 1): 0, (1, 2): 0, (2, 3): 0},
        ),
        (
            'friction="0"', 'friction="0"', 'friction=".4"', 'friction=".4"',
            {(0, 1): 0, (0, 2): 0.4, (1, 2): 0.4, (2, 3): 0.4},
        ),
    ],
)  # fmt: skip
def test_every_pair_has_mujocos_friction(floor, a, b, c, wanted):
    world = Touching(TRIO.format(floor=floor, a=a, b=b, c=c))
    found = acting(world)
    for pair, mu in wanted.items():
        assert found[pair] == pytest.approx(mu, abs=1e-8), pair
    data = mujoco.MjData(world.model)
    mujoco.mj_forward(world.model, data)
    for contact in data.contact:
        mu = contact.friction[0] if contact.dim > 1 else 0.0
        assert found[tuple(sorted(contact.geom))] == pytest.approx(mu, abs=2e-5)


def test_frictions_that_no_geoms_give_are_given_by_copies_of_their_parts():
    """The second and the last cannot have .9 and the others .2 and .3."""
    xml = TRIO.format(
        floor='friction="1"', a='friction=".2"', b='friction=".9"', c='friction=".3"'
    )
    xml = xml.replace(
        "</worldbody>",
        """<body pos="3 0 1"><freejoint/>
          <geom name="d" size=".1" friction=".4" condim="1"/></body>
        <body pos="4 0 1"><freejoint/><geom name="e" type="box" size=".1 .1 .1"
          friction=".7" priority="-1"/></body></worldbody>
        <contact><pair geom1="a" geom2="c" friction=".05 .05 1 1 1"/></contact>""",
    )
    world = Touching(xml)
    found = acting(world)
    names = [world.model.geom(i).name for i in range(world.model.ngeom)]
    by_name = {tuple(names[i] for i in pair): mu for pair, mu in found.items()}
    wanted = {
        ("floor", "a"): 1, ("floor", "e"): 1, ("a", "b"): 0.9, ("a", "c"): 0.05,
        ("a", "d"): 0.4, ("b", "c"): 0.9, ("b", "d"): 0.9, ("a", "e"): 0.2,
        ("d", "e"): 0, ("c", "e"): 0.3,
    }  # fmt: skip
    for pair, mu in wanted.items():
        assert by_name[pair] == pytest.approx(mu, abs=1e-8), pair
    held = read_geoms(world.plant, world.graph, world.geometry.materials)
    assert held.pairs == from_model(world.model).pairs


def test_friction_varies_in_one_world_and_the_filters_stay():
    xml = lying("box", mu=0.1, drop=0.0)
    world = Touching(xml)
    model = world.model
    friction = np.array(model.geom_friction)
    friction[:, 0] = 0.4
    found = varied(model, world.geometry.plan, friction)
    vary_friction(world.plant, world.graph, world.root, world.geometry, found, friction)
    world.push([1.0, 0, 0])
    start = world.where()[0]
    world.step(500)
    assert world.where()[0] - start == pytest.approx(1 / (0.8 * GRAVITY), rel=0.02)
    context = world.graph.GetMyContextFromRoot(world.root)
    inspector = world.graph.get_query_output_port().Eval(context).inspector()
    held = read_geoms(world.plant, inspector, world.geometry.materials)
    np.testing.assert_allclose(held.values["geom_friction"][:, 0], 0.4, atol=1e-9)
    assert held.pairs == from_model(model).pairs
    before = read_geoms(world.plant, world.graph, world.geometry.materials).values[
        "geom_friction"
    ]
    np.testing.assert_allclose(before[:, 0], 0.1, atol=1e-9)


def test_a_friction_that_cannot_vary_is_refused():
    world = Touching(TRIO.format(floor="", a="", b="", c=""))
    model, own = world.model, world.geometry.plan
    friction = np.array(model.geom_friction)
    friction[:, 0] = 1.0, 0.2, 0.4, 0.3
    assert varied(model, own, friction)
    friction[:, 0] = 1.0, 0.1, 0.9, 0.2  # 2/.9 + 2/.9 - 2/.2 is below 0
    with pytest.raises(BadArray, match=r"'b' on '[ac]'"):
        varied(model, own, friction)
    friction[2, 0] = np.nan
    with pytest.raises(BadArray, match="finite"):
        varied(model, own, friction)


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        ("shape", "geom_size"), ("pose", "geom_pos"), ("friction", "geom_friction"),
        ("filter", "pairs"), ("part", "pairs"), ("pad", "geom_size"),
    ],
)  # fmt: skip
def test_what_is_changed_in_the_scene_graph_is_read_back(spoil, field):
    world = Touching(lying("box", "box"))
    graph, source = world.graph, world.plant.get_source_id()
    before = read_geoms(world.plant, graph, world.geometry.materials)
    (solid,) = world.geometry.parts[Part(1, Slot.SOLID)]
    pads = world.geometry.parts[Part(1, Slot.PAD)]
    every = {
        geom: [
            x
            for part, ids in world.geometry.parts.items()
            if part[0] == geom
            for x in ids
        ]
        for geom in (0, 1)
    }
    if spoil == "shape":
        graph.ChangeShape(source, solid, Box(0.2, 0.2, 0.3))
    elif spoil == "pose":
        graph.ChangeShape(source, solid, Box(0.2, 0.24, 0.2), RigidTransform([0, 0, 1]))
    elif spoil == "pad":
        graph.ChangeShape(source, pads[3], Sphere(0.01))
    elif spoil == "friction":
        other = ProximityProperties(
            graph.model_inspector().GetProximityProperties(solid)
        )
        other.UpdateProperty("material", "coulomb_friction", CoulombFriction(0.3, 0.3))
        graph.AssignRole(source, solid, other, RoleAssign.kReplace)
    else:
        apart = GeometrySet(every[1] if spoil == "filter" else [pads[0]])
        declaration = CollisionFilterDeclaration()
        declaration.ExcludeBetween(apart, GeometrySet(every[0]))
        graph.collision_filter_manager().Apply(declaration)
    after = read_geoms(world.plant, graph, world.geometry.materials)
    if field == "pairs":
        assert after.pairs != before.pairs
    else:
        was, now = before.values[field], after.values[field]
        assert not np.array_equal(now, was, equal_nan=True)
