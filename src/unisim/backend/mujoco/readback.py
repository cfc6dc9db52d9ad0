"""Reads back what a batch really holds, from the batch alone."""

from collections.abc import Iterator

import mujoco
from mujoco.batch import Batch

from unisim.backend.audit.model import from_model, from_worlds
from unisim.backend.base import Readback
from unisim.backend.queries import without_queries
from unisim.errors import BadArray


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
    return without_queries(from_worlds(_models(handle)), one)


def _models(batch: Batch) -> Iterator[mujoco.MjModel]:
    """The model of each world in turn, all in the same object."""
    model = batch.get_model(0)
    for world in range(batch.nsim):
        yield batch.get_model(world, model)
