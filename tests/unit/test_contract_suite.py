"""The contract suite as a library: nothing is lost on the way to a test module."""

import importlib
from collections import Counter
from pathlib import Path

import pytest

from unisim.errors import UnknownName
from unisim.probe.contract import Contract, clauses, suite
from unisim.probe.contract.clauses import CLAUSES, TOPICS


def test_every_file_of_clauses_is_a_topic() -> None:
    folder = Path(clauses.__file__).parent
    files = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    assert files == {*TOPICS}


def test_no_clause_hides_another_and_all_are_handed_out() -> None:
    modules = map(importlib.import_module, CLAUSES)
    names = Counter(n for m in modules for n in vars(m) if n.startswith("test_"))
    assert names.most_common(1)[0][1] == 1
    held = suite(Contract(backend="mujoco"))
    assert {name for name in held if name.startswith("test_")} == {*names}
    assert len(names) > 80


@pytest.mark.parametrize("field", ["everyday", "marks"])
def test_a_scene_that_is_not_there_is_named(field: str) -> None:
    stated = {"everyday": ("sinc",), "marks": {"sinc": pytest.mark.usefixtures()}}
    with pytest.raises(UnknownName, match=r"'sinc'.*'sink'"):
        Contract(backend="toy", **{field: stated[field]})


def test_everyday_scenes_are_chosen_unless_all_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contract = Contract(backend="toy", everyday=("sink",), scenes={"own": "<mujoco/>"})
    monkeypatch.delenv("UNISIM_CONTRACT", raising=False)
    assert contract.chosen == ("sink",)
    monkeypatch.setenv("UNISIM_CONTRACT", "full")
    assert contract.chosen == ("sink", "pile", "rails", "own")
