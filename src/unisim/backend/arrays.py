"""The two kinds of arrays a sim can have: numpy on the host, Warp on a device.

`Arrays` is all that the centre does with arrays whose kind it does not know. The twin
on a device is `unisim.backend.device.arrays.DeviceArrays`.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.backend.base import Array, Worlds
from unisim.backend.lent import lent
from unisim.errors import BadArray
from unisim.scene.terrain.heights import Heights

T = TypeVar("T", bound=np.generic)
Over = Literal["all", "min", "max", "any"]
"""`all` keeps every step; the others reduce over the steps; `any` tells where a value
was not zero, as 0 or 1."""


class Surface(Protocol):
    """What tells the heights of the ground at points (..., 2)."""

    def __call__(self, points: ArrayLike, /) -> Array:
        """Heights in world [m]. Shape (...)."""
        ...


class Arrays(Protocol):
    """Makes, takes and moves arrays of one kind.

    Worlds are None for all, sorted host indices (k,), or on a device a mask (n,) of it:
    rows then are those of all n worlds, of which the masked ones count.
    """

    @property
    def on_host(self) -> bool:
        """Whether arrays lie in host memory, so that to look at them costs nothing."""
        ...

    def zeros(self, shape: tuple[int, ...], dtype: str) -> Array:
        """An array of zeros."""
        ...

    def rows(
        self, name: str, values: object, shape: tuple[int, ...], dtype: str
    ) -> Array:
        """What a user passed, as floats of this kind; not copied where it need not be.

        Raises:
            BadArray: If it has another shape, or no floats.
        """
        ...

    def mask(self, worlds: object, count: int) -> Worlds | None:
        """A mask of worlds that lies on the device; None if it is anything else.

        Raises:
            BadArray: If it is on a device, but not a mask of `count` worlds.
        """
        ...

    def pick(self, array: NDArray[T], worlds: Worlds | None) -> NDArray[T]:
        """A copy of the rows of some worlds."""
        ...

    def put(self, target: NDArray[T], rows: NDArray[T], worlds: Worlds | None) -> None:
        """Overwrite the rows of some worlds."""
        ...

    def fill(self, target: Array, value: float, worlds: Worlds | None) -> None:
        """Overwrite the values of some worlds with one. Shape (n,)."""
        ...

    def add(self, target: Array, number: int) -> None:
        """Add a whole number. Shape (n,)."""
        ...

    def lent(self, array: NDArray[T]) -> NDArray[T]:
        """A view to hand out: DLPack exports copy it, see `unisim.backend.lent`."""
        ...

    def surface(self, heights: Heights) -> Surface:
        """Heights that take and give arrays of this kind."""
        ...

    def reduce(self, taken: Sequence[Array], over: Over) -> Array:
        """Arrays of successive steps in one: shape (n, steps, ...), or (n, ...)."""
        ...


class HostArrays:
    """Numpy arrays."""

    on_host = True

    def zeros(self, shape: tuple[int, ...], dtype: str) -> Array:
        """See `Arrays`."""
        return np.zeros(shape, dtype)

    def rows(
        self, name: str, values: object, shape: tuple[int, ...], dtype: str
    ) -> Array:
        """See `Arrays`."""
        array = host_array(name, values)
        if array.dtype.kind != "f" or array.shape != shape:
            got = f"{array.dtype} of shape {array.shape}"
            raise BadArray(name, f"floats of shape {shape}", got)
        with np.errstate(over="ignore"):  # what is too large for it is infinite
            return array.astype(dtype, copy=False)

    def mask(self, worlds: object, count: int) -> Worlds | None:  # noqa: ARG002
        """See `Arrays`."""
        return None

    def pick(self, array: NDArray[T], worlds: Worlds | None) -> NDArray[T]:
        """See `Arrays`."""
        return array.copy() if worlds is None else array[worlds]

    def put(self, target: NDArray[T], rows: NDArray[T], worlds: Worlds | None) -> None:
        """See `Arrays`."""
        target[slice(None) if worlds is None else worlds] = rows

    def fill(self, target: Array, value: float, worlds: Worlds | None) -> None:
        """See `Arrays`."""
        target[slice(None) if worlds is None else worlds] = value

    def add(self, target: Array, number: int) -> None:
        """See `Arrays`."""
        target += number

    def lent(self, array: NDArray[T]) -> NDArray[T]:
        """See `Arrays`."""
        return lent(array)

    def surface(self, heights: Heights) -> Surface:
        """See `Arrays`."""
        return heights

    def reduce(self, taken: Sequence[Array], over: Over) -> Array:
        """See `Arrays`."""
        stacked = np.stack(taken, axis=1)
        match over:
            case "min":
                return stacked.min(axis=1)
            case "max":
                return stacked.max(axis=1)
            case "any":
                return (stacked != 0).any(axis=1).astype(stacked.dtype)
            case _:
                return stacked


@runtime_checkable
class _OnDevice(Protocol):
    def numpy(self) -> NDArray[np.generic]: ...


def host(array: NDArray[T]) -> NDArray[T]:
    """An array of either kind in host memory: a view where it can be.

    It waits for the device that the array lies on.
    """
    given: object = array
    if type(given) is not np.ndarray and isinstance(given, _OnDevice):
        return cast("NDArray[T]", given.numpy())
    return array


HOST: Arrays = HostArrays()
"""The one set of operations on numpy arrays."""


def host_array(name: str, values: object) -> NDArray[np.generic]:
    """What a user passed, as numpy makes an array of it; a tensor shares its memory.

    Raises:
        BadArray: If its rows have different lengths, or it requires a gradient.
    """
    refuse_gradient(name, values)
    try:
        return np.asarray(values)
    except ValueError:
        raise BadArray(name, "an array", "rows of different lengths") from None


def refuse_gradient(name: str, values: object) -> None:
    """Refuse a tensor whose gradient would be lost.

    Raises:
        BadArray: Then.
    """
    if getattr(values, "requires_grad", False):
        raise BadArray(name, "a tensor without gradient", "one that requires it")
