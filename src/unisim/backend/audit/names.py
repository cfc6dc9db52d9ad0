"""Names of everything an audited value can belong to."""

from collections.abc import Mapping, Sequence

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

_OBJ = mujoco.mjtObj
_KINDS: Mapping[str, tuple[str, mujoco.mjtObj]] = {
    "body": ("nbody", _OBJ.mjOBJ_BODY),
    "joint": ("njnt", _OBJ.mjOBJ_JOINT),
    "geom": ("ngeom", _OBJ.mjOBJ_GEOM),
    "site": ("nsite", _OBJ.mjOBJ_SITE),
    "tendon": ("ntendon", _OBJ.mjOBJ_TENDON),
    "actuator": ("nactuator", _OBJ.mjOBJ_ACTUATOR),
    "sensor": ("nsensor", _OBJ.mjOBJ_SENSOR),
    "equality": ("neq", _OBJ.mjOBJ_EQUALITY),
    "key": ("nkey", _OBJ.mjOBJ_KEY),
    "pair": ("npair", _OBJ.mjOBJ_PAIR),
    "flex": ("nflex", _OBJ.mjOBJ_FLEX),
}
OBJECTS: tuple[str, ...] = tuple(_KINDS)[:8]
"""Kinds that a sensor, an actuator, an equality or a tendon path can refer to."""
PARTS: Mapping[str, str] = {
    "dof": "joint",
    "qpos": "joint",
    "ctrl": "actuator",
    "out": "actuator",
    "wrap": "tendon",
}
"""Kinds whose rows are parts of an object, named `object` or `object[i]`."""
_OBJECT_OF: Mapping[int, str] = {
    int(_OBJ.mjOBJ_BODY): "body",
    int(_OBJ.mjOBJ_XBODY): "body",
    int(_OBJ.mjOBJ_JOINT): "joint",
    int(_OBJ.mjOBJ_GEOM): "geom",
    int(_OBJ.mjOBJ_SITE): "site",
    int(_OBJ.mjOBJ_TENDON): "tendon",
    int(_OBJ.mjOBJ_ACTUATOR): "actuator",
    int(_OBJ.mjOBJ_SENSOR): "sensor",
    int(_OBJ.mjOBJ_EQUALITY): "equality",
}
_NQ, _NV = np.array((7, 4, 1, 1)), np.array((6, 3, 1, 1))


def names_of(model: mujoco.MjModel) -> dict[str, tuple[str, ...]]:
    """Names by kind, in the model's order; `option` and `model` have one row."""
    names = {
        kind: tuple(
            mujoco.mj_id2name(model, obj, i) or f"{kind} {i}"
            for i in range(getattr(model, size))
        )
        for kind, (size, obj) in _KINDS.items()
    }
    kinds = np.asarray(model.jnt_type)
    names["dof"] = _parts(names["joint"], _NV[kinds])
    names["qpos"] = _parts(names["joint"], _NQ[kinds])
    names["ctrl"] = _parts(names["actuator"], np.asarray(model.actuator_ctrlnum))
    names["out"] = _parts(names["actuator"], np.asarray(model.actuator_outnum))
    names["wrap"] = tuple(
        f"{tendon}[{i}]"
        for tendon, count in zip(names["tendon"], model.tendon_num, strict=True)
        for i in range(int(count))
    )
    names["option"], names["model"] = ("option",), ("model",)
    return names


def owner(kind: str, name: str) -> tuple[str, str]:
    """Kind and name of the object that a row is, or is a part of."""
    if kind in PARTS:
        return PARTS[kind], name.partition("[")[0]
    return kind, name


def objects(
    model: mujoco.MjModel, types: ArrayLike, ids: ArrayLike
) -> NDArray[np.int64]:
    """References of mixed kinds as indices into the names of all `OBJECTS` in turn.

    Args:
        model: The model.
        types: Types (`mjtObj`). Shape (k,), int.
        ids: Ids, negative for none. Shape (k,), int.

    Returns:
        Indices, -1 for none, and below that for kinds that have no names here.
        Shape (k,).
    """
    start, starts = 0, dict[str, int]()
    for kind in OBJECTS:
        starts[kind] = start
        start += getattr(model, _KINDS[kind][0])
    found = [
        -1 if i < 0 else starts[_OBJECT_OF[t]] + i if t in _OBJECT_OF else -2 - i
        for t, i in zip(
            np.asarray(types).tolist(), np.asarray(ids).tolist(), strict=True
        )
    ]
    return np.array(found, dtype=np.int64)


def referred(
    names: Mapping[str, tuple[str, ...]], kind: str, indices: NDArray[np.float64]
) -> NDArray[np.str_]:
    """Names that indices stand for, "none" for -1. Shape as `indices`."""
    table: Sequence[str] = names.get(kind, ())
    if kind == "object":
        table = [f"{k} {name}" for k in OBJECTS for name in names.get(k, ())]
    found = [
        table[i] if 0 <= i < len(table) else "none" if i == -1 else f"number {i}"
        for i in indices.astype(np.int64).ravel().tolist()
    ]
    return np.array(found, dtype=np.str_).reshape(indices.shape)


def _parts(owners: Sequence[str], counts: NDArray[np.integer]) -> tuple[str, ...]:
    return tuple(
        name if count == 1 else f"{name}[{i}]"
        for name, count in zip(owners, counts.tolist(), strict=True)
        for i in range(count)
    )
