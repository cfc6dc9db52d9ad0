"""Names are given once, and lead from a compiled object to the line it came from."""

import mujoco

from scene_files import composed, no_cache, write  # noqa: F401
from unisim.config import AttachCfg, SceneCfg
from unisim.scene.compose import compose
from unisim.scene.names import inject_names
from unisim.scene.source import parse


def names_of(model, kind, count):
    number = mujoco.mju_str2Type(kind)
    return [mujoco.mj_id2name(model, number, i) for i in range(count)]


def test_names_are_the_same_every_time_and_count_past_z(tmp_path):
    text = "<mujoco><worldbody>" + "<geom size='.1'/>" * 30 + "</worldbody></mujoco>"
    first, second = (composed(tmp_path, text).model for _ in range(2))
    names = names_of(first, "geom", 30)
    assert names == names_of(second, "geom", 30)
    assert len(set(names)) == 30
    assert [names[i] for i in (0, 25, 26, 27)] == [
        f"world_geom_{letters}" for letters in ("a", "z", "ba", "bb")
    ]


def test_a_given_name_keeps_clear_of_what_replicate_will_make(tmp_path):
    text = """<mujoco><worldbody><geom name='world_geom_a0' size='.1'/>
    <replicate count='2'><geom size='.2'/></replicate></worldbody></mujoco>"""
    assert names_of(composed(tmp_path, text).model, "geom", 3) == [
        "world_geom_a0",
        "world_geom_b0",
        "world_geom_b1",
    ]


def test_an_empty_name_counts_as_none():
    root = parse("<mujoco><worldbody><geom name=''/></worldbody></mujoco>", "here.xml")
    inject_names(root)
    assert root.children[0].children[0].attributes["name"] == "world_geom_a"


REPLICATED = """<mujoco><worldbody>
<replicate count='2' sep='-'>
<replicate count='11' offset='1 0 0'>
<body name='b1'><joint name='j'/>
<geom name='g2' size='.1'/><site name='s'/></body></replicate></replicate>
<geom name='g' size='.3'/>
</worldbody>
<actuator>
<motor name='m' joint='j'/></actuator>
<sensor>
<touch name='t' site='s'/></sensor></mujoco>"""
LINES = {
    ("body", "b1"): 4,
    ("joint", "j"): 4,
    ("geom", "g2"): 5,
    ("site", "s"): 5,
    ("actuator", "m"): 9,
    ("sensor", "t"): 11,
}


def test_every_copy_that_replicate_makes_leads_to_its_element(tmp_path):
    scene = composed(tmp_path, REPLICATED)
    assert scene.model.ngeom == 23
    for (kind, base), line in LINES.items():
        for outer in range(2):
            for inner in range(11):
                name = f"{base}{inner:02}-{outer}"
                number = mujoco.mju_str2Type(kind)
                assert mujoco.mj_name2id(scene.model, number, name) >= 0
                assert scene.sources.where(kind, name).line == line


def test_a_name_that_merely_ends_in_digits_is_no_copy(tmp_path):
    text = """<mujoco><worldbody><geom name='g' size='.1'/>
    <geom name='g12' size='.1'/></worldbody></mujoco>"""
    sources = composed(tmp_path, text).sources
    assert sources.where("geom", "g12").line == 2
    assert sources.element("geom", "g3") is None


CLASSES = """<mujoco><default><geom group='1'/>
<default class='a'>
<geom condim='6'/>
<default class='b'><geom margin='0.1'/></default></default>
<position kp='3'/>
<default class='act'><motor ctrlrange='-2 2'/></default></default>
<default><geom margin='0.2'/></default>
<worldbody><body name='b' childclass='a'><joint name='j'/>
<geom name='inherits' size='.1'/>
<frame childclass='b'><geom name='framed' size='.1'/><body name='deep'>
<geom name='deeper' size='.1'/></body></frame>
<geom name='own' class='b' size='.1' condim='1'/></body>
<geom name='plain' size='.1'/></worldbody>
<actuator><motor name='m' joint='j' class='act'/>
<position name='p' joint='j'/></actuator>
</mujoco>"""
SET_BY = {
    ("geom", "inherits", "condim"): 3,
    ("geom", "inherits", "group"): 1,
    ("geom", "framed", "margin"): 4,
    ("geom", "framed", "condim"): 3,
    ("geom", "deeper", "margin"): 4,
    ("geom", "own", "condim"): 12,
    ("geom", "own", "margin"): 4,
    ("geom", "plain", "margin"): 7,
    ("geom", "plain", "condim"): 13,  # nobody sets it: the element itself
    ("actuator", "m", "ctrlrange"): 6,
    ("actuator", "p", "kp"): 5,
}


def test_an_attribute_leads_to_the_class_that_sets_it(tmp_path):
    scene = composed(tmp_path, CLASSES)
    found = {key: scene.sources.where(*key).line for key in SET_BY}
    assert found == SET_BY
    model = scene.model
    assert model.geom("inherits").condim == 6
    assert model.geom("inherits").group == 1
    # a class copies its parent where it is defined: the later 0.2 is not in it
    assert model.geom("inherits").margin == 0
    assert scene.sources.where("geom", "inherits", "margin").line == 9
    assert model.geom("plain").margin == 0.2
    assert model.actuator("p").gainprm[0] == 3


def test_places_lead_through_includes_and_attached_prefixes(tmp_path):
    body = (
        "<body name='b'><joint name='j'/>\n<geom name='g' class='c' size='.1'/></body>"
    )
    child = (
        f"<mujoco><worldbody>\n{body}</worldbody><include file='classes.xml'/></mujoco>"
    )
    file = write(
        tmp_path,
        main="<mujoco><asset><model name='n' file='child.xml'/></asset><worldbody>"
        "<attach model='n' prefix='n_' body='b'/><site name='s'/></worldbody></mujoco>",
        child=child,
        classes="<x><default>\n\n<default class='c'><geom margin='.3'/></default>"
        "</default></x>",
    )
    part = AttachCfg(model_file=tmp_path / "child.xml", prefix="p_", to="s")
    sources = compose(SceneCfg(model_file=file, attach=(part,))).sources
    for prefix in ("n_", "p_"):
        assert str(sources.where("geom", f"{prefix}g")) == f"{tmp_path / 'child.xml'}:3"
        margin = sources.where("geom", f"{prefix}g", "margin")
        assert str(margin) == f"{tmp_path / 'classes.xml'}:3"
    assert sources.line("joint", "p_j") == f"joint 'p_j' ({tmp_path / 'child.xml'}:2)"


def test_what_no_element_names_is_placed_at_the_scene(tmp_path):
    grid = "<flexcomp name='f' type='grid' count='2 2 1' dim='2' spacing='.1 .1 .1'>"
    flex = f"{grid}<edge equality='true'/></flexcomp>"
    scene = composed(tmp_path, f"\n\n<mujoco><worldbody>{flex}</worldbody></mujoco>")
    name = scene.model.body(1).name
    assert str(scene.sources.where("body", name)) == f"{tmp_path / 'main.xml'}:3"
