"""What becomes of robots on a backend: a row of a table for each file.

    python scripts/robots.py drake models/*/*.xml

A robot is built with consent to what its backend approximates, let go from its first
key for a second, and compared with MuJoCo.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np

from unisim import SceneCfg, TaskCfg, build, compose
from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.base import BuildCfg
from unisim.backend.gate import judge
from unisim.errors import UnisimError
from unisim.scene.scene import Scene

_SECONDS = 1.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("backend")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--profile")
    asked = parser.parse_args()
    print("| robot | accepted | after one second, beside MuJoCo |\n| --- | --- | --- |")
    for file in asked.files:
        row = " | ".join(_row(file, asked.backend, asked.profile))
        name = f"{file.parent.name}/{file.stem}"
        print(f"| {name} | {row} |".replace(f"{file.parent}/", ""), flush=True)


def _row(file: Path, backend: str, profile: str | None) -> tuple[str, str]:
    cfg = SceneCfg(model_file=file)
    try:
        scene = compose(cfg)
        manifest = registry.load(backend).manifest
        request = BuildCfg(
            scene=scene,
            profile=profile or manifest.default_profile,
            dtype=manifest.abilities.dtypes[0],
        )
        accept = judge(request, manifest).consents
        refused = judge(request, manifest, accept).refusals
        if refused:
            more = f", and {len(refused) - 1} more" if refused[1:] else ""
            return "", f"refused: {refused[0]}{more}"
        task = TaskCfg(
            scene=cfg, backend=backend, profile=profile, accept=accept, faults="flag"
        )
        return ", ".join(accept) or "nothing", "; ".join(_moved(task, scene))
    except UnisimError as error:
        return "", "refused: " + " / ".join(str(error).splitlines()[1:4]).strip(" -")


def _moved(task: TaskCfg, scene: Scene) -> Iterator[str]:
    model, data = scene.model, mujoco.MjData(scene.model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    steps = round(_SECONDS / model.opt.timestep)
    with build(task, scene) as sim:
        sim.reset(keyframe=model.key(0).name if model.nkey else None)
        sim.step(None, steps)
        faults, qpos = host(sim.faults), host(sim.read("qpos"))[0].astype(float)
    for _ in range(steps):
        mujoco.mj_step(model, data)
    off = np.zeros(model.nv)
    mujoco.mj_differentiatePos(model, off, 1.0, data.qpos, qpos)
    yield "faulted" if faults.any() else f"off by {np.abs(off).max():.2g}"
    free = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE)
    if len(free):
        height = int(model.jnt_qposadr[free[0]]) + 2
        yield f"height {qpos[height]:.4f} m, MuJoCo {data.qpos[height]:.4f} m"


if __name__ == "__main__":
    main()
