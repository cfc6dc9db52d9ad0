"""The fake engine holds velocities, reads MuJoCo's for the state, faults on request."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from unisim import ContactQueryCfg, SceneCfg, Sim, TaskCfg, build, compose
from unisim.backend import registry
from unisim.backend.audit import AuditReport
from unisim.backend.base import BuildCfg, Fault
from unisim.backend.choice import settled
from unisim.backend.fake.sim import FakeEngine
from unisim.backend.gate import gate
from unisim.backend.layout import layout_of
from unisim.control import Batch, bind
from unisim.errors import (
    BadConfig,
    Faulted,
    OutOfRange,
    UnknownName,
    UnsupportedFeature,
)
from unisim.sim import Built

WORLDS = 4
SCENE = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="base" pos="0 0 1"><freejoint name="base"/>
      <geom name="trunk" type="box" size=".1 .2 .05"/><site name="imu"/>
      <body name="link" pos=".1 0 0"><joint name="ball" type="ball"/>
        <geom name="rod" type="capsule" size=".02" fromto="0 0 0 .2 0 0"/>
        <body name="tip" pos=".2 0 0"><joint name="hinge" axis="0 1 0" stiffness="3"/>
          <geom name="end" size=".03" pos=".1 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="servo" joint="hinge" kp="5" timeconst=".05"/>
    <motor name="late" joint="hinge" delay=".006" nsample="4"/>
  </actuator>
  <sensor>
    <gyro name="gyro" site="imu"/><accelerometer name="accelerometer" site="imu"/>
  </sensor>
  <keyframe><key name="up" qpos="0 0 2 1 0 0 0 1 0 0 0 .4" ctrl=".3 .1"/></keyframe>
</mujoco>"""


def task_of(folder: Path, xml: str = SCENE, **task: object) -> TaskCfg:
    file = folder / "scene.xml"
    file.write_text(xml)
    accept = task.pop("accept", ("*",))
    return TaskCfg(
        scene=SceneCfg(model_file=file),
        backend="fake",
        worlds=WORLDS,
        accept=accept,
        **task,
    )


def fake(folder: Path, **parts: object) -> Sim:
    """A sim as `build` makes it, but for the audit."""
    task = settled(task_of(folder, **parts))
    scene = compose(task.scene)
    layout, backend = layout_of(scene.model), registry.load("fake")
    request = BuildCfg(
        scene=scene,
        worlds=task.worlds,
        profile="default",
        settings=task.engine,
        dtype=task.dtype,
        contacts=task.contacts,
        vary=task.vary,
    )
    passed = gate(request, backend.manifest, task.accept)
    engine = backend.build(request, layout)
    batch = Batch(task.worlds, layout.sizes["nu"], task.dtype)
    law = bind(task.control, scene, layout, batch)
    report = AuditReport("fake", "", (), 0)
    return Sim(Built(task, scene, layout, engine, law, passed, report))


def stir(sim: Sim, seed: int = 0) -> None:
    """Distinct positions, velocities and controls in every world."""
    rng = np.random.default_rng(seed)
    model, qpos = sim.built.scene.model, sim.read("qpos").astype(float)
    for row in qpos:
        mujoco.mj_integratePos(model, row, rng.normal(size=model.nv), 1.0)
    sim.write("qpos", qpos)
    sim.write("qvel", rng.normal(size=(WORLDS, model.nv)))
    sim.write("ctrl", rng.normal(size=(WORLDS, model.nu)))


def reference(sim: Sim, world: int) -> mujoco.MjData:
    """MuJoCo's data of one world's state."""
    data = mujoco.MjData(sim.built.scene.model)
    for name in ("qpos", "qvel", "act", "ctrl", "time"):
        setattr(data, name, sim.read(name)[world])
    mujoco.mj_forward(sim.built.scene.model, data)
    return data


def test_a_weightless_scene_passes_the_audit_as_it_is(tmp_path: Path) -> None:
    xml = """<mujoco><option gravity="0 0 0"/><worldbody><body name="b">
      <joint name="x" type="slide"/><geom name="g" size=".1"/></body></worldbody>
    </mujoco>"""
    with build(task_of(tmp_path, xml)) as sim:
        sim.write("qvel", np.arange(1.0, 5.0)[:, None])
        sim.step(count=100)
        moved = 100 * sim.timestep * np.arange(1.0, 5.0)
        np.testing.assert_allclose(sim.read("qpos")[:, 0], moved, atol=1e-12)


def test_nobody_gets_a_fake_without_asking_for_it(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFeature, match="nothing is moved by a force"):
        build(task_of(tmp_path, accept=()))


