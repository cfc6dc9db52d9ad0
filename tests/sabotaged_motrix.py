"""Scenes in MotrixSim, and every change of one element of what it holds of them."""

import motrixsim as mx
import numpy as np
from motrixsim import msd

from sabotage import LIAR, WORLDS
from unisim.backend.motrix.mend import links_of

TURN = np.radians(1.0)
TREE = """<mujoco><option timestep="0.004" gravity="1 -2 -9"/><worldbody>
  <geom name="floor" type="plane" size="9 9 1" friction=".7 .02 .003" condim="4"/>
  <geom name="wall" type="box" size=".1 .2 .3" pos="3 0 0" quat=".8 .2 .1 0"/>
  <body name="hand" mocap="true" pos="0 0 4"><geom size=".05" contype="0"
    conaffinity="0"/></body>
  <body name="hull" pos="0 0 2" quat=".3 .2 .9 .1" gravcomp=".4">
    <joint name="root" type="free" damping=".2" armature=".02"/>
    <inertial pos=".1 .02 .03" mass="1.2" fullinertia=".03 .02 .025 .001 .002 .003"/>
    <geom name="egg" type="ellipsoid" size=".1 .2 .3" priority="2" solref=".03 .9"
      solimp=".8 .9 .002 .4 3" solmix="2"/>
    <body name="arm" pos=".1 .2 .3"><joint name="h" axis="0 1 .2" pos=".1 0 .02"
        range="-40 50" damping=".7" armature=".02" frictionloss=".3" ref="10"
        stiffness="3" springref="20" solreflimit=".03 .8" margin=".01"/>
      <inertial pos="0 .02 .03" mass=".5" diaginertia=".004 .005 .006"/>
      <geom name="rod" type="capsule" size=".05 .2" contype="6" conaffinity="3"/>
      <body name="stuck" pos="0 0 .3" quat="1 2 0 0">
        <inertial pos="0 .02 .03" mass=".2" diaginertia=".004 .005 .006"/>
        <geom name="can" type="cylinder" size=".05 .1"
          conaffinity="0"/></body>
      <body name="fore" pos="0 0 .4"><joint name="s" type="slide" axis="1 0 1"
          range="-1 2" ref=".2" stiffness="9" springref=".1" damping=".3"/>
        <inertial pos="0 .02 .03" mass=".3" diaginertia=".004 .005 .006"/>
        <geom name="ball" size=".07" pos="0 .1 0"/>
        <body name="fist" pos=".2 0 0"><joint name="b" type="ball" damping=".1"
            armature=".01" range="0 60"/>
          <inertial pos="0 .02 .03" mass=".3" diaginertia=".004 .005 .006"/>
          <geom name="die" type="mesh" mesh="m"/></body></body></body></body>
  </worldbody>
  <asset><mesh name="m" vertex="0 0 0 .1 0 0 0 .2 0 0 0 .3 .1 .1 .1"/></asset>
  <contact><exclude body1="hull" body2="fist"/></contact>
  <tendon><fixed name="t" stiffness="4" damping=".2" springlength=".3" range="-1 1"
    frictionloss=".1"><joint joint="h" coef="2"/><joint joint="s" coef="-1"/></fixed>
  </tendon>
  <actuator><motor name="mt" tendon="t" gear="3" ctrlrange="-1 1"/>
    <position name="ps" joint="s" kp="20" gear="2" forcerange="-9 8"/>
    <general name="mu" joint="h" dyntype="filter" dynprm=".1" gainprm="2"/></actuator>
</mujoco>"""
TIED = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="left" pos="0 0 1"><joint name="l" axis="0 1 0"/>
    <inertial pos=".1 0 .2" mass="1" diaginertia=".01 .02 .03"/>
    <body name="lower" pos="0 0 .4"><joint name="k" axis="0 1 0"/>
      <inertial pos=".05 0 .1" mass=".5" diaginertia=".01 .01 .01"/></body></body>
  <body name="right" pos=".5 0 1"><joint name="r" axis="0 1 0"/>
    <inertial pos=".1 0 .1" mass=".7" diaginertia=".01 .02 .03"/></body>
  <body name="loose" pos="2 0 1"><freejoint name="free"/>
    <inertial pos=".01 .02 0" mass=".7" diaginertia=".01 .02 .03"/></body>
  <body name="mate" pos="2.4 0 1"><freejoint name="mate"/>
    <inertial pos=".01 .02 0" mass=".9" diaginertia=".01 .02 .03"/></body>
  <body name="hung" pos="4 0 1"><freejoint name="other"/>
    <inertial pos=".1 .02 0" mass=".7" diaginertia=".01 .02 .03"/></body>
  <body name="held" pos="6 0 1"><joint name="h" axis="0 1 0"/>
    <inertial pos=".1 .02 0" mass=".7" diaginertia=".01 .02 .03"/></body>
