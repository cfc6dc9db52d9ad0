"""Forces, velocities and control laws against closed forms."""

import mujoco
import numpy as np
import pytest

from unisim.config import DCMotorCfg, PDCfg
from unisim.errors import BadArray
from unisim.probe.contract.worlds import everything, rounding, same, scatter

FREE = """<mujoco><option timestep=".002" gravity="0 0 0"/>
  <worldbody><body name="a" pos="0 0 1"><freejoint name="a"/>
    <inertial mass="2" pos=".1 .2 .3" quat=".9 .1 .2 .3" diaginertia=".3 .2 .4"/>
    <geom name="g" size=".05" pos=".2 0 -.1"/><site name="s" pos="-.1 .3 .05"/>
    <body name="b" pos="0 .2 0"><joint name="b" axis="1 1 0"/>
      <inertial mass=".5" pos="0 -.1 .2" diaginertia=".02 .02 .01"/>
      <geom name="h" size=".05" pos=".1 .1 .1"/><site name="t" pos="0 .3 .1"/></body>
  </body></worldbody></mujoco>"""
ALONE = """<mujoco><option timestep=".002" gravity="0 0 0"/>
  <worldbody><body name="a" pos="0 0 1"><freejoint name="a"/>
    <inertial mass="2" pos=".1 .2 .3" quat=".9 .1 .2 .3" diaginertia=".3 .2 .4"/>
    <geom size=".05"/></body></worldbody></mujoco>"""


def tumbling(build_sim, text, **task):
    sim = build_sim(text, **task)
    random = np.random.default_rng(0)
    sim.write("qvel", random.normal(0, 1, sim.read("qvel").shape))
    sim.step(count=30)
    return sim


def test_a_wrench_accelerates_the_centre_of_mass_by_force_over_mass(build_sim):
    sim = build_sim(ALONE)
    random = np.random.default_rng(1)
    wrench = np.zeros((5, 2, 6))
    wrench[:, 1] = random.normal(0, 1, (5, 6))
    sim.write("xfrc_applied", wrench)
    steps, start = 50, sim.read("xipos")[:, 1].copy()
    before = start
    for _ in range(steps):
        sim.step()
        previous, before = before, sim.read("xipos")[:, 1].copy()
    velocity = (before - previous) / sim.timestep
    expected = wrench[:, 1, :3] / 2 * sim.timestep * steps
    np.testing.assert_allclose(velocity, expected, atol=2e-3)
    found = sim.read("xfrc_applied")
    assert np.array_equal(found, wrench.astype(found.dtype))


def test_a_torque_turns_a_body_by_its_inertia(build_sim):
    sim = build_sim(ALONE)
    wrench = np.zeros((5, 2, 6))
    wrench[:, 1, 3:] = np.random.default_rng(1).normal(0, 1, (5, 3))
    sim.write("xfrc_applied", wrench)
    model = sim.built.scene.model
    axes = np.zeros(9)
    mujoco.mju_quat2Mat(axes, model.body_iquat[1])
    axes = axes.reshape(3, 3)
    inertia = axes @ np.diag(model.body_inertia[1]) @ axes.T
    sim.step()
    expected = np.linalg.solve(inertia, wrench[:, 1, 3:].T).T * sim.timestep
    np.testing.assert_allclose(
        sim.read("body_angvel")[:, 1], expected, rtol=rounding(sim, 1e-9)
    )


@pytest.mark.parametrize(
    ("kind", "pos", "mat"),
    [
        ("body", "xpos", "xquat"),
        ("geom", "geom_xpos", "geom_xmat"),
        ("site", "site_xpos", "site_xmat"),
    ],
)
def test_velocities_are_the_rates_of_the_poses(build_sim, kind, pos, mat):
    sim = tumbling(build_sim, FREE)
    names = (pos, mat, f"{kind}_linvel", f"{kind}_angvel")
    half, atol = (1e-6, 1e-7) if sim.built.task.dtype == "float64" else (2e-3, 1e-3)
    now = everything(sim, ("qpos", "qvel", *names))
    shifted, qvel = [], now["qvel"].astype(float)
    for sign in (-1, 1):
        qpos = now["qpos"].astype(float)
        for world in range(5):
            mujoco.mj_integratePos(
                sim.built.scene.model, qpos[world], qvel[world], sign * half
            )
        sim.write("qpos", qpos)
        shifted.append(everything(sim, names))
    rate = (shifted[1][pos] - shifted[0][pos]) / (2 * half)
    np.testing.assert_allclose(now[f"{kind}_linvel"], rate, atol=atol)
    frames = [matrices(arrays[mat]) for arrays in (*shifted, now)]
    spin = (frames[1] - frames[0]) / (2 * half) @ np.swapaxes(frames[2], -1, -2)
    turning = np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1)
    np.testing.assert_allclose(now[f"{kind}_angvel"], turning, atol=atol)
    assert np.abs(rate).max() > 0.1


