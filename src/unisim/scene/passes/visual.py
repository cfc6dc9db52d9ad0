"""Strips what is only visual."""

import mujoco
import numpy as np

from unisim.errors import BadScene, CompileFailed
from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene

_RANGEFINDER = mujoco.mjtSensor.mjSENS_RANGEFINDER
_SLEEP = mujoco.mjtEnableBit.mjENBL_SLEEP


def strip_visual(scene: Scene) -> Scene:
    """No materials, textures, or geoms and meshes that have no effect on physics.

    MuJoCo decides: a geom stays that may collide, or that a pair, a tendon, a sensor or
    a fluid force needs; a body whose inertia came from a stripped geom keeps it as an
    `<inertial>`. Assets that nothing names any more are dropped.

    Raises:
        CompileFailed: If MuJoCo finds that it cannot strip the scene.
        BadScene: If a rangefinder sees what would be stripped, or bodies may sleep.
    """
    spec = opened(scene)
    try:
        spec.discard_visual()
    except ValueError as error:
        raise CompileFailed(
            scene.file,
            f"what is only visual cannot be stripped: {' '.join(str(error).split())}",
        ) from None
    spec.compiler.discardvisual = False
    xml = written(spec)
    assets = {name: data for name, data in scene.assets.items() if name in xml}
    stripped = recompiled(scene, xml, assets)
    _check_rangefinders(scene, stripped.model)
    _check_sleep(scene, stripped.model)
    return stripped


def _check_rangefinders(scene: Scene, stripped: mujoco.MjModel) -> None:
    """Rays hit whatever is drawn, so a rangefinder may measure a visual geom."""
    model = scene.model
    sensors = np.flatnonzero(model.sensor_type == _RANGEFINDER)
    changed = sorted(_drawn(model) ^ _drawn(stripped))
    if sensors.size and changed:
        name = model.sensor(sensors[0]).name
        raise BadScene(
            scene.sources.where("sensor", name),
            f"rangefinder {name!r} sees geoms that are otherwise only visual: "
            f"{', '.join(changed)}.",
            "Let them collide, drop the sensor, or do not strip this scene.",
        )


def _drawn(model: mujoco.MjModel) -> set[str]:
    """Names of the geoms that rays hit: those that are not fully transparent."""
    alpha = model.geom_rgba[:, 3].copy()
    painted = model.geom_matid >= 0
    alpha[painted] = model.mat_rgba[model.geom_matid[painted], 3]
    return {model.geom(index).name for index in np.flatnonzero(alpha)}


def _check_sleep(scene: Scene, stripped: mujoco.MjModel) -> None:
    """The size of a body, visual geoms included, scales when it falls asleep."""
    may_sleep = scene.model.opt.enableflags & _SLEEP
    if may_sleep and not np.array_equal(scene.model.dof_length, stripped.dof_length):
        raise BadScene(
            scene.file,
            "bodies would fall asleep at other speeds without their visual geoms.",
            "Disable the flag sleep, or do not strip this scene.",
        )