</worldbody><equality>
  <joint name="gear" joint1="l" joint2="r" polycoef="0 1.5 0 0 0"/>
  <joint name="hold" joint1="h" polycoef=".1 0 0 0 0"/>
  <weld name="stay" body1="loose" body2="mate"/>
  <connect name="hang" body1="hung" anchor=".1 .2 .3"/>
  <weld name="none" body1="hung" body2="mate" active="false"/>
</equality></mujoco>"""
TOUCH = """<mujoco><option timestep="0.004"/><worldbody>
  <geom name="floor" type="plane" size="9 9 1"/>
  <body name="ball" pos="0 0 .1"><freejoint name="j0"/>
    <geom name="ball" size=".1"/></body>
  <body name="box" pos="1 0 .1"><freejoint name="j1"/>
    <geom name="box" type="box" size=".1 .1 .1"/></body>
  <body name="capsule" pos="2 0 .1"><freejoint name="j3"/>
    <geom name="capsule" type="capsule" size=".1 .2" quat="1 0 1 0"/></body>
  <body name="can" pos="3 0 .2"><freejoint name="j4"/>
    <geom name="can" type="cylinder" size=".1 .2"/></body>
</worldbody></mujoco>"""
BARE = """<mujoco><option timestep="0.004"/><worldbody>
  <body name="hull" pos="0 0 2" gravcomp=".4">
    <joint name="h" axis="0 1 .2" pos=".1 0 .02"
      range="-40 50" damping=".7"/>
    <inertial pos="0 .02 .03" mass=".5" diaginertia=".004 .005 .006"/>
  </body></worldbody></mujoco>"""
"""Nothing rubs here, which in the other scenes hides what a flag switches off."""
TEXTS = {"tree": TREE, "tied": TIED, "touch": TOUCH, "bare": BARE}
FIRST = np.eye(WORLDS, dtype=np.float32)[LIAR]


def overridden(where, name, what, factor=1.04):
    """Another value in one world, by the engine's own override."""

    def change(handle):
        item = getattr(handle.model, f"get_{where}")(name)
        value = np.array(getattr(item, f"get_{what}_override")(handle.data), np.float32)
        more = value[LIAR] * np.float32(factor)
        value[LIAR] = more if np.any(more) else 0.01
        getattr(item, f"set_{what}_override")(handle.data, value)

    return change


def link_named(world, name):
    return next(link for link in links_of(world) if link.name == name)


def joint_named(world, name):
    joints = [x for link in links_of(world) for x in link.joints]
    joints += [x.free for x in world.hierarchy.bodies if x.free is not None]
    return next(joint for joint in joints if joint.name == name)


def geom_named(world, name):
    geoms = list(world.hierarchy.geoms)
    geoms += [x for link in links_of(world) for x in link.geoms]
    return next(geom for geom in geoms if geom.name == name)


def within(collection):
    def find(world, name):
        held = world
        for part in collection.split("."):
            held = getattr(held, part)
        return next(x for x in held if x.name == name)

    return find


