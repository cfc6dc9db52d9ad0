"""Completes the keyframes of a scene that is made of several sources.

MuJoCo reads a key as one vector, so joints that a fragment adds shift it, and a key of
an attached model ignores where the model was attached. Here every key is taken apart
by source, and written again for the whole scene.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.errors import BadKeyframe, UnknownName
from unisim.scene.source import Element

Vector = NDArray[np.float64]
COMPOSED = "composed"
"""Name of the key made of per-model keys when the scene's file names none."""
_JOINT_NQ, _JOINT_NV = (7, 4, 1, 1), (6, 3, 1, 1)
_ARRAYS = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)


@dataclass(frozen=True)
class Owned:
    """Columns of one key array that one object owns."""

    kind: str
    name: str
    columns: slice


@dataclass
class Key:
    """A key of the whole scene, being completed."""

    name: str
    time: float
    values: dict[str, Vector] = field(default_factory=dict[str, Vector])

    def copy(self, name: str) -> "Key":
        """The same values under another name."""
        return Key(name, self.time, {k: v.copy() for k, v in self.values.items()})

    def element(self, at: Element) -> Element:
        """Write it as a `<key>`, every number in full."""
        attributes = {"name": self.name, "time": repr(self.time)}
        for array, vector in self.values.items():
            if vector.size:
                attributes[array] = " ".join(map(repr, vector.tolist()))
        return Element("key", attributes, at.at)


def owners(model: mujoco.MjModel) -> dict[str, list[Owned]]:
    """Which object owns which columns of each key array, in order."""
    found: dict[str, list[Owned]] = {array: [] for array in _ARRAYS}
    for i in range(model.njnt):
        name, kind = model.joint(i).name, int(model.jnt_type[i])
        q, v = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
        found["qpos"].append(Owned("joint", name, slice(q, q + _JOINT_NQ[kind])))
        found["qvel"].append(Owned("joint", name, slice(v, v + _JOINT_NV[kind])))
    for i in range(model.nactuator):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, i) or ""
        for array in ("ctrl", "act"):
            start = int(getattr(model, f"actuator_{array}adr")[i])
            count = int(getattr(model, f"actuator_{array}num")[i])
            if count:
                columns = slice(start, start + count)
                found[array].append(Owned("actuator", name, columns))
    for i in range(model.nbody):
        m = int(model.body_mocapid[i])
        if m >= 0:
            name = model.body(i).name
            found["mpos"].append(Owned("body", name, slice(3 * m, 3 * m + 3)))
            found["mquat"].append(Owned("body", name, slice(4 * m, 4 * m + 4)))
    return found


def defaults(model: mujoco.MjModel, name: str) -> Key:
    """The key that a reset without a key gives."""
    data = mujoco.MjData(model)
    values = {
        "qpos": data.qpos,
        "qvel": data.qvel,
        "act": data.act,
        "ctrl": data.ctrl,
        "mpos": data.mocap_pos.reshape(-1),
        "mquat": data.mocap_quat.reshape(-1),
    }
    return Key(name, 0.0, {k: np.array(v, dtype=float) for k, v in values.items()})


def read_key(
    element: Element, base: Key, owned: Mapping[str, list[Owned]], whose: str
) -> Key:
    """Fill a key of one source into a key of the whole scene.

    Args:
        element: The `<key>`; it covers either its own source or the whole scene.
        base: What the other sources' columns keep.
        owned: Columns of the source the key was written in.
        whose: That source, for messages.

    Raises:
        BadKeyframe: If an array fits neither.
    """
    key = base.copy(element.attributes.get("name", base.name))
    for time in _numbers(element, "time"):
        key.time = float(time)
    for array in _ARRAYS:
        vector = _numbers(element, array)
        own = [item.columns for item in owned[array]]
        count = sum(item.stop - item.start for item in own)
        if vector.size <= count:
            # MuJoCo, too, lets a short vector leave the rest as it is
            columns = [column for i in own for column in range(i.start, i.stop)]
            key.values[array][columns[: vector.size]] = vector
        elif vector.size == key.values[array].size:
            key.values[array] = vector
        else:
            raise BadKeyframe(
                element.location(array),
                f"{array} of key {key.name!r} has {vector.size} numbers; {whose} has "
                f"{count} and the whole scene {key.values[array].size}.",
                "Write as many as one of them has.",
            )
    return key


