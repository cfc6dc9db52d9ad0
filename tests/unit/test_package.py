from importlib.metadata import entry_points, version

import unisim


def test_metadata_states_the_version_of_the_source() -> None:
    assert version("unisim-mjcf") == unisim.__version__


def test_a_star_import_brings_the_front_page() -> None:
    found: dict[str, object] = {}
    exec("from unisim import *", found)
    assert set(unisim.__all__) == set(dir(unisim)) == found.keys() - {"__builtins__"}
    assert found["TaskCfg"] is unisim.TaskCfg


def test_backends_are_declared_as_entry_points() -> None:
    declared = {point.name for point in entry_points(group="unisim.backends")}
    assert {"mujoco", "fake"} <= declared
