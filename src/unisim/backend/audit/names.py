"""Names of everything an audited value can belong to."""

from collections.abc import Mapping, Sequence

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

_OBJ = mujoco.mjtObj
_ADDRESS: Mapping[str, str] = {
    "body": "name_bodyadr",
    "joint": "name_jntadr",
    "geom": "name_geomadr",
    "site": "name_siteadr",
    "tendon": "name_tendonadr",
    "actuator": "name_actuatoradr",
    "sensor": "name_sensoradr",
    "equality": "name_eqadr",
    "key": "name_keyadr",
    "pair": "name_pairadr",
    "flex": "name_flexadr",
}
NAMES: tuple[str, ...] = tuple(_ADDRESS.values())
"""MuJoCo's model fields that say where names are."""
NAMED: tuple[str, ...] = tuple(_ADDRESS)
"""Kinds of objects that have names of their own."""
OBJECTS: tuple[str, ...] = NAMED[:8]
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


def names_of(model: mujoco.MjModel) -> dict[str, tuple[str, ...]]:
    """Names by kind, in the model's order; `option` and `model` have one row."""
    names = {kind: names_of_kind(model, kind) for kind in NAMED}
    for kind, counts, total in (
        ("dof", widths(model.jnt_dofadr, model.nv), model.nv),
        ("qpos", widths(model.jnt_qposadr, model.nq), model.nq),
        ("ctrl", np.asarray(model.actuator_ctrlnum), model.nu),
        ("out", np.asarray(model.actuator_outnum), model.nout),
    ):
        names[kind] = _parts(kind, names[PARTS[kind]], counts, total)
    names["wrap"] = _stops(names["tendon"], np.asarray(model.tendon_num), model.nwrap)
    names["option"], names["model"] = ("option",), ("model",)
    return names


def names_of_kind(model: mujoco.MjModel, kind: str) -> tuple[str, ...]:
    """Names of the objects of one kind; those without are named by their number."""
    text: bytes = model.names
    found: list[str] = []
    for i, start in enumerate(getattr(model, _ADDRESS[kind]).tolist()):
        name = text[start : text.find(b"\0", start)] if start >= 0 else b""
        found.append(name.decode(errors="replace") or f"{kind} {i}")
    return tuple(found)


def widths(starts: ArrayLike, total: int) -> NDArray[np.int64]:
    """Numbers of rows that begin at these addresses, however wrong they are.

    Args:
        starts: First row of each object. Shape (k,), int.
        total: Number of rows of all.

    Returns:
        At least 0 each; their sum is `total` if the addresses are right. Shape (k,).
    """
    found = np.diff(np.asarray(starts, dtype=np.int64), append=total)
    return np.clip(found, 0, total)


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
        Indices, -1 for none, and below that for ids and kinds that have no names here.
        Shape (k,).
    """
    start, rows = 0, dict[str, range]()
    for kind in OBJECTS:
        count = len(getattr(model, _ADDRESS[kind]))
        rows[kind] = range(start, start + count)
        start += count
    found: list[int] = []
    kinds = [int(t) for t in np.asarray(types)]
    for t, i in zip(kinds, map(int, np.asarray(ids)), strict=True):
        own = rows[_OBJECT_OF[t]] if t in _OBJECT_OF else range(0)
        found.append(-1 if i == -1 else own[i] if 0 <= i < len(own) else -2 - abs(i))
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


def _parts(
    kind: str, owners: Sequence[str], counts: NDArray[np.integer], total: int
) -> tuple[str, ...]:
    """Names of `total` parts, whatever the counts of their owners say."""
    found = [
        name if count == 1 else f"{name}[{i}]"
        for name, count in zip(owners, counts.tolist(), strict=True)
        for i in range(min(count, total))
    ]
    return _exactly(kind, found, total)


def _stops(
    tendons: Sequence[str], counts: NDArray[np.integer], total: int
) -> tuple[str, ...]:
    found = [
        f"{name}[{i}]"
        for name, count in zip(tendons, counts.tolist(), strict=True)
        for i in range(min(count, total))
    ]
    return _exactly("wrap", found, total)


def _exactly(kind: str, found: list[str], total: int) -> tuple[str, ...]:
    found += [f"{kind} {i}" for i in range(len(found), total)]
    return tuple(found[:total])


def renumbered(
    values: NDArray[np.float64],
    names: Mapping[str, tuple[str, ...]],
    geoms: tuple[str, ...],
) -> NDArray[np.float64]:
    """References to objects, when there are other geoms.

    Args:
        values: Indices into the names of all `OBJECTS` in turn.
        names: The names that they were made with.
        geoms: The geoms that there are, in the same order.
    """
    kept = np.concatenate(
        [
            np.isin(names[x], geoms) if x == "geom" else np.ones(len(names[x]), bool)
            for x in OBJECTS
        ]
    )
    places = np.append(np.where(kept, np.cumsum(kept) - 1, -2), -1)  # -1 is none
    indices = values.astype(np.int64)
    return np.where(indices >= -1, places[indices], indices).astype(np.float64)
