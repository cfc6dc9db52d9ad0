"""Heights of the ground on a Warp device: the twin of `unisim.Heights`."""

import numpy as np
import warp as wp

from unisim.backend.arrays import host_array
from unisim.backend.base import Array
from unisim.backend.device.arrays import DeviceArrays, scalar, seen_as
from unisim.errors import BadArray
from unisim.scene.terrain.heights import EDGE, Heights

_XY = 2


@wp.kernel(enable_backward=False)
def _heights(
    pos: wp.vec3d,
    axes: wp.mat33d,
    half: wp.vec2d,
    samples: wp.array2d[wp.float32],
    points: wp.array2d[wp.float32],
    out: wp.array[wp.float32],
):
    """Where a line straight down meets a plane, or the two triangles of a cell."""
    at = wp.tid()
    x, y = wp.float64(points[at, 0]) - pos[0], wp.float64(points[at, 1]) - pos[1]
    z = wp.float64(0.0)
    rows, columns = samples.shape[0], samples.shape[1]
    if rows == 0:
        z = -(x * axes[0, 2] + y * axes[1, 2]) / axes[2, 2]
    u = x * axes[0, 0] + y * axes[1, 0] + z * axes[2, 0]
    v = x * axes[0, 1] + y * axes[1, 1] + z * axes[2, 1]
    rim = wp.float64(wp.static(EDGE))
    # what is not a number is nowhere
    if not (wp.abs(u) <= half[0] + rim and wp.abs(v) <= half[1] + rim):
        out[at] = wp.float32(wp.nan)
        return
    if rows > 0:
        one, two = wp.float64(1.0), wp.float64(2.0)
        u = (u / half[0] + one) * wp.float64(columns - 1) / two
        v = (v / half[1] + one) * wp.float64(rows - 1) / two
        u = wp.clamp(u, wp.float64(0.0), wp.float64(columns - 1))
        v = wp.clamp(v, wp.float64(0.0), wp.float64(rows - 1))
        column, row = wp.min(int(u), columns - 2), wp.min(int(v), rows - 2)
        u, v = u - wp.float64(column), v - wp.float64(row)
        first = wp.float64(samples[row, column])
        last = wp.float64(samples[row + 1, column + 1])
        # the corner beside the diagonal, on the point's side
        beside = wp.float64(samples[row + 1, column])
        if u >= v:
            beside = wp.float64(samples[row, column + 1])
        z = first + wp.max(u, v) * (beside - first) + wp.min(u, v) * (last - beside)
    out[at] = wp.float32(pos[2] + z)


class DeviceHeights:
    """The surface of a plane or a height field, on a device."""

    def __init__(self, heights: Heights, arrays: DeviceArrays) -> None:
        """Copy a surface to a device: 4 bytes for each sample of a field."""
        samples = np.zeros((0, 0)) if heights.samples is None else heights.samples
        self._arrays = arrays
        self._samples = wp.array(samples.astype(np.float32), device=arrays.device)
        place = heights.place
        self._place = wp.vec3d(*place.pos), wp.mat33d(place.axes), wp.vec2d(*place.half)

    def __call__(self, points: object) -> Array:
        """Launch: heights straight above or below some points.

        Args:
            points: x and y in world [m]. Shape (..., 2); not copied to the host where
                they are on the device.

        Returns:
            z in world [m]; NaN outside the rim and where a point is not finite. Shape
            (...), float32, on the device.

        Raises:
            BadArray: If it is no float array of that shape.
        """
        shape = self._shape(points)
        xy = self._arrays.rows("points", points, shape, "float32")
        device = self._arrays.device
        out = wp.empty(shape[:-1], dtype=wp.float32, device=device)
        if out.size:
            rows = seen_as(xy.contiguous(), (out.size, _XY))
            inputs = [*self._place, self._samples, rows, out.flatten()]
            wp.launch(_heights, dim=out.size, inputs=inputs, device=device)
        return out

    def _shape(self, points: object) -> tuple[int, ...]:
        foreign = self._arrays.foreign("points", points)
        found = host_array("points", points) if foreign is None else foreign
        shape = tuple(found.shape)
        if foreign is not None:
            shape += getattr(foreign.dtype, "_shape_", ())
        if not shape or shape[-1] != _XY:
            kind = found.dtype if foreign is None else scalar(foreign.dtype).__name__
            got = f"{kind} of shape {shape}"
            raise BadArray("points", "floats of shape (..., 2)", got)
        return shape
