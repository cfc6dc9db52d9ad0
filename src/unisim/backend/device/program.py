"""A fixed sequence of launches: recorded once, then replayed without any Python."""

import threading
from collections.abc import Callable

import warp as wp

TURN = threading.RLock()
"""Held by the thread that runs the engine: on the CPU Warp cannot run two at once."""


class Program:
    """Launches that always work on the same arrays.

    The first call runs them, which also loads their kernels, the second records them,
    and every later one replays the record, a graph on CUDA and a stream of operations
    on the CPU: no Python, nothing waits. While a record is made, which takes some
    milliseconds, no other thread of this process may launch on the CPU device: Warp
    would record its launches instead of running them.
    """

    def __init__(self, launches: Callable[[], None], device: wp.Device) -> None:
        """Take the launches, which may not wait, read back, or choose by value."""
        self._launches, self._device = launches, device
        self._graph: wp.Graph | None = None
        self._loaded = False

    def __call__(self) -> None:
        """Launch; on the CPU threads wait for each other."""
        with TURN:
            self._run()

    def _run(self) -> None:
        if self._graph is None and self._loaded:
            with wp.ScopedDevice(self._device), wp.ScopedCapture() as capture:
                self._launches()
            self._graph = capture.graph
        if self._graph is not None:
            wp.capture_launch(self._graph)
        else:
            with wp.ScopedDevice(self._device):
                self._launches()
            self._loaded = True
