"""Drops whole sections of a scene."""

from collections.abc import Collection
from pathlib import Path

from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene
from unisim.scene.source import parse, write


def drop_sections(scene: Scene, sections: Collection[str]) -> Scene:
    """No sections of these tags left; whatever else the scene holds stays.

    Args:
        scene: The scene.
        sections: Tags of sections that nothing else refers to: `sensor`, `keyframe`.

    Raises:
        CompileFailed: If what is left does not compile without them.
    """
    root = parse(written(opened(scene)), Path())
    root.children = [child for child in root.children if child.tag not in sections]
    return recompiled(scene, write(root)[0])
