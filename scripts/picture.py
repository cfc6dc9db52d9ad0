"""Draws docs/pictures/parity.svg: how far engines are apart on the Go1.

    .venv/bin/python scripts/picture.py

Needs every backend of the picture.
"""

from pathlib import Path

from unisim import load
from unisim.parity.measure import measure
from unisim.parity.plots import plot_replay
from unisim.progress import Silent

ROOT = Path(__file__).resolve().parent.parent
BACKENDS = ("mujoco", "mjwarp", "drake", "motrix")
INK, PAPER = "#1c2126", "#ffffff"


def main() -> None:
    """Measure and draw."""
    task = load(ROOT / "configs" / "go1.toml")
    svg = plot_replay(measure(task, "go1", BACKENDS, Silent()))
    if svg is None:
        raise SystemExit("nothing was replayed")
    head, rest = svg.replace("currentColor", INK).split(">", 1)
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    text = f"{head}>{paper}{rest.rstrip()}\n"
    file = ROOT / "docs" / "pictures" / "parity.svg"
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
