"""The commands, in process and as processes of their own."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from unisim.cli import COMMANDS, main
from unisim.cli.matrix import BEGIN, END

ROOT = Path(__file__).resolve().parent.parent.parent
QUADRUPED = ROOT / "models" / "quadruped" / "scene.xml"
SCENE = """<mujoco>
  <default>
    <joint damping="0.5"/>
  </default>
  <worldbody>
    <body name="arm">
      <joint name="hinge"/>
      <geom size=".1"/>
    </body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "scene.xml"
    file.write_text(SCENE, encoding="utf-8")
    return file


def process(*arguments, **environment):
    """Run the command line as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "unisim", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | environment,
    )


def test_help_lists_every_command_and_loads_neither_numpy_nor_mujoco():
    code = (
        "import sys; from unisim.cli import main; main(['--help']);"
        "print(sorted({'numpy', 'mujoco', 'pydantic', 'tyro'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n")
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_teaches_by_an_example(name, capsys):
    assert main([name, "--help"]) == 0
    assert f"Example: unisim {name}" in capsys.readouterr().out


def test_a_command_that_is_not_there_gets_a_suggestion(capsys):
    assert main(["chek"]) == 2
    assert "Did you mean 'check'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["check"], ["check", "a.xml", "--bakend", "x"], ["run", "--worlds", "many"]],
)
def test_wrong_usage_ends_with_2_and_no_traceback(arguments, capsys):
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err
    assert "Traceback" not in shown.err


def test_check_says_yes_with_0(scene, capsys):
    assert main(["check", str(scene)]) == 0
    out = capsys.readouterr().out
    assert f"{scene} on mujoco, profile default: runs" in out
    assert "0 unsupported, 0 approximate" in out


def test_check_names_element_line_class_line_and_remedy(scene, capsys):
    assert main(["check", str(scene), "--backend", "fake"]) == 1
    out = capsys.readouterr().out
    assert f"{scene}:7  joint 'hinge' = 0.5, by the default at {scene}:3" in out
    assert 'if you agree: accept = ["joint.damping"]' in out
    line = next(x for x in out.splitlines() if "to agree to every" in x)
    assert '"joint.damping"' in line


def test_what_check_says_to_accept_is_what_it_takes(scene, tmp_path, capsys):
    assert main(["check", str(scene), "--backend", "fake"]) == 1
    out = capsys.readouterr().out
    line = next(x for x in out.splitlines() if "to agree to every" in x)
    config = tmp_path / "task.toml"
    accept = line[line.index("accept") :]
    config.write_text(
        f'backend = "fake"\n{accept}\n[scene]\nmodel_file = "scene.xml"\n',
        encoding="utf-8",
    )
    assert main(["check", str(config)]) == 0
    assert "accepted" in capsys.readouterr().out


def test_accept_on_the_command_line_takes_several_ids(scene):
    arguments = ["check", str(scene), "--backend", "fake", "--accept"]
    assert main([*arguments, "joint", "geom", "body"]) == 0
    assert main([*arguments, "geom"]) == 1


def test_check_of_all_backends_is_no_when_one_refuses(scene, capsys):
    assert main(["check", str(scene), "--backend", "all"]) == 1
    out = capsys.readouterr().out
    assert "on mujoco, profile default: runs" in out
    assert "on fake, profile default: refused" in out


def test_check_lists_what_a_config_asks_of_the_backend(scene, tmp_path, capsys):
    config = tmp_path / "task.toml"
    config.write_text(
        'vary = ["jnt_axis"]\ndtype = "float32"\n[scene]\nmodel_file = "scene.xml"\n',
        encoding="utf-8",
    )
    assert main(["check", str(config)]) == 1
    out = capsys.readouterr().out
    assert "vary 'jnt_axis'" in out
    assert "dtype 'float32'" in out


def test_check_lists_everything_when_asked(scene, capsys):
    main(["check", str(scene)])
    assert "joint.damping" not in capsys.readouterr().out
    main(["check", str(scene), "--all"])
    assert "joint.damping" in capsys.readouterr().out


def test_json_of_check_holds_every_use_with_its_place(scene, capsys):
    assert main(["check", str(scene), "--backend", "all", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    runs = {item["backend"]: item["runs"] for item in report["backends"]}
    assert runs["mujoco"]
    assert not runs["fake"]
    # a check leaves visuals out, so its scene has another digest than that of a run
    assert "digest" not in report
    uses = {u["feature"]: u for b in report["backends"] for u in b["uses"]}
    damping = uses["joint.damping"]
    assert damping["at"] == {"file": str(scene), "line": 7}
    assert damping["class_at"] == {"file": str(scene), "line": 3}
    assert damping["basis"]
    assert damping["source"]


def test_check_lists_the_worst_first(scene):
    done = process("check", scene, "--backend", "fake", "--json")
    levels = [use["level"] for use in json.loads(done.stdout)["backends"][0]["uses"]]
    order = ["unsupported", "approximate", "exact", "visual"]
    assert levels == sorted(levels, key=order.index)


def test_support_has_a_row_per_family_and_a_column_per_backend(capsys):
    assert main(["support", "--markdown"]) == 0
    rows = capsys.readouterr().out.splitlines()
    head = [cell.strip() for cell in rows[0].strip("|").split("|")]
    assert head[0] == "feature"
    assert {"fake", "mujoco"} <= set(head)
    assert {"joint", "geom", "actuator", "sensor"} <= {
        row.strip("| ").split(" | ")[0] for row in rows
    }
    assert len({row.count("|") for row in rows}) == 1


def test_support_of_one_backend_has_a_row_per_feature(capsys):
    assert main(["support", "--backend", "mujoco"]) == 0
    out = capsys.readouterr().out
    assert any(
        line.split()[:2] == ["joint.damping", "exact"] for line in out.split("\n")
    )


def test_json_of_support_says_what_each_claim_rests_on(capsys):
    assert main(["support", "--json"]) == 0
    columns = {item["column"]: item for item in json.loads(capsys.readouterr().out)}
    claim = columns["mujoco"]["features"]["joint.damping"]
    assert claim["level"] == "exact"
    assert claim["basis"] == "measured"


def test_support_fills_the_block_of_a_file_again_and_again(tmp_path, capsys):
    file = tmp_path / "README.md"
    file.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    assert main(["support", "--write", str(file)]) == 0
    once = file.read_text(encoding="utf-8")
    assert main(["support", "--markdown"]) == 0
    assert once == f"before\n{BEGIN}\n{capsys.readouterr().out}{END}\nafter\n"
    assert main(["support", "--write", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == once


@pytest.mark.parametrize(
    "text", ["none", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{BEGIN}\n{END}"]
)
def test_support_leaves_a_file_without_a_block_alone(tmp_path, capsys, text):
    file = tmp_path / "README.md"
    file.write_text(text, encoding="utf-8")
    assert main(["support", "--write", str(file)]) == 3
    assert BEGIN in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [file]


def test_a_matrix_is_not_written_to_a_device(capsys):
    assert main(["support", "--write", "/dev/null"]) == 3
    assert "no ordinary file" in capsys.readouterr().err


def test_engines_says_what_is_installed(capsys):
    assert main(["engines"]) == 0
    assert "mujoco: mujoco " in capsys.readouterr().out
    assert main(["engines", "--json"]) == 0
    found = {item["backend"]: item for item in json.loads(capsys.readouterr().out)}
    assert found["mujoco"]["installed"]
    assert found["mujoco"]["profiles"] == ["default"]


def test_a_version_that_no_claim_was_made_on_is_said(scene, capsys, monkeypatch):
    assert main(["check", str(scene), "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["backends"]
    measured = report["engine"]["claims_made_on"]
    monkeypatch.setattr("importlib.metadata.version", lambda _: "99.1")
    monkeypatch.setattr("unisim.backend.obstacles.version", lambda _: "99.1")
    note = f"the claims hold for mujoco {', '.join(measured)}, installed is 99.1"
    assert main(["check", str(scene)]) == 1
    said = capsys.readouterr().out
    assert note in said
    assert 'accept = ["engine.release"]' in said
    assert main(["engines"]) == 0
    assert note in capsys.readouterr().out
    accept = ("--accept", "engine.release")
    assert main(["check", str(scene), "--json", *accept]) == 0
    (report,) = json.loads(capsys.readouterr().out)["backends"]
    assert report["engine"]["installed"] == "99.1"
    monkeypatch.setattr("importlib.metadata.version", lambda _: measured[0])
    monkeypatch.setattr("unisim.backend.obstacles.version", lambda _: measured[0])
    assert main(["check", str(scene)]) == 0
    assert "claims hold" not in capsys.readouterr().out


def test_compose_writes_a_scene_that_can_be_checked(tmp_path, capsys):
    out = tmp_path / "composed"
    assert main(["compose", str(ROOT / "configs" / "twoarm.toml"), "-o", str(out)]) == 0
    assert "16 actuators" in capsys.readouterr().out
    assert main(["check", str(out / "scene.xml")]) == 0


def test_pipes_get_no_colours_and_terminals_do(scene):
    assert "\x1b" not in process("check", scene, FORCE_COLOR="").stdout
    assert b"\x1b[32m" in on_terminal("check", scene)
    assert b"\x1b[32m" not in on_terminal("check", scene, NO_COLOR="1")


def test_a_reader_that_leaves_early_sees_no_traceback(scene):
    command = f"{sys.executable} -m unisim support --json | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[\n"
    assert not done.stderr


def on_terminal(*arguments, **environment):
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    plain = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "unisim", *map(str, arguments)],
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=plain | {"TERM": "xterm"} | environment,
    ) as child:
        child.wait(timeout=120)
        os.close(theirs)
        text = b""
        try:
            while block := os.read(ours, 65536):
                text += block
        except OSError:
            pass
        os.close(ours)
    return text
