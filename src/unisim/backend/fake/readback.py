"""Reads back the model that a fake engine holds."""

import mujoco

from unisim.backend.audit.model import from_model
from unisim.backend.base import Readback
from unisim.errors import BadArray


def readback(handle: object) -> Readback:
    """What a fake engine holds.

    Args:
        handle: Its model.
    """
    if not isinstance(handle, mujoco.MjModel):
        raise BadArray("handle", "a mujoco.MjModel", type(handle).__name__)
    return from_model(handle)
