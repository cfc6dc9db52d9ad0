"""A trained walking policy for the Go1, in closed loop through the public API."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import unisim

onnxruntime = pytest.importorskip("onnxruntime")
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
        self.home = sim.read("qpos")[0, 7:].copy()
        self.action = np.zeros((sim.worlds, 12))
        self.site = sim.layout.index("site", "imu")

    def observe(self, command: np.ndarray) -> np.ndarray:
        sim = self.sim
        rotation = sim.read("site_xmat")[:, self.site].reshape(-1, 3, 3)
        parts = [
            sim.sensor("local_linvel"),
            sim.sensor("gyro"),
            -rotation[:, 2],
            sim.read("qpos")[:, 7:] - self.home,
            sim.read("qvel")[:, 6:],
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
def test_the_go1_policy_walks_as_it_does_in_mujoco(shared: Path) -> None:
    folder = shared / "policies" / "go1"
    scene = unisim.SceneCfg(model_file=folder / SCENE, keyframe="home")
    task = unisim.TaskCfg(scene=scene, worlds=2, decimation=CONTROL_STEPS)
    # the second world turns: the worlds are not copies of each other
    command = np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5]])
    with unisim.build(task) as sim:
        walker = Walker(sim, folder / "go1_policy.onnx")
        for _ in range(round(SECONDS / (CONTROL_STEPS * sim.timestep))):
            sim.step(walker.control(command), task.decimation)
        first, second = sim.read("qpos")[:, :3]
    print(f"walked to {first}, in a circle to {second}")
    np.testing.assert_allclose(first, DESCRIBED, atol=0.1)
    np.testing.assert_array_equal(first, in_mujoco(folder, command[0]))
    assert second[2] > 0.25
    assert np.linalg.norm(second[:2]) < 3.0
