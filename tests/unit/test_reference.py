"""The reference beside an engine gives, bit by bit, what MuJoCo gives for a state."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from unisim.backend.actuation import Actuation
from unisim.backend.derived import Derived
from unisim.backend.fields import QUANTITIES
from unisim.backend.reference import Reference
from unisim.errors import BadArray, NotDeclared, UnknownName, UnsupportedFeature

WORLDS = 5
GO1 = (
    "policies/go1/mujoco_playground/_src/locomotion/go1/xmls/"
    "scene_mjx_feetonly_flat_terrain.xml"
)
SKYDIO = "models/menagerie__skydio_x2/scene.xml"
STATE = ("time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")

ARM = """<mujoco>
  <option density="1.2" viscosity="0.3" wind="1 -2 0.5" {option}/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <site name="anchor" pos="0 .3 1.2"/>
    <body name="target" mocap="true" pos=".5 0 1"><site name="goal"/></body>
    <body name="base" pos="0 0 .5"><freejoint name="base"/>
      <geom type="box" size=".1 .1 .05"/><site name="imu" pos=".05 0 .02"/>
      <body name="upper" pos=".1 0 0" gravcomp=".7">
        <joint name="shoulder" type="ball" damping=".2" stiffness="3"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><site name="mid" pos=".2 0 .04"/>
        <body name="fore" pos=".3 0 0">
          <joint name="elbow" axis="0 1 0" range="-1 .5" limited="true" stiffness="5"
            damping=".3" frictionloss=".2" actuatorgravcomp="true"/>
          <geom type="capsule" size=".02" fromto="0 0 0 .25 0 0"/><site name="tip" pos=".25 0 0"/>
          <body name="slider" pos=".25 0 0" gravcomp="1">
            <joint name="slide" type="slide" axis="1 0 0" range="0 .1" limited="true"/>
            <geom size=".03"/><site name="pin" pos="0 .05 0"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="both"><joint joint="elbow" coef="1"/><joint joint="slide" coef="-2"/></fixed>
    <spatial name="rope" stiffness="20" damping="1"><site site="anchor"/><site site="mid"/><site site="tip"/></spatial>
  </tendon>
  <actuator>{actuator}</actuator>
  <sensor>
    <clock/><framepos objtype="site" objname="tip" reftype="site" refname="goal"/>
    <gyro site="imu"/><velocimeter site="imu"/><accelerometer site="imu"/>
    <jointlimitpos joint="elbow"/><jointlimitvel joint="elbow"/><jointlimitfrc joint="elbow"/>
    <tendonpos tendon="rope"/><tendonvel tendon="both"/><rangefinder site="imu"/>
    <subtreelinvel body="base"/><subtreeangmom body="base"/><e_potential/><e_kinetic/>
    <touch site="tip"/><contact body1="base" num="1" data="found"/><framelinacc objtype="site" objname="tip"/>
    <jointpos joint="elbow" delay=".01" nsample="8"/><jointvel joint="slide" interval=".02"/>
  </sensor>
