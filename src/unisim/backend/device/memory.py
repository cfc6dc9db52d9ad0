"""The memory of a device: what does not fit is refused."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass

import warp as wp

from unisim.errors import OutOfMemory

_SAID = "Failed to allocate"
"""How Warp's error begins when a device has no room."""


def held(owner: object) -> int:
    """The memory of all arrays in a structure, nested ones too [bytes]."""
    if isinstance(owner, wp.array):
        return int(owner.capacity)
    return sum(map(held, vars(owner).values())) if is_dataclass(owner) else 0


def memory(device: wp.Device) -> int:
    """The memory of a device [bytes]."""
    if device.is_cuda:
        return int(device.total_memory)
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@contextmanager
def allocating(device: wp.Device, worlds: int, each: int) -> Iterator[None]:
    """Make arrays in the block.

    Args:
        device: Where they are made.
        worlds: How many worlds they are for.
        each: What a world takes at least [bytes].

    Raises:
        OutOfMemory: If the device does not have so much, before the block; or if Warp
            finds no room in it.
    """
    if worlds * each > memory(device):
        raise OutOfMemory(worlds, each)
    try:
        yield
    except RuntimeError as error:
        full = isinstance(error.__cause__, MemoryError) or _SAID in str(error)
        if not full:
            raise
        raise OutOfMemory(worlds, each) from error
