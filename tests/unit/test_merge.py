"""Fragments add to a scene; where they contradict it, both places are named."""

import re

import mujoco
import pytest

from scene_files import no_cache, stl, write  # noqa: F401
from unisim.config import OptionsCfg, SceneCfg
from unisim.errors import BadScene, Clash
from unisim.scene.compose import compose

ARM = """<mujoco><option timestep='.004'/>
<default><geom density='500'/><default class='link'><geom size='.1'/></default>
</default><worldbody><body name='arm'><joint name='hinge' axis='0 0 1'/>
<geom name='link' class='link'/></body></worldbody>
<keyframe>
<key name='home' qpos='.5'/></keyframe></mujoco>"""


def cfg(folder, *fragments, host=ARM, **settings):
    names = [f"f{i}" for i in range(len(fragments))]
    file = write(folder, main=host, **dict(zip(names, fragments, strict=True)))
    files = tuple(folder / f"{name}.xml" for name in names)
    return SceneCfg(model_file=file, fragments=files, **settings)


def clash(folder, *fragments, kind=Clash, **rest):
    with pytest.raises(kind) as caught:
        compose(cfg(folder, *fragments, **rest))
    return str(caught.value).replace(f"{folder}/", "")


def test_sections_of_a_fragment_are_added(tmp_path):
    model = compose(
        cfg(
            tmp_path,
            "<mujoco><worldbody><body name='box' pos='0 0 1'><freejoint/><geom "
            "name='box' size='.3'/></body></worldbody><option density='1.2'/>"
            "<sensor><jointpos name='angle' joint='hinge'/></sensor></mujoco>",
            "<mujoco><option timestep='0.0040' density='1.2'><flag energy='enable'/>"
            "</option><actuator><motor name='m' joint='hinge'/></actuator></mujoco>",
        )
    ).model
    assert [model.body(i).name for i in range(3)] == ["world", "arm", "box"]
    assert (model.opt.timestep, model.opt.density) == (0.004, 1.2)
    assert model.opt.enableflags == mujoco.mjtEnableBit.mjENBL_ENERGY
    assert model.sensor("angle").objid[0] == model.joint("hinge").id
    assert model.nactuator == 1
    assert model.geom("box").size[0] == 0.3


def test_the_default_classes_of_both_hold(tmp_path):
    fragment = """<mujoco><default><geom density='500' group='3'/><site group='2'/>
    <default class='more'><geom size='.7'/></default></default><worldbody>
    <geom name='more' class='more'/><geom name='less' class='link'/><site name='s'/>
    </worldbody></mujoco>"""
    model = compose(cfg(tmp_path, fragment)).model
    assert model.geom("more").size[0] == 0.7
    assert model.geom("less").size[0] == 0.1
    assert model.site("s").group == 2
    assert model.geom("more").group == 3


