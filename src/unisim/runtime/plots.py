"""The plots of a run."""

# matplotlib annotates itself in part only
# pyright: basic

from typing import TYPE_CHECKING

import numpy as np

from unisim.report.drawing import BLUE, INK, ORANGE, draw, finish
from unisim.runtime.measured import QUANTILES, Measured, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEAST_HEIGHT = 0.02
"""Smallest range of heights that an axis shows [m]."""
MOST_FOLLOWERS = 6
"""Followers that are plotted."""


def plot_height(measured: Measured) -> str:
    """Height of a body over time, in all worlds, as SVG."""
    return draw(lambda figure: _height(figure.subplots(), measured), 7.2, 2.9)


def plot_force(measured: Measured) -> str | None:
    """Force of the ground against weight, as SVG; None when no query looks at it."""
    if measured.force is None:
        return None
    return draw(lambda figure: _force(figure.subplots(), measured), 7.2, 2.9)


def plot_tracking(measured: Measured) -> str | None:
    """Targets and what follows them, as SVG; None when nothing follows one."""
    chosen = most_moved(measured)
    if not chosen:
        return None
    columns = min(2, len(chosen))
    rows = -(-len(chosen) // columns)
    height = 0.5 + 1.55 * rows
    return draw(lambda figure: _tracking(figure, measured, chosen), 7.2, height)


def most_moved(measured: Measured) -> list[int]:
    """Followers whose targets move most in the pictured world, in their order."""
    if not measured.followers:
        return []
    travel = np.ptp(measured.target, axis=0)
    return sorted(np.argsort(-travel, kind="stable")[:MOST_FOLLOWERS].tolist())


def _height(axes: "Axes", measured: Measured) -> None:
    _series(axes, measured.time, measured.height)
    axes.set_ylabel("height [m]")
    low, high = axes.get_ylim()
    if high - low < _LEAST_HEIGHT:
        centre = (low + high) / 2
        axes.set_ylim(centre - _LEAST_HEIGHT / 2, centre + _LEAST_HEIGHT / 2)
    axes.ticklabel_format(axis="y", useOffset=False)
    finish(axes)


def _force(axes: "Axes", measured: Measured) -> None:
    if measured.force is None:
        return
    _series(axes, measured.time, measured.force)
    weight = measured.ground.weight
    style = {"color": ORANGE, "linestyle": (0, (5, 2))}
    axes.axhline(weight, label=f"weight, {weight:.4g} N", **style)
    axes.set_ylabel("force of the ground [N]")
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), max(high, 1.15 * weight))
    finish(axes)


def _tracking(figure: "Figure", measured: Measured, chosen: list[int]) -> None:
    columns = min(2, len(chosen))
    rows = -(-len(chosen) // columns)
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False).ravel()
    for axes, i in zip(grid, chosen, strict=False):
        item = measured.followers[i]
        axes.plot(measured.time, measured.target[:, i], color=ORANGE, label="target")
        axes.plot(measured.time, measured.actual[:, i], color=BLUE, label="actual")
        axes.set_title(f"{item.name} [{item.unit}]")
        axes.margins(x=0)
    for axes in grid[len(chosen) :]:
        axes.set_visible(False)
    for axes in grid[max(0, len(chosen) - columns) : len(chosen)]:
        axes.set_xlabel("time [s]")
    figure.legend(
        *grid[0].get_legend_handles_labels(), loc="outside upper right", ncols=2
    )


def _series(axes: "Axes", time: np.ndarray, series: Series) -> None:
    low, centre, high = (QUANTILES.index(q) for q in (0.05, 0.5, 0.95))
    spread = series.spread
    outer = {"color": BLUE, "linewidth": 0, "alpha": 0.12}
    axes.fill_between(time, spread[:, 0], spread[:, -1], label="all worlds", **outer)
    inner = {"color": BLUE, "linewidth": 0, "alpha": 0.28}
    axes.fill_between(
        time, spread[:, low], spread[:, high], label="5 % to 95 %", **inner
    )
    axes.plot(time, spread[:, centre], color=BLUE, label="median")
    thin = {"color": INK, "linewidth": 0.8, "alpha": 0.75}
    axes.plot(time, series.one, label="the world pictured", **thin)
