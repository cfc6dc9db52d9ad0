"""Audited fields of height fields: their size, and every one of their samples."""

from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import AuditedField, Values
from unisim.mjcf.pairs import within

_SUMS = 8


def _extent(model: mujoco.MjModel) -> Values:
    """Rows, columns and size. Shape (ngeom, 6).

    NaN for geoms that are no height fields, or whose data are not there.
    """
    found = np.full((model.ngeom, 6), np.nan)
    for geom, heights in _fields(model):
        found[geom] = (*heights.shape, *model.hfield_size[model.geom_dataid[geom]])
    return found


def _elevation(model: mujoco.MjModel) -> Values:
    """Sums of all samples. Shape (ngeom, 8), NaN as above."""
    found = np.full((model.ngeom, _SUMS), np.nan)
    for geom, heights in _fields(model):
        found[geom] = sums(heights)
    return found


def sums(heights: NDArray[np.float64]) -> Values:
    """Sums of the samples of a height field, each added or taken away. Shape (8,).

    A sample that differs changes every sum by as much, whatever the size of the field;
    signs are drawn at random, so that no other difference cancels in all sums.

    Args:
        heights: Shape (rows, columns).
    """
    random, flat = np.random.default_rng(0), heights.ravel()
    drawn = [random.integers(0, 2, flat.size, dtype=bool) for _ in range(_SUMS)]
    return np.array([flat[added].sum() - flat[~added].sum() for added in drawn])


def _fields(model: mujoco.MjModel) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Geoms that are height fields, and their samples. Shape (rows, columns)."""
    is_field = np.asarray(model.geom_type) == mujoco.mjtGeom.mjGEOM_HFIELD
    stored = within(model.geom_dataid, model.nhfield)
    for geom in np.flatnonzero(is_field & stored).tolist():
        i = model.geom_dataid[geom]
        rows, columns = int(model.hfield_nrow[i]), int(model.hfield_ncol[i])
        start = int(model.hfield_adr[i])
        heights = np.asarray(model.hfield_data[start : start + rows * columns], float)
        if heights.size and heights.size == rows * columns:
            yield geom, heights.reshape(rows, columns)


HFIELD: tuple[AuditedField, ...] = (
    AuditedField(
        *("geom_hfield", "geom", "m", ("hfield_size",), _extent), attribute="hfield"
    ),
    AuditedField(
        *("geom_elevation", "geom", "", ("hfield_data",), _elevation),
        attribute="hfield",
    ),
)
