"""The MuJoCo backend against a plain loop over one MjData per world."""

import mujoco
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)
from mujoco.batch import Batch

from contract.plain import WHOLE, PlainWorlds, without_autoreset
from contract.scenes import OURS, REAL, composed
from unisim import SceneCfg, TaskCfg, build
from unisim.backend.base import Fault
from unisim.backend.fields import QUANTITIES, STATE
from unisim.backend.layout import layout_of
from unisim.backend.mujoco.sim import MujocoEngine
from unisim.errors import BadArray
from unisim.probe.contract.varied import SCENE
from unisim.probe.contract.worlds import commands, future, same, scatter, state

N = 4
NAMES = [*OURS, *(pytest.param(name, marks=pytest.mark.real_robot) for name in REAL)]
MODES = [{}, {"persistent": True}]


def plain_of(sim, model=None):
    """A plain loop in the state of a sim."""
    plain = PlainWorlds(model or without_autoreset(sim.built.scene.model), sim.worlds)
    for i, world in enumerate(plain.each):
        mujoco.mj_setState(
            world.model, world.data, sim.built.engine.handle.state[i], WHOLE
        )
    return plain


@pytest.fixture
def mujoco_sim():
    """Builds on this backend."""
    sims = []

    def built(name, worlds=N, engine=None, **task):
        scene = composed(name)
        cfg = SceneCfg(model_file=scene.file)
        task = TaskCfg(scene=cfg, worlds=worlds, engine=engine or {}, **task)
        sims.append(build(task, scene))
        return sims[-1]

    yield built
    for sim in sims:
        sim.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_every_world_moves_as_a_plain_loop_of_mj_step(mujoco_sim, name, mode):
    sim = mujoco_sim(name, engine=mode)
    scatter(sim)
    plain = plain_of(sim)
    random = np.random.default_rng(1)
    for count in (1, 5, 2, 1):
        ctrl = commands(sim, random)
        sim.step(ctrl, count)
        plain.step(ctrl, count)
        for i, world in enumerate(plain.each):
            np.testing.assert_array_equal(
                sim.built.engine.handle.state[i], world.state(), strict=True
            )


@pytest.mark.parametrize("name", NAMES)
def test_any_number_of_threads_gives_the_same_bits(mujoco_sim, name):
    runs = []
    for threads in (1, 1, 2, 3):
        sim = mujoco_sim(name, worlds=7, engine={"threads": threads})
        scatter(sim)
        runs.append(state(sim) | future(sim))
    for run in runs[1:]:
        same(runs[0], run)


def compare(sim, plain, name):
    got, expected = sim.read(name), plain.read(name)
    if name.endswith(("linvel", "angvel")):
        np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-11, err_msg=name)
    else:
        np.testing.assert_array_equal(got, expected, err_msg=name)


class Freshness(RuleBasedStateMachine):
    """Any sequence of calls, any order of reads: each read as the plain loop has it."""

    scene, mode = None, None

    @initialize(seed=st.integers(0, 3))
    def start(self, seed):
        cfg = TaskCfg(
            scene=SceneCfg(model_file=self.scene.file), worlds=N, engine=self.mode
        )
        self.sim = build(cfg, self.scene)
        self.random = np.random.default_rng(seed)
        scatter(self.sim, seed, steps=2)
        self.plain = plain_of(self.sim)
        # the last substep was not the plain loop's
        self.step(count=1, held=False)

    @rule(count=st.sampled_from([1, 1, 2, 5]), held=st.booleans())
    def step(self, count, held):
        ctrl = None if held else commands(self.sim, self.random)
        self.sim.step(ctrl, count)
        self.plain.step(ctrl, count)

    @rule(worlds=st.sets(st.integers(0, N - 1)), key=st.booleans())
    def reset(self, worlds, key):
        model = self.sim.built.scene.model
        number = model.nkey - 1 if key else -1
        name = model.key(number).name if number >= 0 else None
        self.sim.reset(list(worlds), keyframe=name)
        self.plain.reset(list(worlds), number)

    @rule(
        name=st.sampled_from(STATE), worlds=st.sets(st.integers(0, N - 1), min_size=1)
    )
    def write(self, name, worlds):
        worlds = sorted(worlds)
        values = self.sim.read(name)[worlds]
        if name == "eq_active":
            values = 1 - values
        else:
            values = values + self.random.normal(0, 0.05, values.shape)
        self.sim.write(name, values, worlds)
        self.plain.write(name, values, worlds)

    @rule(names=st.lists(st.sampled_from(list(QUANTITIES)), min_size=1, max_size=4))
    def read(self, names):
        for name in names:
            compare(self.sim, self.plain, name)

    @rule()
    def restore_what_was_just_saved(self):
        saved = self.sim.snapshot()
        self.sim.step(commands(self.sim, np.random.default_rng(0)), 2)
        self.sim.read("qacc")
        self.sim.reset([0])
        self.sim.restore(saved)

    def teardown(self):
        if hasattr(self, "sim"):
            for name in QUANTITIES:
                compare(self.sim, self.plain, name)
            self.sim.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["sink", "pile"])
