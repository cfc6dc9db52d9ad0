"""The operations of `unisim.backend.arrays.Arrays` on a Warp device.

Arrays of Warp, torch and other DLPack libraries come in without a copy where device and
dtype are the sim's; what Warp arrays go out is read by all of them.
"""

from collections.abc import Sequence
from math import prod

import numpy as np
import warp as wp
from numpy.typing import NDArray

from unisim.backend.arrays import Over, Surface, host_array, refuse_gradient
from unisim.backend.base import Worlds
from unisim.backend.device import kernels
from unisim.backend.device.lent import lent
from unisim.errors import BadArray, MissingDevice
from unisim.scene.terrain.heights import Heights

_KINDS = {
    "float32": wp.float32,
    "float64": wp.float64,
    "int64": wp.int64,
    "uint8": wp.uint8,
    "bool": wp.bool,
}
_OVER = {"min": 0, "max": 1, "any": 2}
_FLOATS = (wp.float16, wp.float32, wp.float64)


class DeviceArrays:
    """Warp arrays on one device."""

    def __init__(self, device: str) -> None:
        """Work on a device by Warp's name, `cpu` or `cuda:0`.

        Raises:
            MissingDevice: If this machine does not have it.
        """
        present = [item.alias for item in wp.get_devices()]
        if device not in present and not (device == "cuda" and len(present) > 1):
            raise MissingDevice(device, present)
        self.device = wp.get_device(device)
        self.on_host = bool(self.device.is_cpu)

    def zeros(self, shape: tuple[int, ...], dtype: str) -> wp.array:
        """See `unisim.backend.arrays.Arrays`."""
        return wp.zeros(shape, dtype=_KINDS[dtype], device=self.device)

    def upload(self, values: NDArray[np.generic]) -> wp.array:
        """Copy a host array to the device."""
        values = np.ascontiguousarray(values)
        kind = _KINDS.get(values.dtype.name, wp.int32)
        return wp.array(values, dtype=kind, device=self.device)

    def rows(
        self, name: str, values: object, shape: tuple[int, ...], dtype: str
    ) -> wp.array:
        """See `unisim.backend.arrays.Arrays`."""
        array = self.foreign(name, values)
        if array is None:
            host = host_array(name, values)
            if host.dtype.kind != "f" or host.shape != shape:
                got = f"{host.dtype} of shape {host.shape}"
                raise BadArray(name, f"floats of shape {shape}", got)
            with np.errstate(over="ignore"):  # too large is infinite, and checked
                return self.upload(host.astype(dtype, copy=False))
        found = (*array.shape, *getattr(array.dtype, "_shape_", ()))
        kind = scalar(array.dtype)
        if kind not in _FLOATS or found != shape:
            got = f"{kind.__name__} of shape {found}"
            raise BadArray(name, f"floats of shape {shape}", got)
        array = array.to(self.device)
        if array.dtype is not kind:
            array = seen_as(array.contiguous(), shape)
        if kind is not _KINDS[dtype]:
            cast = wp.empty(shape, dtype=_KINDS[dtype], device=self.device)
            wp.utils.array_cast(array, cast)
            array = cast
        return array

    def mask(self, worlds: object, count: int) -> Worlds | None:
        """See `unisim.backend.arrays.Arrays`."""
        array = self.foreign("worlds", worlds)
        if array is None:
            return None
        if array.dtype is not wp.bool or array.shape != (count,):
            got = f"{array.dtype.__name__} of shape {array.shape}"
            raise BadArray("worlds", f"a mask of shape ({count},) on the device", got)
        return array.to(self.device)

    def pick(self, array: wp.array, worlds: Worlds | None) -> wp.array:
        """See `unisim.backend.arrays.Arrays`."""
        if not isinstance(worlds, np.ndarray):
            copy = wp.empty(array.shape, dtype=array.dtype, device=self.device)
            wp.copy(copy, array)
            return copy
        shape = (len(worlds), *array.shape[1:])
        copy = wp.empty(shape, dtype=array.dtype, device=self.device)
        source, target = flat(array), flat(copy)
        self._launch(
            kernels.pick_rows, target.shape, [self.upload(worlds), source, target]
        )
        return copy

    def put(self, target: wp.array, rows: wp.array, worlds: Worlds | None) -> None:
        """See `unisim.backend.arrays.Arrays`."""
        into, rows = flat(target), flat(rows)
        if _overlap(into, rows):
            rows = wp.clone(rows)
        if worlds is None:
            wp.copy(into, rows)
        elif isinstance(worlds, np.ndarray):
            inputs = [self.upload(worlds), rows, into]
            self._launch(kernels.put_rows, rows.shape, inputs)
        else:
            self._launch(kernels.put_masked, into.shape, [worlds, True, rows, into])

    def fill(self, target: wp.array, value: float, worlds: Worlds | None) -> None:
        """See `unisim.backend.arrays.Arrays`."""
        if worlds is None:
            target.fill_(value)
            return
        mask = worlds
        if isinstance(worlds, np.ndarray):
            chosen = np.zeros(target.shape[0], bool)
            chosen[worlds] = True
            mask = self.upload(chosen)
        value = target.dtype(value)
        self._launch(kernels.fill_masked, target.shape, [mask, value, target])

    def add(self, target: wp.array, number: int) -> None:
        """See `unisim.backend.arrays.Arrays`."""
        kernel = kernels.count if target.dtype is wp.int64 else kernels.add
        self._launch(kernel, target.shape, [target.dtype(number), target])

    def lent(self, array: wp.array) -> wp.array:
        """See `unisim.backend.arrays.Arrays`."""
        return lent(array)

    def surface(self, heights: Heights) -> Surface:
        """See `unisim.backend.arrays.Arrays`."""
        from unisim.backend.device.heights import DeviceHeights  # noqa: PLC0415

        return DeviceHeights(heights, self)

    def reduce(self, taken: Sequence[wp.array], over: Over) -> wp.array:
        """See `unisim.backend.arrays.Arrays`."""
        first = taken[0]
        if over == "all":
            shape = (first.shape[0], len(taken), *first.shape[1:])
            out = wp.empty(shape, dtype=first.dtype, device=self.device)
            stacked = out.reshape((shape[0], shape[1], prod(shape[2:])))
            for slot, rows in enumerate(taken):
                inputs = [slot, flat(rows), stacked]
                self._launch(kernels.put_slot, flat(rows).shape, inputs)
            return out
        out = self.pick(first, None)
        if over == "any":
            out.zero_()
        for rows in taken:
            inputs = [_OVER[over], flat(rows), flat(out)]
            self._launch(kernels.fold, flat(rows).shape, inputs)
        return out

    def _launch(self, kernel: wp.Kernel, dim: tuple[int, ...], inputs: list) -> None:
        wp.launch(kernel, dim=dim, inputs=inputs, device=self.device)

    def foreign(self, name: str, values: object) -> wp.array | None:
        """An array of Warp or another DLPack library, as it is; None for host input."""
        if isinstance(values, wp.array):
            return values
        if isinstance(values, np.ndarray) or not hasattr(values, "__dlpack__"):
            return None
        refuse_gradient(name, values)
        return wp.from_dlpack(values)


