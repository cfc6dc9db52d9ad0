"""`unisim run`: step a task and write a report."""

import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tyro.conf import OmitArgPrefixes

from unisim.cli.arguments import Count, File, MaybeFolder, Name, Seconds
from unisim.errors import OutOfRange

if TYPE_CHECKING:
    from unisim.config import TaskCfg


@dataclass(frozen=True)
class Instead:
    """What takes the place of the config's."""

    worlds: Count = None
    """Number of worlds, instead of the config's."""
    seconds: Seconds = None
    """Simulated time [s], instead of the config's."""
    backend: Name = None
    """Backend to run on, instead of the config's."""


NOTHING_ELSE = Instead()
"""The config as it stands."""


def run(
    config: File,
    /,
    *,
    out: MaybeFolder = None,
    instead: OmitArgPrefixes[Instead] = NOTHING_ELSE,
    json: bool = False,
    progress: bool = False,
) -> int:
    """Build and audit a task, step its worlds, and report what they did.

    The worlds are stepped under the config's control laws, with the sine of its [run]
    added to the command. Contacts and sensors are read after every control step.
    Written are report.html (plots and pictures), result.json, table.txt and
    picture.png: all of them, or none.

    Example: unisim run configs/quadruped.toml --worlds 64 --seconds 4

    Args:
        config: Task config (.toml).
        out: Folder of the report; out/NAME when left out.
        instead: What takes the place of the config's.
        json: Print result.json instead of the table.
        progress: Say on stderr how far it is, even where that is no terminal.
    """
    from unisim.cli.source import read_config
    from unisim.cli.stated import stated_in
    from unisim.cli.terminal import Lines, wants_progress
    from unisim.report.extras import require_report

    task = _override(read_config(config), instead)
    require_report()

    from unisim.progress import Silent
    from unisim.runtime.run import run as run_task

    lines = Lines() if wants_progress(asked=progress) else Silent()
    folder = out or Path("out") / config.stem
    with stated_in(config):
        report = run_task(task, config.stem, folder, lines)
    file = "result.json" if json else "table.txt"
    print((folder / file).read_text(encoding="utf-8"), end="")
    if isinstance(report.outcome.pictures, str):
        print(f"unisim: {report.outcome.pictures}", file=sys.stderr)
    if not json:
        print(f"report: {folder / 'report.html'}")
    return 0


def _override(task: "TaskCfg", instead: Instead) -> "TaskCfg":
    from unisim.backend.choice import instead as on
    from unisim.config import MOST_WORLDS

    worlds, seconds, backend = instead.worlds, instead.seconds, instead.backend
    if worlds is not None:
        if not 1 <= worlds <= MOST_WORLDS:
            raise OutOfRange("--worlds", worlds, f"1 to {MOST_WORLDS}")
        task = replace(task, worlds=worlds)
    if seconds is not None:
        if not (math.isfinite(seconds) and seconds > 0):
            raise OutOfRange("--seconds", seconds, "more than 0")
        task = replace(task, run=replace(task.run, seconds=seconds))
    if backend is not None:
        task = on(task, backend)
    return task
