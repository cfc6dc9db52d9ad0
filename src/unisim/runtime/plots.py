"""The plots of a report, as SVG that takes on the colours of its page."""

# matplotlib annotates itself in part only
# pyright: basic

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from unisim.runtime.measured import QUANTILES, Measured, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

_INK = "#010203"
"""Stands for the page's text colour, which takes its place in the SVG."""
_BLUE, _ORANGE, _GREY = "#2f7fd0", "#e07b1f", "#8a93a0"
_STYLE: "dict[RcKeyType, str | float]" = {
    "svg.fonttype": "none",
    "svg.hashsalt": "unisim",
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.edgecolor": _GREY,
    "axes.labelcolor": _INK,
    "axes.titlesize": 9.0,
    "axes.titlelocation": "left",
    "axes.titlecolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": _GREY,
    "grid.alpha": 0.22,
    "text.color": _INK,
    "xtick.color": _GREY,
    "ytick.color": _GREY,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
}
_LEAST_HEIGHT = 0.02
"""Smallest range of heights that an axis shows [m]."""
MOST_FOLLOWERS = 6
"""Followers that are plotted."""


def plot_height(measured: Measured) -> str:
    """Height of a body over time, in all worlds, as SVG."""
    return _draw(lambda figure: _height(figure.subplots(), measured), 7.2, 2.9)


def plot_force(measured: Measured) -> str | None:
    """Force of the ground against weight, as SVG; None when no query looks at it."""
    if measured.force is None:
        return None
    return _draw(lambda figure: _force(figure.subplots(), measured), 7.2, 2.9)


def plot_tracking(measured: Measured) -> str | None:
    """Targets and what follows them, as SVG; None when nothing follows one."""
    chosen = most_moved(measured)
    if not chosen:
        return None
    columns = min(2, len(chosen))
    rows = -(-len(chosen) // columns)
    height = 0.5 + 1.55 * rows
    return _draw(lambda figure: _tracking(figure, measured, chosen), 7.2, height)


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
    _finish(axes)


def _force(axes: "Axes", measured: Measured) -> None:
    if measured.force is None:
        return
    _series(axes, measured.time, measured.force)
    weight = measured.ground.weight
    style = {"color": _ORANGE, "linestyle": (0, (5, 2))}
    axes.axhline(weight, label=f"weight, {weight:.4g} N", **style)
    axes.set_ylabel("force of the ground [N]")
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), max(high, 1.15 * weight))
    _finish(axes)


def _tracking(figure: "Figure", measured: Measured, chosen: list[int]) -> None:
    columns = min(2, len(chosen))
    rows = -(-len(chosen) // columns)
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False).ravel()
    for axes, i in zip(grid, chosen, strict=False):
        item = measured.followers[i]
        axes.plot(measured.time, measured.target[:, i], color=_ORANGE, label="target")
        axes.plot(measured.time, measured.actual[:, i], color=_BLUE, label="actual")
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
    outer = {"color": _BLUE, "linewidth": 0, "alpha": 0.12}
    axes.fill_between(time, spread[:, 0], spread[:, -1], label="all worlds", **outer)
    inner = {"color": _BLUE, "linewidth": 0, "alpha": 0.28}
    axes.fill_between(
        time, spread[:, low], spread[:, high], label="5 % to 95 %", **inner
    )
    axes.plot(time, spread[:, centre], color=_BLUE, label="median")
    thin = {"color": _INK, "linewidth": 0.8, "alpha": 0.75}
    axes.plot(time, series.one, label="the world pictured", **thin)


def _finish(axes: "Axes") -> None:
    axes.set_xlabel("time [s]")
    axes.margins(x=0)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=5)


def _draw(draw: Callable[["Figure"], None], width: float, height: float) -> str:
    """An SVG of some size [inch]."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.patch.set_alpha(0)
        draw(figure)
        for axes in figure.axes:
            axes.patch.set_alpha(0)
        stream = BytesIO()
        canvas = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None, "Creator": None})
    text = stream.getvalue().decode("utf-8")
    return text[text.index("<svg") :].replace(_INK, "currentColor")
