"""Robots let go on an engine, with consent to all that its manifest asks for."""

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

import unisim
from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.base import BuildCfg
from unisim.backend.choice import installed
from unisim.backend.gate import judge
from unisim.scene.scene import Scene

Row = NDArray[np.float64]
GUESTS = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(not installed(name), reason=f"needs {name}"),
    )
    for name in ("drake", "motrix")
]
"""The engines that are translated to, as parameters of a test."""


def consents(scene: Scene, backend: str) -> tuple[str, ...]:
    """Everything that can be agreed to for a scene on a backend."""
    manifest = registry.load(backend).manifest
    request = BuildCfg(
        scene=scene,
        profile=manifest.default_profile,
        dtype=manifest.abilities.dtypes[0],
    )
    return judge(request, manifest).consents


@dataclass(frozen=True)
class Held:
    """Where a robot is after some time, beside MuJoCo.

    Attributes:
        faults: `Fault` bits.
        joints: Largest difference of a joint that is not free [rad or m].
        height: Largest difference in height of a free body [m].
    """

    faults: int
    joints: float
    height: float


def let_go(file: Path, backend: str, seconds: float) -> Held:
    """Let a robot go from its first key, or its defaults.

    Raises:
        UnisimError: If the backend refuses it.
    """
    cfg = unisim.SceneCfg(model_file=file)
    scene = unisim.compose(cfg)
    accept = consents(scene, backend)
    print(f"{file.stem} on {backend}, accepted: {', '.join(accept) or 'nothing'}")
    model = scene.model
    key = model.key(0).name if model.nkey else None
    steps = round(seconds / model.opt.timestep)
    task = unisim.TaskCfg(scene=cfg, backend=backend, accept=accept, faults="flag")
    with unisim.build(task, scene) as sim:
        sim.reset(keyframe=key)
        sim.step(None, steps)
        faults, got = int(host(sim.faults)[0]), host(sim.read("qpos"))[0]
    data = mujoco.MjData(model)
    if key is not None:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, steps)
    joints, height = _apart(model, data.qpos, got.astype(float))
    return Held(faults, joints, height)


def _apart(model: mujoco.MjModel, want: Row, got: Row) -> tuple[float, float]:
    """Largest difference of the joints that are not free, and in height of those."""
    off = np.zeros(model.nv)
    mujoco.mj_differentiatePos(model, off, 1.0, want, got)
    roots = model.jnt_type == mujoco.mjtJoint.mjJNT_FREE
    free = model.jnt_dofadr[roots]
    held = np.ones(model.nv, bool)
    for i in range(6):
        held[free + i] = False
    return (
        float(np.abs(off[held]).max(initial=0.0)),
        float(np.abs(off[free + 2]).max(initial=0.0)),
    )
