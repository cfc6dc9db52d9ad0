"""Where the worlds of a run start."""

from unisim.backend.arrays import host
from unisim.scene.terrain.curriculum import Curriculum
from unisim.scene.terrain.terrain import Terrain
from unisim.sim import Sim
from unisim.terrains import GridCfg


def start(sim: Sim) -> None:
    """Spread the worlds over the levels and types of a grid, each on flat ground.

    On any other ground they stay where the keyframe puts them.

    Args:
        sim: A sim whose worlds have just been reset.
    """
    scene = sim.built.scene
    if not isinstance(scene.terrain, GridCfg):
        return
    terrain = Terrain(scene)
    highest = terrain.cfg.levels - 1
    course = Curriculum(terrain, sim.worlds, sim.built.task.seed, highest=highest)
    qpos = terrain.place(host(sim.read("qpos")), course.spawn())
    sim.reset(keyframe=scene.keyframe, qpos=qpos)
