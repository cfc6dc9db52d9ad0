"""Control laws against closed forms and MuJoCo's own actuators."""

import mujoco
import numpy as np
import pytest

from arm import ARM, LAYOUT, N, bound, command_of, run, scene_of, state_of
from unisim.backend.layout import layout_of
from unisim.config import DCMotorCfg, DelayCfg, KeyframesCfg, PDCfg
from unisim.control import FunctionLaw, State
from unisim.errors import BadArray

DRIVEN = ("foot", "knee", "hip")
KP = {"foot": 30.0, "knee": 20.0, "hip": 10.0}
KV = {"foot": 3.0, "knee": 2.0, "hip": 1.0}
RANGE = {
    "foot": (-0.2, 0.3),
    "knee": (-np.inf, np.inf),
    "hip": np.deg2rad((-29.0, 40.0)),
}
IN_ROW = """<mujoco>
  <worldbody>
    <body><joint name="a"/><geom size="0.1"/>
      <body pos="1 0 0"><joint name="b"/><geom size="0.1"/></body></body>
  </worldbody>
  <actuator>{}</actuator>
</mujoco>"""
MOTORS = IN_ROW.format('<motor name="a" joint="a"/><motor name="b" joint="b"/>')


def expected_torque(name, command, state, limit=np.inf):
    """The PD formula for one actuator, in all worlds."""
    target = np.clip(command[:, LAYOUT.columns("ctrl", name).start], *RANGE[name])
    q = state.qpos[:, LAYOUT.columns("qpos", name).start]
    qd = state.qvel[:, LAYOUT.columns("qvel", name).start]
    return np.clip(KP[name] * (target - q) - KV[name] * qd, -limit, limit)


def torques(xml: str, ctrl, state):
    """Joint torques that MuJoCo's actuators make. Shape (n, nv)."""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    rows = []
    for world in range(N):
        data.qpos, data.qvel = state.qpos[world], state.qvel[world]
        data.ctrl = ctrl[world]
        mujoco.mj_forward(model, data)
        rows.append(data.qfrc_actuator.copy())
    return np.array(rows)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_no_law_passes_the_command_on(dtype):
    command = command_of(1, dtype)
    assert np.array_equal(run(bound(dtype=dtype), command), command)


@pytest.mark.parametrize(("dtype", "rtol"), [("float64", 1e-14), ("float32", 2e-6)])
def test_joints_feel_exactly_the_torque_of_the_pd_formula(dtype, rtol):
    state, command = state_of(LAYOUT, 2, dtype), command_of(3, dtype)
    limit = {"foot": 1.5, "knee": 9.0}
    law = bound(PDCfg(kp=KP, kv=KV, limit=limit), dtype=dtype)
    ctrl = run(law, command, state)
    ctrl[:, [0, 1, 5, 6, 7, 8, 9]] = 0
    felt = torques(ARM, ctrl, state)
    clamped = 0
    for name in DRIVEN:
        bound_to = limit.get(name, np.inf)
        wanted = expected_torque(name, command, state, bound_to)
        got = felt[:, LAYOUT.columns("qvel", name).start]
        np.testing.assert_allclose(got, wanted, rtol=rtol, atol=10 * rtol)
        clamped += np.sum(np.abs(wanted) == bound_to)
    assert 0 < clamped < 2 * N


def test_columns_of_actuators_that_no_pattern_matches_pass_through():
    command = command_of(4)
    ctrl = run(bound(PDCfg(kp=KP, kv=KV)), command)
    others = [0, 1, 5, 6, 7, 8, 9]
    assert np.array_equal(ctrl[:, others], command[:, others])


def test_columns_side_by_side_give_the_same_as_columns_apart():
    xml = MOTORS.replace('"a"/><geom', '"a" range="-20 20"/><geom')
    cfg = PDCfg(kp={"a": 5.0, "b": 7.0}, kv={"*": 0.5})
    state, command = state_of(layout_of(scene_of(xml).model), 5), command_of(6, size=2)
    target = command.copy()
    target[:, 0] = np.clip(target[:, 0], -np.pi / 9, np.pi / 9)
    wanted = np.array([5.0, 7.0]) * (target - state.qpos) - 0.5 * state.qvel
    np.testing.assert_allclose(run(bound(cfg, xml=xml), command, state), wanted)


def test_pd_before_every_step_moves_like_mujocos_own_position_servo():
    servos = IN_ROW.format(
        '<position name="a" joint="a" kp="5" kv="0.4"/>'
        '<position name="b" joint="b" kp="7" kv="0.9"/>'
    )
    law = bound(PDCfg(kp={"a": 5.0, "b": 7.0}, kv={"a": 0.4, "b": 0.9}), xml=MOTORS)
    command = command_of(7, size=2)
    models = [mujoco.MjModel.from_xml_string(xml) for xml in (MOTORS, servos)]
    ours, theirs = ([mujoco.MjData(model) for _ in range(N)] for model in models)
    for _ in range(200):
        qpos = np.array([data.qpos for data in ours])
        qvel = np.array([data.qvel for data in ours])
        ctrl = run(law, command, State(qpos, qvel, np.zeros(N)))
        for world in range(N):
            ours[world].ctrl, theirs[world].ctrl = ctrl[world], command[world]
            mujoco.mj_step(models[0], ours[world])
            mujoco.mj_step(models[1], theirs[world])
    moved = np.array([data.qpos for data in theirs])
    np.testing.assert_allclose([data.qpos for data in ours], moved, atol=1e-10)
    assert np.abs(moved).min(axis=0).max() > 1e-3


