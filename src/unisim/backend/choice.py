"""Which backends are used, and what a task becomes on another one."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

from unisim.backend import registry
from unisim.config import TaskCfg
from unisim.errors import MissingEngine


def installed(name: str) -> bool:
    """Whether a backend's engine is installed.

    Raises:
        UnknownBackend: If no package registers the backend.
    """
    try:
        version(registry.load(name).manifest.package)
    except PackageNotFoundError:
        return False
    return True


def choose(named: Sequence[str]) -> tuple[str, ...]:
    """The backends that are named; when none is, all that are installed and simulate.

    Raises:
        UnknownBackend: If no package registers one that is named.
        NoAdapter: If one that is named can only be checked against.
        MissingEngine: If the engine of one that is named is not installed.
    """
    if not named:
        return tuple(name for name in registry.names() if _simulates(name))
    for name in named:
        manifest = registry.load(name).manifest
        if not installed(name):
            raise MissingEngine(name, manifest.package, manifest.install)
    return tuple(dict.fromkeys(named))


def on_backend(task: TaskCfg, backend: str) -> TaskCfg:
    """A task on a backend.

    Profile, settings, device and precision are the task's own on the task's own
    backend, and what comes nearest to them on another one.

    Raises:
        UnknownBackend: If nothing is known of the backend.
    """
    have = registry.manifest(backend).abilities
    if backend == task.backend:
        return settled(task)
    task = instead(task, backend)
    device = task.device
    if device.split(":")[0] not in have.devices:
        device = "cpu" if "cpu" in have.devices else have.devices[0]
    task = replace(
        task,
        device=device,
        dtype=task.dtype if task.dtype in have.dtypes else None,
        deterministic=task.deterministic and have.deterministic,
    )
    return settled(task)


def settled(task: TaskCfg) -> TaskCfg:
    """A task that says what it leaves to its backend: profile and precision.

    Raises:
        UnknownBackend: If nothing is known of the backend.
    """
    manifest = registry.manifest(task.backend)
    return replace(
        task,
        profile=task.profile or manifest.default_profile,
        dtype=task.dtype or manifest.abilities.dtypes[0],
    )


def instead(task: TaskCfg, backend: str) -> TaskCfg:
    """A task with another backend; profile and settings belong to the one it had."""
    if backend == task.backend:
        return task
    return replace(task, backend=backend, profile=None, engine={})


def _simulates(name: str) -> bool:
    manifest = registry.load(name).manifest
    return installed(name) and not manifest.profile(None).kinematic
