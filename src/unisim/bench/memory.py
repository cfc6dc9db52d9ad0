"""Memory of many worlds, measured in a process of its own."""

import gc
import os
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from unisim.backend.raw import READS
from unisim.bench.work import raw_of, stripped
from unisim.config import TaskCfg
from unisim.scene.compose import compose
from unisim.scene.scene import Scene
from unisim.task import build, scene_cfg

_STATM = Path("/proc/self/statm")


def per_thousand(task: TaskCfg, *, raw: bool) -> float | None:
    """Memory that a thousand worlds take in this process [MB].

    Args:
        task: Says how many worlds are measured, at least 2.
        raw: On the raw engine instead of a sim.

    Returns:
        None where the system does not tell, or there is no raw engine.
    """
    if not _STATM.exists() or task.worlds < 2:  # noqa: PLR2004
        return None
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure, (task, raw))


def _measure(task: TaskCfg, raw: bool) -> float | None:  # noqa: FBT001
    scene = compose(scene_cfg(task))
    task = stripped(task)
    one = replace(task, worlds=1)
    work = _raw if raw else _sim
    if not work(one, scene):
        return None
    gc.collect()
    before = _resident()
    kept = work(task, scene)
    gc.collect()
    after = _resident()
    del kept
    return (after - before) / (task.worlds - 1) * 1e3 / 1e6


def _sim(task: TaskCfg, scene: Scene) -> object:
    sim = build(task, scene)
    sim.step(None)
    for name in READS:
        sim.read(name)
    return sim


def _raw(task: TaskCfg, scene: Scene) -> object | None:
    raw = raw_of(task, scene)
    if raw is not None:
        ctrl = np.zeros((task.worlds, scene.model.nu), task.dtype)
        raw.step(ctrl, 1, refresh=True)
        raw.wait()
    return raw


def _resident() -> int:
    """Memory of this process that is in use [B]."""
    pages = int(_STATM.read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