def test_an_exact_name_wins_over_a_glob_and_a_narrow_glob_over_a_wide_one():
    names = ["left_hip", "left_knee", "right_hip", "right_knee", "arm[0]"]
    body = '<body><joint name="{0}"/><geom size="1"/></body>'
    xml = (
        "<mujoco><worldbody>"
        + "".join(body.format(name) for name in names)
        + "</worldbody><actuator>"
        + "".join(f'<motor name="{name}" joint="{name}"/>' for name in names)
        + "</actuator></mujoco>"
    )
    kp = {"*": 1.0, "*_hip": 2.0, "[q-s]*_knee": 3.0, "*t_knee": 4.0}
    kp |= {"left_hip*": 5.0, "left_hip": 6.0, "arm[0]": 7.0}
    law = bound(PDCfg(kp=kp, kv={"*": 0.0}), xml=xml)
    rest = State(np.zeros((N, 5)), np.zeros((N, 5)), np.zeros(N))
    command = command_of(8, size=5)
    wanted = np.array([6.0, 4.0, 2.0, 4.0, 7.0]) * command
    assert np.array_equal(run(law, command, rest), wanted)


@pytest.mark.parametrize(
    ("speed", "asked", "given"),
    [
        (0.0, 100.0, 12.0),  # stall 16 is above the continuous limit
        (5.0, 100.0, 8.0),  # half of no load leaves half of stall
        (5.0, -100.0, -12.0),  # braking: the line is at -24
        (15.0, 0.0, -8.0),  # beyond no load the motor holds back
        (-5.0, 3.0, 3.0),  # inside the line
        (-5.0, -100.0, -8.0),
    ],
)
def test_dc_motor_stays_on_its_torque_speed_line(speed, asked, given):
    cfg = DCMotorCfg(
        kp={"*": 1.0},
        kv={"*": 0.0},
        stall={"a": 16.0, "b": 32.0},
        no_load={"*": 10.0},
        limit={"*": 12.0},
    )
    law = bound(cfg, xml=MOTORS)
    scale = np.linspace(0.5, 1, N)  # every world another position, the same torque
    state = State(np.stack([scale, scale], 1), np.full((N, 2), speed), np.zeros(N))
    ctrl = run(law, asked + state.qpos, state)
    np.testing.assert_allclose(ctrl[:, 0], given, atol=1e-12)
    line = 32 * (np.array([-1.0, 1.0]) - speed / 10)
    np.testing.assert_allclose(
        ctrl[:, 1], np.clip(np.clip(asked, *line), -12, 12), atol=1e-12
    )


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_commands_arrive_the_stated_number_of_steps_later(steps):
    law = bound(DelayCfg(steps=steps))
    commands = [command_of(seed) for seed in range(9)]
    for step, command in enumerate(commands):
        assert np.array_equal(run(law, command), commands[max(step - steps, 0)])


def test_after_a_reset_the_line_of_that_world_holds_its_next_command():
    law, steps = bound(DelayCfg(steps=3)), 3
    commands = [command_of(seed) for seed in range(12)]
    for step, command in enumerate(commands):
        if step == 5:
            law.reset(np.array([1, 3], np.int32))
        out = run(law, command)
        for world in range(N):
            since = 5 if world in {1, 3} and step >= 5 else 0
            wanted = commands[max(step - steps, since)][world]
            assert np.array_equal(out[world], wanted), (step, world)
    law.reset(None)
    assert np.array_equal(run(law, command_of(99)), command_of(99))


def test_delay_before_pd_delays_the_target_and_not_the_feedback():
    law = bound(DelayCfg(steps=1), PDCfg(kp=KP, kv=KV))
    run(law, command_of(1), state_of(LAYOUT, 1))
    state = state_of(LAYOUT, 2)
    ctrl = run(law, command_of(2), state)
    knee = ctrl[:, LAYOUT.columns("ctrl", "knee").start] * 3
    np.testing.assert_allclose(knee, expected_torque("knee", command_of(1), state))


def test_keyframes_go_through_the_keys_controls_and_around():
    law = bound(KeyframesCfg(keys=("low", "high"), seconds=0.04))
    low, high = scene_of(ARM).model.key_ctrl
    for step in range(17):
        if step == 10:
            law.reset(np.array([2], np.int32))
        command = command_of(step)
        clock = np.full(N, step)
        clock[2] -= 10 * (step >= 10)
        share = np.interp(clock % 8, [0, 4, 8], [0, 1, 0])[:, None]
        wanted = (1 - share) * low + share * high + command
        np.testing.assert_allclose(run(law, command), wanted, atol=1e-12)


