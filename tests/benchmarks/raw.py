"""The same work on a sim and on the `mujoco.batch` below it, in turn."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import mujoco
import numpy as np
from mujoco.batch import Batch

from contract.scenes import composed
from unisim import SceneCfg, Sim, TaskCfg, build

NONE = int(mujoco.mjtStage.mjSTAGE_NONE)
VEL = int(mujoco.mjtStage.mjSTAGE_VEL)
READS = ("xpos", "sensordata")
Work = Callable[[], object]


class Raw:
    """A sim, and a batch of the same model in the same state."""

    def __init__(self, name: str, worlds: int) -> None:
        scene = composed(name)
        task = TaskCfg(scene=SceneCfg(model_file=scene.file), worlds=worlds)
        self.sim: Sim = build(task, scene)
        model = scene.model
        self.batch = Batch(model, worlds)
        self.ctrl = self.batch.bind("ctrl")
        for read in READS:
            self.batch.bind(read)
        self.command = np.tile(
            model.key_ctrl[0] if model.nkey else np.zeros(model.nu), (worlds, 1)
        )
        random = np.random.default_rng(0)
        tenth = max(1, worlds // 10)
        self.subsets = [
            np.sort(random.choice(worlds, tenth, replace=False)).astype(np.int32)
            for _ in range(16)
        ]
        self.turn = 0

    def subset(self) -> np.ndarray:
        """A random tenth of the worlds."""
        self.turn = (self.turn + 1) % len(self.subsets)
        return self.subsets[self.turn]

    def step(self, count: int, *, refresh: bool) -> tuple[Work, Work]:
        """Set controls, step, and read positions and sensors when refreshing."""

        def raw() -> None:
            self.ctrl[...] = self.command
            self.batch.step(nstep=count, stage=VEL if refresh else NONE)

        def ours() -> None:
            self.sim.step(self.command, count)
            for name in READS if refresh else ("qpos", "qvel"):
                self.sim.read(name)

        return raw, ours

    def reset(self) -> tuple[Work, Work]:
        """Reset a random tenth and read positions of all."""

        def ours() -> None:
            self.sim.reset(self.subset())
            self.sim.read("xpos")

        return lambda: self.batch.reset(self.subset()), ours


def in_turn(raw: Work, ours: Work, rounds: int) -> tuple[float, float]:
    """Median seconds of both, run in turn so that both see the same machine."""
    taken: tuple[list[float], list[float]] = [], []
    for number in range(rounds + 2):
        for work, times in zip((raw, ours), taken, strict=True):
            start = perf_counter()
            work()
            if number >= 2:
                times.append(perf_counter() - start)
    return median(taken[0]), median(taken[1])