def test_a_file_of_a_fragment_is_looked_for_beside_it(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/base.stl").write_bytes(stl(0.4))
    (tmp_path / "base.stl").write_bytes(stl(0.1))
    text = (
        "<mujoco><compiler meshdir='.'/><asset><mesh name='{}' file='base.stl'/>"
        "</asset><worldbody><geom name='{}' type='mesh' mesh='{}'/></worldbody>"
        "</mujoco>"
    )
    write(tmp_path / "sub", f=text.format("big", "big", "big"))
    file = write(tmp_path, main=text.format("small", "small", "small"))
    scene = compose(SceneCfg(model_file=file, fragments=(tmp_path / "sub/f.xml",)))
    small, big = (scene.model.geom(name).rbound[0] for name in ("small", "big"))
    assert big == pytest.approx(4 * small)


def test_a_name_of_both_is_refused(tmp_path):
    body = "<body name='b'><geom size='1' name='link'/></body>"
    fragment = f"<mujoco>\n<worldbody>\n{body}</worldbody></mujoco>"
    assert clash(tmp_path, fragment) == (
        "main.xml:4: geom 'link' clashes with the one at f0.xml:3. Rename one of them."
    )


def test_a_class_of_both_is_refused(tmp_path):
    nested = "<default class='x'>\n<default class='link'/></default>"
    fragment = f"<mujoco><default>{nested}</default></mujoco>"
    assert clash(tmp_path, fragment).startswith(
        "main.xml:2: default class 'link' clashes with the one at f0.xml:2."
    )


DISAGREE = {
    "<option "
    "timestep='.005'/>": "main.xml:1: option timestep='.004' clashes with '.005' "
    "at f0.xml:2. Change one of them, or set options.timestep in the scene config.",
    "<default><geom density='501'/>"
    "</default>": "main.xml:2: default/geom density='500' "
    "clashes with '501' at f0.xml:2. Change one of them.",
    "<compiler angle='radian'/>": "main.xml:1: compiler angle='degree' clashes with "
    "'radian' at f0.xml:2. Write the fragment under <compiler angle=\"degree\"/>.",
    "<compiler inertiafromgeom='true'/>": "main.xml:1: compiler inertiafromgeom='auto' "
    "clashes with 'true' at f0.xml:2.",
}


@pytest.mark.parametrize(("text", "message"), DISAGREE.items(), ids=DISAGREE.keys())
def test_a_value_that_both_state_differently_is_refused(tmp_path, text, message):
    assert clash(tmp_path, f"<mujoco>\n{text}</mujoco>").startswith(message)


def test_a_fragment_must_state_the_compiler_settings_that_its_numbers_need(tmp_path):
    host = (
        "<mujoco><compiler angle='radian'/><worldbody><site name='s'/></worldbody>"
        "</mujoco>"
    )
    body = "<worldbody><body euler='.1 0 0'/></worldbody>"
    message = clash(tmp_path, f"<mujoco>{body}</mujoco>", host=host)
    assert "compiler angle='radian' clashes with 'degree' at f0.xml:1" in message
    radian = f"<mujoco><compiler angle='radian'/>{body}</mujoco>"
    sensors = "<mujoco><sensor><framepos objtype='site' objname='s'/></sensor></mujoco>"
    model = compose(cfg(tmp_path, radian, sensors, host=host)).model
    assert model.nsensor == 1
    assert 2 * model.body_quat[1, 1] == pytest.approx(0.1, rel=1e-2)


def test_two_fragments_may_not_contradict_each_other(tmp_path):
    one, two = (f"<mujoco>\n<option wind='{i} 0 0'/></mujoco>" for i in (1, 2))
    message = clash(tmp_path, one, two)
    assert message.startswith(
        "f0.xml:2: option wind='1 0 0' clashes with '2 0 0' at f1"
    )


def test_the_config_decides_between_values_that_disagree(tmp_path):
    fragment = (
        "<mujoco><option timestep='.005'><flag gravity='disable'/></option></mujoco>"
    )
    options = OptionsCfg(timestep=0.001)
    model = compose(cfg(tmp_path, fragment, options=options)).model
    assert model.opt.timestep == 0.001
    assert model.opt.disableflags == mujoco.mjtDisableBit.mjDSBL_GRAVITY


def test_deciding_an_option_does_not_decide_the_flag_of_its_name(tmp_path):
    host, fragment = (
        f"<mujoco><option><flag gravity='{state}'/></option></mujoco>"
        for state in ("enable", "disable")
    )
    options = OptionsCfg(gravity=(0.0, 0.0, -1.0))
    message = clash(tmp_path, fragment, host=host, options=options)
    assert "option/flag gravity='enable' clashes with 'disable'" in message
    assert "set options.flags.gravity in the scene config" in message


def test_a_fragment_in_front_does_not_shift_a_key(tmp_path):
    fragment = """<mujoco><worldbody><body name='first'><freejoint name='free'/>
    <geom size='.2'/></body></worldbody></mujoco>"""
    host = ARM.replace("<mujoco>", "<mujoco><worldbody/>")
    model = compose(cfg(tmp_path, fragment, host=host)).model
    key = model.key("home").qpos
    assert key[model.joint("hinge").qposadr[0]] == 0.5
    start = model.joint("free").qposadr[0]
    assert key[start : start + 7].tolist() == [0, 0, 0, 1, 0, 0, 0]


def test_an_include_would_have_shifted_that_key(tmp_path):
    """What MuJoCo makes of the same two files, so that the test above can fail."""
    text = ARM.replace("<option", "<include file='f0.xml'/><option")
    fragment = (
        "<x><worldbody><body><joint name='f'/><geom size='1'/></body></worldbody></x>"
    )
    file = write(tmp_path, main=text, f0=fragment)
    model = mujoco.MjModel.from_xml_path(str(file))
    assert model.key("home").qpos[model.joint("hinge").qposadr[0]] != 0.5


def test_a_key_of_a_fragment_holds_its_own_joints_and_joins_one_of_its_name(tmp_path):
    fragment = """<mujoco><worldbody><body name='b'><joint name='slide' type='slide'/>
    <geom size='.2'/></body></worldbody><keyframe><key name='home' qpos='.7'/>
    <key name='whole' qpos='.1 .2'/></keyframe></mujoco>"""
    model = compose(cfg(tmp_path, fragment)).model
    assert [model.key(i).name for i in range(model.nkey)] == ["home", "whole"]
    assert model.key("home").qpos.tolist() == [0.5, 0.7]
    assert model.key("whole").qpos.tolist() == [0.1, 0.2]


def test_a_key_that_fits_nothing_is_refused_on_its_line(tmp_path):
    fragment = """<mujoco><worldbody><body name='b'><joint name='slide' type='slide'/>
    <geom size='.2'/></body></worldbody><keyframe>
    <key name='odd' qpos='1 2 3'/></keyframe></mujoco>"""
    message = clash(tmp_path, fragment, kind=BadScene)
    assert re.match(
        r"f0.xml:3: qpos of key 'odd' has 3 numbers; .*f0.xml has 1", message
    )


def test_models_of_one_name_are_refused(tmp_path):
    text = "<mujoco><asset><model name='a' file='{}.xml'/></asset></mujoco>"
    write(tmp_path, p="<mujoco/>", q="<mujoco/>")
    message = clash(tmp_path, text.format("q"), host=text.format("p"))
    assert message.startswith(
        "p.xml: model 'a' clashes with q.xml of the fragment f0.xml"
    )
