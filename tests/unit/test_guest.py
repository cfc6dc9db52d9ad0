"""Around a guest, everything is as around MuJoCo's own engine."""

import numpy as np
import pytest

from guest_of_mujoco import Backend
from unisim.backend.base import BuildCfg, Fault
from unisim.backend.fields import QUANTITIES, STATE
from unisim.backend.layout import layout_of
from unisim.backend.mujoco import BACKEND as MUJOCO
from unisim.config import ContactQueryCfg
from unisim.probe.contract.scenes import composed

ALL = ("force", "dist", "pos", "normal", "tangent")
FELT = """<mujoco><option timestep=".004" gravity=".5 .2 -9.81"/><worldbody>
  <geom name="floor" type="plane" size="2 2 .1"/>
  <body name="box" pos="0 0 .0995"><freejoint/>
    <geom name="box" type="box" size=".1 .1 .1" friction=".3"/>
    <site name="half" type="{shape}" size=".12 .12 .12" pos=".06 .01 -.1"
      euler="20 0 9"/>
    <site name="below" type="box" size=".13 .13 .02" pos="0 0 -.2"/>
    <body name="arm" pos="0 0 .2"><joint axis="1 0 0"/>
      <geom name="hand" size=".03" pos=".1 0 -.0701"/></body></body>
  <body name="ball" pos=".35 0 .0498"><freejoint/><geom name="ball" size=".05"/></body>
  </worldbody><sensor>
    <touch name="touch" site="half"/><touch name="ray" site="below"/>
    {sensors}
  </sensor></mujoco>"""
SENSORS = "".join(
    f'<contact {who} data="{data}" reduce="{reduce}" num="{num}"/>'
    for who in (
        'body1="box"',
        'geom1="floor"',
        'subtree1="box" geom2="floor"',
        'site="half"',
        'subtree1="ball" body2="world"',
        'geom1="hand" body2="box"',
        'geom1="box" body2="ball"',
    )
    for data, reduce, num in (
        ("found", "none", 1),
        ("found force dist pos normal tangent", "none", 3),
        ("force pos", "mindist", 2),
        ("found normal", "maxforce", 1),
        ("force torque pos normal", "netforce", 1),
    )
)
QUERIES = {
    "sink": (),
    "rails": (),
    "pile": tuple(
        ContactQueryCfg(
            name=f"{kind} {first} {reduce}", kind=kind, first=first, second=second,
            reduce=reduce, fields=ALL, slots=3,
        )
        for kind, first, second in (
            ("body", "crate", None),
            ("geom", "floor", "crate"),
            ("subtree", "slab", "world"),
        )
        for reduce in ("none", "mindist", "maxforce", "netforce")
    ),
}  # fmt: skip


def engines(name, worlds=3, dtype="float64"):
    """A guest, and MuJoCo's own engine."""
    scene = composed(name)
    request = BuildCfg(
        scene=scene, worlds=worlds, profile="default", contacts=QUERIES.get(name, ()),
        dtype=dtype,
    )  # fmt: skip
    layout = layout_of(scene.model)
    return Backend().build(request, layout), MUJOCO.build(request, layout)


def disturb(both, random, count):
    """The same commands, wrenches and steps on both sides."""
    shape = both[0].read("ctrl").shape
    wrench = random.normal(0, 0.3, both[0].read("xfrc_applied").shape)
    ctrl = random.normal(0, 0.3, shape)
    for engine in both:
        engine.write("xfrc_applied", wrench, None)
        engine.step(ctrl, count)


