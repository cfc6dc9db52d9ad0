"""Composing changes nothing that MuJoCo computes with, on every robot there is."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest

from conftest import SHARED
from scene_files import composed, no_cache, stl, write  # noqa: F401
from unisim.config import AttachCfg, OptionsCfg, SceneCfg
from unisim.errors import (
    BadAttachment,
    CannotWrite,
    CompileFailed,
    MissingFile,
    UnknownName,
)
from unisim.scene.compose import compose
from unisim.scene.export import export
from unisim.scene.flatten import differences

OWN = Path(__file__).parents[2] / "models"
GO1 = "policies/go1/mujoco_playground/_src/locomotion/go1/xmls"
KEYS = ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat")


def real() -> Iterator[Path]:
    if not SHARED.is_dir():
        yield SHARED  # so that the marker skips it, or fails in CI
        return
    for model in json.loads((SHARED / "models/sets.json").read_text()):
        yield next((SHARED / "models" / model["folder"]).rglob(model["main"]))
    yield from sorted((SHARED / "cases").glob("*/model.xml"))
    yield SHARED / GO1 / "scene_mjx_feetonly_flat_terrain.xml"


def short(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def check_file(file: Path) -> None:
    """The same as MuJoCo, also where that refuses: no MuJoCo reads everything."""
    try:
        reference = mujoco.MjModel.from_xml_path(str(file))
    except ValueError:
        with pytest.raises(CompileFailed):
            compose(SceneCfg(model_file=file))
    else:
        check_identical(file, reference)


def check_identical(file: Path, reference: mujoco.MjModel) -> None:
    model = compose(SceneCfg(model_file=file)).model
    assert differences(reference, model) == []
    for key in KEYS:
        mine, theirs = getattr(model, f"key_{key}"), getattr(reference, f"key_{key}")
        assert np.array_equal(mine, theirs), key
    for name, number in vars(mujoco.mjtObj).items():
        if name.startswith("mjOBJ_") and isinstance(number, mujoco.mjtObj):
            check_names(model, reference, number)


def check_names(
    model: mujoco.MjModel, reference: mujoco.MjModel, kind: mujoco.mjtObj
) -> None:
    number = 0
    while (mine := mujoco.mj_id2name(model, kind, number)) is not None:
        stated = mujoco.mj_id2name(reference, kind, number)
        assert stated in {None, "", mine}
        number += 1


@pytest.mark.real_robot
@pytest.mark.parametrize("file", list(real()), ids=short)
def test_a_real_robot_composes_to_the_model_mujoco_compiles(file):
    check_file(file)


@pytest.mark.parametrize("file", sorted(OWN.glob("*/*.xml")), ids=short)
def test_our_own_robot_composes_to_the_model_mujoco_compiles(file):
    check_file(file)


def test_every_object_has_a_name(tmp_path):
    scene = composed(
        tmp_path,
        "<mujoco><worldbody><geom size='1'/><geom name='world_geom_a' size='2'/>"
        "<body><freejoint/><geom size='.1'/><site/><camera/><light/></body></worldbody>"
        "<sensor><clock/><clock/></sensor></mujoco>",
    )
    names = [scene.model.geom(i).name for i in range(3)]
    assert names[:2] == ["world_geom_b", "world_geom_a"]
    kinds = ("body", "joint", "geom", "site", "camera", "light", "sensor")
    for kind in kinds:
        number = mujoco.mju_str2Type(kind)
        count = {"joint": "jnt", "camera": "cam"}.get(kind, kind)
        for i in range(getattr(scene.model, f"n{count}")):
            assert mujoco.mj_id2name(scene.model, number, i)


ODD = {
    "single "
    "quotes": "<mujoco><worldbody><geom name='a\"b' size='.1'/></worldbody></mujoco>",
    "a comment with dashes": "<mujoco><!-- a -- b --- --><worldbody/></mujoco>",
    "tags in a comment": "<mujoco><!-- <geom/> > --><worldbody/></mujoco>",
    "character data": "<mujoco><![CDATA[ <x> ]]><worldbody/></mujoco>",
    "a declaration": "<?xml version='1.0'?><!DOCTYPE m><mujoco><worldbody/></mujoco>",
    "a byte order mark": "\ufeff<mujoco><worldbody/></mujoco>",
    "tabs and "
    "CRLF": "<mujoco>\r\n\t<worldbody>\r\n<geom\tsize='.1'\r\npos='0\t0\r\n1'/>"
    "</worldbody></mujoco>",
    "> in a "
    "value": "<mujoco><worldbody><geom name='a>b' size='.1'/></worldbody></mujoco>",
    "< in a "
    "value": "<mujoco><worldbody><geom name='a<b' size='.1'/></worldbody></mujoco>",
    "entities": "<mujoco><worldbody><geom name='a&lt;&#66;&amp;' size='.1'/>"
    "</worldbody></mujoco>",
    "spaces in tags": "<mujoco >< worldbody></worldbody ></mujoco>",
    "text between tags": "<mujoco>hi<worldbody>there</worldbody></mujoco>",
    "no space between attributes": "<mujoco><worldbody><geom size='.1'name='b'/>"
    "</worldbody></mujoco>",
    "sections twice": "<mujoco><option timestep='.01'/><worldbody><geom size='.1'/>"
    "</worldbody><option timestep='.02'/><worldbody><geom size='.2'/></worldbody>"
    "</mujoco>",
    "unicode names": "<mujoco><worldbody><geom name='größe→' size='.1'/></worldbody>"
    "</mujoco>",
    "a frame with childclass": "<mujoco><default><default class='c'><geom size='.3'/>"
    "</default></default><worldbody><frame childclass='c' pos='1 2 3' euler='10 20 30'>"
    "<geom/></frame></worldbody></mujoco>",
    "replicated names that end in digits": "<mujoco><worldbody><replicate count='12' "
    "offset='1 0 0'><geom name='g1' size='.1'/></replicate></worldbody></mujoco>",
    "flexcomp": "<mujoco><worldbody><flexcomp name='f' type='grid' count='3 3 1' "
    "dim='2' "
    "spacing='.1 .1 .1'><edge equality='true'/></flexcomp></worldbody></mujoco>",
    "composite": "<mujoco><worldbody><composite prefix='c' type='cable' curve='s' "
    "count='5 1 1' size='1'><geom type='capsule' size='.01'/></composite></worldbody>"
    "</mujoco>",
    "inline mesh and height "
    "field": "<mujoco><asset><mesh name='m' vertex='0 0 0  1 0 0  "
    "0 1 0  0 0 1'/><hfield name='h' nrow='2' ncol='2' elevation='0 1 2 3' size='1 1 "
    "1 1'"
    "/></asset><worldbody><geom type='mesh' mesh='m'/><geom type='hfield' hfield='h'/>"
    "</worldbody></mujoco>",
    "infinite ranges": "<mujoco><worldbody><body><joint name='j' range='-inf 1'/>"
    "<geom size='.1'/></body></worldbody><actuator><motor joint='j' "
    "ctrlrange='-inf inf'/></actuator></mujoco>",
    "something named "
    "inf": "<mujoco><worldbody><body name='inf'><geom name='nan' size='1'/>"
    "</body></worldbody></mujoco>",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_what_mujoco_accepts_is_accepted(tmp_path, text):
    check_file(write(tmp_path, main=text))


INCLUDES = {
    "another "
    "root": ("<x><geom size='.3'/></x>", "<body><include file='part.xml'/></body>"),
    "twice removed": (
        "<x><include file='inner.xml'/></x>",
        "<include file='part.xml'/>",
    ),
    "a byte order mark": ("\ufeff<mujoco><geom size='.4'/></mujoco>",
                          "<include file='part.xml'/>"),
}  # fmt: skip


@pytest.mark.parametrize(("part", "use"), INCLUDES.values(), ids=INCLUDES.keys())
def test_includes_are_expanded_as_in_mujoco(tmp_path, part, use):
    file = write(
        tmp_path,
        main=f"<mujoco><worldbody>{use}</worldbody></mujoco>",
        part=part,
        inner="<y><geom size='.2'/></y>",
    )
    check_identical(file, mujoco.MjModel.from_xml_path(str(file)))


MESH = "<asset><mesh name='m' file='{}'/></asset>"
USED = "<worldbody><geom type='mesh' mesh='m'/></worldbody>"
PLACES = {
    "beside": ("", MESH.format("a.stl"), "a.stl"),
    "in meshdir": ("<compiler meshdir='d'/>", MESH.format("a.stl"), "d/a.stl"),
    "in assetdir": ("<compiler assetdir='d'/>", MESH.format("a.stl"), "d/a.stl"),
    "stripped": ("<compiler strippath='true'/>", MESH.format("x/y/a.stl"), "a.stl"),
    "with a backslash": ("", MESH.format("x\\a.stl"), "x/a.stl"),
    "in capitals": ("", MESH.format("a.STL"), "a.STL"),
    "beside the include": ("", "<include file='s/part.xml'/>", "s/a.stl"),
    "main first": ("", "<include file='s/part.xml'/>", "a.stl"),
    "meshdir stated later": (
        MESH.format("a.stl"),
        "<compiler meshdir='d'/>",
        "d/a.stl",
    ),
    "not in meshdir": ("<compiler meshdir='d'/>", MESH.format("a.stl"), "a.stl"),
    "not in the outer include": ("", "<include file='s/outer.xml'/>", "s/a.stl"),
}


@pytest.mark.parametrize(("head", "asset", "place"), PLACES.values(), ids=PLACES.keys())
def test_files_are_looked_for_where_mujoco_looks(tmp_path, head, asset, place):
    file = write(tmp_path, main=f"<mujoco>{head}{asset}{USED}</mujoco>")
    (tmp_path / "s/t").mkdir(parents=True)
    write(tmp_path / "s", part=f"<x>{MESH.format('a.stl')}</x>",
          outer="<x><include file='t/part.xml'/></x>")  # fmt: skip
    write(tmp_path / "s/t", part=f"<x>{MESH.format('a.stl')}</x>")
    (tmp_path / place).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / place).write_bytes(stl(0.3))
    try:
        reference = mujoco.MjModel.from_xml_path(str(file))
    except ValueError:
        with pytest.raises(MissingFile):
            compose(SceneCfg(model_file=file))
    else:
        check_identical(file, reference)


def test_a_config_overrides_options_and_flags(tmp_path):
    file = write(
        tmp_path, main="<mujoco><option timestep='.01' cone='elliptic'/></mujoco>"
    )
    options = OptionsCfg(
        timestep=0.003,
        gravity=(0.1, 0.2, -3.0),
        integrator="RK4",
        o_solref=(0.3, 0.4),
        actuatorgroupdisable=(1, 3),
        flags={"gravity": "disable", "energy": "enable"},
    )
    opt = compose(SceneCfg(model_file=file, options=options)).model.opt
    assert opt.timestep == 0.003
    assert opt.gravity.tolist() == [0.1, 0.2, -3.0]
    assert opt.integrator == mujoco.mjtIntegrator.mjINT_RK4
    assert opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert opt.o_solref.tolist() == [0.3, 0.4]
    assert opt.disableactuator == 0b1010
    assert opt.disableflags == mujoco.mjtDisableBit.mjDSBL_GRAVITY
    assert opt.enableflags == mujoco.mjtEnableBit.mjENBL_ENERGY


def test_without_visuals_the_physics_stays(tmp_path):
    (tmp_path / "a.stl").write_bytes(stl(0.1))
    file = write(
        tmp_path,
        main="<mujoco><asset><mesh name='m' file='a.stl'/></asset><worldbody><body>"
        "<freejoint/><inertial mass='2' pos='0 0 .1' diaginertia='1 2 2.5'/><geom "
        "type='mesh' mesh='m' contype='0' conaffinity='0'/><geom size='.2'/></body>"
        "</worldbody></mujoco>",
    )
    slim, whole = (compose(SceneCfg(model_file=file), visuals=v) for v in (False, True))
    assert (slim.model.ngeom, whole.model.ngeom) == (1, 2)
    assert slim.model.nmesh == 0
    for field in ("body_mass", "body_inertia", "body_ipos", "qpos0"):
        assert np.array_equal(getattr(slim.model, field), getattr(whole.model, field))


def test_the_digest_follows_every_byte(tmp_path):
    text = "<mujoco><asset><mesh name='m' file='a.stl'/></asset>" + USED + "</mujoco>"
    (tmp_path / "a.stl").write_bytes(stl(0.1))
    first = composed(tmp_path, text).digest
    assert composed(tmp_path, text + "<!-- a comment -->").digest == first
    assert composed(tmp_path, text.replace("'m'", "'n'")).digest != first
    (tmp_path / "a.stl").write_bytes(stl(0.2))
    assert composed(tmp_path, text).digest != first


STAND_IN = "<mujoco><worldbody><body name='a'/>{}</worldbody></mujoco>"


def test_a_stand_in_has_bodies_of_the_scene(tmp_path):
    file = write(tmp_path, main=STAND_IN.format(""), other=STAND_IN.format(""))
    cfg = SceneCfg(model_file=file, visual_model_file=tmp_path / "other.xml")
    assert compose(cfg).visual_file == tmp_path / "other.xml"
    write(tmp_path, other=STAND_IN.format("\n<body name='b'/>"))
    with pytest.raises(BadAttachment, match=r"other.xml:2: body 'b'"):
        compose(cfg)


def test_an_unknown_keyframe_names_those_there_are(tmp_path):
    file = write(
        tmp_path, main="<mujoco><keyframe><key name='home'/></keyframe></mujoco>"
    )
    with pytest.raises(UnknownName, match=r"main.xml 'hom'. Did you mean 'home'"):
        compose(SceneCfg(model_file=file, keyframe="hom"))


def exported(folder: Path) -> SceneCfg:
    (folder / "a.stl").write_bytes(stl(0.1))
    body = (
        "<body name='b'><joint name='j'/><geom name='g' type='mesh' mesh='m'/></body>"
    )
    file = write(
        folder,
        main=f"<mujoco>{MESH.format('a.stl')}<worldbody>{body}</worldbody></mujoco>",
        part=f"<mujoco>{MESH.format('a.stl')}<worldbody>{body}</worldbody><keyframe>"
        "<key name='k' qpos='.3'/></keyframe></mujoco>",
    )
    part = AttachCfg(model_file=folder / "part.xml", prefix="p_", keyframe="k")
    return SceneCfg(model_file=file, attach=(part,))


def test_an_exported_scene_loads_in_plain_mujoco(tmp_path):
    scene = compose(exported(tmp_path))
    export(scene, tmp_path / "deep/out")
    loaded = mujoco.MjModel.from_xml_path(str(tmp_path / "deep/out/scene.xml"))
    assert differences(scene.model, loaded) == []
    described = json.loads((tmp_path / "deep/out/scene.json").read_text())
    assert described["digest"] == scene.digest
    assert described["mujoco"] == mujoco.__version__
    assert described["names"]["joint"] == ["j", "p_j"]
    assert described["names"]["key"] == ["composed", "p_k"]
    assert described["keyframe"] == "composed"
    assert described["sources"]["geom"]["p_g"] == f"{tmp_path / 'part.xml'}:1"


def test_an_export_replaces_an_export_only(tmp_path):
    scene, out = compose(exported(tmp_path)), tmp_path / "out"
    out.mkdir()
    export(scene, out)
    before = sorted(item.name for item in out.iterdir())
    export(scene, out)
    assert sorted(item.name for item in out.iterdir()) == before
    (out / "notes.txt").write_text("mine")
    with pytest.raises(CannotWrite, match=r"'notes.txt'"):
        export(scene, out)
    assert (out / "notes.txt").read_text() == "mine"
    with pytest.raises(CannotWrite, match="file"):
        export(scene, tmp_path / "main.xml")


def failing(name: str) -> Callable[..., None]:
    def write_text(self: Path, text: str, encoding: str) -> None:
        if self.name == name:
            raise OSError(28, "No space left on device")
        self.write_bytes(text.encode(encoding))

    return write_text


@pytest.mark.parametrize("name", ["scene.xml", "scene.json"])
def test_a_failing_export_leaves_nothing_behind(tmp_path, monkeypatch, name):
    scene = compose(exported(tmp_path))
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(Path, "write_text", failing(name))
    with pytest.raises(CannotWrite, match="No space left"):
        export(scene, tmp_path / "out")
    assert sorted(tmp_path.iterdir()) == before


def test_the_digest_follows_mujocos_version(tmp_path, monkeypatch):
    text = "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>"
    first = composed(tmp_path, text).digest
    monkeypatch.setattr(mujoco, "__version__", "3.17.1")
    assert composed(tmp_path, text).digest != first
