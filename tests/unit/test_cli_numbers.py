"""Numbers, names and paths that no machine can serve, at the command line."""

import pytest

from unisim.cli import main
from unisim.config import ContactQueryCfg, SceneCfg, TaskCfg
from unisim.errors import BadConfig

SCENE = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 1"><joint name="lift" type="slide" axis="0 0 1"/>
      <geom name="box" size=".1"/>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="lift"/></actuator>
</mujoco>"""
HEAD = '[scene]\nmodel_file = "scene.xml"\n'
QUERY = '[[contacts]]\nname = "c"\nfirst = "box"\n'
WRONG = {
    "slots": (HEAD + QUERY + "slots = 1000000000\n", ["contacts.0.slots", "line 6"]),
    "delay": (
        HEAD + '[[control]]\nkind = "delay"\nsteps = 1000000000000\n',
        ["control.0.delay.steps", "1000000", "line 5"],
    ),
    "pixels": (
        HEAD + "[camera]\nwidth = 1000000\nheight = 1000000\n",
        ["camera.width", "camera.height", "8192", "line 5"],
    ),
    "no step": ("timestep = 0.0\n" + HEAD, ["timestep", "line 1"]),
    "step that is none": ("timestep = nan\n" + HEAD, ["timestep", "finite"]),
    "huge step": ("timestep = 1e300\n" + HEAD, ["timestep", "10000", "line 1"]),
    "huge step of the scene": (
        HEAD + "[scene.options]\ntimestep = 1e300\n",
        ["scene.options.timestep", "line 4"],
    ),
    "decimation": ("decimation = 1000000000000\n" + HEAD, ["decimation", "line 1"]),
    "no worlds": ("worlds = 0\n" + HEAD, ["worlds", "line 1"]),
    "fewer worlds": ("worlds = -1\n" + HEAD, ["worlds", "line 1"]),
    "many worlds": ("worlds = 1000000000000000000\n" + HEAD, ["worlds", "2147483647"]),
    "a flag of worlds": ("worlds = true\n" + HEAD, ["worlds", "integer"]),
    "replayed worlds": (HEAD + "[parity]\nworlds = 10000000000\n", ["parity.worlds"]),
    "two queries of a name": (HEAD + QUERY + QUERY, ["contacts: 'c' is here twice"]),
    "a field twice": (
        HEAD + QUERY + 'fields = ["force", "force"]\n',
        ["contacts.0.fields: 'force' is here twice"],
    ),
    "varied twice": (
        'vary = ["body_mass", "body_mass"]\n' + HEAD,
        ["vary: 'body_mass' is here twice", "line 1"],
    ),
    "a key twice": ("worlds = 1\nworlds = 2\n" + HEAD, ["overwrite", "line 2"]),
    "null byte in a path": (
        HEAD.replace("scene.xml", "sc\\u0000ne.xml"),
        ["scene.model_file: a null byte"],
    ),
    "null byte in a name": (
        HEAD + 'keyframe = "u\\u0000p"\n',
        ["scene.keyframe: a null byte"],
    ),
    "long path": (
        HEAD.replace("scene", "s" * 300, 2).replace("s" * 300, "scene", 1),
        ["scene.model_file: it is too long for a path", "line 2"],
    ),
}
LONG = {
    "run": HEAD + "[run]\nseconds = 1e300\n",
    "small steps": "timestep = 1e-300\n" + HEAD,
}


@pytest.fixture
def config(tmp_path):
    def write(text):
        (tmp_path / "scene.xml").write_text(SCENE, encoding="utf-8")
        content = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "task.toml").write_bytes(content)
        return tmp_path / "task.toml"

    return write


@pytest.fixture
def refusal(capsys):
    def run(command, path, *more):
        out = (
            ["--out", path.parent / "out"] if command not in {"check", "bench"} else []
        )
        before = set(path.parent.iterdir())
        assert main([command, *map(str, (path, *out, *more))]) == 2
        assert set(path.parent.iterdir()) == before
        shown = capsys.readouterr()
        assert not shown.out
        return shown.err

    return run


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("command", ["check", "compose", "run", "parity", "bench"])
def test_what_no_machine_can_serve_is_refused(config, refusal, command, case):
    text, fragments = WRONG[case]
    said = refusal(command, config(text))
    assert said.startswith("unisim: ")
    assert "task.toml: the config is not valid" in said
    assert all(fragment in said for fragment in fragments)


@pytest.mark.parametrize("command", ["check", "run"])
@pytest.mark.parametrize("case", LONG)
def test_a_run_of_too_many_steps_is_refused(config, refusal, command, case):
    said = refusal(command, config(LONG[case]))
    assert "run.seconds" in said
    assert "2,000,000 steps of" in said
    assert "task.toml" in said


def test_a_replay_of_too_many_steps_is_refused(config, refusal):
    text = HEAD + "[parity]\nseconds = 1e300\n"
    said = refusal("parity", config(text), "--backend", "mujoco")
    assert "parity.seconds 1e+300 is out of range: allowed is up to 4000" in said


def test_what_is_not_utf_8_is_refused_with_its_line(config, refusal):
    said = refusal("check", config(b"worlds = 2\n# \xff\n" + HEAD.encode()))
    assert "not UTF-8: invalid start byte (line 2)" in said


@pytest.mark.parametrize("command", ["check", "run"])
def test_an_empty_name_is_no_backend(config, refusal, command):
    assert "No backend ''" in refusal(command, config(HEAD), "--backend", "")


def test_more_worlds_than_can_be_counted_are_refused_by_the_benchmark(config, refusal):
    said = refusal("bench", config(HEAD), "--worlds", "1,99999999999")
    assert "--worlds 99999999999 is out of range" in said
    assert "from 1 to 2147483647" in said


def test_a_path_in_python_is_held_to_the_same():
    with pytest.raises(BadConfig, match="a null byte is in no path"):
        SceneCfg(model_file="a\0.xml")
    with pytest.raises(BadConfig, match="too long for a path"):
        SceneCfg(model_file="a/" * 2100 + "a.xml")


def test_queries_in_python_are_held_to_the_same():
    query = ContactQueryCfg(name="c", first="box")
    with pytest.raises(BadConfig, match="'c' is here twice"):
        TaskCfg(scene=SceneCfg(model_file="a.xml"), contacts=(query, query))
