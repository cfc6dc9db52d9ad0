"""Measures a task's backends: time per env-step, resets, reads, memory, start-up."""

import os
import platform
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from unisim.backend import registry
from unisim.bench.memory import per_thousand
from unisim.bench.outcome import Cost, Memory, Once, Outcome, Row
from unisim.bench.timing import in_turn
from unisim.bench.work import Job, Pair, stripped
from unisim.config import TaskCfg
from unisim.errors import UnknownName
from unisim.progress import Progress
from unisim.report.versions import versions
from unisim.scene.compose import compose
from unisim.scene.scene import Scene
from unisim.task import build, scene_cfg


@dataclass(frozen=True)
class Plan:
    """What is measured.

    Attributes:
        worlds: Numbers of worlds.
        threads: Numbers of threads; empty leaves the config's setting.
        seconds: About how long each measurement takes [s].
    """

    worlds: tuple[int, ...] = (1, 64, 512)
    threads: tuple[int, ...] = ()
    seconds: float = 0.4


def measure(
    tasks: Sequence[TaskCfg], name: str, plan: Plan, progress: Progress
) -> Outcome:
    """Measure tasks, one per backend.

    Args:
        tasks: The same scene on different backends.
        name: What to call it.
        plan: What is measured.
        progress: Gets told how far it is.

    Raises:
        UnknownName: If threads are asked for where a backend has no such setting.
        UnisimError: In any form that `unisim.build` raises.
    """
    for task in tasks:
        _check_threads(task, plan.threads)
    rows: list[Row] = []
    once: list[Once] = []
    memory: list[Memory] = []
    for task in tasks:
        most = replace(task, worlds=max(plan.worlds))
        once += _start(most)
        progress.line(f"started {task.backend}")
        scene = compose(scene_cfg(task))
        for worlds in plan.worlds:
            for threads in plan.threads or (None,):
                rows += _rows(_on(task, worlds, threads), scene, threads, plan)
                progress.line(f"measured {worlds:,} worlds on {task.backend}")
        memory += _memory(most)
    names = dict.fromkeys(task.backend for task in tasks)
    return Outcome(
        name, machine(), versions(*names), tuple(rows), tuple(once), tuple(memory)
    )


def machine() -> dict[str, str]:
    """What the times belong to."""
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "system": platform.platform(),
    }


def _rows(
    task: TaskCfg, scene: Scene, threads: int | None, plan: Plan
) -> Iterator[Row]:
    pair = Pair(task, scene)
    try:
        for job in pair.jobs():
            pair.restart()
            yield _row(task, threads, job, plan.seconds)
    finally:
        pair.close()


def _row(task: TaskCfg, threads: int | None, job: Job, seconds: float) -> Row:
    courses = [job.ours] if job.other is None else [job.ours, job.other]
    times = in_turn(courses, seconds)
    costs = [
        Cost(wall * 1e6 / job.items, cpu * 1e6 / job.items) for wall, cpu in times.costs
    ]
    alone = job.other is None
    return Row(
        task.backend,
        task.worlds,
        threads,
        job.work,
        job.item,
        costs[0],
        job.beside,
        None if alone else costs[1],
        None if alone else times.ratio,
        0.0 if alone else times.noise,
    )


def _start(task: TaskCfg) -> Iterator[Once]:
    """Composing with and without the cache, building, and the first step."""
    times: dict[str, float] = {}
    with _empty_cache():
        for name in ("compose, cold", "compose, warm"):
            start = perf_counter()
            scene = compose(scene_cfg(task))
            times[name] = perf_counter() - start
    start = perf_counter()
    with build(stripped(task), scene) as sim:
        built = perf_counter()
        sim.step(None, task.decimation)
        np.asarray(sim.read("time"))
        times["build and audit"] = built - start
        times["first steps"] = perf_counter() - built
    for name, seconds in times.items():
        yield Once(task.backend, task.worlds, name, seconds)


def _memory(task: TaskCfg) -> Iterator[Memory]:
    ours = per_thousand(task, raw=False)
    if ours is not None:
        raw = per_thousand(task, raw=True)
        yield Memory(task.backend, task.worlds, ours, raw)


def _on(task: TaskCfg, worlds: int, threads: int | None) -> TaskCfg:
    engine = dict(task.engine)
    if threads is not None:
        engine["threads"] = threads
    return replace(task, worlds=worlds, engine=engine)


def _check_threads(task: TaskCfg, threads: Sequence[int]) -> None:
    settings = registry.load(task.backend).manifest.profile(task.profile).settings
    if threads and "threads" not in settings:
        raise UnknownName(f"setting of {task.backend}", "threads", settings)


@contextmanager
def _empty_cache() -> Generator[None]:
    before = os.environ.get("UNISIM_CACHE")
    with TemporaryDirectory(prefix="unisim-bench-") as folder:
        os.environ["UNISIM_CACHE"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["UNISIM_CACHE"]
            else:
                os.environ["UNISIM_CACHE"] = before


def _processor() -> str:
    """Model of the processor, as Linux tells it, else what Python knows."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    models = [
        line.partition(":")[2].strip()
        for line in text.splitlines()
        if line.startswith("model name")
    ]
    return models[0] if models else platform.machine()
