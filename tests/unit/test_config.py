"""A config is typed to the last value, and says where it is wrong."""

import dataclasses
import re
from pathlib import Path

import mujoco
import pytest

import unisim.config
import unisim.options
import unisim.terrains
import unisim.tiles
from unisim.config import AttachCfg, OptionsCfg, SceneCfg, TaskCfg, load, validate
from unisim.errors import BadConfig, MissingFile
from unisim.options import FLAGS
from unisim.terrains import FieldCfg

SCENE = '[scene]\nmodel_file = "a.xml"\n'


def loaded(folder, text):
    file = folder / "c.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(file)


def test_a_minimal_config_has_every_default(tmp_path):
    task = loaded(tmp_path, SCENE)
    assert task == TaskCfg(scene=SceneCfg(model_file=tmp_path / "a.xml"))
    assert (task.worlds, task.backend, task.dtype) == (1, "mujoco", None)


def test_paths_are_relative_to_the_config(tmp_path):
    text = (
        SCENE
        + """fragments = ["f.xml", "/abs/g.xml"]
visual_model_file = "v.xml"
[[scene.attach]]
model_file = "sub/p.xml"
prefix = "p_"
"""
    )
    scene = loaded(tmp_path, text).scene
    assert scene.model_file == tmp_path / "a.xml"
    assert scene.fragments == (tmp_path / "f.xml", Path("/abs/g.xml"))
    assert scene.visual_model_file == tmp_path / "v.xml"
    assert scene.attach[0].model_file == tmp_path / "sub/p.xml"


def test_a_full_config_is_read(tmp_path):
    text = """worlds = 4
seed = 3
vary = ["body_mass"]
[scene]
model_file = "a.xml"
[scene.options]
timestep = 1e-3
gravity = [0, 0, -9.8]
flags = {energy = "enable"}
[scene.terrain]
kind = "plane"
[engine]
threads = 2
fast = true
[[control]]
kind = "pd"
kp = {"*" = 20}
kv = {"*" = 0.5}
[[control]]
kind = "delay"
steps = 3
[[contacts]]
name = "foot"
first = "foot"
fields = ["force", "dist"]
"""
    task = loaded(tmp_path, text)
    assert task.scene.options.timestep == 0.001
    assert task.scene.options.gravity == (0.0, 0.0, -9.8)
    assert task.engine == {"threads": 2, "fast": True}
    assert [law.kind for law in task.control] == ["pd", "delay"]
    assert task.control[0].kp == {"*": 20.0}
    assert task.contacts[0].fields == ("force", "dist")


