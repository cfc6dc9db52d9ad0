"""Recorded measurements: merged, sorted, and keyed by what they were made on."""

import json
from dataclasses import replace

import pytest

from unisim.errors import BadRecord
from unisim.probe.record import Key, Record, adapter_digest, merged, read, text
from unisim.probe.rule import Finding, Verdict

KEY = Key(
    backend="b",
    profile="p",
    device="cpu",
    dtype="float64",
    engine="e 1.0",
    mujoco="3.17.0",
    adapter="aa",
)
EXACT, WRONG = Finding(Verdict.EXACT, 0.001), Finding(Verdict.WRONG, 2.5, "far")


def record(key=KEY, **findings):
    return Record(key, {name: f"digest {name}" for name in findings}, findings)


def test_records_survive_a_file(tmp_path):
    file = tmp_path / "measured.json"
    records = (record(b=EXACT, a=WRONG), record(replace(KEY, mujoco="4.0.0"), a=EXACT))
    file.write_text(text(records))
    assert read(file) == records
    assert list(json.loads(file.read_text())[0]["found"]) == ["a", "b"]
    assert text(read(file)) == file.read_text()


def test_a_file_that_is_not_there_has_no_records(tmp_path):
    assert read(tmp_path / "none.json") == ()


@pytest.mark.parametrize(
    "content", ["{", "3", "[3]", '[{"key": {}, "found": {}}]', '[{"found": {}}]']
)
def test_another_file_is_refused_with_a_remedy(tmp_path, content):
    file = tmp_path / "measured.json"
    file.write_text(content)
    with pytest.raises(BadRecord, match=r"measured.json.*unisim probe BACKEND --out"):
        read(file)


def test_measured_again_keeps_what_was_not():
    old = record(a=EXACT, b=EXACT)
    (found,) = merged([old], record(b=WRONG))
    assert dict(found.findings) == {"a": EXACT, "b": WRONG}


def test_another_adapter_forgets_what_the_old_one_did():
    new = record(replace(KEY, adapter="bb"), b=WRONG)
    assert merged([record(a=EXACT, b=EXACT)], new) == (new,)


@pytest.mark.parametrize("field", ["engine", "mujoco", "profile", "device", "dtype"])
def test_what_was_measured_on_something_else_stays(field):
    other = record(replace(KEY, **{field: "zz"}), a=EXACT)
    new = record(b=WRONG)
    found = merged([other], new)
    assert [item.key for item in found] == sorted(
        [other.key, new.key], key=lambda key: key.place
    )


def test_an_adapter_is_told_apart_by_its_source(tmp_path, monkeypatch):
    for name, content in (("a.py", "x = 1"), ("manifest.toml", "one")):
        (tmp_path / name).write_text(content)
    monkeypatch.setattr("unisim.probe.record.folder_of", lambda _: tmp_path)
    first = adapter_digest("b")
    (tmp_path / "manifest.toml").write_text("two")
    assert adapter_digest("b") == first
    (tmp_path / "a.py").write_text("x = 2")
    assert adapter_digest("b") != first
