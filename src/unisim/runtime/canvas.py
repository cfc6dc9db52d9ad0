"""An off-screen canvas that MuJoCo draws a model on."""

import os
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.config import CameraCfg
from unisim.errors import UnisimError

_OFF = frozenset({"disable", "disabled", "off", "false", "0"})
_MOST_GEOMS = 10_000
_LARGEST_SHADOW = 2048
"""Resolution of shadows [pixel]: software OpenGL takes a second for larger ones."""
_REMEDY = (
    "Install an off-screen OpenGL (on Debian: apt-get install libegl1 "
    "libgl1-mesa-dri) and set MUJOCO_GL=egl."
)


class CannotRender(UnisimError):
    """There is no OpenGL to draw pictures with."""

    def __init__(self, reason: str, remedy: str = _REMEDY) -> None:
        self.reason, self.remedy = reason, remedy
        super().__init__(f"No pictures: {reason.rstrip('.')}. {remedy}")


class _Context(Protocol):
    def make_current(self) -> None: ...
    def free(self) -> None: ...


class Canvas:
    """Draws states of one model in one size; use it in a `with` block."""

    def __init__(self, model: mujoco.MjModel, cfg: CameraCfg) -> None:
        """Take a model of the canvas's own; its picture settings are changed.

        Raises:
            CannotRender: If there is no OpenGL.
        """
        model.vis.global_.fovy = cfg.fovy
        model.vis.global_.offwidth, model.vis.global_.offheight = cfg.width, cfg.height
        quality = model.vis.quality
        quality.shadowsize = min(quality.shadowsize, _LARGEST_SHADOW)
        self._model, self._size = model, (cfg.height, cfg.width)
        self._scene = mujoco.MjvScene(model, _MOST_GEOMS)
        self._scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = 0
        self._option = mujoco.MjvOption()
        self._camera = mujoco.MjvCamera()
        self._camera.azimuth, self._camera.elevation = cfg.azimuth, cfg.elevation
        self._camera.distance = cfg.distance or 1.5 * model.stat.extent
        self._gl = _open(cfg.width, cfg.height)
        try:
            scale = mujoco.mjtFontScale.mjFONTSCALE_100.value
            self._context = mujoco.MjrContext(model, scale)
        except mujoco.FatalError as error:
            self._gl.free()
            raise CannotRender(str(error)) from None
        buffer = mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value
        mujoco.mjr_setBuffer(buffer, self._context)

    def __enter__(self) -> "Canvas":
        """Draw in the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Free what OpenGL holds."""
        self._context.free()
        self._gl.free()

    def draw(
        self, data: mujoco.MjData, lookat: NDArray[np.float64]
    ) -> NDArray[np.uint8]:
        """Draw a posed model, without computing anything on it.

        Args:
            data: Holds the poses of geoms, sites, cameras and lights in world.
            lookat: Point at the centre of the picture, in world [m]. Shape (3,).

        Returns:
            The picture, RGB. Shape (height, width, 3).
        """
        self._camera.lookat[:] = lookat
        everything = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(
            self._model, data, self._option, None, self._camera, everything, self._scene
        )
        height, width = self._size
        area = mujoco.MjrRect(0, 0, width, height)
        picture = np.zeros((height, width, 3), np.uint8)
        mujoco.mjr_render(area, self._scene, self._context)
        mujoco.mjr_readPixels(picture, None, area, self._context)
        return np.flipud(picture)


def platform() -> str:
    """The OpenGL platform to draw with: MUJOCO_GL's, or EGL where no display is."""
    stated = os.environ.get("MUJOCO_GL", "").lower().strip()
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not stated and sys.platform.startswith("linux") and not display:
        return "egl"
    return stated


def _open(width: int, height: int) -> _Context:
    """A current OpenGL context."""
    name = platform()
    if name in _OFF:
        reason = f"MUJOCO_GL={name} switches OpenGL off"
        raise CannotRender(reason, "Set MUJOCO_GL=egl, or unset it.")
    if name:
        # MuJoCo's own loader looks here for the platform
        os.environ["MUJOCO_GL"] = name
    try:
        context = _contexts(name)(width, height)
        context.make_current()
    except (ImportError, OSError, RuntimeError, AttributeError, Warning) as error:
        kind = f"the {name or 'default'} platform of OpenGL does not start"
        raise CannotRender(f"{kind} ({error})") from None
    return context


def _contexts(name: str) -> Callable[[int, int], _Context]:
    """What opens a context on a platform; imported late, it loads OpenGL."""
    if name == "egl":
        from mujoco.egl import GLContext  # noqa: PLC0415
    elif name == "osmesa":
        from mujoco.osmesa import GLContext  # noqa: PLC0415
    else:
        from mujoco.gl_context import GLContext  # noqa: PLC0415
    return GLContext
