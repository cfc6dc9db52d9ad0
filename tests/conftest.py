"""What every test may use: the shared robots, the engines, hypothesis' settings."""

import os
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
IN_CI = os.environ.get("CI") == "true"
REQUIRED = frozenset(filter(None, os.environ.get("UNISIM_REQUIRE", "").split(",")))
DECLARED = {point.name: point for point in entry_points(group="unisim.backends")}

settings.register_profile("unisim", deadline=None, derandomize=IN_CI, print_blob=True)
settings.load_profile("unisim")


@pytest.fixture(scope="session", autouse=True)
def _cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep compiled scenes in a folder of the run, never in the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UNISIM_CACHE", str(tmp_path_factory.mktemp("cache")))
        # kernels take minutes to compile, and depend on nothing but their source
        kernels = Path(__file__).resolve().parent.parent / ".cache" / "warp"
        patch.setenv("WARP_CACHE_PATH", os.environ.get("WARP_CACHE_PATH", str(kernels)))
        yield


def pytest_configure() -> None:
    """Stop at once where UNISIM_REQUIRE names what is not installed.

    A backend stands for its engine; any other name is a module that tests import.
    """
    if missing := sorted(name for name in REQUIRED if not _installed(name)):
        message = f"UNISIM_REQUIRE: {', '.join(missing)} not installed here"
        raise pytest.UsageError(message)


def _installed(name: str) -> bool:
    if name not in DECLARED:
        return find_spec(name) is not None
    try:
        version(DECLARED[name].load().manifest.package)
    except PackageNotFoundError:
        return False
    return True


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs the shared robots where they are absent; in CI that is wrong."""
    if item.get_closest_marker("real_robot") and not SHARED.is_dir():
        reason = "needs the folder ../shared of real robots beside the repository"
        if IN_CI:
            pytest.fail(f"{reason}; in CI a skip would hide this", pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real robots; a test that uses it bears `real_robot`."""
    return SHARED


@pytest.fixture(scope="session")
def engine() -> Callable[[str], object]:
    """Look a declared backend up by name.

    An engine that is not installed skips the test, unless UNISIM_REQUIRE names it:
    then its absence is an error, so that no job goes green by skipping everything.
    """
    return _load


def _load(name: str) -> object:
    try:
        return DECLARED[name].load()
    except ImportError as absent:
        if name in REQUIRED:
            raise
        pytest.skip(f"the engine {name} is not installed: {absent!r}")
