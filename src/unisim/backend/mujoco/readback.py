"""Reads back what a batch really holds, from the batch alone."""

from collections.abc import Iterator

import mujoco
from mujoco.batch import Batch

from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model, from_worlds
from unisim.backend.base import Readback
from unisim.errors import BadArray

QUERY = "unisim_contact_"
"""Prefix of the sensors that contact queries are built as; the scene has none."""


def readback(handle: object) -> Readback:
    """What every world of a batch holds.

    Args:
        handle: The batch.

    Returns:
        Names and values, without the sensors of contact queries.
    """
    if not isinstance(handle, Batch):
        raise BadArray("handle", "a mujoco.batch.Batch", type(handle).__name__)
    one = from_model(handle.get_model(0))
    return _without_queries(from_worlds(_models(handle)), one)


def _models(batch: Batch) -> Iterator[mujoco.MjModel]:
    """The model of each world in turn, all in the same object."""
    model = batch.get_model(0)
    for world in range(batch.nsim):
        yield batch.get_model(world, model)


def _without_queries(found: Readback, one: Readback) -> Readback:
    """Drop the sensors of contact queries; `one` is the readback of one world."""
    names = found.names["sensor"]
    own = [i for i, name in enumerate(names) if not name.startswith(QUERY)]
    if len(own) == len(names):
        return found
    # a value that differs between worlds has an axis of worlds in front
    values = {
        name: array.take(own, axis=array.ndim - one.values[name].ndim)
        if name in AUDITED and AUDITED[name].kind == "sensor"
        else array
        for name, array in found.values.items()
    }
    kept = tuple(names[i] for i in own)
    return Readback({**found.names, "sensor": kept}, values, found.pairs)
