"""`unisim parity`: measure, and write what was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unisim.config import TaskCfg
from unisim.parity.junit import junit
from unisim.parity.measure import measure
from unisim.parity.numbers import numbers
from unisim.parity.outcome import Outcome
from unisim.parity.page import page
from unisim.parity.table import table
from unisim.progress import Progress, Silent
from unisim.report import plain
from unisim.report.extras import require_report
from unisim.report.folder import staged, write


@dataclass(frozen=True)
class Report:
    """A measurement that has been written.

    Attributes:
        folder: Where the files are.
        outcome: What they say.
    """

    folder: Path
    outcome: Outcome


def report(
    task: TaskCfg,
    name: str,
    folder: Path,
    backends: Sequence[str] = (),
    progress: Progress | None = None,
) -> Report:
    """Measure backends on a task, and write a report.

    Writes `report.html`, `result.json`, `table.txt` and `junit.xml`: all or none.

    Args:
        task: What to compare them on; its `parity` says how.
        name: What to call it.
        folder: Where the files belong.
        backends: Which backends; all that are installed and simulate when empty.
        progress: Gets told how far it is.

    Raises:
        MissingExtra: If plots cannot be made, before anything is built.
        CannotWrite: If the folder cannot be written, before anything is built.
        UnisimError: In any form that `unisim.parity.measure.measure` raises.
    """
    progress = progress or Silent()
    require_report()
    with staged(folder) as stage:
        outcome = measure(task, name, backends, progress)
        texts = {
            "report.html": page(outcome),
            "result.json": plain.text(numbers(outcome)),
            "table.txt": table(outcome),
            "junit.xml": junit(outcome),
        }
        for file, text in texts.items():
            write(stage / file, text)
    progress.line(f"wrote {folder}")
    return Report(folder, outcome)