def test_velocities_are_held_and_positions_follow(tmp_path: Path) -> None:
    sim = fake(tmp_path)
    stir(sim)
    model, qvel = sim.built.scene.model, sim.read("qvel").copy()
    expected = sim.read("qpos").copy()
    sim.step(count=30)
    for row, velocity in zip(expected, qvel, strict=True):
        for _ in range(30):
            mujoco.mj_integratePos(model, row, velocity, sim.timestep)
    np.testing.assert_array_equal(sim.read("qpos"), expected)
    np.testing.assert_array_equal(sim.read("qvel"), qvel)
    np.testing.assert_allclose(sim.read("time"), 30 * sim.timestep)
    assert not sim.read("qacc").any()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_follows_from_the_state_is_mujocos(tmp_path: Path, dtype: str) -> None:
    sim = fake(tmp_path, dtype=dtype)
    stir(sim)
    sim.step(count=5)
    tight = 1e-12 if dtype == "float64" else 2e-6
    for world in range(WORLDS):
        data = reference(sim, world)
        for name in ("xpos", "xquat", "site_xmat", "qfrc_passive"):
            got = sim.read(name)[world]
            assert got.dtype == dtype
            want = getattr(data, name)
            np.testing.assert_allclose(got, want, rtol=tight, atol=tight)
        np.testing.assert_allclose(
            sim.sensor("gyro")[world], data.sensor("gyro").data, rtol=1e-5, atol=1e-6
        )
    assert np.isnan(sim.sensor("accelerometer")).all()


def test_actuators_are_mujocos_after_a_step_and_after_a_write(tmp_path: Path) -> None:
    sim = fake(tmp_path)
    stir(sim)
    for world in range(WORLDS):
        want = reference(sim, world).qfrc_actuator
        np.testing.assert_allclose(sim.read("qfrc_actuator")[world], want, atol=1e-12)
    worlds = [reference(sim, world) for world in range(WORLDS)]
    for _ in range(8):
        for world, data in enumerate(worlds):
            data.qpos, data.qvel = sim.read("qpos")[world], sim.read("qvel")[world]
            mujoco.mj_step(sim.built.scene.model, data)
        sim.step()
        for name in ("qfrc_actuator", "actuator_force", "act"):
            want = [getattr(data, name) for data in worlds]
            np.testing.assert_allclose(sim.read(name), want, atol=1e-12)
    assert np.abs(sim.read("act")).min() > 0


def test_a_reset_of_some_worlds_leaves_the_others_bit_equal(tmp_path: Path) -> None:
    sim = fake(tmp_path)
    stir(sim)
    sim.step(count=7)
    names = ("time", "qpos", "qvel", "act", "ctrl", "xpos", "qfrc_actuator")
    before = {name: sim.read(name).copy() for name in names}
    sim.reset(np.array([False, True, False, True]), keyframe="up")
    for name in names:
        np.testing.assert_array_equal(sim.read(name)[[0, 2]], before[name][[0, 2]])
    key = sim.built.scene.model.key("up")
    np.testing.assert_array_equal(sim.read("qpos")[1], key.qpos)
    np.testing.assert_array_equal(sim.read("ctrl")[3], key.ctrl)
    assert not sim.read("time")[[1, 3]].any()
    assert not sim.read("act")[[1, 3]].any()


def test_a_reset_forgets_activations_and_delayed_controls(tmp_path: Path) -> None:
    used, fresh = fake(tmp_path), fake(tmp_path)
    stir(used)
    used.step(count=9)
    used.reset()
    for sim in (used, fresh):
        stir(sim, seed=1)
    for _ in range(5):
        for sim in (used, fresh):
            sim.step()
        for name in ("act", "actuator_force"):
            np.testing.assert_array_equal(used.read(name), fresh.read(name))


def test_an_activation_that_is_written_is_where_the_next_step_starts(
    tmp_path: Path,
) -> None:
    sim = fake(tmp_path)
    stir(sim)
    act = np.linspace(0.1, 0.4, WORLDS)[:, None]
    sim.write("act", act)
    worlds = [reference(sim, world) for world in range(WORLDS)]
    sim.step()
    for data in worlds:
        mujoco.mj_step(sim.built.scene.model, data)
    want = [data.act for data in worlds]
    np.testing.assert_allclose(sim.read("act"), want, atol=1e-12)


def test_many_steps_are_one_step_many_times(tmp_path: Path) -> None:
    at_once, singly = fake(tmp_path), fake(tmp_path)
    for sim in (at_once, singly):
        stir(sim)
    at_once.step(count=6)
    for _ in range(6):
        singly.step()
    for name in ("qpos", "act", "time", "actuator_force", "sensordata"):
        np.testing.assert_array_equal(at_once.read(name), singly.read(name))


def test_a_snapshot_continues_bit_by_bit(tmp_path: Path) -> None:
    sim = fake(tmp_path, vary=("body_mass",))
    mass = np.linspace(1, 2, WORLDS)[:, None] * sim.read("body_mass")
    sim.vary("body_mass", mass)
    stir(sim)
    sim.step(count=3)
    kept = sim.snapshot()
    sim.step(count=4)
    names = ("qpos", "act", "time", "qfrc_actuator", "xpos", "body_mass")
    first = {name: sim.read(name).copy() for name in names}
    sim.vary("body_mass", 3 * mass)
    stir(sim, seed=1)
    sim.restore(kept)
    sim.step(count=4)
    for name in names:
        np.testing.assert_array_equal(sim.read(name), first[name])


