"""A world that is varied is as a scene that states those values."""

import mujoco
import numpy as np
import pytest

from unisim.backend.fields import LEAST
from unisim.errors import BadArray, NotDeclared, OutOfRange
from unisim.probe.contract.varied import EDITS, SCENE, other_values, stated
from unisim.probe.contract.worlds import everything, future, same, scatter
from unisim.varied import Change, check_varied

MOVED = {"body_ipos", "body_iquat"}
"""Fields for which an engine may use other arithmetic than for the fixed value."""
LOOSE = 1e-4
"""How much paths may differ where a field is held in another precision."""
OWN = 1e-3
"""The same where stops and dry friction are regularized by a law of the engine's own,
which may be that of the scene as it was built."""


def close(first, second, worlds, tolerance):
    assert first.keys() == second.keys()
    names = first
    if tolerance >= LOOSE or first["qpos"].dtype == np.float32:
        # what follows from a field is computed in another precision than stated values
        names, tolerance = ("path of qpos", "path of qvel"), max(LOOSE, tolerance)
    for name in names:
        values = first[name]
        np.testing.assert_allclose(
            values[worlds], second[name][worlds], tolerance, tolerance, err_msg=name
        )


def matters(name, world, runs, sims, least):
    if name == "geom_gap":  # nothing is felt in a gap, but what is there is listed
        near, all_near = (sims[key].raw_contacts(world).dist for key in (None, world))
        return len(all_near) > len(near)
    stated, plain = (runs[key]["path of qvel"][world] for key in (world, None))
    return np.abs(stated - plain).max() > least


def test_every_field_that_can_vary_is_tried(build_sim):
    assert set(build_sim.manifest.abilities.vary) <= EDITS.keys()


@pytest.mark.parametrize("name", EDITS)
def test_a_varied_world_is_as_a_scene_that_states_it(build_sim, name):
    model = mujoco.MjModel.from_xml_string(SCENE)
    values = {world: other_values(model, name, world) for world in (1, 3)}
    sim = build_sim(SCENE, vary=(name,))
    sims = {None: build_sim(SCENE)}
    sims |= {world: build_sim(stated(name, v)) for world, v in values.items()}
    sim.vary(name, np.array([values[3], values[1]]), [3, 1])
    runs = {}
    for key, each in {**sims, "varied": sim}.items():
        scatter(each)
        runs[key] = future(each, 50)
    tolerance = 1e-9 if name in MOVED else 0
    if build_sim.manifest.profile(None).compliance == "own":
        tolerance = OWN
    for world in (1, 3):
        close(runs[world], runs["varied"], [world], tolerance)
        least = max(2 * tolerance, 1e-6)
        assert matters(name, world, runs, sims, least), (
            "the field has no effect in this test"
        )
        listed = sims[world].raw_contacts(world), sim.raw_contacts(world)
        assert len(listed[0].dist) == len(listed[1].dist)
    close(runs[None], runs["varied"], [0, 2, 4], tolerance)


def test_what_is_varied_is_read_back_and_starts_as_stated(build_sim):
    names = ("body_mass", "opt.gravity")
    sim = build_sim(SCENE, vary=names)
    model = sim.built.scene.model
    for name, value in (
        ("body_mass", model.body_mass),
        ("opt.gravity", model.opt.gravity),
    ):
        found = sim.read(name)
        assert np.array_equal(found, np.tile(value, (5, 1)).astype(found.dtype))
    values = sim.read("body_mass")[:2] * [[2.0], [3.0]]
    sim.vary("body_mass", values, [4, 0])
    found = sim.read("body_mass")
    assert np.array_equal(found[[4, 0]], values.astype(found.dtype))
    assert np.array_equal(found[1], model.body_mass.astype(found.dtype))
    with pytest.raises(ValueError, match="read-only"):
        sim.read("body_mass")[...] = 0


def test_declaring_a_field_changes_nothing(build_sim):
    names = tuple(name for name in EDITS if name not in MOVED)
    sim, twin = build_sim(SCENE, vary=names), build_sim(SCENE)
    for name in names:
        sim.vary(name, sim.read(name))
    for each in (sim, twin):
        scatter(each)
    close(future(twin), future(sim), slice(None), 0)


def test_a_vary_counts_as_a_write_for_what_is_read(build_sim):
    sim = build_sim(SCENE, vary=("opt.gravity",))
    scatter(sim)
    before = sim.read("qacc").copy()
    sim.vary("opt.gravity", np.zeros((1, 3)), [2])
    after = sim.read("qacc")
    changed = np.any(before != after, axis=1)
    assert changed.tolist() == [False, False, True, False, False]


