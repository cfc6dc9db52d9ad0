"""Extraction of what is audited from MuJoCo models: the only one there is."""

import zlib
from collections.abc import Iterable

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import raw
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.names import NAMED, NAMES, names_of
from unisim.backend.audit.pairs import collision_pairs
from unisim.backend.audit.world import SIZES
from unisim.backend.base import Readback

PAIRS = "collision_pairs"
"""Readback value of batches whose worlds differ in them: digests. Shape (n, 1)."""
_SELECTION = ("geom_contype", "geom_conaffinity", "exclude_signature")
_RAW = sorted({name for field in AUDITED.values() for name in field.raw})
_ASSETS = ("hfield_data", "hfield_size", *SIZES)
_VECTORS = ("gravity", "wind", "magnetic", "o_solref", "o_solimp", "o_friction")
_SCALARS = tuple(
    name[4:] for name in _RAW if name.startswith("opt.") and name[4:] not in _VECTORS
)
_ARRAYS: tuple[str, ...] = (
    *_SELECTION,
    *NAMES,
    *(f"opt.{name}" for name in _VECTORS),
    *(n for n in _RAW if not n.startswith("opt.") and n not in _ASSETS),
)


def from_model(model: mujoco.MjModel) -> Readback:
    """Everything the audit compares, as a MuJoCo model holds it."""
    values = {
        name: np.array(field.read(model), dtype=np.float64)  # the model may change
        for name, field in AUDITED.items()
    }
    return Readback(names_of(model), values, collision_pairs(model))


def from_worlds(models: Iterable[mujoco.MjModel]) -> Readback:
    """The same of a batch of worlds, looking only once at equal ones.

    Args:
        models: The worlds' models in order; the same object may come again and again,
            rewritten for each world.

    Returns:
        A readback in which the values that differ between worlds have a leading axis
        of worlds; `collision_pairs` are digests if the pairs differ.
    """
    seen: dict[bytes, int] = {}
    distinct: list[Readback] = []
    order: list[int] = []
    previous, arrays, assets = None, list[NDArray[np.generic]](), b""
    for model in models:
        if model is not previous:
            previous, arrays = model, [raw(model, name) for name in _ARRAYS]
            assets = b"".join(raw(model, name).tobytes() for name in _ASSETS)
        options = np.array([getattr(model.opt, name) for name in _SCALARS])
        key = b"".join([*(item.data for item in arrays), options.data, assets])
        if key not in seen:
            seen[key] = len(distinct)
            distinct.append(from_model(model))
        order.append(seen[key])
    if len(distinct) == 1:
        return distinct[0]
    return _stack(distinct, np.array(order))


def digest_pairs(pairs: frozenset[tuple[str, str]]) -> float:
    """A number that tells sets of pairs apart."""
    return float(zlib.crc32(repr(sorted(pairs)).encode()))


def _stack(distinct: list[Readback], order: NDArray[np.int64]) -> Readback:
    """Merge readbacks of differing worlds; worlds of other names stand for all."""
    base = distinct[0]
    for other in distinct[1:]:
        if any(other.names[kind] != base.names[kind] for kind in NAMED):
            return other
    values = dict(base.values)
    for name in values:
        found = [item.values[name] for item in distinct]
        if len({item.tobytes() for item in found}) > 1:
            values[name] = np.stack(found)[order]
    if any(item.pairs != base.pairs for item in distinct):
        digests = np.array([[digest_pairs(item.pairs)] for item in distinct])
        values[PAIRS] = digests[order]
    return Readback(base.names, values, base.pairs)