WRONG = {
    "": "scene: Field required",
    "worlds = true\n" + SCENE: "worlds: Input should be a valid integer",
    "worlds = 2.0\n" + SCENE: "worlds: Input should be a valid integer",
    'worlds = "2"\n' + SCENE: "worlds: Input should be a valid integer",
    "worlds = 0\n" + SCENE: "worlds: Input should be greater than 0",
    "wolrds = 3\n" + SCENE: "wolrds: Unexpected key. Did you mean 'worlds'? (line 1)",
    f"worlds = {2**31}\n" + SCENE: "worlds: Input should be less than or equal to "
    "2147483647 (line 1)",
    "seed = 2024-01-01\n" + SCENE: "seed: a date has no place here",
    SCENE
    + "keyframe = 2024-01-01T00:00:00\n": "scene.keyframe: a datetime has no place",
    SCENE
    + "[scene.options]\ntimestp = 3\n": "scene.options.timestp: Unexpected key. Did "
    "you mean 'timestep'? (line 4)",
    SCENE
    + '[[scene.terrain.tiles]]\nkind = "rough"\nhight = [0.1, 0.2]\n'
    + '[scene.terrain]\nkind = "grid"\n': "scene.terrain.grid.tiles.0.rough.hight: "
    "Unexpected key. Did you mean 'height'? (line 5)",
    SCENE + "[rn]\nseconds = 3.0\n": "rn: Unexpected key. Did you mean 'run'? (line 3)",
    SCENE
    + '[run]\nkp = 1\n[[control]]\nkind = "pd"\nkp = {}\nkv = {}\n': "run.kp: Unexp"
    "ected key. Known: amplitude, frequency, picture_world, seconds.",
    SCENE
    + "[scene.options]\ntimestep = nan\n": "scene.options.timestep: Input should be "
    "a finite number",
    SCENE
    + "[scene.options]\ngravity = [0, inf, 0]\n": "scene.options.gravity.1: Input "
    "should be a finite number",
    SCENE
    + "[scene.options]\ngravity = [0, 1]\n": "scene.options.gravity.2: Field required",
    SCENE
    + '[scene.options]\ncone = "eliptic"\n': "scene.options.cone: Input should be "
    "'pyramidal' or 'elliptic'",
    SCENE
    + '[scene.options.flags]\neulerdmp = "disable"\n': "No flag 'eulerdmp'. Did you "
    "mean 'eulerdamp'?",
    SCENE
    + "[scene.options.flags]\nenergy = true\n": "scene.options.flags.energy: Input "
    "should be 'enable' or 'disable'",
    SCENE
    + "[scene.options]\nactuatorgroupdisable = [31]\n": "actuatorgroupdisable.0: ",
    SCENE
    + '[scene.terrain]\nkind = "plane"\nquat = [0, 0, 0, 0]\n': "scene.terrain.plane."
    "quat: all zero is no rotation (line 5)",
    SCENE
    + '[[scene.attach]]\nmodel_file = "b"\nprefix = ""\nfoo = 1\n': "scene.attach.0."
    "foo: Unexpected key. Known: body, free_joint, keyframe, model_file, pos, prefix, "
    "quat, to, to_kind. (line 6)\n  - scene.attach.0.prefix: String should have at",
    SCENE
    + '[[control]]\nkind = "pd"\nkp = {a = "x"}\nkv = {}\n': "control.0.pd.kp.a: ",
    SCENE + '[[control]]\nkind = "pid"\n': "control.0: Input tag 'pid' found",
    SCENE + "[camera]\nwidth = -3\n": "camera.width: Input should be greater than 0",
    "scene = 3": "scene: Input should be an object",
    "scene = [1]": "scene: Input should be an object",
    "[scene": "not TOML: ",
    "a = 1\na = 2": "not TOML: ",
    b"\xff" + SCENE.encode(): "not UTF-8: invalid start byte",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=range(len(WRONG)))
def test_a_wrong_config_says_where_and_what(tmp_path, text, message):
    with pytest.raises(BadConfig) as caught:
        loaded(tmp_path, text)
    shown = str(caught.value)
    assert shown.startswith(f"{tmp_path / 'c.toml'}: the config is not valid:\n  - ")
    lines = sorted(shown.splitlines()[1:])
    assert message in shown or message in "\n".join(lines)
    assert caught.value.status == 2


def test_everything_wrong_is_said_at_once(tmp_path):
    text = "worlds = 0\nseed = -1\n" + SCENE + "keyfram = 'a'\n"
    with pytest.raises(BadConfig) as caught:
        loaded(tmp_path, text)
    assert len(caught.value.problems) == 3


def test_a_byte_order_mark_is_no_fault(tmp_path):
    assert loaded(tmp_path, b"\xef\xbb\xbf" + SCENE.encode()).worlds == 1


def test_a_config_that_cannot_be_read_says_why(tmp_path, monkeypatch):
    with pytest.raises(MissingFile, match="folder"):
        load(tmp_path)
    with pytest.raises(MissingFile, match="no such config file"):
        load(tmp_path / "absent.toml")
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(MissingFile, match="cannot be read: Permission denied"):
        load(tmp_path / "c.toml")


def refuse(*_: object, **__: object) -> str:
    raise PermissionError(13, "Permission denied")