def flat(array: wp.array) -> wp.array:
    """A view of rows: shape (n, columns), the components of vectors as columns."""
    if len(array.shape[1:]) == 1 and not hasattr(array.dtype, "_shape_"):
        return array
    array = array if array.is_contiguous else array.contiguous()
    rows, shape = array.shape[0], array.shape[1:]
    width = prod((*shape, *getattr(array.dtype, "_shape_", ())))
    return seen_as(array, (rows, width))


def seen_as(array: wp.array, shape: tuple[int, ...], start: int = 0) -> wp.array:
    """A view of a contiguous array from some element on, in another shape."""
    kind = scalar(array.dtype)
    size = wp.types.type_size_in_bytes(kind)
    if array.size == 0 or prod(shape) == 0:
        return wp.empty(shape, dtype=kind, device=array.device)
    view = wp.array(
        ptr=array.ptr + size * start, dtype=kind, shape=shape, device=array.device
    )
    view._owner = array
    return view


def _overlap(one: wp.array, other: wp.array) -> bool:
    """Whether two arrays lie in the same memory, but not at the same places."""
    if one.ptr == other.ptr and one.strides == other.strides:
        return False
    spans = [(a.ptr, a.ptr + _extent(a)) for a in (one, other) if a.size]
    return len(spans) > 1 and max(spans)[0] < min(spans)[1]


def _extent(array: wp.array) -> int:
    """Bytes from the first element of an array to the end of its last."""
    steps = zip(array.shape, array.strides, strict=True)
    size = wp.types.type_size_in_bytes(array.dtype)
    return sum((count - 1) * step for count, step in steps) + size


def scalar(kind: type) -> type:
    """What vectors and matrices of some dtype are made of; a scalar is its own."""
    return getattr(kind, "_wp_scalar_type_", kind)
