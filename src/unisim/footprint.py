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


def footprint(layout: Layout, dtype: str) -> int:
    """About how many bytes a world takes: those of everything that can be read."""
    numbers = sum(
        math.prod(layout.sizes[n] if isinstance(n, str) else n for n in item.shape)
        for item in QUANTITIES.values()
    )
    return numbers * np.dtype(dtype).itemsize


@contextmanager
def fitting(request: BuildCfg, layout: Layout) -> Generator[None]:
    """Make the worlds of a request in the block.

    Raises:
        OutOfMemory: If they do not fit; on a host, before the block when it is plain.
    """
    each = footprint(layout, request.dtype)
    if request.device == "cpu" and request.worlds * each > _memory():
        raise OutOfMemory(request.worlds, each)
    try:
        yield
    except MemoryError:
        raise OutOfMemory(request.worlds, each) from None


def _memory() -> int:
    """The memory of this machine [bytes]."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
