"""The bench: every installed backend, in every profile that runs the scene."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from unisim import OptionsCfg, SceneCfg, Sim, TaskCfg, build
from unisim.backend import registry
from unisim.config import ContactQueryCfg, TerrainCfg
from unisim.errors import MissingEngine, UnsupportedFeature

SCENES = Path(__file__).with_name("scenes")
REQUIRED = frozenset(filter(None, os.environ.get("UNISIM_REQUIRE", "").split(",")))
NOT_PHYSICS = frozenset({"fake"})
RUNS_ALL = "mujoco"
CONSENT: Mapping[str, tuple[str, ...]] = {}
"""By backend: approximations that do not spoil these experiments, and why."""

PROFILES = [
    (name, profile)
    for name in registry.names()
    if name not in NOT_PHYSICS
    for profile in registry.load(name).manifest.profiles
]


@pytest.fixture(params=PROFILES, ids="-".join)
def bench(request: pytest.FixtureRequest) -> Iterator[Callable[..., Sim]]:
    """Builds scenes on one profile of one backend, and closes them afterwards.

    What the backend refuses is skipped with its reasons; so is an engine that is not
    installed, unless UNISIM_REQUIRE names it. MuJoCo may not refuse anything.
    """
    backend, profile = request.param
    built: list[Sim] = []

    def make(
        scene: str,
        worlds: int,
        *,
        contacts: tuple[ContactQueryCfg, ...] = (),
        terrain: TerrainCfg | None = None,
        **options: object,
    ) -> Sim:
        task = TaskCfg(
            scene=SceneCfg(
                model_file=SCENES / scene,
                options=OptionsCfg(**options),
                terrain=terrain or TerrainCfg(),
            ),
            backend=backend,
            profile=profile,
            worlds=worlds,
            contacts=contacts,
            accept=CONSENT.get(backend, ()),
        )
        try:
            built.append(build(task))
        except UnsupportedFeature as refusal:
            if backend == RUNS_ALL:
                raise
            pytest.skip(f"{backend} ({profile}) refuses {scene}: {refusal}")
        except MissingEngine as missing:
            if backend in REQUIRED:
                raise
            pytest.skip(str(missing))
        return built[-1]

    yield make
    for sim in built:
        sim.close()


@pytest.fixture(scope="session")
def turn() -> Callable[..., np.ndarray]:
    """Turns vectors by quaternions wxyz. Shapes (..., 4) and (..., 3) to (..., 3)."""

    def rotate(quat: np.ndarray, vector: np.ndarray) -> np.ndarray:
        w, axis = quat[..., :1], quat[..., 1:]
        across = 2 * np.cross(axis, vector)
        return vector + w * across + np.cross(axis, across)

    return rotate
