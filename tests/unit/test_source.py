"""Every element and attribute knows the file and line a person wrote it on."""

import json
import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

from conftest import SHARED
from scene_files import no_cache  # noqa: F401
from unisim.config import SceneCfg
from unisim.errors import BrokenXml, CompileFailed, MissingFile
from unisim.scene.compose import compose
from unisim.scene.load import load_tree
from unisim.scene.source import Element, Location, parse, read, write

HERE = Path("here.xml")
OWN = sorted((Path(__file__).parents[2] / "models").glob("*/*.xml"))


def robots() -> list[Path]:
    if not SHARED.is_dir():
        return [SHARED]  # so that the marker skips it, or fails in CI
    models = json.loads((SHARED / "models/sets.json").read_text())
    return [
        next((SHARED / "models" / model["folder"]).rglob(model["main"]))
        for model in models
    ]


def folder_of(file: Path) -> str:
    return file.parent.name


def check_lines(file: Path) -> None:
    """Look every attribute up in the text, with nothing but a search."""
    lines: dict[Path, list[str]] = {}
    pairs = 0
    for element in load_tree(file, {}).root.walk():
        at = element.at
        text = lines.setdefault(at.file, at.file.read_text("latin1").splitlines())
        assert re.search(rf"<\s*{element.tag}\b", text[at.line - 1]), at
        for attribute, value in element.attributes.items():
            if attribute not in element.lines or attribute in element.files:
                continue
            where = element.location(attribute)
            first = re.escape(value.split()[0]) if value.split() else ""
            written = rf"\b{attribute}\s*=\s*[\"']\s*{first}"
            assert where.file == at.file
            assert where.line >= at.line
            assert re.search(written, text[where.line - 1].replace("&lt;", "<")), where
            pairs += 1
    assert pairs > 10


@pytest.mark.real_robot
@pytest.mark.parametrize("file", robots(), ids=folder_of)
def test_a_real_robot_is_where_its_file_says(file):
    check_lines(file)


@pytest.mark.parametrize("file", OWN, ids=folder_of)
def test_our_own_robot_is_where_its_file_says(file):
    check_lines(file)


# by kind, attribute: the compiled numbers that it sets
COMPILED = {
    ("joint", "damping"): lambda m, i: m.dof_damping[m.jnt_dofadr[i]],
    ("joint", "armature"): lambda m, i: m.dof_armature[m.jnt_dofadr[i]],
    ("joint", "frictionloss"): lambda m, i: m.dof_frictionloss[m.jnt_dofadr[i]],
    ("joint", "stiffness"): lambda m, i: m.jnt_stiffness[i],
    ("joint", "margin"): lambda m, i: m.jnt_margin[i],
    ("geom", "friction"): lambda m, i: m.geom_friction[i],
    ("geom", "condim"): lambda m, i: m.geom_condim[i],
    ("geom", "contype"): lambda m, i: m.geom_contype[i],
    ("geom", "conaffinity"): lambda m, i: m.geom_conaffinity[i],
    ("geom", "group"): lambda m, i: m.geom_group[i],
    ("geom", "margin"): lambda m, i: m.geom_margin[i],
    ("site", "group"): lambda m, i: m.site_group[i],
    ("actuator", "kp"): lambda m, i: m.actuator_gainprm[i],
    ("actuator", "gainprm"): lambda m, i: m.actuator_gainprm[i],
    ("actuator", "gear"): lambda m, i: m.actuator_gear[i],
    ("actuator", "ctrlrange"): lambda m, i: m.actuator_ctrlrange[i],
    ("actuator", "forcerange"): lambda m, i: m.actuator_forcerange[i],
    ("tendon", "damping"): lambda m, i: m.tendon_damping[i],
    ("equality", "solref"): lambda m, i: m.eq_solref[i],
}
COUNT = {"joint": "njnt", "equality": "neq", "actuator": "nactuator"}


def check_classes(file: Path) -> int:
    """The text found through default classes holds the value MuJoCo compiled."""
    try:
        scene = compose(SceneCfg(model_file=file))
    except CompileFailed:
        return 0  # another MuJoCo: it refuses one of the robots
    model, found = scene.model, 0
    for (kind, attribute), compiled in COMPILED.items():
        number = mujoco.mju_str2Type(kind)
        for i in range(getattr(model, COUNT.get(kind, f"n{kind}"))):
            name = mujoco.mj_id2name(model, number, i)
            element = scene.sources.element(kind, name)
            if element is None or attribute in element.attributes:
                continue
            source = scene.sources.default(element, attribute)
            if source is None:
                continue
            where = scene.sources.where(kind, name, attribute)
            line = where.file.read_text("latin1").splitlines()[where.line - 1]
            match = re.search(rf"\b{attribute}\s*=\s*[\"']([^\"']*)", line)
            assert match, where
            stated = np.array(match[1].split(), dtype=float)
            got = np.atleast_1d(compiled(model, i))[: stated.size]
            assert stated == pytest.approx(got), (kind, name, attribute, where)
            found += 1
    return found


