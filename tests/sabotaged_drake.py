"""Scenes in Drake, and every change of one element of what it holds of them."""

import numpy as np
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    Box,
    Capsule,
    CollisionFilterDeclaration,
    Convex,
    Cylinder,
    Ellipsoid,
    GeometrySet,
    HydroelasticContactRepresentation,
    Mesh,
    ProximityProperties,
    Role,
    RoleAssign,
    Sphere,
)
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import (
    ContactModel,
    CoulombFriction,
    DiscreteContactApproximation,
    MultibodyPlant,
)
from pydrake.multibody.tree import (
    ForceElementIndex,
    PdControllerGains,
    RevoluteSpring,
    SpatialInertia,
    UnitInertia,
)

from sabotage import LIAR
from unisim.backend.drake import build as builds
from unisim.backend.drake import drives
from unisim.backend.drake import plant as plants
from unisim.backend.drake.labels import read_label

TURN = np.radians(1.0)
TREE = """<mujoco>
  <option timestep="0.002" gravity="1 -2 -9"/><worldbody>
  <body name="hand" mocap="true" pos="0 0 4"><geom size=".05" contype="0"
    conaffinity="0"/></body>
  <body name="hull" pos="1 0 2" quat=".3 .2 .9 .1">
    <joint name="root" type="free" damping=".1" armature=".02"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <body name="arm" pos=".1 .2 .3" quat=".9 .1 .2 .3">
      <joint name="hinge" axis="1 0 .2" pos=".02 0 .03" stiffness="2" springref="20"
        damping=".1" armature=".03" range="-50 60" ref="10"/>
      <joint name="second" axis="0 1 0" frictionloss=".2" armature=".01"/>
      <inertial pos="0 .02 .03" mass=".5" diaginertia=".004 .005 .006"/>
      <body name="rod" pos=".1 0 0"><joint name="slide" type="slide" stiffness="40"
        damping=".4" range="-.2 .3"/>
        <inertial pos="0 .01 .02" mass=".3" diaginertia=".001 .002 .0015"/>
        <body name="stuck" pos="0 .1 .1" quat="1 2 0 0">
          <inertial pos=".01 0 .02" mass=".2" diaginertia=".001 .001 .001"/></body>
      </body>
      <body name="bob" pos="0 0 .2"><joint name="ball" type="ball" pos=".01 0 0"
        damping=".05"/>
        <inertial pos=".01 .02 .1" mass=".2" diaginertia=".001 .002 .003"/></body>
    </body>
  </body>
</worldbody></mujoco>"""
TIED = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="left" pos="0 0 1"><joint name="l" axis="0 1 0"/>
    <inertial pos=".1 0 .2" mass="1" diaginertia=".01 .02 .03"/>
    <body name="lower" pos="0 0 .4"><joint name="k" axis="0 1 0"/>
      <inertial pos=".05 0 .1" mass=".5" diaginertia=".01 .01 .01"/>
      <site name="end" pos="0 0 .3" quat="1 .2 0 0"/></body></body>
  <body name="right" pos=".5 0 1"><joint name="r" axis="0 1 0"/>
    <inertial pos=".1 0 .1" mass=".7" diaginertia=".01 .02 .03"/></body>
  <body name="loose" pos="2 0 1"><freejoint name="free"/>
    <inertial pos=".01 .02 0" mass=".7" diaginertia=".01 .02 .03"/></body>
  <body name="hung" pos="4 0 1"><freejoint name="other"/>
    <inertial pos=".1 .02 0" mass=".7" diaginertia=".01 .02 .03"/></body>
  <body name="held" pos="6 0 1"><joint name="h" axis="0 1 0"/>
    <inertial pos=".1 .02 0" mass=".7" diaginertia=".01 .02 .03"/></body>
  <body name="off" pos="8 0 1"><freejoint name="idle"/>
    <inertial pos=".1 .02 0" mass=".7" diaginertia=".01 .02 .03"/></body>
</worldbody><equality>
  <joint name="gear" joint1="l" joint2="r" polycoef="0 1.5 0 0 0"/>
  <joint name="hold" joint1="h" polycoef=".1 0 0 0 0"/>
  <weld name="stay" body1="loose" relpose="2 0 1 1 .1 0 0"/>
  <connect name="hang" body1="hung" anchor=".1 .2 .3"/>
  <weld name="none" body1="off" active="false"/>