def compare(guest, mujoco, atol=1e-8):
    for name in QUANTITIES:
        loose = 1e-4 if name == "qfrc_constraint" else atol
        got, want = guest.read(name), mujoco.read(name)
        np.testing.assert_allclose(got, want, atol=loose, rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("name", QUERIES)
def test_every_quantity_is_as_in_mujoco(name):
    both, random = engines(name), np.random.default_rng(0)
    for count in (1, 4, 2):
        disturb(both, random, count)
        compare(*both)
    row = np.array(both[1].read("qvel"))[[1]] * 1.2
    for engine in both:
        engine.write("qvel", row, np.array([1], np.int32))
    compare(*both)
    for engine in both:
        engine.reset(np.array([0, 2], np.int32), -1)
    compare(*both)
    disturb(both, random, 3)
    compare(*both)


def test_contact_queries_are_answered_as_by_mujocos_sensor():
    guest, mujoco = engines("pile")
    for engine in (guest, mujoco):
        engine.step(None, 60)
    disturb((guest, mujoco), np.random.default_rng(0), 1)
    seen = set()
    for i, query in enumerate(QUERIES["pile"]):
        got, want = guest.contact(i), mujoco.contact(i)
        seen |= set(want.found.tolist())
        assert got.found.tolist() == want.found.tolist()
        assert got.overflow.tolist() == want.overflow.tolist()
        for name in ALL:
            np.testing.assert_allclose(
                got.fields[name], want.fields[name], atol=1e-6, err_msg=query.name
            )
    assert {4, 5} & seen


@pytest.mark.parametrize("shape", ["box", "sphere", "capsule", "cylinder", "ellipsoid"])
def test_sensors_of_contacts_are_as_in_mujoco(shape):
    text = FELT.format(shape=shape, sensors=SENSORS)
    guest, mujoco = engines(text)
    random, felt = np.random.default_rng(1), False
    for count in (1, 3, 20, 2):
        disturb((guest, mujoco), random, count)
        got, want = guest.read("sensordata"), mujoco.read("sensordata")
        np.testing.assert_allclose(got, want, atol=2e-4, rtol=1e-6)
        felt |= bool(want[:, 0].any() and want[:, 1].any())
    assert felt


def test_no_sensor_tells_anything_where_sensors_are_off():
    text = FELT.format(
        shape="box", sensors='<gyro site="half" delay=".01" nsample="4"/>'
    )
    off = text.replace(
        '9.81"/><worldbody>', '9.81"><flag sensor="disable"/></option><worldbody>'
    )
    assert off != text
    both = engines(off)
    for _ in range(3):
        disturb(both, np.random.default_rng(0), 4)
        for engine in both:
            assert not engine.read("sensordata").any()


def test_a_world_that_is_not_finite_stands_still_and_no_other_feels_it():
    (guest, _), (twin, _) = engines("sink"), engines("sink")
    bad = np.array(guest.read("qpos"))[[1]]
    bad[0, 3] = np.nan
    guest.write("qpos", bad, np.array([1], np.int32))
    for engine in (guest, twin):
        engine.step(None, 5)
    assert guest.faults.tolist() == [0, int(Fault.STATE), 0]
    assert np.isnan(guest.read("qpos")[1, 3])
    for name in QUANTITIES:
        np.testing.assert_array_equal(guest.read(name)[[0, 2]], twin.read(name)[[0, 2]])
    guest.reset(np.array([1], np.int32), -1)
    guest.step(None, 1)
    assert guest.faults.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", ["sink", "pile"])
def test_a_snapshot_continues_bit_by_bit(name):
    guest, _ = engines(name)
    random = np.random.default_rng(0)
    disturb((guest,), random, 5)
    guest.write(
        "qvel", np.array(guest.read("qvel"))[[0]] * 1.5, np.array([0], np.int32)
    )
    saved, paths = guest.snapshot(), []
    for _ in range(2):
        guest.restore(saved)
        told = {x: np.array(guest.read(x)) for x in QUANTITIES}
        disturb((guest,), np.random.default_rng(5), 4)
        paths.append(told | {f"{x} later": np.array(guest.read(x)) for x in QUANTITIES})
        guest.reset(None, -1)
    for key, values in paths[0].items():
        np.testing.assert_array_equal(values, paths[1][key], err_msg=key)


def test_what_is_read_has_the_dtype_that_was_asked_for():
    guest, mujoco = engines("rails", dtype="float32")
    disturb((guest, mujoco), np.random.default_rng(0), 3)
    for name in QUANTITIES:
        kind = "float64" if name == "time" else "float32"
        assert guest.read(name).dtype == kind
        assert not guest.read(name).flags.writeable
    np.testing.assert_allclose(guest.read("qpos"), mujoco.read("qpos"), atol=1e-5)


def test_the_state_keeps_its_address():
    guest, _ = engines("sink")
    before = {name: guest.read(name).ctypes.data for name in STATE}
    disturb((guest,), np.random.default_rng(0), 2)
    guest.reset(None, -1)
    guest.restore(guest.snapshot())
    assert before == {name: guest.read(name).ctypes.data for name in STATE}
