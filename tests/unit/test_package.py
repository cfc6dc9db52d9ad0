from importlib.metadata import entry_points, version

import unisim


def test_metadata_states_the_version_of_the_source() -> None:
    assert version("unisim-mjcf") == unisim.__version__


def test_backends_are_declared_as_entry_points() -> None:
    declared = {point.name for point in entry_points(group="unisim.backends")}
    assert {"mujoco", "fake"} <= declared