</equality></mujoco>"""
TOUCH = """<mujoco><option timestep="0.004"/><asset>
    <mesh name="m" vertex="-.1 -.1 -.1 .1 -.1 -.1 0 .1 -.1 0 0 .1"/>
  </asset><worldbody>
  <geom name="floor" type="plane" size="9 9 1" friction=".8 .01 .001"/>
  <body name="ball" pos="0 0 .1"><freejoint name="j0"/>
    <geom name="ball" size=".1" friction=".5 .01 .001"/></body>
  <body name="box" pos="1 0 .1"><freejoint name="j1"/>
    <geom name="box" type="box" size=".1 .1 .1"/></body>
  <body name="top" pos="1 0 .3"><freejoint name="j2"/>
    <geom name="top" type="box" size=".05 .08 .1"/></body>
  <body name="capsule" pos="2 0 .1"><freejoint name="j3"/>
    <geom name="capsule" type="capsule" size=".1 .2" quat="1 0 1 0"/></body>
  <body name="can" pos="3 0 .2"><freejoint name="j4"/>
    <geom name="can" type="cylinder" size=".1 .2"/></body>
  <body name="egg" pos="4 0 .12"><freejoint name="j5"/>
    <geom name="egg" type="ellipsoid" size=".1 .11 .12"/></body>
  <body name="die" pos="5 0 .12"><freejoint name="j6"/>
    <geom name="die" type="mesh" mesh="m" mass="1"/></body>
  <geom name="post" type="cylinder" size=".2 .3" pos="7 0 .3"/>
  <body name="lid" pos="7 0 .7"><freejoint name="j7"/>
    <geom name="lid" type="cylinder" size=".15 .1"/></body>
</worldbody></mujoco>"""
GROUND = """<mujoco><option timestep="0.004"/><asset>
    <hfield name="f" nrow="3" ncol="4" size="1 1.5 .3 .1"
      elevation="0 .2 .3 .1 .5 .2 .1 0 .3 .4 1 .2"/></asset><worldbody>
  <geom name="ground" type="hfield" hfield="f"/>
  <body name="ball" pos="0 .2 .6"><freejoint name="j0"/>
    <geom name="ball" size=".1"/></body>
</worldbody></mujoco>"""
TEXTS = {"tree": TREE, "tied": TIED, "touch": TOUCH, "ground": GROUND}


class Objects:
    """Drake's objects in a built engine, and those of the world that is changed."""

    def __init__(self, engine):
        self.handle = engine.handle
        self.plant, self.graph = self.handle.plant, self.handle.scene_graph
        self.root = self.handle.worlds[LIAR].root
        self.context = self.handle.worlds[LIAR].context
        self.scene = self.graph.GetMyMutableContextFromRoot(self.root)

    def joint(self, name):
        return self.plant.GetJointByName(name)

    def body(self, name):
        return self.plant.GetBodyByName(name)

    def actuator(self, name):
        return self.plant.GetJointActuatorByName(name)

    def springs(self):
        count = self.plant.num_force_elements()
        return [
            self.plant.get_force_element(ForceElementIndex(i)) for i in range(count)
        ]

    def inspector(self):
        port = self.graph.get_query_output_port()
        return port.Eval(self.scene).inspector()

    def parts(self, geom, slot=None):
        """What is registered for a geom, or for one of its slots."""
        found, inspector = [], self.inspector()
        for item in inspector.GetAllGeometryIds():
            label = read_label(inspector.GetName(item))
            if label and label.name == geom and slot in (None, label.part.slot):
                found.append(item)
        return found

    def ids(self):
        return self.plant.get_source_id()


def mass(name, factor=1.03):
    def change(one):
        body = one.body(name)
        body.SetMass(one.context, body.get_mass(one.context) * factor or 0.01)

    return change


def com(name):
    def change(one):
        body = one.body(name)
        where = np.asarray(body.CalcCenterOfMassInBodyFrame(one.context))
        held = body.CalcSpatialInertiaInBodyFrame(one.context)
        about = held.CalcRotationalInertia().ShiftToCenterOfMass(held.get_mass(), where)
        moved = where * 1.04 + np.array([0, 0, 1e-3])
        made = SpatialInertia.MakeFromCentralInertia(held.get_mass(), moved, about)
        body.SetSpatialInertiaInBodyFrame(one.context, made)

    return change