def put(item, path, change):
    """Change what is at a path in an item, and write every part of the path back."""
    first, _, rest = path.partition(".")
    if rest:
        held = getattr(item, first)
        put(held, rest, change)
        if first != "value":
            setattr(item, first, held)
    else:
        setattr(item, first, change(getattr(item, first)))


def given(find, name, path, change):
    return lambda world: put(find(world, name), path, change)


def like(value, found):
    """Numbers in the form of others."""
    if isinstance(value, np.ndarray):
        return found.astype(np.float32)
    return float(found) if found.ndim == 0 else found.tolist()


def times(factor, at=None):
    def change(value):
        found = np.array(value, np.float64)
        if at is None:
            found = found * factor
        else:
            found[at] = found[at] * factor if found[at] else 0.01
        return like(value, found)

    return change


def plus(extra):
    def change(value):
        found = np.array(value, np.float64) + np.asarray(extra)
        return like(value, found)

    return change


def const(value):
    return lambda _old: value


def flip(value):
    return not value


def turn(quat):
    half = TURN / 2
    x, y, z, w = np.array(quat, np.float64)
    s, c = np.sin(half), np.cos(half)
    # times a turn about x
    out = np.array([x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s])
    return like(quat, out)


def compiled(monkeypatch, change):
    """Let the engine compile another world than the adapter has."""
    build = mx.msd.build

    def built(world):
        other = world.deepcopy()
        change(other)
        return build(other)

    monkeypatch.setattr(mx.msd, "build", built)


def option(name, change):
    def meddle(handle):
        held = handle.model.options
        setattr(held, name, change(getattr(held, name)))

    meddle.label = name
    return meddle


def sized(name):
    def change(handle):
        geom = handle.model.get_geom(name)
        held = np.array(geom.get_size_override(handle.data), np.float32)
        held[LIAR] *= np.float32(1.03)
        geom.set_size_override(handle.data, held)

    return change


def pulled(handle):
    held = np.tile(np.array(handle.model.options.gravity, np.float32), (WORLDS, 1))
    held[LIAR] *= 1.03
    handle.model.set_gravity_override(handle.data, held)


def g(find, name, path, change):
    made = given(find, name, path, change)
    made.label = path
    return made


def entry(collection, name, path, change):
    made = given(within(collection), name, path, change)
    made.label = path
    return made


def whole(attribute, path, change):
    """Change a part of the world's own, which is a copy."""

    def meddle(world):
        held = getattr(world, attribute)
        put(held, path, change)
        setattr(world, attribute, held)

    meddle.label = path
    return meddle


def tie(kind, name, path, change):
    def meddle(world):
        held = world.equality_constraint_set
        item = next(x for x in getattr(held, kind) if x.name == name)
        put(item, path, change)
        world.equality_constraint_set = held

    meddle.label = path
    return meddle