def test_keyframes_before_a_pd_law_are_its_target_positions():
    laws = KeyframesCfg(keys=("high",)), DelayCfg(steps=2), PDCfg(kp=KP, kv=KV)
    state = state_of(LAYOUT, 3)
    ctrl = run(bound(*laws), np.zeros((N, 10)), state)
    target = np.tile([11, 22, 0.1, 0.6, -0.3, 66, 77, 88, 99, 0], (N, 1))
    assert np.array_equal(ctrl, run(bound(laws[-1]), target, state))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_restored_chain_continues_bit_for_bit(dtype):
    law = bound(
        KeyframesCfg(keys=("low", "high"), seconds=0.07),
        DelayCfg(steps=4),
        PDCfg(kp=KP, kv=KV),
        dtype=dtype,
    )
    state = state_of(LAYOUT, 1, dtype)
    for seed in range(6):
        run(law, command_of(seed, dtype), state)
    law.reset(np.array([0, 4], np.int32))
    saved = law.snapshot()

    def go_on():
        return [run(law, command_of(seed, dtype), state) for seed in range(6, 16)]

    first = go_on()
    law.reset(None)
    run(law, command_of(50, dtype), state)
    law.restore(saved)
    assert np.array_equal(first, go_on())
    law.restore(saved)
    assert np.array_equal(first, go_on()), "the snapshot itself changed"


def test_a_function_sees_command_and_state_and_makes_the_controls():
    def law(command, qpos, qvel, time):
        return command[:, :2] * qpos[:, :2] + qvel[:, :2] * time[:, None]

    state, command = state_of(LAYOUT, 1), command_of(2, size=3)
    out = np.full((N, 2), np.nan)
    FunctionLaw(law, 3).apply(command, state, out)
    wanted = command[:, :2] * state.qpos[:, :2]
    wanted += state.qvel[:, :2] * np.array([[0.0], [0.1], [0.2], [0.3], [0.4]])
    assert np.array_equal(out, wanted)


@pytest.mark.parametrize(
    ("result", "got"),
    [
        (np.zeros((N, 3)), r"shape \(5, 3\) and dtype float64"),
        (np.zeros((N, 2), np.float32), r"shape \(5, 2\) and dtype float32"),
        ([[0.0] * 2] * N, "a list"),
        (None, "a NoneType"),
    ],
)
def test_a_function_that_returns_something_else_is_refused(result, got):
    law = FunctionLaw(lambda *_: result, 2)
    with pytest.raises(BadArray, match=rf"shape \(5, 2\) and dtype float64.*{got}"):
        law.apply(np.zeros((N, 2)), state_of(LAYOUT), np.zeros((N, 2)))


def test_a_function_cannot_write_to_what_it_is_given():
    def law(command, *_):
        command += 1
        return command

    command = np.zeros((N, 2))
    with pytest.raises(ValueError, match="read-only"):
        FunctionLaw(law, 2).apply(command, state_of(LAYOUT), np.zeros((N, 2)))
    assert not command.any()


def test_two_laws_may_drive_different_actuators():
    pd = PDCfg(kp={"knee": 20.0}, kv={"knee": 2.0})
    motor = DCMotorCfg(
        kp={"hip": 10.0}, kv={"hip": 1.0}, stall={"hip": 1e9}, no_load={"hip": 1e9}
    )
    state, command = state_of(LAYOUT, 4), command_of(5)
    ctrl = run(bound(pd, motor), command, state)
    for name, scale in {"knee": 3, "hip": 1}.items():
        torque = ctrl[:, LAYOUT.columns("ctrl", name).start] * scale
        np.testing.assert_allclose(torque, expected_torque(name, command, state))


def test_the_resting_command_of_a_law_puts_out_what_holds_the_pose():
    state, ctrl = state_of(LAYOUT, 5), command_of(6)
    pd = PDCfg(kp=KP, kv=dict.fromkeys(KV, 0.0))
    for cfgs in ((), (DelayCfg(steps=2),), (pd,), (DelayCfg(steps=2), pd)):
        law, command = bound(*cfgs), ctrl.copy()
        law.rest(command, state.qpos)
        want = ctrl.copy()
        if pd in cfgs:
            # at the target no torque is left, but where the target leaves the range
            q = {n: state.qpos[:, LAYOUT.columns("qpos", n).start] for n in DRIVEN}
            for name in DRIVEN:
                column = LAYOUT.columns("ctrl", name).start
                assert np.array_equal(command[:, column], q[name])
                want[:, column] = command[:, column]
        assert np.array_equal(command, want)


def test_the_resting_command_of_a_keyframe_sequence_adds_nothing():
    law = bound(KeyframesCfg(keys=("low", "high")))
    command = command_of(7).copy()
    law.rest(command, state_of(LAYOUT, 8).qpos)
    assert not np.any(command)
