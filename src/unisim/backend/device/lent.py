"""Arrays that a sim lends on a device; see `unisim.backend.lent`."""

from typing import cast

import warp as wp

from unisim.backend.lent import REFUSED


class LentArray(wp.array):
    """A view of what a sim holds: numpy sees it read-only, DLPack gets a copy.

    Kernels may read it. Warp knows no lock: a kernel that writes into it makes the sim
    wrong.
    """

    def __dlpack__(
        self, stream: int | None = None, *, copy: bool | None = None, **_asked: object
    ) -> object:
        """Export a copy on the same device.

        Raises:
            BufferError: If it is exported with `copy=False`.
        """
        if copy is False:
            raise BufferError(REFUSED)
        return wp.clone(self.borrow()).__dlpack__(stream)

    @property
    def __array_interface__(self) -> dict[str, object]:
        """The memory on the CPU device, read-only."""
        plain = dict(super().__array_interface__)
        return {**plain, "data": (plain["data"][0], True)}

    def __getitem__(self, key: object) -> wp.array:
        """A part of it, lent too."""
        return lent(super().__getitem__(key))

    def borrow(self) -> wp.array:
        """The same memory as a plain array."""
        return _view(self)


def lent(array: wp.array) -> wp.array:
    """A view to hand out."""
    view = _view(array)
    view.__class__ = LentArray
    return view


def _view(array: wp.array) -> wp.array:
    if array.size == 0:
        return cast("wp.array", wp.empty(array.shape, array.dtype, device=array.device))
    view = wp.array(
        ptr=array.ptr,
        dtype=array.dtype,
        shape=array.shape,
        strides=array.strides,
        device=array.device,
    )
    view._owner = array
    return view