def inertia(name):
    def change(one):
        body = one.body(name)
        held = body.CalcSpatialInertiaInBodyFrame(one.context)
        unit = held.get_unit_inertia()
        x, y, z = unit.get_moments()
        made = UnitInertia(x * 1.03, y * 1.03, z * 1.03, *unit.get_products())
        body.SetSpatialInertiaInBodyFrame(
            one.context, SpatialInertia(held.get_mass(), held.get_com(), made)
        )

    return change


def shifted(name):
    def change(one):
        frame = one.plant.GetFrameByName(name)
        pose = frame.GetPoseInParentFrame(one.context)
        frame.SetPoseInParentFrame(one.context, RigidTransform([2e-3, 0, 0]) @ pose)

    return change


def turned(name):
    def change(one):
        frame = one.plant.GetFrameByName(name)
        pose = frame.GetPoseInParentFrame(one.context)
        turn = RigidTransform(RollPitchYaw(TURN, TURN, 0), [0, 0, 0])
        frame.SetPoseInParentFrame(one.context, pose @ turn)

    return change


def both(first, second):
    """Two frames moved alike: nothing moves where the joint is at its zero."""

    def change(one):
        for name in (first, second):
            frame = one.plant.GetFrameByName(name)
            pose = frame.GetPoseInParentFrame(one.context)
            frame.SetPoseInParentFrame(one.context, pose @ RigidTransform([0, 0.01, 0]))

    return change


def damping(name, dof):
    def change(one):
        joint = one.joint(name)
        values = np.array(joint.GetDampingVector(one.context))
        values[dof] = values[dof] * 1.04 or 0.004
        joint.SetDampingVector(one.context, values)

    return change


def limit(name, side):
    def change(one):
        joint = one.joint(name)
        ends = [joint.position_lower_limits(), joint.position_upper_limits()]
        ends[side] = ends[side] * 1.04
        joint.set_position_limits(*ends)

    return change


def default(name):
    def change(one):
        joint = one.joint(name)
        joint.set_default_positions(np.array(joint.default_positions()) + 0.02)

    return change


def locked(name):
    return lambda one: one.joint(name).Lock(one.context)


def rotor(name):
    def change(one):
        own = one.actuator(name)
        own.SetRotorInertia(one.context, own.rotor_inertia(one.context) * 1.04)

    return change


def gear(name):
    return lambda one: one.actuator(name).SetGearRatio(one.context, 1.02)


def effort(name):
    def change(plant):
        own = plant.GetJointActuatorByName(name)
        own.set_effort_limit(own.effort_limit() * 1.04)

    return change


def gains(name, p=0.0, factor=1.04):
    def change(plant):
        own = plant.GetJointActuatorByName(name)
        held = own.get_controller_gains()
        own.set_controller_gains(PdControllerGains(p=p, d=held.d * factor))

    return change


def spring(kind, change):
    def meddle(one):
        change(next(x for x in one.springs() if isinstance(x, kind)), one.context)

    return meddle


def gravity(one):
    pulls = one.plant.mutable_gravity_field()
    pulls.set_gravity_vector(np.array(pulls.gravity_vector()) * 1.03)


def weightless(plant):
    plant.set_gravity_enabled(plant.GetModelInstanceByName("scene"), False)


def tie(number):
    def change(one):
        mine = one.handle.ties[number]
        held = one.plant.GetConstraintActiveStatus(one.context, mine)
        one.plant.SetConstraintActiveStatus(one.context, mine, not held)

    return change


def material(geom, change, slot=None):
    """Change the properties of one part of a geom."""

    def meddle(one):
        item = one.parts(geom, slot)[0]
        own = ProximityProperties(one.inspector().GetProximityProperties(item))
        change(own)
        one.graph.AssignRole(one.scene, one.ids(), item, own, RoleAssign.kReplace)

    return meddle


def rubs(static, dynamic):
    def change(own):
        held = own.GetProperty("material", "coulomb_friction")
        own.UpdateProperty(
            "material",
            "coulomb_friction",
            CoulombFriction(
                held.static_friction() * static, held.dynamic_friction() * dynamic
            ),
        )

    return change


def scaled(group, name, factor=1.04):
    def change(own):
        value = own.GetProperty(group, name)
        own.UpdateProperty(group, name, value * factor)

    return change


