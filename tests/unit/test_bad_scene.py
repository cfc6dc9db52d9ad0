"""What MuJoCo refuses is refused at the file and line a person wrote."""

import re

import mujoco
import pytest

from scene_files import no_cache, stl, write  # noqa: F401
from unisim.config import AttachCfg, SceneCfg
from unisim.errors import BadAsset, BadScene, CompileFailed, MissingFile
from unisim.scene.compose import compose


def refusal(kind, folder, main, settings=None, **files):
    file = write(folder, main=main, **files)
    with pytest.raises(kind) as caught:
        compose(SceneCfg(model_file=file, **(settings or {})))
    return str(caught.value).replace(f"{folder}/", "")


# what is wrong inside the world body of part.xml, the line of it, part of the message
WRONG = {
    "unknown attribute": (
        "<geom size='.1'\nfoo='1'/>",
        4,
        "unrecognized attribute: 'foo'",
    ),
    "unknown element": ("<geo size='.1'/>", 3, "unrecognized element"),
    "unknown keyword": (
        "<geom size='.1'\n\ntype='shpere'/>",
        5,
        "invalid keyword: 'shpere'",
    ),
    "no number": ("<geom name='g'\nsize='x'/>", 4, "bad format in attribute 'size'"),
    "too many numbers": ("<geom\nsize='1 2 3 4'/>", 4, "'size' has too much data"),
    "negative size": ("<geom name='g'\nsize='-1'/>", 4, "size 0 must be positive"),
    "nameless": ("<site/>\n<geom\nsize='-1'/>", 5, "size 0 must be positive"),
    "name twice": (
        "<geom name='g' size='1'/>\n<geom name='g' size='1'/>",
        4,
        "repeated name",
    ),
    "unknown mesh": ("<geom type='mesh'\nmesh='zz'/>", 4, "mesh 'zz' not found"),
    "unknown class": (
        "<geom size='1'\nclass='zz'/>",
        4,
        "unknown default class name 'zz'",
    ),
    "no mass": ("<site/>\n<body name='b'><freejoint/></body>", 4, "mass and inertia"),
    "free below": (
        "<body><geom size='1'/>\n<body><geom size='1'/><freejoint/></body></body>",
        4,
        "free joint can only be used on top level",
    ),
    "copies": (
        "<replicate count='3'><body>\n<geom\nsize='-1'/></body></replicate>",
        5,
        "size 0 must be positive",
    ),
}