AFTER = [
    *(
        ("tree", n, overridden("link", n, w))
        for n in ("hull", "arm", "fore", "fist", "stuck")
        for w in ("mass", "center_of_mass", "inertia")
    ),
    *(
        ("tree", n, overridden("geom", n, "friction"))
        for n in ("floor", "egg", "rod", "can", "ball", "die")
    ),
    *(
        ("tree", n, overridden("joint", n, w))
        for n in ("h", "s")
        for w in ("armature", "frictionloss")
    ),
    ("tree", "b", overridden("joint", "b", "armature")),
    *(
        ("tree", "ps", overridden("actuator", "ps", w))
        for w in ("gain", "bias", "stiffness", "damping")
    ),
    ("tree", "mt", overridden("actuator", "mt", "gain")),
    *(
        ("tree", "b", overridden("actuator", f"unisim_damper_{i}", "damping"))
        for i in (8,)
    ),
    ("tree", "root", overridden("actuator", "unisim_damper_0", "damping")),
    *(("touch", n, sized(n)) for n in ("ball", "box", "capsule", "can")),
    ("tree", "option", pulled),
    ("tree", "option", option("timestep", lambda x: x * 1.04)),
    ("tree", "option", option("gravity", lambda x: np.array(x) * 1.03)),
    ("tree", "option", option("disable_gravity", flip)),
    ("touch", "model", option("disable_contacts", flip)),
    ("touch", "model", option("max_iterations", lambda x: 1)),
    ("touch", "model", option("solver_tolerance", lambda x: x * 1.04)),
    ("quadruped", "trunk", overridden("link", "trunk", "mass")),
    ("quadruped", "FL_foot", overridden("geom", "FL_foot", "friction")),
    ("quadruped", "FL_hip_joint", overridden("joint", "FL_hip_joint", "armature")),
    ("quadruped", "FL_hip_joint", overridden("joint", "FL_hip_joint", "frictionloss")),
]
SHAPE = ("d0", "dmax", "width", "middle", "power")
BUILT = [
    *(
        ("tree", n, g(link_named, n, p, c))
        for n in ("hull", "arm", "stuck", "fist")
        for p, c in (
            ("local_translation", plus([2e-3, 0, 0])),
            ("local_rotation", turn),
            ("inertial.mass", times(1.03)),
            ("inertial.pos", plus([0, 1e-3, 0])),
            ("inertial.diag_inertia", times(1.03)),
            ("inertial.orientation", turn),
        )
    ),
    ("tree", "hull", g(link_named, "hull", "gravcomp", times(1.04))),
    ("bare", "h", g(link_named, "hull", "gravcomp", times(1.04))),
    ("tree", "can", g(link_named, "hull", "disable_self_collision", flip)),
    ("tree", "h", g(joint_named, "h", "axis", plus([TURN, 0, 0]))),
    ("tree", "s", g(joint_named, "s", "axis", plus([0, TURN, 0]))),
    ("tree", "root", g(joint_named, "h", "pos", plus([2e-3, 0, 0]))),
    ("tree", "b", g(joint_named, "b", "pos", plus([2e-3, 0, 0]))),
    ("tree", "h", g(joint_named, "h", "ref_", plus(0.02))),
    *(
        ("tree", n, g(joint_named, n, "armature", times(1.04)))
        for n in ("h", "b", "root")
    ),
    *(("tree", n, g(joint_named, n, "friction_loss", times(1.04))) for n in ("h",)),
    ("tree", "h", g(joint_named, "h", "friction_damping.damping", times(1.04))),
    ("tree", "h", g(joint_named, "h", "friction_damping.impedance", times(0.96))),
    ("tree", "h", g(joint_named, "h", "margin", times(1.04))),
    ("tree", "h", g(joint_named, "h", "spring_damper.target_pos", times(1.04))),
    *(
        ("tree", n, g(geom_named, n, "size", times(1.03, 0)))
        for n in ("egg", "rod", "can", "ball")
    ),
    *(
        ("tree", n, g(geom_named, n, "position", plus([0, 2e-3, 0])))
        for n in ("floor", "egg", "rod", "can", "ball", "die")
    ),
    *(
        ("tree", n, g(geom_named, n, "orientation", turn))
        for n in ("floor", "egg", "rod", "can", "die")
    ),
    ("tree", "ball", g(geom_named, "ball", "margin", plus(1e-3))),
    ("tree", "ball", g(geom_named, "ball", "gap", plus(1e-3))),
    ("tree", "egg", g(geom_named, "egg", "priority", lambda x: x + 1)),
    (
        "tree",
        "can",
        g(geom_named, "can", "collision_mask.collide_group", const(0)),
    ),
    (
        "tree",
        "rod",
        g(geom_named, "rod", "collision_mask.collide_with", lambda x: x ^ 1),
    ),
    ("tree", "egg", g(geom_named, "egg", "physics_material.condim", const(1))),
    ("tree", "egg", g(geom_named, "egg", "physics_material.force_mix", times(1.04))),
    *(
        (
            "tree",
            "egg",
            g(geom_named, "egg", "physics_material.friction", times(1.04, i)),
        )
        for i in range(3)
    ),
    ("tree", "die", whole("collision_ignores", "link_pairs", const([]))),
    ("tree", "t", entry("tendon_set.joint_tendons", "t", "frictionloss", times(1.04))),
    (
        "tree",
        "t",
        entry("tendon_set.joint_tendons", "t", "friction_damping.damping", times(1.04)),
    ),
    ("tree", "t", entry("tendon_set.joint_tendons", "t", "spring.k", times(1.04))),
    ("tree", "t", entry("tendon_set.joint_tendons", "t", "spring.d", plus(0.01))),
    *(
        (
            "tree",
            "t",
            entry(
                "tendon_set.joint_tendons", "t", f"limit_force.spring.{k}", times(1.04)
            ),
        )
        for k in "kd"
    ),
    *(
        (
            "tree",
            "t",
            entry(
                "tendon_set.joint_tendons",
                "t",
                f"limit_force.impedance.{k}",
                times(1.04),
            ),
        )
        for k in SHAPE
    ),
    ("tree", "mt", entry("actuators", "mt", "gear", times(1.04, 0))),
    ("tree", "h", entry("actuators", "unisim_push_6", "gear", times(1.04, 0))),
    *(
        ("tied", n, tie(k, n, f"spring.spring.{x}", times(1.04)))
        for k, n in (("joints", "gear"), ("welds", "stay"), ("connects", "hang"))
        for x in "kd"
    ),
    *(
        ("tied", n, tie(k, n, f"spring.impedance.{x}", times(1.04)))
        for k, n in (("joints", "gear"), ("welds", "stay"), ("connects", "hang"))
        for x in SHAPE
    ),
    *(
        ("tied", n, tie(k, n, "active", flip))
        for k, n in (
            ("joints", "gear"),
            ("welds", "stay"),
            ("connects", "hang"),
        )
    ),
    ("tied", "none", tie("welds", "none", "active", flip)),
    ("tied", "gear", tie("joints", "gear", "polycoeff", times(1.04, 1))),
    ("tied", "hold", tie("joints", "hold", "polycoeff", times(1.04, 0))),
    ("tree", "option", whole("simulate_option", "timestep", times(1.04))),
    ("tree", "option", whole("simulate_option", "gravity", times(1.03))),
    *(
        ("tree", "model", whole("simulate_option", n, flip))
        for n in (
            "disable_actuators",
            "disable_constraints",
            "disable_damping",
            "disable_frictionloss",
            "disable_gravity",
            "disable_limit",
            "safty_damping_clamp",
        )
    ),
    *(
        ("bare", "model", whole("simulate_option", n, flip))
        for n in ("disable_damping", "disable_limit")
    ),
    ("tied", "model", whole("simulate_option", "disable_equality", flip)),
    ("touch", "model", whole("simulate_option", "disable_contacts", flip)),
    (
        "touch",
        "model",
        whole("simulate_option", "solver_type", const(msd.SolverType.Newton)),
    ),
    (
        "touch",
        "model",
        whole("simulate_option", "constraint_solver_iterations", const(10)),
    ),
    (
        "touch",
        "model",
        whole("simulate_option", "constraint_solver_tolerance", times(1.04)),
    ),
]
NO_OPTION = "a compiled model's Options has no {}, and here no motion tells it"
UNTOLD = "a compiled Link has no gravcomp, and here dry friction hides 4 % of it"
INERT = "this release of the engine does the same either way"
UNSEEN_AFTER: dict[int, str] = {}
UNSEEN_BUILT = {
    24: UNTOLD,
    110: NO_OPTION.format("disable_damping"),
    111: NO_OPTION.format("disable_frictionloss"),
    113: NO_OPTION.format("disable_limit"),
    116: NO_OPTION.format("disable_limit"),
    119: NO_OPTION.format("solver_type"),
    **dict.fromkeys((108, 114), INERT),
}
"""By place in `AFTER` and `BUILT`: what is changed unseen, and why."""
