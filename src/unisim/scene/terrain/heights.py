"""Heights of the ground, in batch, from the compiled model."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisim.errors import BadArray, BadTerrain, UnknownName
from unisim.scene.terrain.floor import NAME

_LEVEL = 1e-9
"""How far a field's up may be from the world's."""
EDGE = 1e-9
"""How far outside its rim a point still belongs to a field [m]."""
_XY = 2


@dataclass(frozen=True, eq=False)
class Place:
    """Where a surface is.

    Attributes:
        pos: Origin of its geom in world [m]. Shape (3,).
        axes: Axes of its geom in world, as columns. Shape (3, 3).
        half: Half its extent along its own x and y [m], inf without end. Shape (2,).
    """

    pos: NDArray[np.float64]
    axes: NDArray[np.float64]
    half: NDArray[np.float64]


class Heights:
    """The surface of a plane or a height field that does not move.

    Attributes:
        geom: Name of its geom.
        place: Where it is.
        samples: Of a height field, heights above its lowest sample [m]; the row grows
            with the geom's y, the column with its x. None for a plane. Shape
            (rows, columns), read-only.
    """

    def __init__(self, model: mujoco.MjModel, geom: str = NAME) -> None:
        """Take the surface of a geom as MuJoCo compiled it.

        Args:
            model: The compiled model; what is read from it is copied.
            geom: Name of a plane, or of a height field.

        Raises:
            UnknownName: If there is no such geom.
            BadTerrain: If it moves, is another shape, a field that is not level, or a
                vertical plane.
        """
        index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, geom)
        if index < 0:
            known = [model.geom(i).name for i in range(model.ngeom)]
            raise UnknownName("geom", geom, known)
        self.geom = geom
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        pos: NDArray[np.float64] = data.geom_xpos[index].copy()
        axes: NDArray[np.float64] = data.geom_xmat[index].reshape(3, 3).copy()
        if model.body_weldid[model.geom_bodyid[index]] != 0:
            raise BadTerrain(f"geom {geom!r}", "it moves, so it has no fixed heights.")
        kind = mujoco.mjtGeom(model.geom_type[index])
        up = axes[2, 2]
        if kind == mujoco.mjtGeom.mjGEOM_PLANE and abs(up) > _LEVEL:
            self.samples = None
            half: NDArray[np.float64] = model.geom_size[index, :2]
            half = np.where(np.greater(half, 0), half, np.inf)
        elif kind == mujoco.mjtGeom.mjGEOM_HFIELD and up > 1 - _LEVEL:
            self.samples = _samples(model, int(model.geom_dataid[index]))
            half = model.hfield_size[model.geom_dataid[index], :2].copy()
        else:
            raise BadTerrain(
                f"geom {geom!r}",
                "heights are those of a plane, or of a height field whose z axis "
                "points up.",
            )
        self.place = Place(pos, axes, half)

    def __call__(self, points: ArrayLike) -> NDArray[np.float64]:
        """Heights straight above or below some points, where rays from above hit.

        Args:
            points: x and y in world [m]. Shape (..., 2), e.g. (n, k, 2).

        Returns:
            z in world [m]; NaN outside the rim and where a point is not finite. Shape
            (...), e.g. (n, k).

        Raises:
            BadArray: If it is no float array of that shape.
        """
        xy = np.asarray(points)
        if xy.dtype.kind != "f" or xy.ndim == 0 or xy.shape[-1] != _XY:
            got = f"{xy.dtype} of shape {xy.shape}"
            raise BadArray("points", "floats of shape (..., 2)", got)
        with np.errstate(invalid="ignore"):
            away = xy.astype(np.float64) - self.place.pos[:2]
            if self.samples is None:
                return self._on_plane(away)
            return self._on_field(away @ self.place.axes[:2, :2], self.samples)

    def at(self, place: ArrayLike) -> NDArray[np.float64]:
        """Points on a height field by column and row of its samples.

        Args:
            place: Column and row, between samples where not whole. Shape (..., 2).

        Returns:
            Points in world [m]; NaN heights outside the rim. Shape (..., 3).

        Raises:
            BadTerrain: If the ground is a plane.
        """
        if self.samples is None:
            raise BadTerrain(f"geom {self.geom!r}", "a plane has no samples.")
        cells = np.array(self.samples.shape[::-1]) - 1
        local = (np.asarray(place, np.float64) * 2 / cells - 1) * self.place.half
        xy = local @ self.place.axes[:2, :2].T + self.place.pos[:2]
        return np.concatenate([xy, self(xy)[..., None]], axis=-1)

    def _inside(self, local: NDArray[np.float64]) -> NDArray[np.bool_]:
        within = np.abs(local) <= self.place.half + EDGE
        return within[..., 0] & within[..., 1]

    def _on_plane(self, away: NDArray[np.float64]) -> NDArray[np.float64]:
        normal = self.place.axes[:, 2]
        z = -(away @ normal[:2]) / normal[2]
        local = away @ self.place.axes[:2, :2] + z[..., None] * self.place.axes[2, :2]
        inside = self._inside(local)
        return np.where(inside, self.place.pos[2] + z, np.nan)

    def _on_field(
        self, local: NDArray[np.float64], field: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Between samples, MuJoCo's two triangles per cell.

        They share the diagonal from the lowest x and y to the highest.
        """
        rows, columns = field.shape
        cells = np.array([columns - 1, rows - 1])
        inside = self._inside(local)
        place = (local / self.place.half + 1) * (cells / 2)
        place = np.where(inside[..., None], np.clip(place, 0, cells), 0)
        low = np.minimum(place.astype(np.int64), cells - 1)
        u, v = np.moveaxis(place - low, -1, 0)
        at = low[..., 1] * columns + low[..., 0]
        flat = field.ravel()
        first, last = flat[at], flat[at + columns + 1]
        # the corner beside the diagonal, on the point's side
        right = u >= v
        beside = flat[np.where(right, at + 1, at + columns)]
        along, across = np.maximum(u, v), np.minimum(u, v)
        z = first + along * (beside - first) + across * (last - beside)
        return np.where(inside, self.place.pos[2] + z, np.nan)


def _samples(model: mujoco.MjModel, index: int) -> NDArray[np.float64]:
    """Heights above the geom's origin [m]. Shape (rows, columns)."""
    rows, columns = int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
    start = int(model.hfield_adr[index])
    data = model.hfield_data[start : start + rows * columns].astype(np.float64)
    samples = data.reshape(rows, columns) * model.hfield_size[index, 2]
    samples.flags.writeable = False
    return samples