</mujoco>"""  # noqa: E501

ACTUATORS = {
    "motor": '<motor name="m" joint="elbow" gear="3" ctrlrange="-1 1"'
    ' forcerange="-2 2"/>',
    "servo": '<position name="m" joint="elbow" kp="20" kv="2" ctrlrange="-1 1"/>',
    "filter": '<general name="m" joint="elbow" dyntype="filter" dynprm=".05"'
    ' gainprm="4" biastype="affine" biasprm="1 -4 -.2"/>',
    "exact filter": '<general name="m" joint="slide" dyntype="filterexact" dynprm=".03"'
    ' gainprm="9" actearly="true"/>',
    "integrator": '<intvelocity name="m" joint="elbow" kp="12" actrange="-.3 .3"/>',
    "affine gain": '<general name="m" joint="slide" gaintype="affine"'
    ' gainprm="3 2 -1"/>',
    "fixed tendon": '<position name="m" tendon="both" kp="30" timeconst=".1"/>',
    "spatial tendon": '<motor name="m" tendon="rope" gear="-5"/>',
    "site": '<motor name="m" site="tip" gear="1 2 3 .1 .2 .3"/>',
    "site to site": '<position name="m" site="tip" refsite="imu" kp="5"'
    ' gear="0 1 0 0 0 0"/>',
    "ball": '<motor name="m" joint="shoulder" gear="1 -2 .5"/>',
    "in parent": '<motor name="m" jointinparent="shoulder" gear="1 2 3"/>',
    "slider crank": '<motor name="m" cranksite="tip" slidersite="pin"'
    ' cranklength=".3"/>',
    "muscle": '<muscle name="m" joint="elbow" lengthrange="-1 1" force="10"/>',
    "dc motor": '<dcmotor name="m" joint="elbow" motorconst="0.4" resistance="2"/>',
    "pid": '<pid name="m" joint="elbow" kp="5" dampratio="0.5" ki="1"/>',
    "delay": '<motor name="m" joint="elbow" delay=".01" nsample="8" interp="linear"/>',
    "delayed filter": '<general name="m" joint="slide" dyntype="filter" dynprm=".05"'
    ' delay=".006" nsample="5"/>',
    "several": '<motor name="m" joint="elbow"/>'
    '<intvelocity name="n" joint="slide" kp="3"/>'
    '<general name="o" joint="elbow" dyntype="filter" dynprm=".1"/>',
}  # fmt: skip


def arm(actuator: str = "servo", option: str = "") -> mujoco.MjModel:
    xml = ARM.format(actuator=ACTUATORS[actuator], option=option)
    return mujoco.MjModel.from_xml_string(xml)


def robot(model: mujoco.MjModel, seed: int) -> list[mujoco.MjData]:
    """Worlds in distinct random states, near the model's own."""
    rng = np.random.default_rng(seed)
    worlds = []
    for world in range(WORLDS):
        data = mujoco.MjData(model)
        mujoco.mj_integratePos(model, data.qpos, 0.3 * rng.normal(size=model.nv), 1.0)
        data.qvel = rng.normal(size=model.nv)
        data.act = rng.uniform(0, 0.3, model.na)
        data.ctrl = rng.normal(size=model.nu)
        data.mocap_pos += rng.normal(size=(model.nmocap, 3))
        data.time = 0.01 * world
        mujoco.mj_forward(model, data)
        worlds.append(data)
    return worlds


def stack(worlds: list[mujoco.MjData], name: str) -> np.ndarray:
    return np.stack([np.array(getattr(data, name)) for data in worlds])


def compare(model: mujoco.MjModel) -> None:
    """Everything that can be read, against a full forward pass with constraints."""
    worlds = robot(model, 1)
    reference = Reference(model, WORLDS, threads=2)
    reference.update({name: stack(worlds, name) for name in STATE})
    derived = Derived(model)
    for name in reference.readable:
        if QUANTITIES[name].stage == "state":
            continue
        found = reference.read(name)
        expected = derived.read(name, lambda array: stack(worlds, array))
        if name == "sensordata":
            assert np.isnan(found[:, ~reference.known]).all()
            found, expected = found[:, reference.known], expected[:, reference.known]
        np.testing.assert_array_equal(found, expected, name)
        if name not in {"sensordata"} and found.shape[1]:
            assert not np.array_equal(found[0], found[1]), name


@pytest.mark.parametrize("option", ["", 'cone="elliptic" integrator="RK4"'])
def test_what_follows_from_the_state_is_bit_equal(option: str) -> None:
    compare(arm(option=option))


@pytest.mark.real_robot
@pytest.mark.parametrize("file", [GO1, SKYDIO])
def test_what_follows_from_a_robots_state_is_bit_equal(file: str, shared: Path) -> None:
    compare(mujoco.MjModel.from_xml_path(str(shared / file)))


