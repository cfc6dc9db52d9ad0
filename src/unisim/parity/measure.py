"""Measures how far engines differ: audit, replay, experiments with known answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import mujoco
import numpy as np

from unisim.backend.base import Fault
from unisim.backend.choice import choose
from unisim.config import TaskCfg
from unisim.errors import AuditFailed, Faulted, UnisimError, UnsupportedFeature
from unisim.parity.apart import Apart, compare
from unisim.parity.contestants import bench_on, task_on
from unisim.parity.experiments import EXPERIMENTS, Bench, Experiment
from unisim.parity.outcome import (
    HALF_STEP,
    OTHER_CONE,
    SINGLE,
    Outcome,
    Replayed,
    Side,
    Tried,
)
from unisim.parity.replay import Path, Replay, play, record
from unisim.progress import Progress
from unisim.report.versions import versions
from unisim.scene.compose import compose
from unisim.scene.scene import Scene
from unisim.task import build, check_length, scene_cfg


@dataclass(frozen=True)
class _Replays:
    """A replay, and what the reference made of it."""

    scene: Scene
    replay: Replay
    reference: Path
    divergence: float

    def apart(self, path: Path) -> Apart:
        return compare(
            self.scene.model, path, self.reference, self.replay.time, self.divergence
        )


def measure(
    task: TaskCfg, name: str, backends: Sequence[str], progress: Progress
) -> Outcome:
    """Measure backends against the reference and against known answers.

    Args:
        task: What to compare them on.
        name: What to call it.
        backends: Which ones; all that are installed and simulate when empty.
        progress: Gets told how far it is.

    Raises:
        UnknownBackend: If no package registers one of them.
        OutOfRange: If the replay is too long.
        MissingEngine: If the engine of a named one, or of the reference, is missing.
        UnisimError: In any form that `unisim.build` raises on the reference.
    """
    chosen = choose(backends)
    scene = compose(scene_cfg(task))
    check_length("parity.seconds", task.parity.seconds, task.decimation, scene)
    base = task_on(task, *choose((task.parity.reference,)))
    started = perf_counter()
    replay = record(replace(base, control=task.control), scene)
    with build(base, scene) as sim:
        path = play(sim, replay)
    if _faults(path):
        raise Faulted({"the replay": np.flatnonzero(path.faults).tolist()}, sim.worlds)
    replays = _Replays(scene, replay, path, task.parity.divergence)
    floors = {
        HALF_STEP: replays.apart(_half_step(base, replay)),
        SINGLE: replays.apart(_single(base, scene, replay)),
    }
    if (other := _other_cone(base, scene, replay)) is not None:
        floors[OTHER_CONE] = replays.apart(other)
    progress.line(f"replayed on {base.backend} in {perf_counter() - started:.2f} s")
    sides: list[Side] = []
    for backend in chosen:
        started = perf_counter()
        on = task_on(task, backend)
        sides.append(_side(on, replays, progress, named=backend in backends))
        progress.line(f"measured {backend} in {perf_counter() - started:.2f} s")
    ran = dict.fromkeys((base.backend, *chosen))
    return Outcome(
        name, task, scene.digest, replay.time, floors, tuple(sides), versions(*ran)
    )


def _half_step(base: TaskCfg, replay: Replay) -> Path:
    options = replace(base.scene.options, timestep=replay.timestep / 2)
    cfg = replace(base.scene, options=options)
    with build(replace(base, scene=cfg, timestep=None)) as sim:
        return play(sim, replay, split=2)


def _other_cone(base: TaskCfg, scene: Scene, replay: Replay) -> Path | None:
    """The same with the other of MuJoCo's friction cones; None where it is refused."""
    elliptic = scene.model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    cone = "pyramidal" if elliptic else "elliptic"
    options = replace(base.scene.options, cone=cone)
    try:
        with build(replace(base, scene=replace(base.scene, options=options))) as sim:
            return play(sim, replay)
    except UnsupportedFeature:
        return None


def _single(base: TaskCfg, scene: Scene, replay: Replay) -> Path:
    with build(base, scene) as sim:
        return play(sim, replay, rounded=True)


def _side(task: TaskCfg, replays: _Replays, progress: Progress, *, named: bool) -> Side:
    bench = bench_on(task)
    tried: list[Tried] = []
    for i, experiment in enumerate(EXPERIMENTS):
        tried.append(_try(experiment, bench))
        progress.share(f"experiments on {task.backend}", (i + 1) / len(EXPERIMENTS))
    try:
        with build(task, replays.scene) as sim:
            audit, path = sim.built.audit, play(sim, replays.replay)
    except UnsupportedFeature as error:
        return Side(task, named, "refused", str(error), None, None, tuple(tried))
    except AuditFailed as error:
        return Side(task, named, "failed", str(error), None, None, tuple(tried))
    faults = _faults(path)
    replay = Replayed(replays.apart(path), faults)
    state = "failed" if faults else "passed"
    kinds = ", ".join(f"{kind} in {n} worlds" for kind, n in faults.items())
    reason = f"the replay ended with faults: {kinds}" if faults else ""
    return Side(task, named, state, reason, audit, replay, tuple(tried))


def _try(experiment: Experiment, bench: Bench) -> Tried:
    name, law = experiment.name, experiment.law
    try:
        checks = tuple(experiment.run(bench))
    except UnsupportedFeature as error:
        return Tried(name, law, (), "refused", str(error))
    except UnisimError as error:
        return Tried(name, law, (), "failed", str(error))
    passed = all(item.passed for item in checks)
    return Tried(name, law, checks, "passed" if passed else "failed")


def _faults(path: Path) -> dict[str, int]:
    counts = {
        str(kind.name).lower(): int(np.count_nonzero(path.faults & int(kind)))
        for kind in Fault
    }
    return {name: count for name, count in counts.items() if count}
