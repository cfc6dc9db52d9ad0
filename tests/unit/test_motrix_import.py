"""What MotrixSim's importer is given, and what becomes of all that it says."""

import os
import subprocess
import sys
from xml.sax.saxutils import escape

import motrixsim as mx
import numpy as np
import pytest

import motrixes
from motrixes import request_of
from physics import scene_from
from unisim.backend.guest.soft import relaxed, solref_of, spring_of, stiffened
from unisim.backend.motrix.build import handle_of
from unisim.backend.motrix.load import refusing
from unisim.backend.motrix.margins import margins_of, stated
from unisim.backend.motrix.share import share_of
from unisim.backend.motrix.text import text_of
from unisim.errors import BadConfig, UnsupportedFeature
from unisim.scene.source import parse

QUOTE = {'"': "&quot;"}
ARM = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="1 1 1"/>
  <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/>
    <geom name="g" type="capsule" size=".05 .2" {geom}/>
    <site name="s"/><camera name="c"/><light name="l"/>
    <body name="b" pos="0 0 .4"><joint name="k" axis="0 1 0"/>
      <geom name="h" size=".05"/></body></body></worldbody>
  {more}</mujoco>"""


def refusal(xml):
    with pytest.raises(UnsupportedFeature) as refused:
        handle_of(request_of(scene_from(xml)), watched=False)
    return str(refused.value)


def text(xml, *, watched=False):
    scene = scene_from(xml)
    share = share_of(scene.model)
    return text_of(scene, share, watched=watched)


def test_what_the_importer_ignores_is_refused_with_its_place():
    tendon = '<tendon><fixed name="t" armature=".1"><joint joint="j" coef="1"/></fixed>'
    said = refusal(ARM.format(geom="", more=f"{tendon}</tendon>"))
    assert "tendon 't' (scene.xml:8): the engine ignores armature" in said


def test_an_ignored_attribute_of_a_geom_names_the_geom():
    said = refusal(ARM.format(geom='adhesion="1"', more=""))
    assert "geom 'g' (scene.xml:4): the engine ignores adhesion" in said


FREE = '<body name="{}" pos="{} 0 1"><freejoint/><geom name="{}" size=".1"/>{}</body>'
MOCAP = """<mujoco><worldbody>
  <body name="m" mocap="true"><geom size=".1"/>
    <body name="c"><geom size=".1" pos="0 0 1"/></body></body>
  </worldbody></mujoco>"""
LIGHT = """<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/>
  <inertial pos=".1 0 0" mass="1" diaginertia=".01 .01 .01"/>
  <body name="a"><joint axis="0 1 0"/>
    <inertial pos="{away} 0 0" mass="{mass}" diaginertia="1e-9 1e-9 1e-9"/>
  </body></body></worldbody></mujoco>"""


def paired(bodies, more=""):
    pair = '<pair name="p" geom1="g" geom2="h"/>'
    return f"""<mujoco><worldbody>
      {bodies}</worldbody>
      <contact>{more}{pair}</contact></mujoco>"""


CHILD = '<body name="b" pos=".15 0 0"><joint/><geom name="h" size=".1"/></body>'
FIXED = CHILD.replace("<joint/>", "")
NEVER = {
    "excluded": (
        paired(
            FREE.format("a", 0, "g", "") + FREE.format("b", 0.15, "h", ""),
            '<exclude body1="a" body2="b"/>',
        ),
        "heeds the exclude",
    ),
    "parent and child": (paired(FREE.format("a", 0, "g", CHILD)), "parent and child"),
    "fixed": (paired(FREE.format("a", 0, "g", FIXED)), "no joint is between"),
}


@pytest.mark.parametrize("what", NEVER)
def test_a_pair_that_never_touches_there_is_refused(what):
    xml, why = NEVER[what]
    assert "pair 'p' (scene.xml:3)" in refusal(xml)
    assert why in refusal(xml)


def test_pairs_of_what_may_touch_do():
    apart = FREE.format("a", 0, "g", "") + FREE.format("b", 0.15, "h", "")
    for xml in (
        paired(apart),
        paired(
            '<geom name="g" size=".1" pos="0 0 1"/>' + FREE.format("b", 0.15, "h", "")
        ),
    ):
        both = motrixes.Beside(xml)
        both.put()
        both.step()
        assert len(both.guest.contacts(None).world) == 3


def test_a_mocap_body_with_children_is_refused_with_its_place():
    assert "body 'm' (scene.xml:2): a mocap body" in refusal(MOCAP)


def test_a_body_so_light_that_its_centre_is_forgotten_is_refused():
    said = refusal(LIGHT.format(mass=1e-9, away=0.1))
    assert "body 'a' (scene.xml:3): of 1e-09 kg" in said
    for mass, away in ((1e-9, 0), (2e-7, 0.1)):
        scene = scene_from(LIGHT.format(mass=mass, away=away))
        handle = handle_of(request_of(scene), watched=False)
        data = mx.SceneData(handle.model, [1])
        held = handle.model.get_link("a").get_center_of_mass_override(data)
        assert np.allclose(held, (away, 0, 0))


def test_names_may_have_every_sign():
    names = ('"', "'", "<", ">", "&")
    bodies = "".join(
        FREE.format(f"{escape(x, QUOTE)}", i, f"g{escape(x, QUOTE)}", "")
        for i, x in enumerate(names)
    )
    scene = scene_from(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    handle = handle_of(request_of(scene), watched=False)
    assert [link.name for link in handle.model.links] == list(names)
    assert [geom.name for geom in handle.model.geoms] == [f"g{x}" for x in names]


def test_a_mask_of_all_bits_collides_with_everything():
    xml = ARM.format(geom='contype="-1" conaffinity="-1"', more="")
    handle = handle_of(request_of(scene_from(xml)), watched=False)
    geom = handle.model.get_geom("g")
    assert geom.collision_group == geom.collision_affinity == 2**32 - 1


def test_the_engine_greets_nobody():
    ask = "from unisim.backend.registry import load; load('motrix').need_engine()"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, check=True)
    assert not done.stderr + done.stdout
    loud = subprocess.run(
        [sys.executable, "-c", "import motrixsim"], capture_output=True, check=True
    )
    assert b"Motphys" in loud.stderr


def test_a_panic_is_an_error_of_ours():
    scene = scene_from(ARM.format(geom="", more=""))

    class PanicException(BaseException):
        pass

    with (
        pytest.raises(UnsupportedFeature, match=r"body 'b' \(scene.xml:6\)"),
        refusing([], scene),
    ):
        raise PanicException("invalid link name: b")


def test_what_is_no_panic_is_left_alone():
    scene = scene_from(ARM.format(geom="", more=""))
    with pytest.raises(KeyboardInterrupt), refusing([], scene):
        raise KeyboardInterrupt


def test_the_console_is_given_back(capfd):
    scene = scene_from(ARM.format(geom="", more=""))
    with refusing([], scene):
        os.write(1, b"swallowed\n")
    os.write(1, b"heard\n")
    assert capfd.readouterr().out == "heard\n"


def test_only_what_moves_and_collides_is_in_the_text():
    sensors = '<sensor><gyro site="s"/></sensor><custom><numeric name="n" data="1"/>'
    made = text(ARM.format(geom='rgba="1 0 0 1"', more=f"{sensors}</custom>"))
    root = parse(made.xml, motrixes.__file__)
    tags = {element.tag for element in root.walk()}
    assert not tags & {"site", "camera", "light", "gyro", "numeric"}
    assert {"body", "joint", "geom", "inertial"} <= tags


def test_every_dof_has_a_motor_for_forces_from_outside():
    names = [f'name="unisim_push_{dof}"' for dof in range(2)]
    assert all(name in text(ARM.format(geom="", more="")).xml for name in names)


def test_capsules_weigh_and_turn_as_in_mujoco():
    scene = scene_from(ARM.format(geom="", more=""))
    handle = handle_of(request_of(scene), watched=False)
    link = handle.model.get_link("a")
    assert np.isclose(link.mass, scene.model.body("a").mass[0], rtol=1e-6)
    ours = scene.model.body("a").inertia
    theirs = link.get_inertia_override(mx.SceneData(handle.model, [1]))[0, :3]
    assert np.allclose(sorted(theirs), sorted(ours), rtol=1e-5)


def test_a_pair_is_watched_with_what_stands_still_first():
    xml = """<mujoco><worldbody>
      <body name="a"><freejoint/><geom name="moves" size=".1"/></body>
      <body name="b"><geom name="stands" size=".1"/></body></worldbody></mujoco>"""
    assert text(xml, watched=True).pairs == (("stands", "moves"),)
    assert text(xml).pairs == ()


def test_excludes_with_the_world_hold_by_masks():
    exclude = '<contact><exclude body1="world" body2="a"/></contact>'
    scene = scene_from(ARM.format(geom="", more=exclude))
    handle = handle_of(request_of(scene), watched=False)
    colliders = handle.model.low.colliders
    masks = [(c.mask.group, c.mask.collide_with) for c in colliders]
    assert len(masks) == 3

    def meet(first, second):
        return bool(masks[first][0] & masks[second][1])

    assert not meet(0, 1)
    assert meet(0, 2)


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9, 0.97, 1.0])
def test_a_damper_is_stiffened_and_relaxed_again(part):
    assert np.isclose(relaxed(stiffened(part)), part, atol=1e-12)


def test_a_stiffened_damper_takes_as_much_in_a_step_as_an_explicit_one():
    for part in (0.1, 0.5, 0.85):
        held = stiffened(part)
        assert np.isclose(held / (1 + held), part)


@pytest.mark.parametrize("solref", [(0.02, 1), (0.01, 0.7), (0.1, 1.5)])
def test_a_solref_comes_back(solref):
    assert np.allclose(solref_of(*spring_of(solref, 0.002), 0.002), solref)


def test_a_direct_solref_is_stiffness_and_damping():
    k, b = spring_of((-900, -50), 0.002)
    assert np.isclose(b / (1 + 0.002 * b), 50)
    assert np.isclose(k / b, 900 / 50)


BALLS = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="1 1 1" {floor}/>
  <body name="a" pos="0 0 1"><freejoint/><geom name="g" size=".1" {ball}/></body>
  <body name="b" pos="0 0 2"><freejoint/><geom name="h" size=".1" {ball}/></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("floor", "ball", "held"),
    [
        ('margin=".01"', "", [0.01, 0, 0]),
        ('margin=".01"', 'margin=".01"', [0.02, 0.02, 0.02]),
        ("", 'margin=".01"', [0, 0.01, 0.01]),
    ],
)
def test_margins_of_two_geoms_add_up_where_they_can(floor, ball, held):
    model = scene_from(BALLS.format(floor=floor, ball=ball)).model
    found = np.array([margins_of(model)[name] for name in ("floor", "g", "h")])
    assert np.allclose(found, held)
    assert np.allclose(stated(found, np.ones(3, bool)), model.geom_margin)


def test_an_unknown_setting_is_refused():
    scene = scene_from(ARM.format(geom="", more=""))
    with pytest.raises(BadConfig, match="sweeps"):
        handle_of(request_of(scene, sweeps=3), watched=False)
