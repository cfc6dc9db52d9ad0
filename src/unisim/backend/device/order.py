"""The order of columns and of quaternions on a Warp device; nothing waits."""

import warp as wp

from unisim.backend.device import kernels
from unisim.backend.device.arrays import DeviceArrays
from unisim.backend.order import Order, check_rows
from unisim.errors import BadArray


class DeviceOrder:
    """The twin of `Order`, into arrays that stay where they are."""

    def __init__(self, order: Order, arrays: DeviceArrays) -> None:
        """Copy an order to a device."""
        self._device = arrays.device
        self._ours, self._theirs = map(arrays.upload, (order.ours, order.theirs))

    def to_engine(self, rows: wp.array, out: wp.array) -> None:
        """Launch: put our rows into the engine's. Shape (n, columns), float32.

        Raises:
            BadArray: If shape or dtype do not fit, or it is the same memory.
        """
        self._launch(self._ours, rows, out)

    def to_ours(self, rows: wp.array, out: wp.array) -> None:
        """Launch: put the engine's rows into ours. Shape (n, columns), float32.

        Raises:
            BadArray: If shape or dtype do not fit, or it is the same memory.
        """
        self._launch(self._theirs, rows, out)

    def _launch(self, index: wp.array, rows: wp.array, out: wp.array) -> None:
        check_rows(rows.shape, index.shape[0])
        same = rows.size > 0 and rows.ptr == out.ptr
        fits = {(rows.shape, rows.dtype), (out.shape, out.dtype)}
        if same or fits != {(rows.shape, wp.float32)}:
            expected = f"float32 of shape {rows.shape} in other memory"
            got = f"{rows.dtype.__name__} into {out.dtype.__name__} of {out.shape}"
            raise BadArray("out", expected, "the same memory" if same else got)
        inputs = [index, rows, out]
        wp.launch(
            kernels.pick_columns, dim=rows.shape, inputs=inputs, device=self._device
        )
