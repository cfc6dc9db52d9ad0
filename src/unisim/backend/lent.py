"""Arrays that a sim lends on the host: read-only, and DLPack gets a copy of them.

DLPack consumers write through a read-only array without a word: torch does. So what is
exported is a copy, unless it was borrowed on purpose. The twin on a device is
`unisim.backend.device.lent`.
"""

from typing import TYPE_CHECKING, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

T = TypeVar("T", bound=np.generic)
REFUSED = "this array is a sim's own: export unisim.borrow(array), or a copy"


class Lent(np.ndarray):
    """A read-only view of what a sim holds; what is computed from it is plain."""

    def __array_wrap__(
        self,
        array: NDArray[np.generic],
        context: object = None,
        return_scalar: bool = False,  # noqa: FBT001, FBT002
    ) -> NDArray[np.generic]:
        """Give the result of a computation as numpy gives it."""
        return array[()] if return_scalar else array

    def __dlpack__(self, *, copy: bool | None = None, **asked: object) -> "CapsuleType":
        """Export a copy; what was computed from a view is no view, and exports itself.

        Raises:
            BufferError: If a view is exported with `copy=False`.
        """
        mine = bool(self.flags.writeable)
        if copy is False and not mine:
            raise BufferError(REFUSED)
        source = np.asarray(self) if mine and not copy else np.array(self)
        return source.__dlpack__(**asked)  # pyright: ignore[reportArgumentType]

    def borrow(self) -> NDArray[np.generic]:
        """The same memory as a plain array, still read-only."""
        return self.view(np.ndarray)


@runtime_checkable
class _Lent(Protocol):
    def borrow(self) -> NDArray[np.generic]: ...


def lent(array: NDArray[T]) -> NDArray[T]:
    """A view to hand out."""
    view = array.view(Lent)
    view.flags.writeable = False
    return view


def borrow(array: NDArray[T]) -> NDArray[T]:
    """What a sim lends, as it is: exported by DLPack, it shares the sim's memory.

    Good until the next call that changes the sim; who writes into it makes the sim
    wrong. Without it, an export is a copy.

    Args:
        array: What a sim returned, e.g. by `read`, or a part of it.
    """
    given: object = array
    return cast("NDArray[T]", given.borrow()) if isinstance(given, _Lent) else array
