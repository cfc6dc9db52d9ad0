"""Draws plots as SVG that takes on the colours of its page."""

# matplotlib annotates itself in part only
# pyright: basic

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

INK = "#010203"
"""Stands for the page's text colour, which takes its place in the SVG."""
BLUE, ORANGE, GREY = "#2f7fd0", "#e07b1f", "#8a93a0"
COLOURS = (BLUE, ORANGE, "#2a9d6f", "#b0489e", "#c0392b", "#7a6ff0", "#8d6e3f")
"""Of lines that are told apart, in turn."""
_STYLE: "dict[RcKeyType, str | float]" = {
    "svg.fonttype": "none",
    "svg.hashsalt": "unisim",
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.titlesize": 9.0,
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GREY,
    "grid.alpha": 0.22,
    "text.color": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
}


def finish(axes: "Axes") -> None:
    """Label the time axis and put the legend above."""
    axes.set_xlabel("time [s]")
    axes.margins(x=0)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=5)


def draw(paint: Callable[["Figure"], None], width: float, height: float) -> str:
    """An SVG of some size [inch]."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.patch.set_alpha(0)
        paint(figure)
        for axes in figure.axes:
            axes.patch.set_alpha(0)
        stream = BytesIO()
        canvas = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None, "Creator": None})
    text = stream.getvalue().decode("utf-8")
    return text[text.index("<svg") :].replace(INK, "currentColor")
