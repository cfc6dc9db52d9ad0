"""Uneven grounds for tests, and what MuJoCo's rays find on them."""

import mujoco
import numpy as np

import unisim
from scene_files import write
from unisim import FieldCfg, GridCfg, SceneCfg
from unisim.tiles import GapsCfg, PyramidStairsCfg, RoughCfg, SteppingStonesCfg

BALL = "<mujoco><worldbody><body name='ball' pos='0 0 9'><freejoint/><geom size='.05'/>"
BALL += "</body></worldbody></mujoco>"
TILES = (
    RoughCfg(height=(0.1, 0.3)),
    PyramidStairsCfg(tread=0.5),
    SteppingStonesCfg(),
    GapsCfg(),
)
GRID = GridCfg(
    tiles=TILES, levels=2, size=5.0, margin=1.0, pos=(1.3, -0.7, 2.1), yaw=31.0, seed=5
)


def composed(folder, terrain, main=BALL):
    file = write(folder, main=main)
    return unisim.compose(SceneCfg(model_file=file, terrain=terrain))


def array(folder, heights, resolution=0.5, **more):
    np.save(folder / "h.npy", heights)
    return FieldCfg(file=folder / "h.npy", resolution=resolution, **more)


def rays(model, points):
    """Heights that MuJoCo's rays hit, NaN where they hit nothing."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    groups, geom = np.zeros(6, np.uint8), np.zeros(1, np.int32)
    groups[0] = 1
    down, found = np.array([0.0, 0.0, -1.0]), np.full(len(points), np.nan)
    ball = model.body("ball").id
    for i, (x, y) in enumerate(points):
        start = np.array([x, y, 50.0])
        away = mujoco.mj_ray(model, data, start, down, groups, 1, ball, geom)
        if geom[0] >= 0:
            found[i] = 50.0 - away
    return found


def to_world(cfg, local):
    turn = np.radians(cfg.yaw)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return local @ axes + np.array(cfg.pos[:2])
