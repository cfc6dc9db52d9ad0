"""The memory that worlds take, and what happens when there is too little."""

import math
import os
from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

from unisim.backend.base import BuildCfg
from unisim.backend.fields import QUANTITIES
from unisim.backend.layout import Layout
from unisim.errors import OutOfMemory

_WIDTHS = {"dist": 1}
"""Columns of a contact's field where they are not 3."""


def footprint(layout: Layout, request: BuildCfg, delay: int = 0) -> int:
    """About how many bytes a world takes: what can be read, and delay lines.

    Args:
        layout: The scene's.
        request: What is to be built.
        delay: Physics steps of all delay lines together.
    """
    numbers = sum(
        math.prod(layout.sizes[n] if isinstance(n, str) else n for n in item.shape)
        for item in QUANTITIES.values()
    )
    numbers += sum(
        query.slots * (1 + sum(_WIDTHS.get(name, 3) for name in query.fields))
        for query in request.contacts
    )
    numbers += delay * layout.sizes["nu"]
    return numbers * np.dtype(request.dtype).itemsize


@contextmanager
def fitting(request: BuildCfg, layout: Layout, delay: int = 0) -> Generator[None]:
    """Make the worlds of a request in the block.

    Raises:
        OutOfMemory: If they do not fit; on a host, before the block when it is plain.
    """
    each = footprint(layout, request, delay)
    if request.device == "cpu" and request.worlds * each > _memory():
        raise OutOfMemory(request.worlds, each)
    try:
        yield
    except MemoryError:
        raise OutOfMemory(request.worlds, each) from None


def _memory() -> int:
    """The memory of this machine [bytes]."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
