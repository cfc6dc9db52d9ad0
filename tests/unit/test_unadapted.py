"""A backend with a manifest and no adapter can be checked against, and not be built."""

import json
import subprocess
import sys

import pytest

import unisim
from unisim.backend import registry
from unisim.cli import main
from unisim.errors import NoAdapter, UnknownBackend
from unisim.mjcf.features import FEATURES

SCENE = """<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <body name="arm">
      <joint name="hip" type="hinge"/>
      <geom name="rod" type="capsule" size=".05 .2" contype="0" conaffinity="0"/>
      <body name="hand">
        <joint name="wrist" type="ball" range="0 1"/>
        <geom name="fist" size=".1" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
NINE = {
    "mujoco", "mjwarp", "newton", "genesis", "drake", "motrix", "superdex", "isaacgym",
    "isaacsim",
}  # fmt: skip

ENGINES = {
    "mujoco_warp", "warp", "newton", "genesis", "pydrake", "motrixsim", "superdex",
    "isaacgym", "isaacsim", "ovphysx", "torch",
}  # fmt: skip
"""What no check may import."""


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "arm.xml"
    file.write_text(SCENE, encoding="utf-8")
    return file


@pytest.fixture
def config(scene, tmp_path):
    def write(text):
        file = tmp_path / "task.toml"
        file.write_text(f'{text}\n[scene]\nmodel_file = "arm.xml"\n', encoding="utf-8")
        return file

    return write


def test_there_is_a_manifest_of_every_engine():
    assert {*NINE, "physx"} <= set(registry.known())
    assert registry.known()[: len(registry.names())] == registry.names()
    assert all(registry.manifest(name).name == name for name in registry.known())


def test_the_manifest_of_an_adapter_is_the_adapters_own():
    assert registry.manifest("mujoco") is registry.load("mujoco").manifest


def test_a_build_says_in_one_sentence_what_to_build_on(config):
    task = unisim.load(config('backend = "physx"'))
    with pytest.raises(NoAdapter, match=r"'physx' can be checked .* no adapter") as no:
        unisim.build(task)
    assert "Build on" in str(no.value)
    assert "mujoco" in str(no.value)
    assert "physx" not in no.value.built


@pytest.mark.parametrize("command", ["run", "parity", "bench"])
def test_no_command_runs_it(command, config, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = [command, str(config('backend = "physx"'))]
    asked += [] if command == "run" else ["--backend", "physx"]
    before = set(tmp_path.iterdir())
    assert main(asked) == 3
    assert "'physx' can be checked" in capsys.readouterr().err
    assert set(tmp_path.iterdir()) == before


def test_settings_of_a_backend_without_adapter_are_not_let_pass(config, capsys):
    path = str(config('backend = "physx"\nengine = { approximation = "sap" }'))
    assert main(["check", path]) == 3
    assert "not built or configured" in capsys.readouterr().err


def test_an_unknown_backend_is_suggested_those_without_adapter_too():
    with pytest.raises(UnknownBackend, match="Did you mean 'genesis'"):
        registry.manifest("genesys")


def test_check_names_element_line_basis_and_source(scene, capsys):
    assert main(["check", str(scene), "--backend", "newton"]) == 1
    out = capsys.readouterr().out
    place = out.index(f"{scene}:8  joint 'wrist'")
    assert "unsupported  joint.limited.ball" in out[:place]
    assert out[place:].splitlines()[1].strip().startswith("measured: probe joint/ball")


def test_check_says_that_nothing_builds_what_it_lets_pass(scene, capsys):
    scene.write_text(SCENE.replace(' range="0 1"', ""), encoding="utf-8")
    assert main(["check", str(scene), "--backend", "newton"]) == 0
    out = capsys.readouterr().out
    assert f"{scene} on newton, profile mujoco: represented, no adapter yet" in out
    assert main(["check", str(scene), "--backend", "newton", "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["backends"]
    assert report["adapter"] is False
    assert report["runs"] is True


def test_check_of_all_answers_for_every_engine_and_ends_with_an_overview(scene, capsys):
    assert main(["check", str(scene), "--backend", "all"]) == 1
    *parts, overview = capsys.readouterr().out.split("\n\n")
    heads = [part.split(", profile")[0].split(" on ")[1] for part in parts]
    assert {*NINE, "physx"} <= set(heads)
    assert [line.split()[0] for line in overview.splitlines()] == heads
    refused = [": refused" in part.splitlines()[0] for part in parts]
    assert refused == sorted(refused, reverse=True)


def test_a_solver_profile_has_claims_of_its_own(scene, capsys):
    asked = ["check", str(scene), "--backend", "physx", "--profile"]
    assert main([*asked, "tgs"]) == 1
    assert "unsupported  joint.type.ball" not in capsys.readouterr().out
    assert main(["check", str(scene), "--backend", "physx", "--profile", "pgs"]) == 1
    assert "unsupported  joint.type.ball  not measured" in capsys.readouterr().out


def test_what_nobody_knows_is_said_to_rest_on_nothing(scene, capsys):
    assert main(["check", str(scene), "--backend", "isaacgym"]) == 1
    out = capsys.readouterr().out
    assert "rests on nothing: pip download isaacgym" in out
    assert "-> nobody knows whether it works: choose another backend" in out
    assert main(["check", str(scene), "--backend", "newton"]) == 1
    assert "rests on nothing" not in capsys.readouterr().out


def test_a_remedy_names_the_profile_that_represents_it(scene, capsys):
    limited = SCENE.replace('type="hinge"', 'type="hinge" limited="true" range="0 9"')
    scene.write_text(limited, encoding="utf-8")
    asked = ["check", str(scene), "--backend", "physx", "--profile", "pgs"]
    assert main(asked) == 1
    out = capsys.readouterr().out
    block = out[out.index("unsupported  joint.limited  ") :]
    assert 'with profile = "tgs" it is approximate' in block.splitlines()[3]
    ball = out[out.index("unsupported  joint.limited.ball") :]
    assert "with profile" not in ball.splitlines()[3]


def test_a_bare_scene_asks_for_no_precision_and_a_config_may(scene, config, capsys):
    assert main(["check", str(scene), "--backend", "motrix"]) == 1
    assert "dtype" not in capsys.readouterr().out
    stated = str(config('dtype = "float64"'))
    assert main(["check", stated, "--backend", "motrix"]) == 1
    assert "dtype 'float64': it computes in float32" in capsys.readouterr().out


def test_engines_lists_those_that_can_only_be_checked(capsys):
    assert main(["engines"]) == 0
    assert (
        "physx: no adapter yet: scenes can only be checked" in capsys.readouterr().out
    )
    assert main(["engines", "--json"]) == 0
    found = {item["backend"]: item for item in json.loads(capsys.readouterr().out)}
    assert found["mujoco"]["adapter"] is True
    assert found["physx"]["adapter"] is False
    assert found["physx"]["profiles"] == ["tgs", "pgs"]


def test_consent_holds_for_a_backend_without_adapter_too(config, capsys):
    text = 'backend = "motrix"\ndtype = "float32"\naccept = [{}]'
    assert main(["check", str(config(text.format("")))]) == 1
    assert 'accept = ["joint.limited.ball"]' in capsys.readouterr().out
    assert main(["check", str(config(text.format('"joint.limited.ball"')))]) == 0


def test_check_of_all_imports_no_engine_but_mujoco(scene):
    asked = f"main(['check', {str(scene)!r}, '--backend', 'all'])"
    code = f"import sys; from unisim.cli import main; {asked}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.splitlines()[-1].split()
    assert "mujoco" in loaded
    assert not ENGINES & {name.split(".")[0] for name in loaded}


def test_support_shows_every_profile_and_the_basis(capsys):
    assert main(["support", "--backend", "physx"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[1:4] == ["physx", "physx.pgs", "basis"]
    (row,) = [row.split() for row in rows if row.split()[0] == "joint.limited"]
    assert row[1:5] == ["approximate", "unsupported", "measured,", "nothing"]


def test_the_matrix_counts_what_is_exact_and_what_is_approximate(capsys):
    assert main(["support"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    column = head.index("motrix")
    (row,) = [row for row in rows if row.startswith("tendon")]
    levels = [
        registry.manifest("motrix").support("pgs", name).level
        for name in FEATURES
        if name.startswith("tendon")
    ]
    exact, close = levels.count("exact"), levels.count("approximate")
    assert row[column:].split()[:2] == [str(exact), f"≈{close}"]
    (last,) = [row for row in rows if row.startswith("adapter")]
    assert [last[head.index(name)] for name in ("mujoco", "superdex")] == ["y", "–"]


def test_details_hold_every_entry_of_every_manifest(capsys):
    assert main(["support", "--details"]) == 0
    out = capsys.readouterr().out
    manifests = [registry.manifest(name) for name in registry.known()]
    parts = [part for have in manifests for part in (have, *have.profiles.values())]
    entries = [entry for part in parts for entry in part.features]
    assert out.count("\n| `") == len(entries)
    assert all(f"\n## {name}\n" in out for name in registry.known())
    assert "| measured: probe joint/ball\\_range: 1.0e-2, limited=0" in out