def test_velocities_of_bodies_are_those_of_their_origins() -> None:
    model = arm()
    worlds = robot(model, 2)
    reference = Reference(model, WORLDS)
    reference.update({name: stack(worlds, name) for name in STATE})
    spatial = np.zeros(6)
    for world, data in enumerate(worlds):
        for body in range(model.nbody):
            kind = mujoco.mjtObj.mjOBJ_XBODY
            mujoco.mj_objectVelocity(model, data, kind, body, spatial, 0)
            got = reference.read("body_linvel")[world, body]
            np.testing.assert_allclose(got, spatial[3:], atol=1e-12)
            got = reference.read("body_angvel")[world, body]
            np.testing.assert_allclose(got, spatial[:3], atol=1e-12)


def test_sensors_that_need_more_than_the_state_are_unknown() -> None:
    model = arm()
    known = Reference(model, 1).known
    late = ("accelerometer", "jointlimitfrc", "touch", "framelinacc", "contact")
    kinds = {int(getattr(mujoco.mjtSensor, f"mjSENS_{name.upper()}")) for name in late}
    for i in range(model.nsensor):
        memory = model.sensor_historyadr[i] >= 0 or model.sensor_interval[i, 0] > 0
        expected = model.sensor_type[i] not in kinds and not memory
        assert known[model.sensor_adr[i]] == expected, i
    assert known.sum() == known.size - 3 - 1 - 1 - 3 - 1 - 1 - 1


@pytest.mark.parametrize(
    "name", ["qacc", "actuator_force", "qfrc_actuator", "qfrc_constraint"]
)
def test_the_acceleration_stage_is_refused(name: str) -> None:
    with pytest.raises(UnknownName, match=f"{name}.*xpos") as refusal:
        Reference(arm(), 1).read(name)
    assert "qfrc_passive" in refusal.value.known


def test_an_update_of_some_worlds_leaves_the_others() -> None:
    model = arm()
    worlds = robot(model, 3)
    reference = Reference(model, WORLDS)
    reference.update({name: stack(worlds, name) for name in STATE})
    before = reference.read("site_xpos").copy()
    some = np.array([1, 3], np.int32)
    reference.update({"qpos": stack(worlds, "qpos")[[0, 2]]}, some)
    after = reference.read("site_xpos")
    np.testing.assert_array_equal(after[[0, 2, 4]], before[[0, 2, 4]])
    tip = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, "tip")
    np.testing.assert_array_equal(after[some, tip], before[[0, 2], tip])


@pytest.mark.parametrize("wrong", [(1, 13), (WORLDS, 12), (WORLDS - 1, 13), (13,)])
def test_a_shape_that_numpy_would_repeat_is_refused(wrong: tuple[int, ...]) -> None:
    model = arm()
    with pytest.raises(BadArray, match="qpos: expected shape"):
        Reference(model, WORLDS).update({"qpos": np.zeros(wrong)})


def test_a_field_that_varies_changes_what_follows() -> None:
    model = arm()
    reference = Reference(model, WORLDS, vary=("body_mass",))
    worlds = robot(model, 4)
    reference.update({name: stack(worlds, name) for name in STATE})
    reference.read("sensordata")
    mass = model.body_mass * np.linspace(0.5, 2, WORLDS)[:, None]
    mass[:, 2] *= np.linspace(1, 3, WORLDS)
    reference.vary("body_mass", mass[1:], np.arange(1, WORLDS, dtype=np.int32))
    for world in range(1, WORLDS):
        heavy = arm()
        heavy.body_mass[:] = mass[world]
        mujoco.mj_setConst(heavy, mujoco.MjData(heavy))
        data = mujoco.MjData(heavy)
        for name in STATE:
            setattr(data, name, np.array(getattr(worlds[world], name)))
        mujoco.mj_forward(heavy, data)
        found = reference.read("sensordata")[world, reference.known]
        np.testing.assert_array_equal(found, data.sensordata[reference.known])
        found = reference.read("qfrc_passive")[world]
        np.testing.assert_array_equal(found, data.qfrc_passive)
    np.testing.assert_array_equal(reference.varied("body_mass")[0], model.body_mass)


