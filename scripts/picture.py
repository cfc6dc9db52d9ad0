"""Draws docs/pictures/parity.svg, or that of another legged robot, from a parity run.

    .venv/bin/python scripts/picture.py
    .venv/bin/python scripts/picture.py go1 path/to/scene_mjx_feetonly_flat_terrain.xml

Needs every backend of the picture. Of each, all approximations are agreed to: what they
come to is what the picture shows.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from unisim import SceneCfg, TaskCfg, load
from unisim.parity.measure import measure
from unisim.parity.plots import plot_replay
from unisim.progress import Silent

ROOT = Path(__file__).resolve().parent.parent
BACKENDS = ("mujoco", "mjwarp", "drake", "motrix")
INK, PAPER = "#1c2126", "#ffffff"


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", nargs="?", help="of the picture of another robot")
    parser.add_argument("scene", nargs="?", type=Path, help="with a keyframe `home`")
    asked = parser.parse_args()
    task = replace(load(ROOT / "configs" / "quadruped.toml"), accept=("*",))
    if asked.scene is None:
        draw(task, "quadruped", "parity.svg")
    else:
        scene = SceneCfg(model_file=asked.scene.resolve(), keyframe="home")
        draw(replace(task, scene=scene), asked.name, f"parity_{asked.name}.svg")


def draw(task: TaskCfg, name: str, file: str) -> None:
    """Measure a task on all backends, and draw how far they are apart."""
    svg = plot_replay(measure(task, name, BACKENDS, Silent()))
    if svg is None:
        raise SystemExit("nothing was replayed")
    head, rest = svg.replace("currentColor", INK).split(">", 1)
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    text = f"{head}>{paper}{rest.rstrip()}\n"
    (ROOT / "docs" / "pictures" / file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
