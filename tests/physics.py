"""Scenes from texts, and what tells whether two scenes have the same physics."""

from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path

import mujoco
import numpy as np

from unisim.scene.compile import compile_text
from unisim.scene.load import Tree
from unisim.scene.names import inject_names, sources_of
from unisim.scene.passes.rewrite import digest
from unisim.scene.scene import Scene
from unisim.scene.source import Element, parse, write

Pass = Callable[[Scene], Scene]


def scene_from(xml: str) -> Scene:
    return scene_of(Tree(parse(xml, Path("scene.xml"))), {})


def scene_of(tree: Tree, assets: dict[str, bytes]) -> Scene:
    inject_names(tree.root)
    xml, opened = write(tree.root)
    file = tree.root.at.file
    model = compile_text(xml, assets, opened, file)
    sources = sources_of(tree, [])
    return Scene(file, xml, assets, model, sources, digest(xml, assets))


def elements(scene: Scene) -> list[Element]:
    return list(parse(scene.xml, scene.file).walk())


def attributes(scene: Scene) -> set[str]:
    return {name for element in elements(scene) for name in element.attributes}


def tags(scene: Scene) -> set[str]:
    return {element.tag for element in elements(scene)}


def arrays(model: mujoco.MjModel) -> Iterator[tuple[str, np.ndarray]]:
    for owner, prefix in ((model, ""), (model.opt, "opt.")):
        for name in dir(owner):
            value = None if name.startswith("_") else getattr(owner, name)
            if isinstance(value, np.ndarray | float | int):
                yield prefix + name, np.asarray(value)


def deviations(before: Scene, after: Scene, tolerance: float = 0.0) -> dict[str, str]:
    """Arrays of the two models that differ; paths and texts of files are no physics."""
    other = dict(arrays(after.model))
    found: dict[str, str] = {}
    if before.model.names != after.model.names:
        found["names"] = "other names, or another order"
    for name, array in arrays(before.model):
        if name in {"signature", "npaths", "paths", "nbuffer"}:
            continue
        got = other[name]
        if array.shape != got.shape:
            found[name] = f"shape {array.shape} is now {got.shape}"
        elif not np.allclose(array, got, rtol=tolerance, atol=tolerance):
            gap = np.abs(array.astype(float) - got.astype(float))
            found[name] = f"{gap.max():.2e}"
    return found


def rows(model: mujoco.MjModel, kind: str, count: int) -> dict[str, int]:
    return {getattr(model, kind)(index).name: index for index in range(count)}


def geom_deviations(before: Scene, after: Scene) -> dict[str, str]:
    """Geoms of the second scene that differ from the first one's of the same name."""
    a, b = before.model, after.model
    old, new = rows(a, "geom", a.ngeom), rows(b, "geom", b.ngeom)
    found: dict[str, str] = {}
    for name, array in arrays(a):
        drawn = name in {"geom_matid", "geom_rgba", "geom_dataid"}
        if not name.startswith("geom_") or drawn:
            continue
        for geom, index in new.items():
            if not np.array_equal(array[old[geom]], getattr(b, name)[index]):
                found[f"{geom}.{name}"] = "differs"
    acting = np.flatnonzero(a.geom_contype | a.geom_conaffinity)
    lost = {a.geom(index).name for index in acting} - new.keys()
    return found | dict.fromkeys(lost, "colliding geom is gone")


def trajectory(model: mujoco.MjModel, *, constraint: bool = True) -> np.ndarray:
    """States and sensor data of 50 driven steps; every control has its own course."""
    model = copy(model)
    if not constraint:
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    states: list[np.ndarray] = []
    for step in range(50):
        data.ctrl[:] = 0.2 * np.sin(0.1 * step + np.arange(model.nu))
        mujoco.mj_step(model, data)
        states.append(np.concatenate([data.qpos, data.qvel, data.act, data.sensordata]))
    return np.array(states)


def corners(model: mujoco.MjModel, geom: int) -> np.ndarray:
    """Corners (faces, 3, 3) [m] of a mesh geom's triangles in its body's frame."""
    mesh = model.geom_dataid[geom]
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_HFIELD:
        return np.zeros((0, 3, 3))
    start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = model.mesh_vert[start : start + count].astype(np.float64)
    start, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, model.geom_quat[geom])
    vertices = vertices @ rotation.reshape(3, 3).T + model.geom_pos[geom]
    return vertices[model.mesh_face[start : start + count]]


def apply(scene: Scene, rewrite: Pass) -> Scene:
    """Run a pass and check what holds for all of them."""
    xml, assets, buffer = scene.xml, dict(scene.assets), bytes(scene.model.geom_pos)
    result = rewrite(scene)
    assert (scene.xml, scene.assets, bytes(scene.model.geom_pos)) == (
        xml, assets, buffer,
    )  # fmt: skip
    assert result.model is not scene.model
    assert result.digest == digest(result.xml, result.assets)
    assert (result.sources, result.keyframe) == (scene.sources, scene.keyframe)
    return result


def check_stripped(scene: Scene, result: Scene) -> None:
    bookkeeping = (
        "geom_", "mat_", "tex_", "mesh_", "bvh_", "name_", "ngeom", "nmat", "ntex",
        "nmesh", "nbvh", "nnames", "names", "body_geom", "body_bvh", "nuser", "text_",
        "dof_length", "body_margin", "npolygonmax", "wrap_objid", "pair_geom",
        "sensor_objid", "sensor_refid", "light_texid", "site_matid", "skin_",
        "flex_matid", "tendon_matid", "stat", "npaths", "names_map", "nskin",
    )  # fmt: skip
    found = {
        name: what
        for name, what in deviations(scene, result).items()
        if not name.startswith(bookkeeping)
    }
    assert found == {}
    assert geom_deviations(scene, result) == {}
    assert not {"material", "texture"} & tags(result)
    assert np.array_equal(trajectory(scene.model), trajectory(result.model))
