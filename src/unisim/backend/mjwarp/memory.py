"""The memory that worlds take on a device: refused before it is taken."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass

import mujoco
import mujoco_warp as mjw
import warp as wp

from unisim.backend.capacity import Capacity
from unisim.errors import OutOfMemory

_SAID = "Failed to allocate"
"""How Warp's error begins when a device has no room."""


def make_data(
    model: mujoco.MjModel, worlds: int, each: int, room: Capacity
) -> mjw.Data:
    """State and scratch of all worlds, on the current device of Warp.

    Args:
        model: What they are made for.
        worlds: Number of worlds.
        each: See `bytes_per_world`.
        room: For contacts and constraint rows.

    Raises:
        OutOfMemory: If it is more than the device has, before any of it is taken.
    """
    if worlds * each > memory(wp.get_device()):
        raise OutOfMemory(worlds, each)
    return _data(model, worlds, room)


def bytes_per_world(model: mujoco.MjModel, room: Capacity) -> int:
    """What every world takes in the engine's own data [bytes]."""
    one, two = (_bytes(_data(model, worlds, room)) for worlds in (1, 2))
    return two - one


def memory(device: wp.Device) -> int:
    """The memory of a device [bytes]."""
    if device.is_cuda:
        return int(device.total_memory)
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@contextmanager
def allocating(worlds: int, each: int) -> Iterator[None]:
    """Make arrays in the block.

    Args:
        worlds: How many worlds they are for.
        each: What a world takes at least [bytes].

    Raises:
        OutOfMemory: If Warp finds no room for them.
    """
    try:
        yield
    except RuntimeError as error:
        full = isinstance(error.__cause__, MemoryError) or _SAID in str(error)
        if not full:
            raise
        raise OutOfMemory(worlds, each) from error


def _data(model: mujoco.MjModel, worlds: int, room: Capacity) -> mjw.Data:
    return mjw.make_data(model, nworld=worlds, nconmax=room.contacts, njmax=room.rows)


def _bytes(held: object) -> int:
    """The memory of all arrays in a structure, nested ones too."""
    if isinstance(held, wp.array):
        return int(held.capacity)
    return sum(map(_bytes, vars(held).values())) if is_dataclass(held) else 0