def test_a_field_that_does_not_vary_is_refused() -> None:
    reference = Reference(arm(), 1, vary=("body_mass",))
    with pytest.raises(NotDeclared, match=r"geom_friction.*body_mass"):
        reference.vary("geom_friction", np.zeros((1, 1, 3)))


def test_a_fault_stays_in_its_world() -> None:
    model = arm()
    worlds = robot(model, 5)
    clean, faulty = Reference(model, WORLDS), Reference(model, WORLDS)
    state = {name: stack(worlds, name) for name in STATE}
    clean.update(state)
    state["qpos"][2, 0] = np.nan
    faulty.update(state)
    others = [0, 1, 3, 4]
    for name in ("xpos", "body_linvel", "qfrc_passive"):
        np.testing.assert_array_equal(
            faulty.read(name)[others], clean.read(name)[others]
        )
    assert np.isnan(faulty.read("xpos")[2]).any()


def follow(model: mujoco.MjModel, steps: int = 25) -> None:
    """Let Actuation follow whole simulations, contacts and limits included."""
    worlds = robot(model, 6)
    rng = np.random.default_rng(7)
    actuation = Actuation(model, WORLDS, threads=2)
    actuation.write("act", stack(worlds, "act"))
    actuation.write("time", stack(worlds, "time"))
    for _ in range(steps):
        ctrl = rng.normal(size=(WORLDS, model.nu))
        before = stack(worlds, "qpos"), stack(worlds, "qvel")
        for data, values in zip(worlds, ctrl, strict=True):
            data.ctrl = values
            mujoco.mj_step(model, data)
        force, act = actuation.advance(*before, ctrl)
        np.testing.assert_array_equal(force, stack(worlds, "qfrc_actuator"))
        np.testing.assert_array_equal(act, stack(worlds, "act"))
        np.testing.assert_array_equal(
            actuation.actuator_force, stack(worlds, "actuator_force")
        )
    assert np.abs(force).max() > 0
    assert not np.array_equal(force[0], force[1])


@pytest.mark.parametrize("kind", ACTUATORS)
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_actuators_are_bit_equal_to_whole_simulations(
    kind: str, integrator: str
) -> None:
    follow(arm(kind, f'integrator="{integrator}"'))


def test_with_rk4_forces_are_those_of_the_state_before_the_step() -> None:
    euler, rk4 = arm("filter", 'integrator="Euler"'), arm("filter", 'integrator="RK4"')
    worlds = robot(rk4, 15)
    followers = [Actuation(model, WORLDS) for model in (euler, rk4)]
    state = [stack(worlds, name) for name in ("qpos", "qvel", "ctrl")]
    for follower in followers:
        follower.write("act", stack(worlds, "act"))
    (_, act), (force, same) = (follower.advance(*state) for follower in followers)
    np.testing.assert_array_equal(force, stack(worlds, "qfrc_actuator"))
    np.testing.assert_array_equal(act, same)


@pytest.mark.real_robot
@pytest.mark.parametrize("file", [GO1, SKYDIO])
def test_a_robots_actuators_are_bit_equal(file: str, shared: Path) -> None:
    follow(mujoco.MjModel.from_xml_path(str(shared / file)))


@pytest.mark.parametrize("kind", ["delayed filter", "integrator"])
def test_a_snapshot_of_actuators_continues_bit_by_bit(kind: str) -> None:
    model = arm(kind)
    worlds = robot(model, 8)
    actuation = Actuation(model, WORLDS)
    rng = np.random.default_rng(9)
    qpos, qvel = stack(worlds, "qpos"), stack(worlds, "qvel")
    for _ in range(4):
        actuation.advance(qpos, qvel, rng.normal(size=(WORLDS, model.nu)))
    kept = actuation.snapshot()
    ctrl = rng.normal(size=(6, WORLDS, model.nu))
    first = [[a.copy() for a in actuation.advance(qpos, qvel, u)] for u in ctrl]
    actuation.restore(kept)
    again = [[a.copy() for a in actuation.advance(qpos, qvel, u)] for u in ctrl]
    np.testing.assert_equal(first, again)


