"""Rewrites of a composed scene for engines' own MJCF importers.

Each pass takes a scene and returns another one with the same physics, its model
recompiled; an adapter names the passes it needs.
"""

from unisim.scene.passes.defaults import expand_defaults as expand_defaults
from unisim.scene.passes.frames import drop_frames as drop_frames
from unisim.scene.passes.inertials import explicit_inertials as explicit_inertials
from unisim.scene.passes.lights import normalise_lights as normalise_lights
from unisim.scene.passes.meshes import MeshFormat as MeshFormat
from unisim.scene.passes.meshes import convert_meshes as convert_meshes
from unisim.scene.passes.notation import resolve_notation as resolve_notation
from unisim.scene.passes.poses import explicit_poses as explicit_poses
from unisim.scene.passes.sections import drop_sections as drop_sections
from unisim.scene.passes.visual import strip_visual as strip_visual
