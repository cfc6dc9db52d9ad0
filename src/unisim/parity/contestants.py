"""What a task becomes when it is measured on a backend."""

from dataclasses import replace

from unisim.backend.choice import on_backend
from unisim.config import TaskCfg
from unisim.parity.experiments import Bench


def task_on(task: TaskCfg, backend: str) -> TaskCfg:
    """The scene of a task on a backend, open-loop.

    Contact queries and fields that vary are left out: they move nothing.

    Raises:
        UnknownBackend: If no package registers the backend.
    """
    return replace(
        on_backend(task, backend),
        worlds=task.parity.worlds,
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
