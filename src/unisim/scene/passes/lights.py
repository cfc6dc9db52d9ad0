"""Writes lights as MuJoCo understands them today."""

from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene


def normalise_lights(scene: Scene) -> Scene:
    """A light's `directional="true"` becomes `type="directional"`.

    MuJoCo's writer knows no other way, so every pass does this.
    """
    return recompiled(scene, written(opened(scene)))
