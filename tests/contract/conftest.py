"""Fixtures of the contract: replace `BACKENDS` to hold another engine to it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contract.host import HostSim
from contract.scenes import CHOSEN, OURS, REAL, composed
from unisim import SceneCfg, Sim, TaskCfg, build

REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
# the kernels of an engine on a device take minutes to compile: it is asked for by name
BACKENDS = ("mujoco", *(name for name in ("mjwarp",) if name in REQUIRED))
FLOAT32 = {
    "dtype": "float32",
    "accept": (
        *("sensor.delay", "sensor.nsample", "sensor.interp", "sensor.interval"),
        "contact.convex",
    ),
}
BuildSim = Callable[..., Sim]


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave out what is no part of a backend's contract, or of an everyday run."""
    left_out = [item for item in items if not _belongs(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _belongs(item: pytest.Item) -> bool:
    if not (hasattr(item, "callspec") and item.path.parent == Path(__file__).parent):
        return True
    params = item.callspec.params
    name = params.get("backend", "mujoco")
    if name != "mujoco" and params.get("engine"):
        return False  # a setting of MuJoCo's own, such as copies that persist
    if os.environ.get("UNISIM_CONTRACT") == "full" or name not in CHOSEN:
        return True
    return params.get("scene_name", CHOSEN[name][0]) in CHOSEN[name]


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def build_sim(backend: str) -> Iterator[BuildSim]:
    """Builds a scene by name or from a text; keywords are those of `TaskCfg`."""
    sims: list[Sim] = []

    def built(name: str, worlds: int = 5, keyframe: str | None = None, **task) -> Sim:
        scene = composed(name, keyframe)
        cfg = SceneCfg(model_file=scene.file, keyframe=keyframe)
        if backend == "mjwarp":
            task = {**FLOAT32, **task}
        task = TaskCfg(scene=cfg, backend=backend, worlds=worlds, **task)
        sims.append(build(task, scene))
        return HostSim(sims[-1]) if backend == "mjwarp" else sims[-1]

    yield built
    for sim in sims:
        sim.close()


@pytest.fixture(
    params=[*OURS, *(pytest.param(name, marks=pytest.mark.real_robot) for name in REAL)]
)
def scene_name(request: pytest.FixtureRequest) -> str:
    return request.param
