"""Pictures of one world: the reference model or its stand-in, posed by the engine."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.config import CameraCfg, SceneCfg
from unisim.progress import Progress
from unisim.runtime.canvas import Canvas
from unisim.runtime.measured import Pose
from unisim.scene.compose import compose
from unisim.scene.scene import Scene

Image = NDArray[np.uint8]
"""A picture, RGB. Shape (height, width, 3)."""


@dataclass(frozen=True)
class Film:
    """Pictures of one world.

    Attributes:
        times: When they were taken [s].
        images: What was seen.
    """

    times: tuple[float, ...]
    images: tuple[Image, ...]


def film(
    scene: Scene, cfg: CameraCfg, poses: Sequence[Pose], progress: Progress
) -> Film:
    """Draw the poses of one world.

    Args:
        scene: The composed scene, visuals included.
        cfg: Where the pictures are taken from.
        poses: Quantities of the world, in the scene's layout.
        progress: Gets told how far it is.

    Raises:
        CannotRender: If there is no OpenGL.
        UnknownName: If the camera tracks a body that is not there.
    """
    file = scene.visual_file
    actor = _Reference(scene) if file is None else _StandIn(scene, file)
    body = -1 if cfg.body is None else scene.model.body(cfg.body).id
    images: list[Image] = []
    with Canvas(actor.model, cfg) as canvas:
        for pose in poses:
            data = actor.posed(pose)
            lookat = scene.model.stat.center
            if body >= 0:
                lookat = pose.quantities["xpos"][body]
            images.append(canvas.draw(data, np.asarray(lookat, np.float64)))
            progress.share("drawing", len(images) / len(poses))
    return Film(tuple(pose.time for pose in poses), tuple(images))


class _Reference:
    """The scene's own model, posed by its joints."""

    def __init__(self, scene: Scene) -> None:
        self.model = copy(scene.model)
        self._data = mujoco.MjData(self.model)

    def posed(self, pose: Pose) -> mujoco.MjData:
        """The model where the engine has it."""
        for name in ("qpos", "mocap_pos", "mocap_quat"):
            getattr(self._data, name)[...] = pose.quantities[name]
        mujoco.mj_fwdPosition(self.model, self._data)
        return self._data


class _StandIn:
    """Another model, whose bodies are put where bodies of the same name are."""

    def __init__(self, scene: Scene, file: Path) -> None:
        self.model = copy(compose(SceneCfg(model_file=file)).model)
        self._data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self._data)
        model = self.model
        names = [model.body(i).name for i in range(1, model.nbody)]
        self._bodies = [scene.model.body(name).id for name in names]

    def posed(self, pose: Pose) -> mujoco.MjData:
        """The stand-in with its bodies, and all that is on them, in place."""
        model, data = self.model, self._data
        data.xpos[1:] = pose.quantities["xpos"][self._bodies]
        data.xquat[1:] = pose.quantities["xquat"][self._bodies]
        for body in range(1, model.nbody):
            mujoco.mju_quat2Mat(data.xmat[body], data.xquat[body])
        _carry(model, data, "geom")
        _carry(model, data, "site")
        mujoco.mj_camlight(model, data)
        return data


def _carry(model: mujoco.MjModel, data: mujoco.MjData, kind: str) -> None:
    """Put the geoms or sites of a model where their bodies are."""
    owners = getattr(model, f"{kind}_bodyid")
    offsets, turns = getattr(model, f"{kind}_pos"), getattr(model, f"{kind}_quat")
    places, frames = getattr(data, f"{kind}_xpos"), getattr(data, f"{kind}_xmat")
    quat = np.empty(4)
    for i, body in enumerate(owners.tolist()):
        mujoco.mju_rotVecQuat(places[i], offsets[i], data.xquat[body])
        places[i] += data.xpos[body]
        mujoco.mju_mulQuat(quat, data.xquat[body], turns[i])
        mujoco.mju_quat2Mat(frames[i], quat)