def test_reads_are_fresh_after_any_sequence_of_calls(name, mode):
    machine = type("Machine", (Freshness,), {"scene": composed(name), "mode": mode})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=30, stateful_step_count=20)
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_quantity_is_fresh_after_each_kind_of_change(mujoco_sim, name):
    sim = mujoco_sim(name)
    scatter(sim)
    plain = plain_of(sim)
    random = np.random.default_rng(5)

    def step(count):
        ctrl = commands(sim, random)
        sim.step(ctrl, count)
        plain.step(ctrl, count)

    for change in ("one", "five", "reset", "write"):
        step(5 if change == "five" else 1)
        if change == "reset":
            sim.reset([2, 0])
            key = sim.built.scene.keyframe
            number = -1 if key is None else sim.layout.index("key", key)
            plain.reset([2, 0], number)
        if change == "write":
            values = sim.read("qvel")[[1, 3]] + 0.3
            sim.write("qvel", values, [1, 3])
            plain.write("qvel", values, [1, 3])
        for quantity in QUANTITIES:
            compare(sim, plain, quantity)


def crowd(memory):
    boxes = "".join(
        f'<body pos="{x} {y} 3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        for x in range(5)
        for y in range(5)
    )
    return f"""<mujoco><size memory="{memory}K"/><worldbody>
      <geom type="plane" size="9 9 .1"/>{boxes}</worldbody></mujoco>"""


@pytest.mark.parametrize("memory", [30, 60, 100, 150])
def test_contacts_that_do_not_fit_flag_their_world(mujoco_sim, memory):
    sim = mujoco_sim(crowd(memory), worlds=3, faults="flag")
    qpos = sim.read("qpos").copy()
    qpos[1, 2::7] = 0.0999
    qpos[2, 2::7] = 5.0
    for read in ("step", "read"):
        sim.reset(qpos=qpos)
        assert sim.faults.tolist() == [0, 0, 0]
        sim.step(count=2) if read == "step" else sim.read("qacc")
        assert sim.faults.tolist() == [0, int(Fault.CAPACITY), 0]
        assert np.isfinite(sim.read("qacc")).all()
    sim.reset()
    assert sim.faults.tolist() == [0, 0, 0]


def test_a_bad_control_in_a_delay_line_is_flagged_though_it_was_replaced(mujoco_sim):
    sim = mujoco_sim("sink", faults="flag")
    ctrl = np.zeros((N, sim.layout.sizes["nu"]))
    ctrl[2, 1] = np.nan
    sim.step(ctrl)
    sim.step(np.zeros_like(ctrl), 8)
    assert sim.faults.tolist() == [0, 0, int(Fault.CONTROL), 0]
    assert np.isfinite(sim.read("qpos")).all()


def test_listing_contacts_copies_the_model_once(mujoco_sim, monkeypatch):
    sim = mujoco_sim("pile", worlds=3)
    used, get_model = [], Batch.get_model

    def spy(batch, world, model=None):
        used.append(get_model(batch, world, model))
        return used[-1]

    monkeypatch.setattr(Batch, "get_model", spy)
    qpos = sim.read("qpos").copy()
    qpos[1, 2::7] += 5.0
    sim.write("qpos", qpos)
    counts = [len(sim.raw_contacts(world).dist) for world in (0, 1, 2, 0)]
    assert counts[0] == counts[2] == counts[3] > counts[1]
    assert len({id(model) for model in used}) == 1


def test_what_mujoco_refuses_to_vary_is_put_back_in_every_world():
    model = mujoco.MjModel.from_xml_string(SCENE)
    engines = [
        MujocoEngine(Batch(model, N), layout_of(model), (), ("body_ipos",))
        for _ in range(2)
    ]
    before = engines[0].varied("body_ipos").copy()
    values = before[[0, 2]]
    values[0, model.body("pole").id, 2] += 0.3  # which alone would be fine
    values[1, model.body("crate").id, 0] += 0.1  # compiled as a simple body
    with pytest.raises(BadArray, match=r"values that MuJoCo accepts, got .*simple"):
        engines[0].vary("body_ipos", values, np.array([0, 2], np.int32))
    assert np.array_equal(engines[0].varied("body_ipos"), before)
    for engine in engines:
        engine.step(None, 5)
    for name in ("qpos", "qvel", "qacc"):
        assert np.array_equal(*(engine.read(name) for engine in engines))
    models = [engines[i].handle.get_model(0) for i in range(2)]
    assert np.array_equal(*(each.body_subtreemass for each in models))
    assert np.array_equal(*(each.dof_invweight0 for each in models))
