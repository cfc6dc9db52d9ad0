"""Compares accelerations of touching solids in MuJoCo Warp with MuJoCo's.

    .venv/bin/python scripts/convex.py [box-box capsule-cylinder ...]

Of each pair of shapes, one is placed 1 mm deep in the other in 64 random poses.
Printed are the error of its acceleration, relative to its size, and in how many poses
the number of contacts differs. Kernels compile for minutes at the first time.
"""

import sys
from itertools import combinations_with_replacement

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp
from numpy.typing import NDArray

SHAPES = {
    "sphere": 'type="sphere" size=".08"',
    "capsule": 'type="capsule" size=".05 .06"',
    "ellipsoid": 'type="ellipsoid" size=".1 .08 .06"',
    "cylinder": 'type="cylinder" size=".08 .06"',
    "box": 'type="box" size=".1 .08 .06"',
}
SCENE = """<mujoco><option gravity="0 0 0" iterations="200"/><worldbody>
  <geom {}/><body><freejoint/><geom {}/></body></worldbody></mujoco>"""
POSES, DEPTH, FAR, HALVINGS = 64, 1e-3, 0.5, 40
LEVER = np.array([1, 1, 1, 0.1, 0.1, 0.1])  # m, of angular accelerations

Rows = NDArray[np.float64]


def main() -> None:
    """Print a line for every pair."""
    wp.config.log_level = wp.LOG_ERROR
    every = [f"{a}-{b}" for a, b in combinations_with_replacement(SHAPES, 2)]
    for name in sys.argv[1:] or every:
        first, second = name.split("-")
        text = SCENE.format(SHAPES[first], SHAPES[second])
        print(name, compare(mujoco.MjModel.from_xml_string(text)), flush=True)


def compare(model: mujoco.MjModel) -> str:
    """How far MuJoCo Warp is from MuJoCo on a pair."""
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    poses = np.array([touching(model, data, rng) for _ in range(POSES)])
    want, count = np.zeros((POSES, 6)), np.zeros(POSES, np.int64)
    for i, pose in enumerate(poses):
        mujoco.mj_resetData(model, data)
        data.qpos[:] = pose
        mujoco.mj_forward(model, data)
        want[i], count[i] = data.qacc, data.ncon
    held = mjw.put_model(model)
    worlds = mjw.make_data(model, nworld=POSES, nconmax=32, njmax=192)
    worlds.qpos.assign(poses.astype(np.float32))
    mjw.forward(held, worlds)
    used = worlds.contact.worldid.numpy()[: int(worlds.nacon.numpy()[0])]
    differs = int(np.sum(np.bincount(used, minlength=POSES) != count))
    off = np.linalg.norm((worlds.qacc.numpy() - want) * LEVER, axis=1)
    off /= np.linalg.norm(want * LEVER, axis=1)
    return f"median {np.median(off):.0e}, worst {off.max():.0e}, {differs} of {POSES}"


def touching(
    model: mujoco.MjModel, data: mujoco.MjData, rng: np.random.Generator
) -> Rows:
    """A random pose at the depth, as float32 holds it. Shape (7,)."""
    turn, way = rng.normal(size=4), rng.normal(size=3)
    turn, way = turn / np.linalg.norm(turn), way / np.linalg.norm(way)
    near, far = 0.0, FAR
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        data.qpos[:] = [*(way * middle), *turn]
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        deep = min((c.dist for c in data.contact), default=1.0) <= -DEPTH
        near, far = (middle, far) if deep else (near, middle)
    return np.array([*(way * near), *turn], np.float32).astype(np.float64)


if __name__ == "__main__":
    main()