@pytest.mark.parametrize("kind", ["delay", "exact filter", "servo"])
def test_forces_can_be_asked_without_advancing_anything(kind: str) -> None:
    model = arm(kind)
    worlds = robot(model, 12)
    asked, unasked = Actuation(model, WORLDS), Actuation(model, WORLDS)
    state = stack(worlds, "qpos"), stack(worlds, "qvel")
    rng = np.random.default_rng(13)
    for ctrl in rng.normal(size=(7, WORLDS, model.nu)):
        force = asked.forces(*state, ctrl).copy()
        np.testing.assert_array_equal(asked.advance(*state, ctrl)[0], force)
        np.testing.assert_array_equal(unasked.advance(*state, ctrl)[0], force)
    np.testing.assert_array_equal(asked.snapshot().state, unasked.snapshot().state)


def test_a_reset_empties_the_delay_line_of_its_worlds_only() -> None:
    model = arm("delay")
    data = robot(model, 10)
    actuation, fresh = Actuation(model, WORLDS), Actuation(model, WORLDS)
    qpos, qvel = stack(data, "qpos"), stack(data, "qvel")
    ctrl = np.linspace(1, 2, WORLDS)[:, None]
    for _ in range(9):
        actuation.advance(qpos, qvel, ctrl)
    actuation.reset(np.array([1, 4], np.int32))
    force, _ = actuation.advance(qpos, qvel, ctrl)
    empty, _ = fresh.advance(qpos, qvel, ctrl)
    np.testing.assert_array_equal(force[[1, 4]], empty[[1, 4]])
    assert (force[[0, 2, 3]] != empty[[0, 2, 3]]).any(axis=1).all()


def test_a_gain_that_varies_changes_the_force() -> None:
    model = arm("motor")
    worlds = robot(model, 11)
    actuation = Actuation(model, WORLDS, vary=("actuator_gear",))
    gear = np.tile(model.actuator_gear, (WORLDS, 1, 1))
    gear[:, 0, 0] = np.linspace(1, 2, WORLDS)
    actuation.vary("actuator_gear", gear)
    state = stack(worlds, "qpos"), stack(worlds, "qvel")
    force, _ = actuation.advance(*state, np.full((WORLDS, 1), 0.5))
    passive = Actuation(model, WORLDS)
    rest, _ = passive.advance(*state, np.zeros((WORLDS, 1)))
    elbow = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, "elbow")
    dof = model.jnt_dofadr[elbow]
    np.testing.assert_allclose((force - rest)[:, dof], 0.5 * gear[:, 0, 0], atol=1e-12)


def test_adhesion_is_refused_by_name() -> None:
    spec = mujoco.MjSpec.from_string(ARM.format(option="", actuator=""))
    for name in ("base", "slider"):
        actuator = spec.add_actuator(name=f"suck_{name}", target=name)
        actuator.trntype = mujoco.mjtTrn.mjTRN_BODY
    with pytest.raises(UnsupportedFeature, match="suck_base") as refusal:
        Actuation(spec.compile(), 1)
    assert len(refusal.value.refusals) == 2
    assert refusal.value.features == ("actuator.trntype.body",)


def test_a_bad_state_is_not_healed_behind_the_engines_back() -> None:
    model = arm("integrator")
    worlds = robot(model, 14)
    sound, faulty = Actuation(model, WORLDS), Actuation(model, WORLDS)
    qpos, qvel = stack(worlds, "qpos"), stack(worlds, "qvel")
    ctrl = np.linspace(0.2, 1, WORLDS)[:, None]
    bad = qvel.copy()
    bad[2, -1] = 1e12
    for _ in range(3):
        force, act = (a.copy() for a in sound.advance(qpos, qvel, ctrl))
        bad_force, bad_act = faulty.advance(qpos, bad, ctrl)
        others = [0, 1, 3, 4]
        np.testing.assert_array_equal(bad_force[others], force[others])
        np.testing.assert_array_equal(bad_act[others], act[others])
    assert bad_act[2] == act[2]
