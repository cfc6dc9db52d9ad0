"""Sims on MuJoCo Warp for tests; all of them share the kernels of one model."""

import os

import pytest

from contract.scenes import composed
from unisim import SceneCfg, TaskCfg, build

REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
NEEDED = pytest.mark.skipif(
    "mjwarp" not in REQUIRED,
    reason="its kernels compile for minutes: UNISIM_REQUIRE=mjwarp asks for it",
)


def quadruped(backend="mjwarp", worlds=4, **task):
    scene = composed("quadruped")
    cfg = SceneCfg(model_file=scene.file)
    if backend == "mjwarp":
        task = {"accept": ("contact.convex",), **task}
    return build(TaskCfg(scene=cfg, backend=backend, worlds=worlds, **task), scene)
