"""The plots of a parity report."""

# matplotlib annotates itself in part only
# pyright: basic

from typing import TYPE_CHECKING

import numpy as np

from unisim.parity.apart import Apart, Curve
from unisim.parity.outcome import Outcome, Side
from unisim.report.drawing import COLOURS, GREY, INK, draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DASHES = ((0, (5, 2)), (0, (1, 1.5)), (0, (6, 1.5, 1, 1.5)))
_LEAST = 1e-9
"""Smallest difference, and smallest share of a tolerance, that an axis shows."""


def plot_replay(outcome: Outcome) -> str | None:
    """Differences over time by kind of joint, as SVG; None without a replay."""
    if not outcome.floors:
        return None
    kinds = next(iter(outcome.floors.values())).curves
    columns = min(2, len(kinds))
    rows = -(-len(kinds) // columns)
    return draw(lambda figure: _replay(figure, outcome), 7.2, 0.6 + 2.1 * rows)


def plot_experiments(outcome: Outcome) -> str:
    """The largest share of its tolerance that each experiment took, as SVG."""
    count = len(outcome.sides[0].experiments)
    return draw(lambda figure: _shares(figure, outcome), 7.2, 0.9 + 0.21 * count)


def _replay(figure: "Figure", outcome: Outcome) -> None:
    kinds = next(iter(outcome.floors.values())).curves
    columns = min(2, len(kinds))
    rows = -(-len(kinds) // columns)
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False).ravel()
    for i, (axes, kind) in enumerate(zip(grid, kinds, strict=False)):
        for style, (name, floor) in zip(_DASHES, outcome.floors.items(), strict=False):
            label = f"{outcome.task.parity.reference} at {name}"
            line = {"color": GREY, "linestyle": style, "label": label}
            axes.plot(outcome.time, _seen(floor.curves[i]), **line)
        for colour, side in zip(COLOURS, apart_sides(outcome), strict=False):
            curve = _apart(side).curves[i]
            axes.plot(outcome.time, _seen(curve), color=colour, label=side.name)
        if not kind.name.startswith("base"):
            line = {"color": INK, "linewidth": 0.8, "alpha": 0.6}
            axes.axhline(outcome.task.parity.divergence, **line)
        axes.set_yscale("log")
        axes.set_ylim(bottom=_LEAST)
        axes.set_title(f"{kind.name} [{kind.unit}]")
        axes.margins(x=0)
    for axes in grid[len(kinds) :]:
        axes.set_visible(False)
    for axes in grid[max(0, len(kinds) - columns) : len(kinds)]:
        axes.set_xlabel("time [s]")
        axes.tick_params(labelbottom=True)
    handles = grid[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=4)


def _seen(curve: Curve) -> np.ndarray:
    return np.maximum(curve.rmse, _LEAST)


def _shares(figure: "Figure", outcome: Outcome) -> None:
    axes = figure.subplots()
    names = [item.name for item in outcome.sides[0].experiments]
    rows = np.arange(len(names))[::-1]
    for colour, side in zip(COLOURS, outcome.sides, strict=False):
        shares = [
            max((float(c.share.max()) for c in item.checks), default=np.nan)
            for item in side.experiments
        ]
        seen = np.clip(shares, _LEAST, 100)
        axes.scatter(seen, rows, s=26, color=colour, label=side.name, zorder=3)
    axes.axvline(1, color=INK, linewidth=0.8, alpha=0.6)
    axes.set_yticks(rows, names)
    axes.set_xscale("log")
    axes.set_xlim(_LEAST / 2, 200)
    axes.set_xlabel("largest difference, as a share of its tolerance")
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=5)


def apart_sides(outcome: Outcome) -> list[Side]:
    """Sides that are anywhere apart from the reference."""
    return [
        side
        for side in outcome.sides
        if side.replay is not None
        and any(not (curve.rmse == 0).all() for curve in _apart(side).curves)
    ]


def _apart(side: Side) -> Apart:
    return side.replay.apart if side.replay else Apart((), np.zeros(0))
