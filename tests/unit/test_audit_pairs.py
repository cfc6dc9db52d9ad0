"""Which geoms may collide, against MuJoCo on scenes where everything overlaps."""

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisim.backend.audit import collision_pairs

SHAPES = (
    'type="sphere" size="1"',
    'type="box" size="1 1 1"',
    'type="capsule" size="0.5 0.5"',
    'type="ellipsoid" size="1 0.9 0.8"',
    'type="cylinder" size="0.7 0.6"',
)
MASKS = ("0 0", "1 1", "2 1", "1 2", "4 4", "0 3", "3 0")


def found_by_mujoco(model):
    """Pairs of names of all contacts, whatever their distance."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return {
        tuple(sorted(model.geom(int(i)).name for i in contact.geom))
        for contact in data.contact
    }


@st.composite
def scenes(draw):
    """Bodies in a random tree, all geoms around the origin, with all filters."""
    count = draw(st.integers(2, 7))
    parents = [draw(st.integers(0, i)) for i in range(count)]
    children = {i: [] for i in range(count + 1)}
    for i, parent in enumerate(parents):
        children[parent].append(i + 1)
    number = iter(range(1000))

    def geoms():
        found = ""
        for _ in range(draw(st.integers(0, 2))):
            mask = draw(st.sampled_from(MASKS)).split()
            # no two at the same place: MuJoCo may find no contact of those
            i, (x, z) = next(number), (draw(st.floats(-0.2, 0.2)) for _ in range(2))
            shift = f"{x:.3f} {0.015 * i - 0.1:.3f} {z:.3f}"
            found += (
                f'<geom name="g{i}" {draw(st.sampled_from(SHAPES))} '
                f'contype="{mask[0]}" conaffinity="{mask[1]}" pos="{shift}"/>'
            )
        return found

    def body(i):
        mocap = parents[i - 1] == 0 and draw(st.integers(0, 4)) == 0
        joint = "" if mocap or draw(st.booleans()) else "<joint/>"
        flag = ' mocap="true"' if mocap else ""
        below = "".join(body(child) for child in children[i])
        inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        return f'<body name="b{i}"{flag}>{joint}{inertial}{geoms()}{below}</body>'

    ground = "".join(body(child) for child in children[0])
    world = '<geom name="floor" type="plane" size="9 9 1" pos="0 0 0.1"/>' + geoms()
    total = next(number)
    pick = st.integers(0, max(total - 1, 0))
    pairs = {tuple(sorted((draw(pick), draw(pick)))) for _ in range(2 if total else 0)}
    contact = "".join(f'<pair geom1="g{i}" geom2="g{j}"/>' for i, j in pairs if i != j)
    names = [draw(st.integers(1, count)) for _ in range(4)]
    excludes = {tuple(sorted(names[:2])), tuple(sorted(names[2:]))}
    contact += "".join(
        f'<exclude body1="b{i}" body2="b{j}"/>' for i, j in excludes if i != j
    )
    flag = draw(st.sampled_from(("", '<flag filterparent="disable"/>')))
    return (
        f"<mujoco><option>{flag}</option><worldbody>{world}{ground}</worldbody>"
        f"<contact>{contact}</contact></mujoco>"
    )


@given(scenes())
def test_pairs_are_those_that_mujoco_finds_where_everything_overlaps(xml):
    try:
        model = mujoco.MjModel.from_xml_string(xml)
    except ValueError:  # a pair that MuJoCo itself refuses
        return
    assert collision_pairs(model) == found_by_mujoco(model)


def test_a_disabled_contact_leaves_no_pair():
    xml = (
        '<mujoco><option><flag contact="disable"/></option><worldbody>'
        '<body name="a"><joint/><geom name="a" size="1"/></body>'
        '<geom name="b" size="1"/></worldbody></mujoco>'
    )
    assert collision_pairs(mujoco.MjModel.from_xml_string(xml)) == frozenset()


@pytest.mark.real_robot
@pytest.mark.parametrize(
    "file",
    [
        "menagerie__unitree_a1__novis/scene.xml",
        "menagerie__agility_cassie/scene.xml",
        "menagerie__wonik_allegro__scene_right/scene_right.xml",
        "gymnasium_robotics__adroit_door/adroit_door.xml",
    ],
)
def test_contacts_of_real_robots_are_among_the_pairs(shared, file):
    model = mujoco.MjModel.from_xml_path(str(shared / "models" / file))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(200):
        mujoco.mj_resetData(model, data)
        change = rng.normal(size=model.nv)
        mujoco.mj_integratePos(model, data.qpos, change, 1.0)
        mujoco.mj_forward(model, data)
        seen |= {
            tuple(sorted(model.geom(int(i)).name or f"geom {i}" for i in c.geom))
            for c in data.contact
        }
    assert seen
    assert seen <= collision_pairs(model)


BALLS = """<mujoco><option><flag filterparent="{}"/></option><worldbody>
  <body name="a"><joint/><geom name="a" size=".1"/>
    <body name="b"><joint/><geom name="{}" size=".1"/></body></body>
</worldbody></mujoco>"""


def test_equal_models_share_their_pairs_and_others_do_not():
    def pairs(flag, name):
        model = mujoco.MjModel.from_xml_string(BALLS.format(flag, name))
        return collision_pairs(model)

    free, again = pairs("disable", "b"), pairs("disable", "b")
    assert free is again
    assert free == {("a", "b")}
    assert pairs("disable", "c") == {("a", "c")}
    assert pairs("enable", "b") == set()