def added(group, name, value):
    return lambda own: own.AddProperty(group, name, value)


def reshaped(geom, shape, slot=None):
    def change(one):
        item = one.parts(geom, slot)[0]
        made = shape(one.inspector().GetShape(item))
        one.graph.ChangeShape(one.scene, one.ids(), item, made)

    return change


def replaced(geom, slot=None, last=False, turn=0.0):
    """Move, or turn, one part of a geom."""

    def change(one):
        item = one.parts(geom, slot)[-1 if last else 0]
        inspector = one.inspector()
        pose = inspector.GetPoseInFrame(item)
        by = RigidTransform(RollPitchYaw(turn, turn, 0), [0 if turn else 2e-3, 0, 0])
        shape = inspector.GetShape(item).Clone()
        one.graph.ChangeShape(one.scene, one.ids(), item, shape, pose @ by)

    return change


def removed(geom, slot=None):
    def change(one):
        item = one.parts(geom, slot)[0]
        one.graph.RemoveRole(one.scene, one.ids(), item, Role.kProximity)

    return change


def filtered(first, second, *, allow=False, slot=None):
    def change(one):
        pair = [GeometrySet([one.parts(x, slot)[0]]) for x in (first, second)]
        told = CollisionFilterDeclaration()
        (told.AllowBetween if allow else told.ExcludeBetween)(*pair)
        one.graph.collision_filter_manager(one.scene).Apply(told)

    return change


def soften(own):
    own.RemoveProperty("hydroelastic", "compliance_type")
    for name in ("resolution_hint", "hydroelastic_modulus"):
        own.RemoveProperty("hydroelastic", name)
    AddCompliantHydroelasticProperties(0.01, 1e8, own)


def constructed(module, name, change):
    """Hand an element's constructor other arguments, for one name."""

    def patch(monkeypatch):
        made = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, **k: made(*change(a, k)[0], **k))

    return patch


def axis(kind, joint):
    def change(args, named):
        if named["name"] == joint:
            x, y, z = named["axis"]
            named["axis"] = np.array([x, y + TURN, z + TURN])
        return args, named

    return constructed(plants, kind, change)


def prismatic(place, factor):
    def change(args, named):
        args = list(args)
        args[place] = args[place] * factor + (0.004 if factor == 1 else 0)
        return args, named

    return constructed(drives, "PrismaticSpring", change)


def constrained(kind, place, change):
    """Hand Drake another argument for every constraint of a kind."""

    def patch(monkeypatch):
        add = getattr(MultibodyPlant, kind)

        def added(self, *args):
            args = list(args)
            args[place] = change(args[place])
            return add(self, *args)

        monkeypatch.setattr(MultibodyPlant, kind, added)

    return patch


def stepped(monkeypatch):
    make = builds.AddMultibodyPlantSceneGraph
    monkeypatch.setattr(
        builds, "AddMultibodyPlantSceneGraph", lambda b, step: make(b, step * 1.04)
    )


MOVED = RigidTransform([4e-3, 0, 0])
TILTED = RigidTransform(RollPitchYaw(TURN, TURN, TURN), [0, 0, 0])
HYDRO = "hydroelastic"

