"""A fixed sequence of launches: run as it is, or replayed as a graph on CUDA."""

from collections.abc import Callable

import warp as wp


class Program:
    """Launches that always work on the same arrays.

    On CUDA the first call runs them, which also loads their kernels, the second
    captures them, and every later one replays the graph: no Python, nothing waits.
    """

    def __init__(self, launches: Callable[[], None], device: wp.Device) -> None:
        """Take the launches, which may not wait, read back, or choose by value."""
        self._launches, self._device = launches, device
        self._graph: wp.Graph | None = None
        self._loaded = False

    def __call__(self) -> None:
        """Launch."""
        if self._graph is not None:
            wp.capture_launch(self._graph)
        elif self._loaded and self._device.is_cuda:
            with wp.ScopedDevice(self._device), wp.ScopedCapture() as capture:
                self._launches()
            self._graph = capture.graph
            wp.capture_launch(self._graph)
        else:
            with wp.ScopedDevice(self._device):
                self._launches()
            self._loaded = True
