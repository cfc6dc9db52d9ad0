"""A model is read with all it includes and names, and nothing else."""

import re

import mujoco
import pytest

from scene_files import no_cache, stl, write  # noqa: F401
from unisim.config import SceneCfg
from unisim.errors import BadAsset, BrokenXml, Clash, IncludeCycle, MissingFile
from unisim.scene.compose import compose
from unisim.scene.load import load_tree

FACES = ("right", "left", "up", "down", "front", "back")


def test_equal_files_are_kept_once_and_different_ones_apart(tmp_path):
    for folder, scale in (("a", 0.1), ("b", 0.1), ("c", 0.2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "base.stl").write_bytes(stl(scale))
    meshes = "".join(f"<mesh name='{f}' file='{f}/base.stl'/>" for f in "abc")
    vfs = {}
    tree = load_tree(
        write(tmp_path, main=f"<mujoco><asset>{meshes}</asset></mujoco>"), vfs
    )
    names = [mesh.attributes["file"] for mesh in tree.root.children[0].children]
    assert names[0] == names[1] != names[2]
    assert sorted(vfs) == sorted(set(names))
    assert vfs[names[2]] == stl(0.2)


def test_every_face_of_a_cube_texture_is_read(tmp_path):
    for face in FACES:
        (tmp_path / f"{face}.png").write_bytes(face.encode())
    faces = " ".join(f"file{face}='{face}.png'" for face in FACES)
    text = f"<mujoco><asset><texture name='t' type='cube' {faces}/></asset></mujoco>"
    vfs = {}
    load_tree(write(tmp_path, main=text), vfs)
    assert sorted(vfs.values()) == sorted(face.encode() for face in FACES)


def test_a_file_names_its_asset_as_in_mujoco(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x/a.b.stl").write_bytes(stl(0.1))
    text = (
        "<mujoco><asset><mesh file='x\\a.b.stl'/></asset><worldbody>"
        "<geom type='mesh' mesh='a.b'/></worldbody></mujoco>"
    )
    model = compose(SceneCfg(model_file=write(tmp_path, main=text))).model
    assert model.mesh(0).name == "a.b"


def test_a_model_asset_is_named_after_the_model(tmp_path):
    child = "<mujoco model='inner'><worldbody><body name='b'/></worldbody></mujoco>"
    text = (
        "<mujoco><asset><model file='child.xml'/></asset><worldbody>"
        "<attach model='inner' body='b' prefix='p_'/></worldbody></mujoco>"
    )
    file = write(tmp_path, main=text, child=child)
    reference = mujoco.MjModel.from_xml_path(str(file))
    assert compose(SceneCfg(model_file=file)).model.body(1).name == "p_b"
    assert reference.body(1).name == "p_b"


def refusal(kinds, tmp_path, main, **files):
    with pytest.raises(kinds) as caught:
        compose(SceneCfg(model_file=write(tmp_path, main=main, **files)))
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_a_file_that_includes_itself_is_refused(tmp_path):
    message = refusal(
        IncludeCycle,
        tmp_path,
        "<mujoco>\n<include file='part.xml'/></mujoco>",
        part="<mujoco>\n\n<include file='main.xml'/></mujoco>",
    )
    assert message.startswith("part.xml:3: main.xml is already included.")


def test_a_model_that_attaches_itself_is_refused(tmp_path):
    message = refusal(
        IncludeCycle,
        tmp_path,
        "<mujoco><asset><model name='a' file='part.xml'/></asset></mujoco>",
        part="<mujoco><asset>\n<model name='b' file='main.xml'/></asset></mujoco>",
    )
    assert message.startswith("part.xml:2: main.xml attaches itself.")


def test_two_models_of_one_name_are_refused(tmp_path):
    message = refusal(
        Clash,
        tmp_path,
        "<mujoco><asset><model name='a' file='p.xml'/>\n<model name='a' file='q.xml'/>"
        "</asset></mujoco>",
        p="<mujoco/>",
        q="<mujoco/>",
    )
    assert message.startswith("main.xml:2: model 'a' clashes with")


BAD = {
    "<include file='none.xml'/>": "<include> names 'none.xml', which is not there. "
    "Looked for none.xml.",
    "<include/>": "<include> needs a file.",
    "<include file='.'/>": "<include> names '.', which is a folder.",
    "<include file='part.xml'><a/></include>": "an <include> cannot have children.",
    "<asset><mesh name='m' file='none.stl'/></asset>": "<mesh> names 'none.stl', which "
    "is not there. Looked for none.stl.",
    "<asset><hfield name='m' size='1 1 1 1'\nfile='none.png'/>"
    "</asset>": "<hfield> names",
    "<asset><model name='m' file='none.xml'/></asset>": "<model> names 'none.xml'",
    f"<include file='{'x' * 300}'/>": "cannot be read: File name too long.",
}


@pytest.mark.parametrize(("text", "message"), BAD.items(), ids=range(len(BAD)))
def test_what_is_not_there_is_named_with_its_line(tmp_path, text, message):
    shown = refusal((MissingFile, BrokenXml), tmp_path, f"<mujoco>\n{text}</mujoco>")
    line = 2 + text.count("\n")
    assert shown.startswith(f"main.xml:{line}: ")
    assert message in shown


def test_an_empty_include_is_refused(tmp_path):
    message = refusal(
        BrokenXml, tmp_path, "<mujoco><include file='p.xml'/></mujoco>", p="<x/>"
    )
    assert "p.xml:1: this included file is empty" in message


@pytest.mark.parametrize("root", ["robot", "MUJOCO", "sdf"])
def test_what_is_not_mjcf_is_refused(tmp_path, root):
    message = refusal(BrokenXml, tmp_path, f"\n<{root}/>")
    assert message.startswith(f"main.xml:2: the root is <{root}>, not <mujoco>.")


def test_an_empty_asset_is_refused(tmp_path):
    (tmp_path / "a.stl").write_bytes(b"")
    text = "<mujoco><asset>\n<mesh name='m' file='a.stl'/></asset></mujoco>"
    assert re.match(r"main.xml:2: .*a.stl is empty", refusal(BadAsset, tmp_path, text))


NOT_FINITE = ("pos='0 nan 1'", "pos='0 0 -inf'", "size='INF'", "solref='NaN 1'")


@pytest.mark.parametrize("attribute", NOT_FINITE)
def test_a_number_that_is_none_is_refused(tmp_path, attribute):
    text = f"<mujoco><worldbody><geom name='g'\n{attribute}/></worldbody></mujoco>"
    message = refusal(BrokenXml, tmp_path, text)
    assert message.startswith("main.xml:2: <geom> states ")
    assert "not finite" in message
