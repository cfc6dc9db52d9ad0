"""`unisim probe` as it is typed."""

import json

import pytest

from unisim.cli import main
from unisim.probe.record import read

FEW = ("probe", "mujoco", "--feature", "joint.damping.ball", "key.qvel")


def run(capsys, *words):
    status = main(list(words))
    said = capsys.readouterr()
    return status, said.out, said.err


def test_it_says_what_it_measured_and_that_the_manifest_agrees(capsys):
    status, out, _ = run(capsys, *FEW)
    assert status == 0
    assert "mujoco (default, cpu, float64): mujoco " in out
    assert "2 exact" in out
    assert "claims of the manifest: all agree" in out


def test_json_has_key_and_findings_and_a_file_takes_the_record(capsys, tmp_path):
    file = tmp_path / "deep" / "measured.json"
    status, out, _ = run(capsys, *FEW, "--json", "--out", str(file))
    found = json.loads(out)
    assert status == 0
    assert found["key"]["backend"] == "mujoco"
    assert set(found["features"]) == {"joint.damping.ball", "key.qvel"}
    assert {item["verdict"] for item in found["features"].values()} == {"exact"}
    (record,) = read(file)
    assert set(record.findings) == set(found["features"])
    assert [item.name for item in file.parent.iterdir()] == [file.name]


def test_what_another_run_wrote_meanwhile_is_kept(capsys, monkeypatch, tmp_path):
    from unisim.probe import outcome

    file, real = tmp_path / "measured.json", outcome.measure

    def measure(*given, **named):
        monkeypatch.setattr(outcome, "measure", real)
        words = ("probe", "mujoco", "--feature", "key.qpos", "--out", str(file))
        assert main(list(words)) == 0
        return real(*given, **named)

    monkeypatch.setattr(outcome, "measure", measure)
    assert run(capsys, *FEW, "--out", str(file))[0] == 0
    (record,) = read(file)
    assert set(record.findings) == {"joint.damping.ball", "key.qpos", "key.qvel"}


def test_a_full_disk_is_one_sentence(capsys, monkeypatch, tmp_path):
    from unisim.probe import outcome

    monkeypatch.setattr(outcome, "measure", lambda *_, **__: {})

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(tmp_path), "write_text", full)
    status, out, err = run(capsys, *FEW, "--out", str(tmp_path / "measured.json"))
    assert (status, out) == (3, "")
    assert f"{tmp_path / 'measured.json'}: cannot write here: No space left" in err
    assert list(tmp_path.iterdir()) == []


def test_a_claim_that_does_not_hold_ends_with_1(capsys, monkeypatch):
    from unisim.probe import outcome
    from unisim.probe.rule import Finding, Verdict

    def measure(_target, probes, *_, **__):
        return {probe.feature: Finding(Verdict.IGNORED, 1.0, "") for probe in probes}

    monkeypatch.setattr(outcome, "measure", measure)
    status, out, _ = run(capsys, *FEW)
    assert status == 1
    assert "false claim" in out
    assert "2 disagree" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "nope"),
        (["physx"], "no adapter"),
        (["mujoco", "--feature", "joint.dampng"], "joint.damping"),
        (["mujoco", "--feature", "sensor.user"], "callback"),
        (["mujoco", "--feature", "visual.light"], "visual.light"),
        (["mujoco", "--dtype", "float32"], "float64"),
        (["mujoco", "--profile", "fast"], "default"),
        (["mujoco", "--device", "cuda"], "cpu"),
        (["mujoco", "--device", "cpu:1"], "cpu"),
        ([*FEW[1:], "--out", "/dev/null"], "no ordinary file"),
        (["mujoco", "--timeout", "0"], "timeout"),
        ([*FEW[1:], "--out", "{folder}"], "cannot write"),
    ],
)
def test_bad_input_gets_one_sentence(capsys, tmp_path, words, said):
    words = [word.format(folder=tmp_path) for word in words]
    status, out, err = run(capsys, "probe", *words)
    assert (status, out) != (0, "")
    assert status in {2, 3}
    assert said in err
    assert len(err.strip().splitlines()) <= 4
    assert list(tmp_path.iterdir()) == []
