"""A readback sees the engine's own objects, and nothing of what was asked for."""

import ast
import importlib
import inspect as inspection
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from unisim.backend.base import Backend, Readback
from unisim.backend.registry import load, names

FORBIDDEN = ("unisim.scene", "unisim.config", "unisim.backend.audit.run")
FORBIDDEN += ("unisim.backend.audit.oracle", "unisim.backend.audit.profile")
BACKENDS = names()


def imported(module):
    """Everything that a module imports, at any depth of its code."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{item.name}" for item in node.names)


@pytest.mark.parametrize("name", BACKENDS)
def test_readback_takes_the_handle_alone(engine, name):
    engine(name)
    backend = load(name)
    parameters = inspection.signature(backend.readback).parameters
    assert list(parameters) == ["handle"]
    stated = inspection.signature(Backend.readback).parameters
    assert list(stated) == ["self", "handle"]


@pytest.mark.parametrize("name", BACKENDS)
def test_readback_imports_neither_scene_nor_config_nor_reference(engine, name):
    engine(name)
    package = entry_points(group="unisim.backends")[name].module
    module = importlib.import_module(f"{package}.readback")
    found = [item for item in imported(module) if item.startswith(FORBIDDEN)]
    assert not found
    assert "expected" not in Path(module.__file__).read_text(encoding="utf-8")


def test_a_readback_is_made_of_names_values_and_pairs():
    assert list(Readback.__dataclass_fields__) == ["names", "values", "pairs", "loose"]
