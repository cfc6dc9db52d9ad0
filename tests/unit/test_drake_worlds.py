"""What Drake's worlds have of their own, and that nothing leaves a world."""

import logging

import mujoco
import numpy as np
import pytest

from drake_scenes import ARM, GEARED, MIXED, free
from drakes import USUAL, Beside, profiles
from unisim.errors import BadArray, UnsupportedFeature

FIELDS = (
    "body_mass", "body_inertia", "body_ipos", "body_iquat", "dof_damping",
    "dof_armature", "jnt_stiffness", "qpos_spring", "opt.gravity",
)  # fmt: skip
WORLDS = 4


def field(model, name):
    return (
        getattr(model.opt, name[4:])
        if name.startswith("opt.")
        else getattr(model, name)
    )


def values(model, name, seed=0):
    """Distinct values in every world; dofs of one joint have the same."""
    rng = np.random.default_rng(seed)
    base = np.array(field(model, name), float)
    rows = base * rng.uniform(0.7, 1.4, (WORLDS, *base.shape))
    if name.startswith("dof_"):
        rows = np.tile(base * 2.0, (WORLDS, 1)) + np.arange(WORLDS)[:, None] * 0.01
        ball = model.joint("ball").dofadr[0]
        rows[:, ball : ball + 3] = 0
    if name == "body_iquat":  # MuJoCo lets that of its simple bodies be
        rows = np.tile(base, (WORLDS, 1, 1))
        hull = rows[:, model.body("hull").id]
        hull += rng.uniform(-0.2, 0.2, hull.shape)
        hull /= np.linalg.norm(hull, axis=-1, keepdims=True)
    if name == "body_inertia":
        rows = base * rng.uniform(0.7, 1.4, (WORLDS, 1, 1))
    return rows


class Varied(Beside):
    """Worlds whose models differ, on both sides."""

    def __init__(self, names, profile, xml=MIXED):
        super().__init__(xml, WORLDS, profile, names)
        self.models = [mujoco.MjModel.from_xml_string(xml) for _ in range(WORLDS)]
        self.lefts = [mujoco.MjModel.from_xml_string(xml) for _ in range(WORLDS)]
        for left in self.lefts:
            left.jnt_stiffness[:] = self.rest.jnt_stiffness
            left.dof_damping[:] = self.rest.dof_damping
        self.datas = [mujoco.MjData(model) for model in self.models]

    def vary(self, name, rows):
        left = self.guest.vary(name, rows, None)
        for i in range(WORLDS):
            field(self.models[i], name)[...] = rows[i]
            field(self.lefts[i], name)[...] = left[i]
            mujoco.mj_setConst(self.models[i], mujoco.MjData(self.models[i]))

    def step(self, count=1):
        for _ in range(count):
            push = np.zeros((WORLDS, self.model.nv))
            for i, left in enumerate(self.lefts):
                data = mujoco.MjData(left)
                data.qpos, data.qvel = self.guest.qpos[i], self.guest.qvel[i]
                data.ctrl = self.datas[i].ctrl
                mujoco.mj_forward(left, data)
                push[i] = data.qfrc_smooth + data.qfrc_bias
            inputs = self.inputs()
            self.guest.step(type(inputs)(**{**vars(inputs), "push": push}), 1, None)
            for model, data in zip(self.models, self.datas, strict=True):
                mujoco.mj_step(model, data)


@pytest.mark.parametrize("profile", profiles("tamsi", "sap"))
@pytest.mark.parametrize("names", [*((name,) for name in FIELDS), FIELDS])
def test_every_world_moves_by_its_own_fields(names, profile):
    one = Varied(names, profile)
    one.scatter()
    before = one.guest.qvel.copy()
    for name in names:
        one.vary(name, values(one.model, name))
    assert np.array_equal(one.guest.qvel, before)
    one.step(100)
    assert one.off() < 1e-8


SERVED = (
    "actuator_biasprm", "actuator_gainprm", "actuator_gear", "actuator_ctrlrange",
    "actuator_forcerange",
)  # fmt: skip