def test_a_config_is_frozen_and_strict_in_python_too():
    cfg = SceneCfg(model_file=Path("a.xml"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        cfg.keyframe = "home"
    with pytest.raises(
        BadConfig, match=r"OptionsCfg: .*\n  - timestep: Input should be"
    ):
        OptionsCfg(timestep=-1.0)
    with pytest.raises(BadConfig, match="wrolds: Unexpected"):
        validate(TaskCfg, {"scene": {"model_file": Path("a.xml")}, "wrolds": 1}, "here")


KINDS = [
    kind
    for module in (unisim.config, unisim.options, unisim.terrains, unisim.tiles)
    for kind in vars(module).values()
    if dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__
]


@pytest.mark.parametrize("kind", dict.fromkeys(KINDS))
def test_every_config_made_in_python_refuses_by_its_own_error(kind):
    with pytest.raises(BadConfig, match="wrnog: Unexpected key") as caught:
        kind(wrnog=1)
    assert str(caught.value).startswith(f"{kind.__name__}: the config is not valid:")
    assert caught.value.__suppress_context__


def test_replacing_a_value_is_checked_alike():
    task = TaskCfg(scene=SceneCfg(model_file="a.xml"))
    with pytest.raises(BadConfig, match="worlds: Input should be greater"):
        dataclasses.replace(task, worlds=0)


def test_a_path_may_be_a_string_in_python_and_nothing_else_may():
    attached = AttachCfg(model_file="b.xml", prefix="b_")
    scene = SceneCfg(
        model_file="a.xml",
        fragments=("f.xml", Path("g.xml")),
        visual_model_file="v.xml",
        attach=(attached,),
        terrain=FieldCfg(file="h.npy"),
    )
    assert scene.model_file == Path("a.xml")
    assert scene.fragments == (Path("f.xml"), Path("g.xml"))
    assert scene.visual_model_file == Path("v.xml")
    assert scene.attach[0].model_file == Path("b.xml")
    assert scene.terrain.file == Path("h.npy")
    with pytest.raises(BadConfig, match="model_file: "):
        SceneCfg(model_file=3)
    with pytest.raises(BadConfig, match="fragments: "):
        SceneCfg(model_file="a.xml", fragments=["f.xml"])
    with pytest.raises(BadConfig, match="worlds: Input should be a valid integer"):
        TaskCfg(scene=scene, worlds=2.0)


def test_a_line_is_named_only_where_it_is_clear(tmp_path):
    text = SCENE + "# seed = 1\n[parity]\nseconds = -1.0\n[run]\nseconds = 1.0\n"
    with pytest.raises(BadConfig) as caught:
        loaded(tmp_path, text + "frequency = 0.0\n")
    shown = sorted(caught.value.problems)
    assert shown[0].startswith("parity.seconds: Input should be greater than 0")
    assert "line" not in shown[0]
    assert shown[1].endswith("(line 8)")


def schema(first: str, last: str) -> set[str]:
    text = mujoco.mj_printSchema(False, False)
    start = text.index(f"{first} (")
    part = text[start : text.index(f"{last} (", start)]
    return set(re.sub(r"\w+ \(.\)", "", part).split())


def test_every_option_of_mjcf_can_be_set():
    fields = {field.name for field in dataclasses.fields(OptionsCfg)}
    assert schema("option", "flag") == fields - {"flags"}


def test_every_flag_of_mjcf_can_be_set():
    # flags of a later MuJoCo are known as well
    assert schema("flag", "size") <= FLAGS
    assert FLAGS - schema("flag", "size") <= {"speculative"}


VALUES = {
    "integrator": ("Euler", "RK4", "implicit", "implicitfast", "discrete"),
    "cone": ("pyramidal", "elliptic"),
    "jacobian": ("dense", "sparse", "auto"),
    "solver": ("PGS", "CG", "Newton"),
}


@pytest.mark.parametrize("name", VALUES)
def test_every_choice_is_mujocos(name):
    enum = {"integrator": "mjtIntegrator", "cone": "mjtCone", "solver": "mjtSolver",
            "jacobian": "mjtJacobian"}[name]  # fmt: skip
    seen = set()
    for value in VALUES[name]:
        assert getattr(OptionsCfg(**{name: value}), name) == value
        text = f"<mujoco><option {name}='{value}'/></mujoco>"
        seen.add(getattr(mujoco.MjModel.from_xml_string(text).opt, name))
    members = vars(getattr(mujoco, enum))
    assert len(seen) == len([member for member in members if member.startswith("mj")])
