"""`unisim run`: build a task, step it, and write a report of what was seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from unisim.backend.layout import layout_of
from unisim.config import TaskCfg
from unisim.errors import CannotWrite
from unisim.footprint import footprint
from unisim.progress import Progress, Silent
from unisim.report import plain
from unisim.report.extras import require_report
from unisim.report.folder import staged
from unisim.report.versions import versions
from unisim.runtime.canvas import CannotRender
from unisim.runtime.images import Images, develop
from unisim.runtime.measure import measure
from unisim.runtime.measured import Pose
from unisim.runtime.numbers import numbers
from unisim.runtime.outcome import Cost, Outcome
from unisim.runtime.page import page
from unisim.runtime.picture import film
from unisim.runtime.start import start
from unisim.runtime.table import table
from unisim.scene.compose import compose
from unisim.scene.scene import Scene
from unisim.scene.terrain.field import memory_of
from unisim.sim import Built
from unisim.task import build, build_cfg, check_run, scene_cfg


@dataclass(frozen=True)
class Report:
    """A run that has been written.

    Attributes:
        folder: Where the files are.
        outcome: What they say.
    """

    folder: Path
    outcome: Outcome


def run(
    task: TaskCfg, name: str, folder: Path, progress: Progress | None = None
) -> Report:
    """Build a task, step it under its control laws, and write a report.

    Writes `report.html`, `result.json`, `table.txt` and, where there is OpenGL,
    `picture.png`: all of them or none.

    Args:
        task: What to run; its `run` says how long.
        name: What to call it.
        folder: Where the files belong.
        progress: Gets told how far it is.

    Raises:
        MissingExtra: If plots cannot be made, before anything is built.
        CannotWrite: If the folder cannot be written, before anything is built.
        OutOfRange: If it is too long, or pictures a world that is not there.
        UnisimError: In any form that `unisim.build` raises.
        Faulted: If a world is faulted and the task says faults = "raise".
    """
    progress = progress or Silent()
    require_report()
    with staged(folder) as stage:
        outcome = _outcome(task, name, progress)
        _write(outcome, stage)
    progress.line(f"wrote {folder}")
    return Report(folder, outcome)


def _outcome(task: TaskCfg, name: str, progress: Progress) -> Outcome:
    started = perf_counter()
    scene = compose(scene_cfg(task))
    check_run(task, scene)
    composed = perf_counter()
    model = scene.model
    size = f"{model.nbody - 1} bodies, {model.nv} dofs, {model.nu} controls"
    progress.line(f"composed in {composed - started:.2f} s: {size}")
    progress.line(_memory(task, scene))
    with build(task, scene) as sim:
        built = perf_counter()
        audit = sim.built.audit
        fields = f"{audit.compared} fields and {len(audit.residuals)}"
        progress.line(
            f"checked, built and audited in {built - composed:.2f} s: "
            f"{fields} behaviours agree with the reference"
        )
        start(sim)
        measured = measure(sim, task.run, progress)
        done = perf_counter()
        progress.line(f"stepped and read in {done - built:.2f} s")
        pictures = _pictures(sim.built, measured.poses, progress)
        drawn = perf_counter()
        cost = Cost(composed - started, built - composed, done - built, drawn - done)
        return Outcome(
            name, sim.built, measured, cost, pictures, versions(task.backend)
        )


def _memory(task: TaskCfg, scene: Scene) -> str:
    """What the worlds and their ground are going to take."""
    each = footprint(layout_of(scene.model), build_cfg(task, scene))
    ground = f"; {memory}" if (memory := memory_of(scene.model)) else ""
    return (
        f"{task.worlds:,} worlds: at least {task.worlds * each / 1e6:,.1f} MB{ground}"
    )


def _pictures(built: Built, poses: Sequence[Pose], progress: Progress) -> Images | str:
    """The pictures, or why there are none."""
    started = perf_counter()
    try:
        images = develop(film(built.scene, built.task.camera, poses, progress))
    except CannotRender as error:
        return str(error)
    progress.line(f"drew {len(poses)} pictures in {perf_counter() - started:.2f} s")
    return images


def _write(outcome: Outcome, folder: Path) -> None:
    texts = {
        "report.html": page(outcome),
        "result.json": plain.text(numbers(outcome)),
        "table.txt": table(outcome),
    }
    files = {file: text.encode("utf-8") for file, text in texts.items()}
    if isinstance(outcome.pictures, Images):
        files["picture.png"] = outcome.pictures.strip
    try:
        for file, content in files.items():
            (folder / file).write_bytes(content)
    except OSError as error:
        raise CannotWrite(folder, error.strerror or str(error)) from None