def matrices(frames):
    """Rotation matrices of wxyz quaternions or row-major matrices."""
    if frames.shape[-1] == 9:
        return frames.reshape(*frames.shape[:-1], 3, 3)
    out = np.zeros((*frames.shape[:-1], 9))
    for at in np.ndindex(frames.shape[:-1]):
        mujoco.mju_quat2Mat(out[at], frames[at])
    return out.reshape(*frames.shape[:-1], 3, 3)


def test_a_mocap_body_drags_what_is_welded_to_it(build_sim):
    sim = build_sim("sink")
    target = sim.read("mocap_pos") + np.arange(5)[:, None, None] * [0.0, 0.02, 0.01]
    target = target.astype(sim.read("mocap_pos").dtype)
    sim.write("mocap_pos", target)
    sim.step(count=400)
    model = sim.built.scene.model
    load = sim.read("xpos")[:, model.body("load").id]
    hand = sim.read("xpos")[:, model.body("hand").id]
    np.testing.assert_array_equal(hand, target[:, 0])
    np.testing.assert_allclose(load, target[:, 0], atol=0.01)


def test_an_equality_that_is_switched_off_lets_go(build_sim):
    sim = build_sim("sink")
    active = sim.read("eq_active").copy()
    active[[1, 3], 0] = 0
    sim.write("eq_active", active)
    sim.step(count=200)
    height = sim.read("xpos")[:, sim.built.scene.model.body("load").id, 2]
    assert np.all(height[[0, 2, 4]] > 0.95)
    assert np.all(height[[1, 3]] < 0.3)


JOINTS = """<mujoco><option timestep=".004"/><worldbody>
  <body><joint name="a" axis="0 1 0" range="-60 60"/><geom size=".05" pos=".3 0 0"/>
    <body pos=".3 0 0"><joint name="b" axis="0 1 0"/>
      <geom size=".04" pos=".2 0 0"/></body></body>
  </worldbody><actuator>{}</actuator></mujoco>"""
MOTORS = JOINTS.format('<motor name="a" joint="a"/><motor name="b" joint="b"/>')
SERVOS = JOINTS.format(
    '<position name="a" joint="a" kp="8" forcerange="-3 3" inheritrange="1"/>'
    '<position name="b" joint="b" kp="5"/>'
)
PD = PDCfg(kp={"a": 8.0, "b": 5.0}, kv={"*": 0.0}, limit={"a": 3.0})


def test_pd_before_every_substep_is_as_the_servos_of_the_file(build_sim):
    law, servos = build_sim(MOTORS, control=(PD,)), build_sim(SERVOS)
    random = np.random.default_rng(2)
    for _ in range(5):
        command = random.normal(0, 0.8, (5, 2))
        for each in (law, servos):
            each.step(command, 7)
        for name in ("qpos", "qvel", "actuator_force"):
            np.testing.assert_allclose(
                law.read(name),
                servos.read(name),
                rtol=rounding(law, 1e-9),
                atol=10 * rounding(law, 1e-11),
            )


def test_the_law_runs_before_every_substep(build_sim):
    sim, single = (build_sim(MOTORS, control=(PD,)) for _ in range(2))
    command = np.random.default_rng(3).normal(0, 0.5, (5, 2))
    recorded = sim.step(command, 6, record=["ctrl"])["ctrl"]
    for _ in range(6):
        q = single.read("qpos").copy()
        single.step(command)
        limit = np.deg2rad(60)
        target = np.column_stack([np.clip(command[:, 0], -limit, limit), command[:, 1]])
        torque = np.clip((target - q) * [8.0, 5.0], [-3, -np.inf], [3, np.inf])
        np.testing.assert_allclose(
            single.read("ctrl"), torque, rtol=rounding(sim, 1e-12)
        )
    same(everything(single), everything(sim))
    assert len(np.unique(recorded[0, :, 1])) == 6


