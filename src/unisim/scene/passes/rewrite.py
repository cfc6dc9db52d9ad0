"""What every pass does around its own edit: parse, write, recompile, digest."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import mujoco

from unisim.scene.compile import compile_spec, compile_text, parse_spec
from unisim.scene.scene import Scene


def opened(scene: Scene) -> mujoco.MjSpec:
    """A spec of the scene that a pass may edit; the scene keeps its own model.

    It has been compiled, so that every element's `id` is its index in `scene.model`.
    """
    spec = parse_spec(scene.xml, scene.assets, None, scene.file)
    compile_spec(spec, None, scene.file)
    return spec


def written(spec: mujoco.MjSpec, *, canonical: bool = False) -> str:
    """MJCF text of a spec, every number with all its digits.

    Args:
        spec: What to write.
        canonical: Write `fromto` and every orientation as a quaternion, every angle in
            radians, and every actuator as `general`.
    """
    spec.compiler.savecompiled = False
    spec.compiler.savecanonical = canonical
    return spec.to_xml()


def recompiled(
    scene: Scene, xml: str, assets: Mapping[str, bytes] | None = None
) -> Scene:
    """The scene with another text, its model compiled from that.

    Raises:
        CompileFailed: If MuJoCo refuses the text.
    """
    assets = scene.assets if assets is None else assets
    model = compile_text(xml, assets, None, scene.file)
    return replace(
        scene, xml=xml, assets=assets, model=model, digest=digest(xml, assets)
    )


def digest(xml: str, assets: Mapping[str, bytes]) -> str:
    """Hex digest over a text, the names of its assets and MuJoCo's version.

    Assets are named by their content, so their names stand for it.
    """
    parts = (mujoco.__version__, xml, *sorted(assets))
    return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