@pytest.mark.real_robot
def test_default_classes_of_real_robots_are_found_where_they_act():
    assert sum(check_classes(file) for file in robots()) > 1000


def test_default_classes_of_our_own_robots_are_found_where_they_act():
    assert sum(check_classes(file) for file in OWN) > 100


def test_an_attribute_on_its_own_line_has_that_line():
    root = parse("<a\n\n b='1'\n c\n =\n '2'><d/>\n<e f='\n'/><g/></a>", HERE)
    assert root.location("b") == Location(HERE, 3)
    assert root.location("c") == Location(HERE, 4)
    assert [child.at.line for child in root.children] == [6, 7, 8]
    assert root.location("absent") == Location(HERE, 1)


def test_lines_go_on_after_comments_and_text():
    text = "<!--\n--><a>\ntext\n<![CDATA[\n<x>\n]]><b/><?p\n?><c/></a>"
    children = parse(text, HERE).children
    assert [(child.tag, child.at.line) for child in children] == [("b", 6), ("c", 7)]


def test_entities_are_resolved_once():
    root = parse("<a b='&amp;lt; &#65;&#x42; &quot; &copy; & &#xD800;'/>", HERE)
    assert root.attributes["b"] == '&lt; AB " &copy; & &#xD800;'


def test_writing_and_reading_again_is_the_same():
    text = "<a b='x &quot; &lt; &#10; &gt;'><c d='&apos;'/><e/></a>"
    root = parse(text, HERE)
    again, opened = write(root)
    assert [element.attributes for element in parse(again, HERE).walk()] == [
        element.attributes for element in root.walk()
    ]
    assert [element.tag for element in opened] == ["a", "c", "e", "a"]
    assert all(opened[i].tag in line for i, line in enumerate(again.splitlines()))


BROKEN = {
    "<a>\n<b>\n</a>": "here.xml:3: </a> does not close <b> opened at here.xml:2",
    "<a>\n<b>\n": "here.xml:2: <b> is never closed",
    "\n</a>": "here.xml:2: </a> closes an element that was never opened",
    "<a>\n\n<b c='>": "here.xml:3: a tag or a quote is not closed",
    "<a>\n<!-- > <b/></a>": "here.xml:2: a comment is not closed",
    "<a>\n\n text <": "here.xml:3: a tag or a quote is not closed",
    "": "here.xml:1: there is no XML element in this file",
    "<!-- -->": "here.xml:1: there is no XML element in this file",
    "<a>\n<b c='1'\nc='2'/></a>": "here.xml:3: <b> states c twice",
    "<a\nb='1'\nc=2 d='3'/>": "here.xml:3: <a> has 'c=2' where an attribute should be",
    "<a b/>": "here.xml:1: <a> has 'b' where an attribute should be",
    "<a b='1' / >": "here.xml:1: <a> has '/' where an attribute should be",
    "<a b='\udce9'/>": "here.xml:1: this is not UTF-8",
    "<a>" * 501 + "</a>" * 501: "here.xml:1: this is nested deeper than 500",
}


@pytest.mark.parametrize(("text", "message"), BROKEN.items(), ids=range(len(BROKEN)))
def test_broken_xml_is_refused_on_its_line(text, message):
    with pytest.raises(BrokenXml, match=re.escape(message)):
        parse(text, HERE)


def test_a_comment_need_not_be_utf8(tmp_path):
    file = tmp_path / "a.xml"
    file.write_bytes(b"<a><!-- caf\xe9 --><b/></a>")
    assert [child.tag for child in read(file).children] == ["b"]


def test_a_file_that_cannot_be_read_says_why(tmp_path, monkeypatch):
    with pytest.raises(MissingFile, match="folder"):
        read(tmp_path)
    with pytest.raises(MissingFile, match="no such file"):
        read(tmp_path / "absent.xml")
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(MissingFile, match="cannot be read: Permission denied"):
        read(tmp_path / "absent.xml")


def refuse(*_: object, **__: object) -> str:
    raise PermissionError(13, "Permission denied")


def test_walking_is_in_document_order():
    root = parse("<a><b><c/><d/></b><e/></a>", HERE)
    assert [element.tag for element in root.walk()] == ["a", "b", "c", "d", "e"]
    assert isinstance(root, Element)