def test_a_refused_vary_names_the_reason_and_changes_nothing(build_sim):
    sim, twin = build_sim(SCENE, vary=("body_mass",)), build_sim(SCENE)
    for each in (sim, twin):
        scatter(each)
    mass = sim.read("body_mass").copy()
    cases = [
        (BadArray, "body_mass: expected floats of shape", ("body_mass", mass[:, 1:])),
        (BadArray, "int64", ("body_mass", mass.astype(int))),
        (BadArray, "body_mass: expected finite", ("body_mass", mass * np.nan)),
        (OutOfRange, "world 5", ("body_mass", mass[:1], [5])),
        (BadArray, "world 1 twice", ("body_mass", mass[:2], [1, 1])),
        (NotDeclared, r"'geom_friction'.*vary = .*body_mass", ("geom_friction", mass)),
    ]
    for error, message, arguments in cases:
        with pytest.raises(error, match=message):
            sim.vary(*arguments)
    assert np.array_equal(sim.read("body_mass"), mass)
    same(everything(twin), everything(sim))
    same(future(twin), future(sim))


@pytest.mark.parametrize("name", sorted(LEAST))
def test_a_field_is_not_varied_below_what_it_can_be(build_sim, name):
    sim = build_sim("rails", vary=(name,))
    before = sim.read(name).copy()
    wrong = before.copy()
    wrong[1].flat[-1] = -0.1
    said = f"{name}: expected finite values, 0 or more, got .*-0.1 in world 1 for '"
    with pytest.raises(BadArray, match=said):
        sim.vary(name, wrong)
    assert np.array_equal(sim.read(name), before)


WELDED = """<mujoco><worldbody>
  <body name="post"><geom type="box" size=".1 .1 .1" contype="0"/></body>
  <body name="arm" pos="0 0 1"><joint name="arm" axis="0 1 0"/>
    <inertial mass="1" pos="0 0 0" diaginertia=".01 .02 .03"/>
    <body name="tool"><inertial mass="2" pos="0 0 .1" diaginertia=".01 .02 .02"/></body>
    <body name="hand"><joint name="hand"/>
      <inertial mass=".5" pos="0 0 .2" diaginertia=".01 .01 .01"/></body>
  </body></worldbody></mujoco>"""
"""Bodies post, arm, tool (welded to the arm) and hand."""
IMPOSSIBLE = {
    "hand without mass": ("body_mass", [0, 1, 1, 1, 0], "moving body.*'hand'[.]$"),
    "hand next to none": ("body_mass", [0, 1, 1, 1, 1e-16], "'hand'"),
    "arm and tool without mass": ("body_mass", [0, 1, 0, 0, 1], "'arm'[.]$"),
    "hand without inertia": (
        "body_inertia",
        [[0] * 3, [1] * 3, [1] * 3, [1] * 3, [1, 1, 0]],
        "'hand'",
    ),
    "mass without inertia": (
        "body_inertia",
        [[0] * 3, [1] * 3, [0] * 3, [0] * 3, [1] * 3],
        "'arm'[.]$",
    ),
    "impossible tool": (
        "body_inertia",
        [[0] * 3, [1] * 3, [1] * 3, [1, 1, 2.001], [1] * 3],
        r"A \+ B >= C.*'tool'",
    ),
    "impossible post": (
        "body_inertia",
        [[0] * 3, [3, 1, 1], [1] * 3, [1] * 3, [1] * 3],
        r"A \+ B >= C.*'post'",
    ),
}


@pytest.mark.parametrize(
    ("name", "values", "message"), IMPOSSIBLE.values(), ids=IMPOSSIBLE
)
def test_what_no_scene_could_state_is_refused(build_sim, name, values, message):
    model = mujoco.MjModel.from_xml_string(WELDED)
    spec = mujoco.MjSpec.from_string(WELDED)
    for i in range(1, model.nbody):
        body = spec.body(model.body(i).name)
        body.explicitinertial = True
        if name == "body_mass":
            body.mass, body.inertia = values[i], model.body_inertia[i]
        else:
            body.mass, body.inertia = model.body_mass[i], values[i]
    with pytest.raises(ValueError, match="inertia"):
        spec.compile()
    sim, twin = (build_sim(WELDED, vary=(name,)) for _ in range(2))
    rows = sim.read(name)[:2].copy()
    rows[1] = values
    with pytest.raises(BadArray, match=f"{name}: .*{message}"):
        sim.vary(name, rows, [0, 3])
    assert np.array_equal(sim.read(name), twin.read(name))
    same(future(twin), future(sim))


RANGES = {
    "jnt_range": (
        '<joint name="hip" limited="true" range="{} {}"/>',
        "joint",
    ),
    "actuator_ctrlrange": (
        '<motor name="hip" joint="hip" ctrllimited="true" ctrlrange="{} {}"/>',
        "motor",
    ),
    "actuator_forcerange": (
        '<motor name="hip" joint="hip" forcelimited="true" forcerange="{} {}"/>',
        "motor",
    ),
}
LEG = """<mujoco><worldbody><body name="leg"><joint name="free" axis="0 1 0"/>{}
  <geom name="leg" size=".1"/></body></worldbody><actuator>{}
  <motor name="other" joint="free"/></actuator></mujoco>"""


