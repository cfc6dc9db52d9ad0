"""Rewrites every mesh as an OBJ or STL file of its compiled vertices and faces."""

from hashlib import sha256
from typing import Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.errors import BadAsset
from unisim.scene.passes.defaults import classless, empty_defaults
from unisim.scene.passes.rewrite import opened, recompiled, written
from unisim.scene.scene import Scene
from unisim.scene.source import Element, parse, write

MeshFormat = Literal["obj", "stl"]

# what the vertices now contain, or is drawn only
_CONSUMED = frozenset(
    {"builtin", "params", "vertex", "face", "content_type", "scale", "refpos"}
    | {"refquat", "normal", "smoothnormal", "texcoord"}
)


def convert_meshes(scene: Scene, format: MeshFormat = "obj") -> Scene:
    """Every mesh is a file of this format, in the asset's own frame and size.

    Scale, reference pose, and meshes that the MJCF generates or spells out end up in
    the vertices; texture coordinates and normals, which are only drawn, are dropped.
    Classes are expanded. Vertices are rounded to float32, so poses and inertias that
    MuJoCo infers from them agree to about 1e-6; the frame of a mesh with two nearly
    equal moments of inertia may turn, and its vertices with it.

    Raises:
        BadAsset: If a mesh belongs to a plugin or is a volume of tetrahedra.
    """
    spec = opened(scene)
    empty_defaults(spec)
    encode = {"obj": _obj, "stl": _stl}[format]
    assets = dict(scene.assets)
    files: dict[str, str] = {}
    for mesh in spec.meshes:
        if mesh.plugin.active or len(mesh.usertet):
            raise BadAsset(
                scene.sources.line("mesh", mesh.name),
                f"a mesh with a plugin or a volume cannot become {format.upper()}.",
                "Replace it by a surface mesh, or use a backend that reads it.",
            )
        data = encode(*_surface(scene.model, mesh.id))
        file = files[mesh.name] = f"{sha256(data).hexdigest()[:32]}.{format}"
        assets[file] = data
    root = parse(classless(written(spec)), scene.file)
    for element in root.walk():
        if element.tag == "mesh":
            _refer(element, files[element.attributes["name"]])
    xml = write(root)[0]
    named = {name: data for name, data in assets.items() if name in xml}
    return recompiled(scene, xml, named)


def _refer(mesh: Element, file: str) -> None:
    for name in _CONSUMED & mesh.attributes.keys():
        del mesh.attributes[name]
    mesh.attributes["file"] = file


def _surface(
    model: mujoco.MjModel, mesh: int
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Vertices (n, 3) [m] in the asset's frame, and triangles (m, 3) of indices."""
    start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = model.mesh_vert[start : start + count]
    start, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    faces = model.mesh_face[start : start + count]
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, model.mesh_quat[mesh])
    return vertices @ rotation.reshape(3, 3).T + model.mesh_pos[mesh], faces


def _obj(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> bytes:
    lines = ["v {!r} {!r} {!r}".format(*vertex) for vertex in vertices.tolist()]
    lines += ["f {} {} {}".format(*face) for face in (faces + 1).tolist()]
    return ("\n".join(lines) + "\n").encode()


def _stl(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> bytes:
    """Binary STL: an 80-byte header, a count, then 50 bytes a triangle."""
    parts = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")]
    triangles = np.zeros(len(faces), np.dtype(parts))
    triangles["corners"] = vertices[faces]
    return bytes(80) + np.uint32(len(faces)).tobytes() + triangles.tobytes()