AFTER = [
    *(("tree", name, mass(name)) for name in ("hull", "arm", "rod", "bob")),
    ("tree", "stuck", mass("stuck")),
    ("tree", "hull", com("hull")),
    ("tree", "rod", com("rod")),
    ("tree", "stuck", com("stuck")),
    ("tree", "hull", inertia("hull")),
    ("tree", "bob", inertia("bob")),
    ("tree", "stuck", inertia("stuck")),
    ("tree", "root", mass("root ballast", 1.03)),
    ("tree", "root", com("root ballast")),
    ("tree", "root", inertia("root ballast")),
    ("tree", "arm", mass("arm before joint 2")),
    *(
        ("tree", owner, change(frame))
        for owner, frame in (
            ("arm", "hinge before"),
            ("hinge", "hinge after"),
            ("arm", "hinge_hinge before_F"),
            ("arm", "hinge_hinge after_M"),
            ("arm", "second before"),
            ("arm", "second after"),
            ("rod", "slide before"),
            ("rod", "slide after"),
            ("stuck", "stuck in its parent"),
            ("stuck", "stuck welded"),
            ("bob", "ball after"),
            ("hand", "hand welded"),
        )
        for change in (shifted, turned)
    ),
    ("tree", "hinge", both("hinge before", "hinge after")),
    ("tree", "ball", both("ball before", "ball after")),
    ("tree", "hinge", damping("hinge", 0)),
    ("tree", "second", damping("second", 0)),
    ("tree", "slide", damping("slide", 0)),
    ("tree", "ball", damping("ball", 1)),
    ("tree", "root", damping("root", 1)),
    ("tree", "root", damping("root", 4)),
    ("tree", "hinge", limit("hinge", 0)),
    ("tree", "hinge", limit("hinge", 1)),
    ("tree", "slide", limit("slide", 0)),
    ("tree", "hinge", default("hinge")),
    ("tree", "slide", default("slide")),
    *(("tree", n, locked(n)) for n in ("hinge", "second", "slide", "ball", "root")),
    ("tree", "hinge", rotor("hinge")),
    ("tree", "second", rotor("second")),
    ("tree", "hinge", gear("hinge")),
    ("tree", "second", gear("second")),
    ("tree", "hinge", spring(RevoluteSpring, lambda x, c: x.SetStiffness(c, 2.08))),
    ("tree", "hinge", spring(RevoluteSpring, lambda x, c: x.SetNominalAngle(c, 0.36))),
    ("tree", "option", gravity),
    ("tied", "gear", tie(0)),
    ("tied", "hold", tie(1)),
    ("tied", "stay", tie(2)),
    ("tied", "hang", tie(3)),
    ("tied", "none", tie(4)),
    ("touch", "ball", material("ball", rubs(1.04, 1.04))),
    ("touch", "ball", material("ball", rubs(1, 0.96))),
    ("touch", "ball", material("ball", rubs(1.04, 1))),
    ("touch", "can", material("can", rubs(1.04, 1.04))),
    ("touch", "ball", material("ball", scaled("material", "point_contact_stiffness"))),
    (
        "touch",
        "box",
        material("box", scaled("material", "point_contact_stiffness"), "pad"),
    ),
    (
        "touch",
        "ball",
        material("ball", scaled("material", "hunt_crossley_dissipation")),
    ),
    ("touch", "lid", material("lid", scaled(HYDRO, "hydroelastic_modulus"), "soft")),
    ("touch", "lid", material("lid", scaled(HYDRO, "resolution_hint"), "soft")),
    ("touch", "post", material("post", scaled(HYDRO, "resolution_hint"), "soft")),
    ("touch", "ball", material("ball", scaled("material", "relaxation_time"))),
    ("touch", "ball", material("ball", soften)),
    (
        "touch",
        "lid",
        material("lid", lambda x: x.RemoveProperty(HYDRO, "compliance_type"), "soft"),
    ),
    ("touch", "lid", material("lid", added(HYDRO, "margin", 1e-3), "soft")),
    ("touch", "floor", material("floor", added(HYDRO, "slab_thickness", 1e-3))),
    ("touch", "ball", reshaped("ball", lambda s: Sphere(s.radius() * 1.03))),
    (
        "touch",
        "box",
        reshaped("box", lambda s: Box(np.array(s.size()) * [1, 1, 1.03]), "solid"),
    ),
    (
        "touch",
        "box",
        reshaped("box", lambda s: Box(np.array(s.size()) * [1, 1, 1.03]), "core"),
    ),
    ("touch", "box", reshaped("box", lambda s: Sphere(s.radius() * 1.03), "pad")),
    ("touch", "box", reshaped("box", lambda s: Sphere(s.radius() * 1.03), "foot")),
    (
        "touch",
        "capsule",
        reshaped("capsule", lambda s: Sphere(s.radius() * 1.03), "foot"),
    ),
    (
        "touch",
        "capsule",
        reshaped("capsule", lambda s: Capsule(s.radius(), s.length() * 1.03), "solid"),
    ),
    (
        "touch",
        "can",
        reshaped("can", lambda s: Cylinder(s.radius() * 1.03, s.length()), "soft"),
    ),
    ("touch", "can", reshaped("can", lambda s: Sphere(s.radius() * 1.03), "foot")),
    ("touch", "egg", reshaped("egg", lambda s: Ellipsoid(s.a(), s.b(), s.c() * 1.03))),
    (
        "touch",
        "egg",
        reshaped("egg", lambda s: Ellipsoid(s.a(), s.b(), s.c() * 1.03), "foot"),
    ),
    ("touch", "die", reshaped("die", lambda s: Convex(s.source(), 1.03), "solid")),
    ("touch", "die", reshaped("die", lambda s: Sphere(s.radius() * 1.03), "foot")),
    (
        "ground",
        "ground",
        reshaped(
            "ground", lambda s: Mesh(s.source(), np.array(s.scale3()) * [1, 1, 1.03])
        ),
    ),
    ("ground", "ground", replaced("ground")),
    *(
        ("touch", name, replaced(name, turn=turn))
        for name in ("floor", "ball", "box", "capsule", "can", "egg", "die", "post")
        for turn in (0.0, TURN)
    ),
    ("touch", "box", replaced("box", "pad", last=True)),
    ("touch", "box", replaced("box", "foot", last=True)),
    ("touch", "capsule", replaced("capsule", "foot", last=True)),
    ("touch", "can", replaced("can", "foot", last=True)),
    ("touch", "die", replaced("die", "point", last=True)),
    *(("touch", n, removed(n)) for n in ("ball", "lid")),
    ("touch", "box", removed("box", "pad")),
    ("touch", "box", removed("box", "foot")),
    ("touch", "ball", filtered("ball", "box", slot="solid")),
    ("quadruped", "FR_hip_joint", damping("FR_hip_joint", 0)),
    ("quadruped", "trunk", mass("trunk")),
    ("quadruped", "RL_calf_joint", rotor("RL_calf_joint")),
    ("quadruped", "FL_foot", material("FL_foot", rubs(1.04, 1.04))),
    ("quadruped", "FL_foot", reshaped("FL_foot", lambda s: Sphere(s.radius() * 1.03))),
]
BEFORE = [
    ("tree", "second", effort("second")),
    ("tree", "second", gains("second")),
    ("tree", "second", gains("second", p=1.0, factor=1)),
    ("tree", "option", weightless),
    (
        "tree",
        "plant",
        lambda p: p.set_discrete_contact_approximation(
            DiscreteContactApproximation.kSimilar
        ),
    ),
    ("touch", "plant", lambda p: p.set_contact_model(ContactModel.kPoint)),
    (
        "touch",
        "plant",
        lambda p: p.set_contact_surface_representation(
            HydroelasticContactRepresentation.kPolygon
        ),
    ),
    ("touch", "plant", lambda p: p.set_sap_near_rigid_threshold(1.04)),
]
WHILE = [
    ("tree", "hinge", axis("RevoluteJoint", "hinge")),
    ("tree", "slide", axis("PrismaticJoint", "slide")),
    ("tree", "slide", prismatic(1, 1)),
    ("tree", "slide", prismatic(2, 1.04)),
    ("tied", "hang", constrained("AddBallConstraint", 1, lambda x: np.array(x) * 1.04)),
    ("tied", "hang", constrained("AddBallConstraint", 3, lambda x: np.array(x) * 1.04)),
    ("tied", "stay", constrained("AddWeldConstraint", 1, lambda x: x @ MOVED)),
    ("tied", "stay", constrained("AddWeldConstraint", 1, lambda x: x @ TILTED)),
    ("tied", "stay", constrained("AddWeldConstraint", 3, lambda x: x @ MOVED)),
    ("tied", "stay", constrained("AddWeldConstraint", 3, lambda x: x @ TILTED)),
    ("tied", "gear", constrained("AddCouplerConstraint", 2, lambda x: x * 1.04)),
    ("tied", "hold", constrained("AddCouplerConstraint", 3, lambda x: x * 1.04)),
    ("tree", "option", stepped),
]
UNSEEN = {
    "stiction tolerance": (
        lambda plant: plant.set_stiction_tolerance(1.04e-3),
        "Drake does not tell it; it is Drake's own, and SAP does not use it",
    ),
    "penetration allowance": (
        lambda plant: plant.set_penetration_allowance(1.04e-3),
        "of geoms that state no stiffness: all do",
    ),
}
"""What of a plant neither shows nor can be read, and why."""
REWRITTEN = [
    ("tree", shifted("ball before")),
    ("tree", shifted("hand in its parent")),
]
"""State in Drake's parameters: a step writes it, whatever it was."""