def _numbers(element: Element, attribute: str) -> Vector:
    text = element.attributes.get(attribute, "")
    try:
        return np.array([float(item) for item in text.split()])
    except ValueError as error:
        raise BadKeyframe(
            element.location(attribute),
            f"{attribute} of key {element.attributes.get('name', '')!r}: {error}.",
            "Write numbers, separated by spaces.",
        ) from None


@dataclass(frozen=True)
class Part:
    """An attached model and its place in the scene.

    Attributes:
        prefix: Prefix of its names.
        model: The attached model compiled alone.
        keyframe: Its key that takes part in composed keys.
        where: For messages.
    """

    prefix: str
    model: mujoco.MjModel
    keyframe: str | None
    where: object


def place(key: Key, part: Part, number: int, scene: mujoco.MjModel) -> Key:
    """Write key `number` of an attached model into a key of the whole scene.

    Poses of free joints and mocap bodies move with the model's attachment; what was
    not attached is left out.
    """
    moved = key.copy(key.name)
    targets = {
        (array, item.kind, item.name): item.columns
        for array, items in owners(scene).items()
        for item in items
    }
    for array, items in owners(part.model).items():
        values = getattr(part.model, f"key_{array}")[number].reshape(-1)
        for item in items:
            columns = targets.get((array, item.kind, part.prefix + item.name))
            if columns is not None:
                moved.values[array][columns] = values[item.columns]
    _move_poses(moved, part, scene)
    return moved


def key_number(part: Part, name: str) -> int:
    """Index of a key of an attached model.

    Raises:
        UnknownName: If it has no such key.
    """
    known = [part.model.key(i).name for i in range(part.model.nkey)]
    if name not in known:
        owner = f"the model attached as {part.prefix!r}"
        raise UnknownName("key", name, known, owner)
    return known.index(name)


def _move_poses(key: Key, part: Part, scene: mujoco.MjModel) -> None:
    """Free joints and mocap bodies hold world poses: apply the attachment's pose."""
    for i in range(part.model.nbody):
        body = part.model.body(i)
        b = mujoco.mj_name2id(scene, mujoco.mjtObj.mjOBJ_BODY, part.prefix + body.name)
        if b < 1:
            continue
        rotation, shift = _attachment(part.model, i, scene, b)
        m = int(scene.body_mocapid[b])
        if m >= 0:
            p, q = key.values["mpos"][3 * m :][:3], key.values["mquat"][4 * m :][:4]
            _move(p, q, rotation, shift)
        j = int(scene.body_jntadr[b])
        if j >= 0 and int(scene.jnt_type[j]) == _FREE:
            a = int(scene.jnt_qposadr[j])
            _move(
                key.values["qpos"][a:][:3],
                key.values["qpos"][a + 3 :][:4],
                rotation,
                shift,
            )
            v = int(scene.jnt_dofadr[j])
            velocity = key.values["qvel"][v : v + 3].copy()
            mujoco.mju_rotVecQuat(key.values["qvel"][v : v + 3], velocity, rotation)


def _attachment(
    child: mujoco.MjModel, i: int, scene: mujoco.MjModel, b: int
) -> tuple[Vector, Vector]:
    """Pose of the child's world in the scene's world, from a body of both."""
    inverse, rotation, shift = np.zeros(4), np.zeros(4), np.zeros(3)
    mujoco.mju_negQuat(inverse, child.body_quat[i])
    mujoco.mju_mulQuat(rotation, scene.body_quat[b], inverse)
    mujoco.mju_rotVecQuat(shift, child.body_pos[i], rotation)
    return rotation, scene.body_pos[b] - shift


def _move(pos: Vector, quat: Vector, rotation: Vector, shift: Vector) -> None:
    old = pos.copy()
    mujoco.mju_rotVecQuat(pos, old, rotation)
    pos += shift
    old = quat.copy()
    mujoco.mju_mulQuat(quat, rotation, old)
