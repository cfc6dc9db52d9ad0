"""What a result stands on."""

import platform
from importlib.metadata import PackageNotFoundError, version

import mujoco
import numpy as np

from unisim import __version__
from unisim.backend import registry


def versions(*backends: str) -> dict[str, str]:
    """Versions of what a result stands on, each backend's engine under its name."""
    engines: dict[str, str] = {}
    for backend in backends:
        try:
            engines[backend] = version(registry.load(backend).manifest.package)
        except PackageNotFoundError:
            engines[backend] = "unknown"
    return {
        "unisim": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "mujoco": mujoco.__version__,
        **engines,
        "platform": platform.platform(),
    }