@pytest.mark.parametrize("names", [*((name,) for name in SERVED), SERVED])
def test_servos_that_differ_brake_at_the_end_of_a_step(names):
    arm = free(ARM.format(limit='forcerange="-9 9" ctrlrange="-.3 .4"'))
    one = Varied(names, "sap", arm)
    for left in one.lefts:
        left.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        left.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    one.scatter(speed=0.3)
    for name in names:
        one.vary(name, values(one.model, name))
    one.step(100)
    assert one.off() < 1e-9


@pytest.mark.parametrize("profile", profiles("tamsi", "sap"))
def test_gears_that_differ_bring_other_armature_and_damping(profile):
    names = ("actuator_gear", "dof_armature")
    one = Varied(names, profile, free(GEARED.format(limit="")))
    for left in one.lefts:
        left.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    one.scatter(speed=0.3)
    for name in names:
        base = np.array(getattr(one.model, name))
        one.vary(name, base * np.linspace(0.5, 2, WORLDS).reshape(-1, *[1] * base.ndim))
    one.step(100)
    assert one.off() < 1e-9


def test_values_that_no_body_can_have_change_nothing():
    one = Varied(("body_mass", "body_inertia"), USUAL)
    one.scatter()
    two = Varied(("body_mass", "body_inertia"), USUAL)
    two.scatter()
    wrong = values(one.model, "body_inertia")
    wrong[2, 2] = 1.0, 0.1, 0.1  # one moment is larger than the sum of the others
    with pytest.raises(BadArray, match="body_inertia"):
        one.guest.vary("body_inertia", wrong, None)
    one.step(5)
    two.step(5)
    assert np.array_equal(one.guest.qvel, two.guest.qvel)


@pytest.mark.parametrize("profile", profiles("tamsi", "sap"))
def test_the_number_of_threads_changes_no_bit(profile):
    runs = []
    for threads in (1, 2, 3):
        one = Beside(MIXED, worlds=7, profile=profile, threads=threads)
        one.scatter()
        one.step(20)
        runs.append((one.guest.qpos.copy(), one.guest.qvel.copy()))
        one.guest.close()
    for qpos, qvel in runs[1:]:
        assert np.array_equal(qpos, runs[0][0])
        assert np.array_equal(qvel, runs[0][1])


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
@pytest.mark.parametrize("where", ["qpos", "qvel", "push"])
@pytest.mark.parametrize("profile", profiles("tamsi", "sap"))
def test_what_is_not_finite_stays_in_its_world(profile, where, bad):
    one = Beside(MIXED, worlds=5, profile=profile, threads=2)
    two = Beside(MIXED, worlds=5, profile=profile)
    for each in (one, two):
        each.scatter()
        each.step(2)
    inputs = one.inputs()
    clean = inputs.push.copy()
    qpos, qvel = one.guest.qpos.copy(), one.guest.qvel.copy()
    for column in range(one.model.nv):
        spoiled = {"qpos": qpos.copy(), "qvel": qvel.copy(), "push": clean.copy()}
        spoiled[where][3, column] = bad
        one.guest.put(spoiled["qpos"], spoiled["qvel"], None)
        inputs.push[...] = spoiled["push"]
        one.guest.step(inputs, 1, None)
        assert np.isnan(one.guest.qvel[3]).all()
        assert np.isfinite(np.delete(one.guest.qvel, 3, axis=0)).all()
    # and the world is as good as new once it gets a state
    inputs.push[...] = clean
    one.guest.put(qpos, qvel, None)
    one.guest.step(inputs, 1, None)
    two.step(1)
    assert np.array_equal(one.guest.qvel, two.guest.qvel)
    assert np.array_equal(one.guest.qpos, two.guest.qpos)