def test_a_varied_field_changes_what_follows_from_it(tmp_path: Path) -> None:
    sim = fake(tmp_path, vary=("jnt_stiffness",))
    stir(sim)
    model = sim.built.scene.model
    stiffness = np.linspace(0, 9, WORLDS)[:, None] * np.ones(model.njnt)
    sim.vary("jnt_stiffness", stiffness)
    hinge = sim.layout.columns("qvel", "hinge")
    angle = sim.read("qpos")[:, sim.layout.columns("qpos", "hinge")]
    np.testing.assert_allclose(
        sim.read("qfrc_passive")[:, hinge], -stiffness[:, -1:] * angle, atol=1e-12
    )


def test_contact_queries_find_nothing(tmp_path: Path) -> None:
    query = ContactQueryCfg(
        name="feet", first="end", second="floor", fields=("force", "dist"), slots=3
    )
    sim = fake(tmp_path, contacts=(query,))
    found = sim.contact("feet")
    assert not found.found.any()
    assert not found.overflow.any()
    assert found.fields["force"].shape == (WORLDS, 3, 3)
    assert found.fields["dist"].shape == (WORLDS, 3, 1)
    assert sim.raw_contacts(2).force.shape == (0, 3)


def test_a_contact_query_of_nothing_is_refused(tmp_path: Path) -> None:
    query = ContactQueryCfg(name="feet", first="foot")
    with pytest.raises(UnknownName, match=r"contact query 'feet': .* no geom 'foot'"):
        build(task_of(tmp_path, contacts=(query,)))


def test_a_task_can_make_one_world_fault_after_some_steps(tmp_path: Path) -> None:
    settings = {"fault_world": 2, "fault_after": 3}
    sim = fake(tmp_path, engine=settings)
    sim.step(count=2)
    assert not sim.faults.any()
    sim.step(count=2)
    assert sim.faults.tolist() == [0, 0, int(Fault.INJECTED), 0]
    with pytest.raises(Faulted, match="INJECTED in 1 of 4 worlds: 2"):
        sim.read("qpos")
    sim.reset([2])
    assert not sim.faults.any()
    sim.step(count=3)
    assert sim.faults[2]


def test_a_test_can_fault_a_world_of_a_running_sim(tmp_path: Path) -> None:
    sim = fake(tmp_path)
    engine = sim.built.engine
    assert isinstance(engine, FakeEngine)
    engine.inject(1, Fault.CAPACITY)
    with pytest.raises(Faulted, match="CAPACITY"):
        sim.read("xpos")


@pytest.mark.parametrize("value", [np.nan, 1e12])
@pytest.mark.parametrize(
    ("name", "fault"),
    [("qpos", Fault.STATE), ("qvel", Fault.STATE), ("ctrl", Fault.CONTROL)],
)
def test_a_bad_number_flags_its_world_and_changes_no_other(
    tmp_path: Path, name: str, fault: Fault, value: float
) -> None:
    sound, faulty = (fake(tmp_path, faults="flag") for _ in range(2))
    for sim in (sound, faulty):
        stir(sim)
    bad = sound.read(name).copy()
    bad[1, -1] = value
    faulty.write(name, bad)
    for sim in (sound, faulty):
        sim.step(count=3)
    assert faulty.faults.tolist() == [0, int(fault), 0, 0]
    for read in ("qpos", "act", "xpos", "qfrc_actuator"):
        others = faulty.read(read)[[0, 2, 3]]
        np.testing.assert_array_equal(others, sound.read(read)[[0, 2, 3]])


def test_a_world_that_is_not_there_cannot_fault(tmp_path: Path) -> None:
    with pytest.raises(OutOfRange, match="fault_world 4"):
        fake(tmp_path, engine={"fault_world": WORLDS})


def test_an_unknown_setting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="fault_wrld"):
        fake(tmp_path, engine={"fault_wrld": 1})


def test_a_robot_under_gravity_builds_and_says_what_was_not_audited() -> None:
    file = Path(__file__).parents[2] / "models" / "quadruped" / "scene.xml"
    scene = SceneCfg(model_file=file, keyframe="home")
    task = TaskCfg(scene=scene, backend="fake", accept=("*",), worlds=3)
    with build(task) as sim:
        report = sim.built.audit
        sim.step(None, 5)
        np.testing.assert_array_equal(sim.read("qvel"), 0.0)
    left_out = {item.what for item in report.unaudited}
    assert {"joint force", "joint limits", "contact force"} <= left_out
    assert report.residuals["xpos"] < 1e-12