def test_a_dc_motor_gives_no_torque_at_its_no_load_speed(build_sim):
    law = DCMotorCfg(
        kp={"*": 100.0}, kv={"*": 0.0}, stall={"*": 2.0}, no_load={"*": 5.0}
    )
    sim = build_sim(MOTORS, control=(law,))
    sim.write("qvel", np.array([[0.0, 0], [2.5, 0], [5, 0], [7.5, 0], [-2.5, 0]]))
    sim.step(np.full((5, 2), 1.0))
    np.testing.assert_allclose(
        sim.read("ctrl")[:, 0],
        [2, 1, 0, -1, 3],
        rtol=rounding(sim, 1e-12),
        atol=rounding(sim, 1e-300),
    )


def test_a_function_takes_the_place_of_the_laws_for_one_call(build_sim):
    sim, plain = build_sim(MOTORS, control=(PD,)), build_sim(MOTORS)
    calls = []

    def law(command, qpos, qvel, time):
        calls.append(time.copy())
        for array in (command, qpos, qvel, time):
            assert not array.flags.writeable
        return command - qvel

    command = np.random.default_rng(3).normal(0, 0.5, (5, 2))
    command = command.astype(sim.read("ctrl").dtype)
    sim.step(command, 4, control=law)
    for _ in range(4):
        plain.step(command - plain.read("qvel"))
    same(everything(plain), everything(sim))
    assert np.array_equal(calls, np.tile(np.arange(4)[:, None] * 0.004, (1, 5)))
    q = sim.read("qpos").copy()
    sim.step()
    torque = np.clip((command - q) * [8.0, 5.0], [-3, -np.inf], [3, np.inf])
    np.testing.assert_allclose(sim.read("ctrl"), torque, rtol=rounding(sim, 1e-12))


def test_a_function_without_laws_is_told_the_last_command(build_sim):
    sim, told = build_sim(MOTORS), []

    def law(command, qpos, _qvel, _time):
        told.append(command.copy())
        return qpos * 3

    command = np.random.default_rng(3).normal(0, 0.5, (5, 2))
    command = command.astype(sim.read("ctrl").dtype)
    sim.step(command)
    sim.step(None, 2, control=law)
    sim.step(None, control=law, record=["ctrl"])
    assert np.array_equal(told, [command] * 3)
    sim.reset([1])
    sim.step(None, control=law)
    assert np.array_equal(told[-1], np.where(np.arange(5)[:, None] == 1, 0, command))


class Policy:
    """A law of one command for both actuators, that counts."""

    command_size = 1

    def __init__(self):
        self.memory = (np.zeros(1),)

    def apply(self, command, state, out, /):
        self.memory[0][...] += 1
        out[...] = command * [1.0, -2.0] - state.qvel

    def reset(self, worlds, /):
        self.memory[0][...] = 0

    def rest(self, command, qpos, /):
        command[...] = 0


def test_a_law_may_take_commands_of_another_size(build_sim):
    sim, plain = build_sim(MOTORS), build_sim(MOTORS)
    scatter(sim)
    scatter(plain)
    policy, command = Policy(), np.linspace(-1, 1, 5)[:, None]
    command = command.astype(sim.read("ctrl").dtype)
    sim.step(command, 3, control=policy)
    for _ in range(3):
        plain.step(command * [1.0, -2.0] - plain.read("qvel"))
    same(everything(plain), everything(sim))
    assert policy.memory[0] == 3
    before = everything(sim)
    with pytest.raises(BadArray, match=r"ctrl: expected floats of shape \(5, 1\)"):
        sim.step(np.zeros((5, 2)), control=policy)
    with pytest.raises(BadArray, match="ctrl: expected the command of 1 columns"):
        sim.step(None, control=policy)
    same(before, everything(sim))


def test_steps_before_a_law_fails_are_counted(build_sim):
    sim = build_sim(MOTORS)
    kind = sim.read("ctrl").dtype
    results = [np.zeros((5, width), kind) for width in (2, 2, 3)]
    with pytest.raises(BadArray, match="control function"):
        sim.step(None, 5, control=lambda *_: results.pop(0))
    assert sim.steps.tolist() == [2] * 5
    assert np.allclose(sim.read("time"), 0.008)


def test_a_command_may_be_a_view_of_the_sim_itself(build_sim):
    sim, twin = (build_sim(MOTORS, control=(PD,)) for _ in range(2))
    for each in (sim, twin):
        each.step(np.linspace(-0.5, 0.5, 10).reshape(5, 2), 3)
    sim.step(sim.read("qpos"), 4)
    twin.step(twin.read("qpos").copy(), 4)
    same(everything(twin), everything(sim))
