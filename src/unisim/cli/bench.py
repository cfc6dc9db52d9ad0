"""`unisim bench`: what a backend costs, beside its raw engine."""

from typing import TYPE_CHECKING, Annotated

import tyro

from unisim.cli.arguments import Backends, File, Target

if TYPE_CHECKING:
    from unisim.bench.measure import Plan

Counts = Annotated[str, tyro.conf.arg(metavar="N,N,...")]


def bench(  # noqa: PLR0913
    config: File,
    /,
    *,
    backends: Backends = (),
    worlds: Counts = "1,64,512",
    threads: Counts = "",
    seconds: float = 0.4,
    baseline: Target = None,
    save: Target = None,
    json: bool = False,
    progress: bool = False,
) -> int:
    """Time a backend beside its raw engine doing the same work, in turn.

    Wall and CPU time per env-step (one physics step of one world), with and without
    reading poses and sensors; resets of a random tenth; a control law before every
    step beside the file's own servos; memory; composing, building, the first steps.
    Contact queries and fields that vary are left out. A ratio of 1 is as quick as the
    raw engine. With --baseline, what got slower is listed; the exit status stays 0.

    Example: unisim bench configs/quadruped.toml --worlds 1,512 --save bench.json

    Args:
        config: Task config (.toml).
        backends: Backend to time, again for each of several; the config's when left
            out.
        worlds: Numbers of worlds.
        threads: Numbers of threads, where the backend has such a setting.
        seconds: About how long each measurement takes [s].
        baseline: File that --save wrote before.
        save: File to save the outcome to.
        json: Print JSON instead of the table.
        progress: Say on stderr how far it is, even where that is no terminal.
    """
    from dataclasses import asdict

    from unisim.backend.choice import choose, on_backend
    from unisim.bench.baseline import changes
    from unisim.bench.measure import measure
    from unisim.bench.outcome import load
    from unisim.bench.table import comparison, table
    from unisim.cli.source import read_config
    from unisim.cli.terminal import Lines, wants_progress
    from unisim.progress import Silent
    from unisim.report import plain
    from unisim.report.folder import write

    task = read_config(config)
    plan = _plan(worlds, threads, seconds)
    then = None if baseline is None else load(baseline)
    tasks = [on_backend(task, name) for name in choose(backends or (task.backend,))]
    lines = Lines() if wants_progress(asked=progress) else Silent()
    now = measure(tasks, config.stem, plan, lines)
    if save is not None:
        write(save, plain.text(asdict(now)))
    if json:
        found = (
            {} if then is None else {"changes": list(map(asdict, changes(now, then)))}
        )
        print(plain.text(asdict(now) | found), end="")
        return 0
    print(table(now), end="")
    if then is not None:
        print(f"\n{comparison(now, then)}", end="")
    return 0


def _plan(worlds: str, threads: str, seconds: float) -> "Plan":
    from unisim.bench.measure import Plan
    from unisim.errors import OutOfRange

    if not 0 < seconds < float("inf"):
        raise OutOfRange("--seconds", seconds, "more than 0")
    chosen = _counts("--worlds", worlds)
    if not chosen:
        raise OutOfRange("--worlds", repr(worlds), "one number or more, 1 or more each")
    return Plan(chosen, _counts("--threads", threads), seconds)


def _counts(name: str, text: str) -> tuple[int, ...]:
    from unisim.config import MOST_WORLDS
    from unisim.errors import OutOfRange

    parts = [part.strip() for part in text.split(",") if part.strip()]
    for part in parts:
        if not part.isdecimal() or not 1 <= int(part) <= MOST_WORLDS:
            raise OutOfRange(name, part, f"whole numbers from 1 to {MOST_WORLDS}")
    return tuple(dict.fromkeys(map(int, parts)))
