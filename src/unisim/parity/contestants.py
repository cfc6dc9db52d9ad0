"""Which backends are measured, and what the task becomes on each of them."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

from unisim.backend import registry
from unisim.config import TaskCfg
from unisim.errors import MissingEngine
from unisim.parity.experiments import Bench


def choose(named: Sequence[str]) -> tuple[str, ...]:
    """The backends that are named; when none is, all that are installed and simulate.

    Raises:
        UnknownBackend: If no package registers one that is named.
        MissingEngine: If the engine of one that is named is not installed.
    """
    if named:
        for name in named:
            manifest = registry.load(name).manifest
            if not _installed(name):
                raise MissingEngine(name, manifest.package, manifest.install)
        return tuple(dict.fromkeys(named))
    return tuple(filter(_simulates, registry.names()))


def task_on(task: TaskCfg, backend: str) -> TaskCfg:
    """The scene of a task on a backend, open-loop.

    Device, precision and settings are the task's own on the task's own backend, and
    what comes nearest to them on another one. Contact queries and fields that vary are
    left out: they move nothing.
    """
    manifest = registry.load(backend).manifest
    have, own = manifest.abilities, backend == task.backend
    device, dtype = task.device, task.dtype
    if not own and device.split(":")[0] not in have.devices:
        device = "cpu" if "cpu" in have.devices else have.devices[0]
    if not own and dtype not in have.dtypes:
        dtype = have.dtypes[0]
    return replace(
        task,
        backend=backend,
        profile=task.profile if own else None,
        engine=task.engine if own else {},
        worlds=task.parity.worlds,
        device=device,
        dtype=dtype,
        deterministic=task.deterministic and have.deterministic,
        control=(),
        contacts=(),
        vary=(),
        require=(),
        faults="flag",
    )


def bench_on(task: TaskCfg) -> Bench:
    """Where the experiments are built, for a task that is on its backend."""
    return Bench(
        backend=task.backend,
        profile=task.profile,
        accept=task.accept,
        device=task.device,
        dtype=task.dtype,
        settings=task.engine,
    )


def _simulates(name: str) -> bool:
    manifest = registry.load(name).manifest
    kinematic = manifest.profile(None).kinematic
    return _installed(name) and not kinematic


def _installed(name: str) -> bool:
    try:
        version(registry.load(name).manifest.package)
    except PackageNotFoundError:
        return False
    return True
