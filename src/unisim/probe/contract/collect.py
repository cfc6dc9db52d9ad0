"""The clauses of the contract as what a test module holds."""

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from importlib import import_module
from itertools import product

import pytest

from unisim.probe.contract.build import BuildSim, Refused
from unisim.probe.contract.clauses import CLAUSES
from unisim.probe.contract.contract import Contract

Clause = Callable[..., None]


def suite(*contracts: Contract) -> dict[str, object]:
    """Every clause of the contract, for the globals of a test module.

    A clause that needs what the manifest does not declare is run all the same: it
    passes where the build refuses it for that reason, and the report of the test has
    the property `refused`.

    Args:
        contracts: The backends to hold to it.

    Returns:
        Test functions, their fixtures and their parameters, by name.
    """

    def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
        _parametrize(metafunc, contracts)

    return {
        "pytest_generate_tests": pytest_generate_tests,
        "contract": contract,
        "build_sim": build_sim,
        "full_scene": full_scene,
        **{name: _or_refused(clause) for name, clause in _clauses()},
    }


@pytest.fixture
def contract(request: pytest.FixtureRequest) -> Contract:
    """The contract of the backend that this test holds to it."""
    return request.param


@pytest.fixture
def build_sim(request: pytest.FixtureRequest, contract: Contract) -> Iterator[BuildSim]:
    """Builds a scene by name or from a text; keywords are those of `TaskCfg`."""
    needs = getattr(request.function, "needs", ())
    builder = BuildSim(contract, needs, request.node.user_properties)
    yield builder
    builder.close()


@pytest.fixture
def full_scene(build_sim: BuildSim) -> str:
    """The scene with most to read and write of those that the backend represents."""
    return "rails" if build_sim.refusals("sink") else "sink"


def _clauses() -> Iterator[tuple[str, Clause]]:
    for module in map(import_module, CLAUSES):
        for name, value in vars(module).items():
            if name.startswith("test_"):
                yield name, value


def _or_refused(clause: Clause) -> Clause:
    """A clause that ends where the build refused what the manifest does not declare."""

    @wraps(clause)
    def held(*args: object, **fixtures: object) -> None:
        try:
            clause(*args, **fixtures)
        except Refused as refusal:
            print(refusal)

    return held


def _parametrize(metafunc: pytest.Metafunc, contracts: tuple[Contract, ...]) -> None:
    names = metafunc.fixturenames
    if "contract" not in names:
        return
    asked = [name for name in ("scene_name", "engine") if name in names]
    rows = [
        _row(item, chosen)
        for item in contracts
        for chosen in product(*(_choices(item, name) for name in asked))
    ]
    metafunc.parametrize(["contract", *asked], rows, indirect=["contract"])


def _row(item: Contract, chosen: Sequence[tuple[str, object]]) -> object:
    names, values = [name for name, _ in chosen], [value for _, value in chosen]
    marks = [item.marks[name] for name in names if name in item.marks]
    return pytest.param(item, *values, marks=marks, id="-".join((item.backend, *names)))


def _choices(item: Contract, name: str) -> list[tuple[str, object]]:
    """What a clause is run on, each with its name in the test's id."""
    if name == "scene_name":
        return [(scene, scene) for scene in item.chosen]
    return [(",".join(engine) or "default", dict(engine)) for engine in item.settings]
