"""Scenes of this repository, and real robots beside it, that tests run on."""

from collections.abc import Mapping
from pathlib import Path

from unisim import Scene
from unisim.probe.contract import scenes
from unisim.probe.contract.scenes import TEXTS

REPO = Path(__file__).resolve().parents[2]
SHARED = REPO.parent / "shared"
FILES: Mapping[str, Path] = {
    "quadruped": REPO / "models/quadruped/scene.xml",
    "biped": REPO / "models/biped/scene.xml",
    "cartpole": REPO / "models/cartpole/cartpole.xml",
}
REAL: Mapping[str, Path] = {
    "go1": SHARED
    / "policies/go1/mujoco_playground/_src/locomotion/go1/xmls"
    / "scene_mjx_feetonly_flat_terrain.xml",
    "cassie": SHARED / "models/menagerie__agility_cassie/scene.xml",
}
OURS: tuple[str, ...] = (*TEXTS, *FILES)
"""Scenes that need nothing but this repository."""


def composed(name: str, keyframe: str | None = None) -> Scene:
    """A scene by its name here, or of a given MJCF text; composed once."""
    return scenes.composed({**FILES, **REAL}.get(name, name), keyframe)