def leg(name, low, high):
    text, kind = RANGES[name]
    motor, joint = '<motor name="hip" joint="hip"/>', '<joint name="hip"/>'
    if kind == "joint":
        joint = text.format(low, high)
    else:
        motor = text.format(low, high)
    return LEG.format(joint, motor)


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("ends", [(0.5, -0.5), (0.5, 0.5)])
def test_a_range_with_its_ends_in_the_wrong_order_is_refused(build_sim, name, ends):
    with pytest.raises(ValueError, match="range"):
        mujoco.MjModel.from_xml_string(leg(name, *ends))
    sim = build_sim(leg(name, -1, 1), vary=(name,))
    before = sim.read(name).copy()
    column = int(np.flatnonzero(before[0, :, 1])[0])
    rows = before[:2].copy()
    rows[1, column] = ends
    said = f"{name}: expected low < high .*{ends[0]:g} {ends[1]:g} in world 3 for 'hip'"
    with pytest.raises(BadArray, match=said):
        sim.vary(name, rows, [0, 3])
    assert np.array_equal(sim.read(name), before)
    # where a range limits nothing, it may hold anything
    rows[:, column] = -0.5, 0.5
    rows[:, 1 - column] = ends
    sim.vary(name, rows, [0, 3])


def test_the_range_of_a_ball_starts_at_0():
    ball = """<mujoco><compiler angle="radian"/><worldbody><body>
      <joint name="hip" type="ball" limited="true" range="{} 1"/>
      <geom name="leg" size=".1"/></body></worldbody></mujoco>"""
    with pytest.raises(ValueError, match="should be 0 in ball joint"):
        mujoco.MjModel.from_xml_string(ball.format(0.5))
    model = mujoco.MjModel.from_xml_string(ball.format(0))
    rows = np.array([[[0, 0.7]], [[0.5, 1]]])
    said = r"ball's range, got 0\.5 1 in world 9 for 'hip'"
    with pytest.raises(BadArray, match=said):
        check_varied(Change("jnt_range", rows, np.array([4, 9]), model), {})


@pytest.mark.parametrize("quat", [(0.0, 0, 0, 0), (2.0, 0, 0, 0)])
def test_a_rotation_of_an_inertia_is_a_unit_quaternion(build_sim, quat):
    sim = build_sim(WELDED, vary=("body_iquat",))
    before = sim.read("body_iquat").copy()
    rows = before.copy()
    rows[1, sim.layout.index("body", "tool")] = quat
    said = f"unit quaternions, wxyz, got {quat[0]:g} 0 0 0 in world 1 for 'tool'"
    with pytest.raises(BadArray, match=said):
        sim.vary("body_iquat", rows)
    assert np.array_equal(sim.read("body_iquat"), before)


def test_what_is_welded_to_a_moving_body_may_carry_its_mass(build_sim):
    sim = build_sim(WELDED, vary=("body_mass", "body_inertia"))
    mass, inertia = (sim.read(name).copy() for name in ("body_mass", "body_inertia"))
    for name in ("arm", "post"):
        body = sim.layout.index("body", name)
        mass[1, body], inertia[1, body] = 0, 0
    sim.vary("body_mass", mass)
    sim.vary("body_inertia", inertia)
    assert np.array_equal(sim.read("body_inertia"), inertia)
    tool = sim.layout.index("body", "tool")
    inertia[1, tool] = 0
    with pytest.raises(BadArray, match="'arm'"):
        sim.vary("body_inertia", inertia)


def test_mass_and_inertia_that_differ_count_together(build_sim):
    sim = build_sim(WELDED, vary=("body_mass", "body_inertia"))
    arm, tool = (sim.layout.index("body", name) for name in ("arm", "tool"))
    mass, inertia = (sim.read(name).copy() for name in ("body_mass", "body_inertia"))
    inertia[2, arm] = 0
    sim.vary("body_inertia", inertia)
    mass[2, tool] = 0  # the tool alone has inertia there, the arm alone mass
    with pytest.raises(BadArray, match="'arm'"):
        sim.vary("body_mass", mass)
    sim.vary("body_mass", mass[[2]], [1])


def test_a_plate_of_no_thickness_is_a_body(build_sim):
    sim = build_sim(WELDED, vary=("body_inertia",))
    inertia = sim.read("body_inertia").copy()
    inertia[:, 1:] = 0.1, 0.2, 0.1 + 0.2
    sim.vary("body_inertia", inertia)
    inertia[:, 1:] = 0.1, 0.7, 0.8  # the sum of the first two rounds to less
    assert 0.1 + 0.7 < 0.8
    sim.vary("body_inertia", inertia)