def test_a_trial_step_moves_nothing_and_tells_the_next_velocities():
    one = Beside(MIXED, worlds=4)
    one.scatter()
    one.step(3)
    inputs = one.inputs()
    qpos, qvel = one.guest.qpos.copy(), one.guest.qvel.copy()
    worlds = np.array([1, 3], np.int32)
    told = one.guest.forward(inputs, worlds)
    assert np.array_equal(one.guest.qpos, qpos)
    assert np.array_equal(one.guest.qvel, qvel)
    one.guest.step(inputs, 1, None)
    assert np.array_equal(told, one.guest.qvel[worlds])


def test_only_the_worlds_that_are_named_step():
    one = Beside(MIXED, worlds=4)
    one.scatter()
    qpos = one.guest.qpos.copy()
    one.guest.step(one.inputs(), 2, np.array([0, 2], np.int32))
    moved = (one.guest.qpos != qpos).any(axis=1)
    assert moved.tolist() == [True, False, True, False]


def test_no_world_depends_by_a_bit_on_how_many_step_with_it():
    together, apart = (Beside(MIXED, worlds=9) for _ in range(2))
    for one in (together, apart):
        one.scatter()
    inputs = together.inputs()
    for _ in range(20):
        together.guest.step(inputs, 1, None)
        for part in ([0], [1, 2], [3, 4, 5, 6, 7, 8]):
            apart.guest.step(inputs, 1, np.array(part))
    assert np.array_equal(together.guest.qpos, apart.guest.qpos)
    assert np.array_equal(together.guest.qvel, apart.guest.qvel)


def test_a_mocap_body_is_where_it_is_put_in_each_world():
    one = Beside(MIXED, worlds=3)
    one.scatter()
    one.guest.step(one.inputs(), 1, None)
    for world, data in enumerate(one.datas):
        where, turned = one.poses(world)
        np.testing.assert_allclose(where[1], data.mocap_pos[0], atol=1e-12)
        matrix = np.empty(9)
        mujoco.mju_quat2Mat(
            matrix, data.mocap_quat[0] / np.linalg.norm(data.mocap_quat[0])
        )
        np.testing.assert_allclose(turned[1].ravel(), matrix, atol=1e-12)


def test_what_brakes_is_told_for_each_world():
    one = Varied(("actuator_biasprm",), "sap", free(ARM.format(limit="")))
    stated = one.guest.braking().copy()
    bias = values(one.model, "actuator_biasprm")
    one.vary("actuator_biasprm", bias)
    np.testing.assert_allclose(stated[0], [0.3 + 20 * 1.5**2, 3, 20])
    np.testing.assert_allclose(one.guest.braking()[:, 1], -bias[:, 1, 2])


def test_building_on_a_plane_says_nothing(caplog):
    floor = MIXED.replace("<worldbody>", '<worldbody><geom type="plane" size="1 1 1"/>')
    floor = floor.replace('contact="disable"', 'contact="enable"')
    floor = floor.replace(
        '<geom size=".05" mass=".3"/>', '<geom type="ellipsoid" size=".05 .1 .2"/>'
    )
    Beside(floor, worlds=1)
    assert [item.getMessage() for item in caplog.records] == []


def test_what_drake_warns_of_is_refused_even_where_its_logger_is_quiet(monkeypatch):
    def odd(_plant):
        logging.getLogger("drake").warning("the %s is odd", "plant")

    monkeypatch.setattr("unisim.backend.drake.build.set_contact_model", odd)
    logger = logging.getLogger("drake")
    before = logger.handlers.copy(), logger.level
    try:
        logger.setLevel(logging.CRITICAL)
        with pytest.raises(UnsupportedFeature, match="the plant is odd"):
            Beside(MIXED, worlds=1)
        assert (logger.handlers, logger.level) == (before[0], logging.CRITICAL)
    finally:
        logger.setLevel(before[1])


def test_axes_of_a_ball_are_damped_alike_or_the_values_are_refused():
    one = Varied(("dof_damping",), USUAL)
    damping = values(one.model, "dof_damping")
    ball = int(one.model.jnt_dofadr[one.model.jnt_type == 1][0])
    damping[1, ball : ball + 3] = 0.02, 0.04, 0.06
    with pytest.raises(BadArray, match="different damping"):
        one.guest.vary("dof_damping", damping, None)
