"""The engines that are guests, and what a run without them does."""

import os
from importlib import import_module
from importlib.util import find_spec

import pytest

MODULES = {"drake": "pydrake", "motrix": "motrixsim"}
"""By backend: the module of its engine."""
GUESTS = tuple(name for name in MODULES if find_spec(f"unisim.backend.{name}.build"))
REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")


def adapter(name):
    """A backend whose engine is installed: it must be where it is required."""
    if name not in REQUIRED:
        pytest.importorskip(MODULES[name])
    return import_module(f"unisim.backend.{name}").BACKEND
