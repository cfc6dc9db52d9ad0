"""A trained walking policy for the Go1, in closed loop through the public API."""

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

import unisim
from mjwarp_sims import NEEDED
from robots.guests import GUESTS, consents
from unisim.backend.arrays import host

onnxruntime = pytest.importorskip("onnxruntime")
OURS = Path(__file__).resolve().parents[2] / "models" / "go1" / "scene.xml"
SCENE = "mujoco_playground/_src/locomotion/go1/xmls/scene_mjx_feetonly_flat_terrain.xml"
SECONDS, CONTROL_STEPS = 10.0, 5
# The policy's own description; a gait amplifies rounding, so it is met to 10 cm.
DESCRIBED = (9.985, 0.269, 0.296)


class Walker:
    """Observations and actions of the policy, for n worlds."""

    def __init__(self, sim: unisim.Sim, policy: Path) -> None:
        self.sim = sim
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(policy), options)
        self.home = host(sim.read("qpos"))[0, 7:].copy()
        self.action = np.zeros((sim.worlds, 12))
        self.site = sim.layout.index("site", "imu")

    def observe(self, command: np.ndarray) -> np.ndarray:
        sim = self.sim
        rotation = host(sim.read("site_xmat"))[:, self.site].reshape(-1, 3, 3)
        parts = [
            host(sim.sensor("local_linvel")),
            host(sim.sensor("gyro")),
            -rotation[:, 2],
            host(sim.read("qpos"))[:, 7:] - self.home,
            host(sim.read("qvel"))[:, 6:],
            self.action,
            command,
        ]
        return np.concatenate(parts, axis=1).astype(np.float32)

    def control(self, command: np.ndarray) -> np.ndarray:
        # the network takes one observation at a time
        rows = [
            self.session.run(None, {"obs": row[None]})[0][0]
            for row in self.observe(command)
        ]
        self.action = np.array(rows, dtype=float)
        return 0.5 * self.action + self.home

    def walk(self, command: np.ndarray) -> np.ndarray:
        """Where every world is after the time of the test. Shape (n, 3)."""
        for _ in range(round(SECONDS / (CONTROL_STEPS * self.sim.timestep))):
            self.sim.step(self.control(command), CONTROL_STEPS)
        return host(self.sim.read("qpos"))[:, :3].astype(float)


def task_on(folder: Path, backend: str, worlds: int) -> unisim.TaskCfg:
    scene = unisim.SceneCfg(model_file=folder / SCENE, keyframe="home")
    return unisim.TaskCfg(
        scene=scene,
        backend=backend,
        worlds=worlds,
        decimation=CONTROL_STEPS,
        accept=("option.ls_iterations",),
    )


def in_mujoco(folder: Path, command: np.ndarray) -> np.ndarray:
    """Where the same loop ends with MuJoCo's C engine alone, sensors kept current."""
    model = mujoco.MjModel.from_xml_path(str(folder / SCENE))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    session = onnxruntime.InferenceSession(str(folder / "go1_policy.onnx"))
    home, action = data.qpos[7:].copy(), np.zeros(12)
    for _ in range(round(SECONDS / (CONTROL_STEPS * model.opt.timestep))):
        warmstart = data.qacc_warmstart.copy()
        mujoco.mj_forward(model, data)
        data.qacc_warmstart[:] = warmstart
        parts = [data.sensor("local_linvel").data, data.sensor("gyro").data]
        parts += [-data.site("imu").xmat[6:], data.qpos[7:] - home, data.qvel[6:]]
        seen = np.concatenate([*parts, action, command]).astype(np.float32)
        action = session.run(None, {"obs": seen[None]})[0][0].astype(float)
        data.ctrl[:] = 0.5 * action + home
        for _ in range(CONTROL_STEPS):
            mujoco.mj_step(model, data)
    return data.qpos[:3]


@pytest.mark.real_robot
def test_our_model_of_the_go1_moves_as_that_of_the_policy(shared: Path) -> None:
    files = OURS, shared / "policies" / "go1" / SCENE
    ours, theirs = (mujoco.MjModel.from_xml_path(str(file)) for file in files)
    for name in ("iterations", "ls_iterations", "disableflags"):
        setattr(ours.opt, name, getattr(theirs.opt, name))
    ends = []
    for model in (ours, theirs):
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, 0)
        for i in range(500):
            data.ctrl = model.key_ctrl[0] + 0.1 * np.sin(0.02 * i + np.arange(12))
            mujoco.mj_step(model, data)
        ends.append(np.concatenate([data.qpos, data.qvel, data.sensordata]))
    np.testing.assert_array_equal(*ends)


@pytest.mark.real_robot
def test_the_go1_policy_walks_as_it_does_in_mujoco(shared: Path) -> None:
    folder = shared / "policies" / "go1"
    # the second world turns: the worlds are not copies of each other
    command = np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5]])
    with unisim.build(task_on(folder, "mujoco", 2)) as sim:
        first, second = Walker(sim, folder / "go1_policy.onnx").walk(command)
    print(f"walked to {first}, in a circle to {second}")
    np.testing.assert_allclose(first, DESCRIBED, atol=0.1)
    np.testing.assert_array_equal(first, in_mujoco(folder, command[0]))
    assert second[2] > 0.25
    assert np.linalg.norm(second[:2]) < 3.0


@NEEDED
@pytest.mark.real_robot
def test_the_go1_policy_walks_on_mjwarp_as_far_as_in_mujoco(shared: Path) -> None:
    folder = shared / "policies" / "go1"
    command = np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.6, 0.0, 0.0]])
    ends = {}
    for backend in ("mujoco", "mjwarp"):
        with unisim.build(task_on(folder, backend, 3)) as sim:
            ends[backend] = Walker(sim, folder / "go1_policy.onnx").walk(command)
            assert not host(sim.faults).any()
        print(f"on {backend} walked to {ends[backend].round(3).tolist()}")
    want, got = ends["mujoco"], ends["mjwarp"]
    for world in (0, 2):  # those that walk straight on
        far = np.linalg.norm(want[world, :2])
        assert far > 4.0
        assert np.linalg.norm(got[world, :2]) == pytest.approx(far, rel=0.1)
        assert np.linalg.norm(got[world, :2] - want[world, :2]) < 0.1 * far
    assert got[:, 2] == pytest.approx(want[:, 2], abs=0.02)
    assert np.linalg.norm(got[1, :2]) < 3.0


@pytest.mark.real_robot
@pytest.mark.parametrize("backend", GUESTS)
def test_the_go1_policy_walks_on_another_engine_as_far(shared: Path, backend) -> None:
    folder = shared / "policies" / "go1"
    command = np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.6, 0.0, 0.0]])
    task = task_on(folder, backend, len(command))
    scene = unisim.compose(task.scene)
    accept = consents(scene, backend)
    with unisim.build(replace(task, accept=accept, faults="flag"), scene) as sim:
        got = Walker(sim, folder / "go1_policy.onnx").walk(command)
        assert not host(sim.faults).any()
    print(f"on {backend} walked to {got.round(3).tolist()}, accepted: {accept}")
    for world in (0, 2):  # those that walk straight on
        want = in_mujoco(folder, command[world])
        far = np.linalg.norm(want[:2])
        assert np.linalg.norm(got[world, :2]) == pytest.approx(far, rel=0.05)
        assert np.linalg.norm(got[world, :2] - want[:2]) < 0.1 * far
        assert got[world, 2] == pytest.approx(want[2], abs=0.02)
    assert got[1, 2] > 0.25  # it walks in a circle
    assert np.linalg.norm(got[1, :2]) < 3.0