@pytest.mark.parametrize(("text", "line", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_mistake_in_an_included_file_is_on_its_line(tmp_path, text, line, message):
    shown = refusal(
        CompileFailed,
        tmp_path,
        "<mujoco>\n\n\n\n<worldbody><include file='part.xml'/></worldbody></mujoco>",
        part=f"<x>\n\n{text}</x>",
    )
    assert shown.startswith(f"part.xml:{line}: MuJoCo refuses the scene: ")
    assert message in shown


SECTIONS = {
    "actuator": (
        "<actuator>\n<motor name='m'\njoint='zz'/></actuator>",
        4,
        "target 'zz'",
    ),
    "sensor": ("<sensor>\n<touch site='zz'/></sensor>", 3, "unrecognized name 'zz'"),
    "class twice": (
        "<default><default class='a'/>\n<default class='a'/></default>",
        3,
        "repeated default class name",
    ),
    "renamed main": ("<default class='foo'/>", 2, "'main' cannot be renamed"),
    "key": ("<keyframe>\n<key\nqpos='1 2'/></keyframe>", 4, "invalid qpos size"),
    "key twice": (
        "<keyframe><key name='a'/>\n<key name='a'/></keyframe>",
        3,
        "repeated",
    ),
    "exclude": ("<contact>\n<exclude body1='a'\nbody2='b'/></contact>", 3, "'a'"),
    "tendon": (
        "<tendon><fixed name='t'>\n<joint joint='zz' coef='1'/></fixed></tendon>",
        3,
        "'zz'",
    ),
    "unknown section": ("<wordbody/>", 2, "unrecognized element"),
}


@pytest.mark.parametrize(
    ("text", "line", "message"), SECTIONS.values(), ids=SECTIONS.keys()
)
def test_a_mistake_in_any_section_is_on_its_line(tmp_path, text, line, message):
    shown = refusal(CompileFailed, tmp_path, f"<mujoco>\n{text}</mujoco>")
    assert shown.startswith(f"main.xml:{line}: MuJoCo refuses the scene: ")
    assert message in shown


FRAGMENTS = {
    "geom": ("<worldbody>\n<geom size='-1'/></worldbody>", 2),
    "sensor": ("<sensor>\n<touch site='zz'/></sensor>", 2),
    "key": ("<keyframe>\n<key name='k' ctrl='1 2 3'/></keyframe>", 2),
}


@pytest.mark.parametrize(("text", "line"), FRAGMENTS.values(), ids=FRAGMENTS.keys())
def test_a_mistake_in_a_fragment_is_on_its_line(tmp_path, text, line):
    shown = refusal(
        BadScene,
        tmp_path,
        "<mujoco>\n<worldbody>\n<geom size='1'/></worldbody></mujoco>",
        {"fragments": (tmp_path / "part.xml",)},
        part=f"<mujoco>{text}</mujoco>",
    )
    assert shown.startswith(f"part.xml:{line}: ")


MESH = (
    "<mujoco>\n<asset><mesh name='m'\n file='a.{}'/></asset>"
    "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
)
GARBAGE = {
    "a text named stl": ("stl", b"hello world" * 30, "perhaps this is an ASCII file"),
    "a short stl": ("stl", b"solid", "invalid header"),
    "an ASCII stl": ("stl", b"solid x\nfacet normal 0 0 0\nouter loop\n" * 9, "ASCII"),
    "a truncated stl": ("stl", stl(0.1)[:-30], "wrong size"),
    "a text named obj": ("obj", b"hello", "at least 4 vertices"),
    "a text named msh": ("msh", b"hello world" * 9, "invalid sizes"),
    "a format nobody reads": ("dae", b"<x/>", "no decoder found"),
    "no format": ("x", stl(0.1), "no decoder found"),
}


@pytest.mark.parametrize(
    ("ending", "content", "message"), GARBAGE.values(), ids=GARBAGE
)
def test_a_mesh_that_is_none_is_named_with_its_line(tmp_path, ending, content, message):
    (tmp_path / f"a.{ending}").write_bytes(content)
    shown = refusal(BadAsset, tmp_path, MESH.format(ending))
    assert shown.startswith(f"main.xml:3: MuJoCo cannot use a.{ending}: ")
    assert message in shown
    assert "MuJoCo reads binary .stl, .obj and .msh meshes" in shown
    assert not re.search(r"[0-9a-f]{32}", shown)


PICTURES = {
    "texture": "<texture name='t' type='2d'\nfile='a.png'/>",
    "hfield": "<hfield name='h' size='1 1 1 1'\nfile='a.png'/>",
}


@pytest.mark.parametrize("tag", PICTURES)
def test_a_picture_that_is_none_is_named_with_its_line(tmp_path, tag):
    (tmp_path / "a.png").write_bytes(b"hello" * 20)
    shown = refusal(
        BadAsset, tmp_path, f"<mujoco><asset>{PICTURES[tag]}</asset></mujoco>"
    )
    assert shown.startswith("main.xml:2: MuJoCo cannot use a.png: ")
    assert "MuJoCo reads .png" in shown


def test_a_mesh_of_an_attached_model_is_named_with_its_line(tmp_path):
    (tmp_path / "a.obj").write_bytes(b"hello")
    part = AttachCfg(model_file=tmp_path / "part.xml", prefix="p_")
    shown = refusal(
        BadAsset, tmp_path, "<mujoco/>", {"attach": (part,)}, part=MESH.format("obj")
    )
    assert shown.startswith("part.xml:3: MuJoCo cannot use a.obj: ")


LOST = {
    "tendon": (
        "<tendon>\n<fixed name='t'><joint joint='zz' coef='1'/></fixed></tendon>",
        2,
    ),
    "exclude": ("<contact>\n<exclude body1='b' body2='zz'/></contact>", 2),
    "equality": ("<equality>\n<joint joint1='j' joint2='zz'/></equality>", 2),
    "sensor": ("<sensor>\n\n<jointpos joint='zz'/></sensor>", 3),
    "actuator": ("<actuator>\n\n<motor joint='zz'/></actuator>", 3),
    "pair": ("<contact>\n<pair geom1='g' geom2='zz'/></contact>", 2),
}


@pytest.mark.parametrize(("text", "line"), LOST.values(), ids=LOST.keys())
def test_nothing_of_an_attached_model_gets_lost(tmp_path, text, line):
    part = AttachCfg(model_file=tmp_path / "part.xml", prefix="p_")
    body = "<body name='b'><joint name='j'/><geom name='g' size='1'/></body>"
    text = f"<mujoco><worldbody>{body}</worldbody>{text}</mujoco>"
    shown = refusal(BadScene, tmp_path, "<mujoco/>", {"attach": (part,)}, part=text)
    assert shown.startswith(f"part.xml:{line}: ")


def test_every_mistake_has_one_type(tmp_path):
    """Callers may catch BadScene alone, and exit with one status."""
    shown = refusal(BadScene, tmp_path, "<mujoco>")
    assert shown == "main.xml:1: <mujoco> is never closed."
    with pytest.raises(BadScene) as caught:
        compose(SceneCfg(model_file=tmp_path / "absent.xml"))
    assert isinstance(caught.value, MissingFile)
    assert caught.value.status == 3
    with pytest.raises(MissingFile, match="folder"):
        compose(SceneCfg(model_file=tmp_path))
    with pytest.raises(MissingFile, match=r"absent.xml: there is no such file"):
        compose(
            SceneCfg(
                model_file=write(tmp_path, main="<mujoco/>"),
                fragments=(tmp_path / "absent.xml",),
            )
        )


BYTES = {
    "UTF-16": "<mujoco><worldbody/></mujoco>".encode("utf-16"),
    "latin-1 "
    "name": "<mujoco><worldbody><geom name='café' size='1'/></worldbody></mujoco>"
    .encode("latin1"),
    "empty": b"",
    "spaces": b"\n \n",
    "binary": bytes(range(256)) * 4,
}  # fmt: skip


@pytest.mark.parametrize("content", BYTES.values(), ids=BYTES.keys())
def test_what_is_no_text_is_refused(tmp_path, content):
    shown = refusal(BadScene, tmp_path, content)
    assert re.match(r"main.xml:\d+: ", shown)


def test_mujoco_alone_would_point_nowhere(tmp_path):
    """Why errors are translated: without it, a mistake is on a line of no file."""
    file = write(
        tmp_path,
        main="<mujoco><include file='part.xml'/></mujoco>",
        part="<x>\n\n<worldbody><geom name='g' size='1'/></worldbody><worldbody>\n"
        "<geom name='g' size='1'/></worldbody></x>",
    )
    with pytest.raises(ValueError, match="line 0"):
        mujoco.MjModel.from_xml_path(str(file))
    with pytest.raises(CompileFailed, match=r"part.xml:4: .*repeated name 'g'"):
        compose(SceneCfg(model_file=file))


@pytest.mark.parametrize("visuals", [True, False])
def test_a_mistake_is_the_same_without_visuals(tmp_path, visuals):
    text = "<mujoco><worldbody>\n<geom size='-1'/></worldbody></mujoco>"
    cfg = SceneCfg(model_file=write(tmp_path, main=text))
    with pytest.raises(CompileFailed, match=r"main.xml:2: "):
        compose(cfg, visuals=visuals)
