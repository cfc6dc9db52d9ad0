"""What single passes write, keep and refuse."""

from functools import partial

import mujoco
import numpy as np
import pytest

from physics import (
    Pass,
    apply,
    check_stripped,
    corners,
    deviations,
    elements,
    rows,
    scene_from,
)
from unisim.errors import BadAsset, BadScene
from unisim.scene import passes
from unisim.scene.scene import Scene

# a wedge that does not collide, above a floor, and what a test adds to it
HOST = """<mujoco>
  <asset>
    <mesh name="wedge" vertex="0 0 0 0.2 0 0 0 0.15 0 0 0 0.1"/>
    <material name="glass" rgba="1 1 1 0"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <site name="hook" pos="0 0 1.5"/>
    <body name="box" pos="0 0 1"><freejoint/>
      <geom name="core" size="0.1"/>
      <site name="eye" zaxis="0 0 -1"/>
      <body name="tip" pos="0 0 -0.4">{drawn}</body>
    </body>
  </worldbody>
  {rest}
</mujoco>"""
DRAWN = '<geom name="drawn" {shape} contype="0" conaffinity="0" {more}/>'


def host(shape: str = 'size="0.1"', more: str = "", rest: str = "") -> str:
    return HOST.format(drawn=DRAWN.format(shape=shape, more=more), rest=rest)


def geoms(scene: Scene) -> set[str]:
    return set(rows(scene.model, "geom", scene.model.ngeom))


def test_strip_visual_keeps_the_inertia_a_visual_geom_gave() -> None:
    scene = scene_from(host('type="mesh" mesh="wedge"'))
    result = apply(scene, passes.strip_visual)
    assert geoms(result) == {"floor", "core"}
    assert scene.model.body("tip").mass > 0
    check_stripped(scene, result)


@pytest.mark.parametrize(
    ("more", "rest"),
    [
        ("", '<contact><pair geom1="drawn" geom2="floor"/></contact>'),
        (
            "",
            '<tendon><spatial><site site="hook"/><geom geom="drawn"/>'
            '<site site="eye"/></spatial></tendon>',
        ),
        ("", '<sensor><distance geom1="drawn" geom2="floor"/></sensor>'),
        ('fluidshape="ellipsoid"', ""),
    ],
    ids=["pair", "wrap", "sensor", "fluid"],
)
def test_strip_visual_keeps_a_geom_that_acts_without_colliding(
    more: str, rest: str
) -> None:
    scene = scene_from(host(more=more, rest=rest))
    result = apply(scene, passes.strip_visual)
    assert geoms(result) == geoms(scene)
    check_stripped(scene, result)


def test_strip_visual_refuses_a_rangefinder_that_sees_a_visual_geom() -> None:
    scene = scene_from(
        host(rest='<sensor><rangefinder name="ray" site="eye"/></sensor>')
    )
    with pytest.raises(BadScene, match=r"scene.xml:\d+: rangefinder 'ray' .*: drawn\."):
        passes.strip_visual(scene)


def test_strip_visual_refuses_a_rangefinder_that_sees_through_a_material() -> None:
    xml = host(rest='<sensor><rangefinder name="ray" site="eye"/></sensor>')
    scene = scene_from(xml.replace(' contype="0" conaffinity="0"', ' material="glass"'))
    with pytest.raises(BadScene, match=r"rangefinder 'ray' .*: drawn\."):
        passes.strip_visual(scene)


def test_strip_visual_keeps_a_rangefinder_that_sees_nothing_stripped() -> None:
    sensor = '<sensor><rangefinder name="ray" site="eye"/></sensor>'
    scene = scene_from(host(more='material="glass"', rest=sensor))
    result = apply(scene, passes.strip_visual)
    assert geoms(result) == {"floor", "core"}
    check_stripped(scene, result)


def test_strip_visual_refuses_sleep_that_a_visual_geom_would_change() -> None:
    scene = scene_from(
        """<mujoco><option><flag sleep="enable"/></option><worldbody><body><freejoint/>
        <geom size="0.1"/><geom size="0.5" contype="0" conaffinity="0" mass="0"/>
        </body></worldbody></mujoco>"""
    )
    with pytest.raises(BadScene, match="fall asleep at other speeds"):
        passes.strip_visual(scene)


def test_expand_defaults_prefers_the_elements_orientation_to_its_classes() -> None:
    scene = scene_from(
        """<mujoco><default><default class="a"><site euler="0 0 90"/></default>
        </default><worldbody><site name="own" class="a" quat="0 1 0 0"/>
        <site name="class" class="a"/></worldbody></mujoco>"""
    )
    result = apply(scene, passes.expand_defaults)
    assert deviations(scene, result) == {}
    half = np.sqrt(0.5)
    np.testing.assert_allclose(result.model.site("class").quat, [half, 0, 0, half])


@pytest.mark.parametrize("rewrite", [passes.resolve_notation, passes.explicit_poses])
def test_dampratio_becomes_the_damping_of_the_joints_inertia(rewrite: Pass) -> None:
    scene = scene_from(
        """<mujoco><worldbody><body><joint name="slide" type="slide"/>
        <geom size="0.1" mass="2"/></body></worldbody>
        <actuator><position joint="slide" kp="50" dampratio="0.5"/></actuator>
        </mujoco>"""
    )
    result = apply(scene, rewrite)
    servo = next(e for e in elements(result) if e.tag == "position")
    # critical damping is 2 sqrt(kp m)
    assert float(servo.attributes["kv"]) == pytest.approx(0.5 * 2 * np.sqrt(50 * 2))
    assert float(servo.attributes["kp"]) == 50


def test_fromto_becomes_the_middle_half_length_and_turn_of_a_capsule() -> None:
    scene = scene_from(
        """<mujoco><worldbody><geom name="bar" type="capsule" size="0.1"
        fromto="1 2 3 1 5 3"/></worldbody></mujoco>"""
    )
    result = apply(scene, passes.explicit_poses)
    bar = next(e for e in elements(result) if e.tag == "geom").attributes
    assert np.allclose([float(x) for x in bar["pos"].split()], [1, 3.5, 3])
    assert np.allclose([float(x) for x in bar["size"].split()], [0.1, 1.5])
    axis = np.zeros(3)
    quat = np.array([float(x) for x in bar["quat"].split()])
    mujoco.mju_rotVecQuat(axis, np.array([0.0, 0, 1]), quat)
    np.testing.assert_allclose(np.abs(axis), [0, 1, 0], atol=1e-12)


def test_frames_inside_frames_are_chained() -> None:
    scene = scene_from(
        """<mujoco><compiler angle="degree"/><worldbody>
        <frame pos="1 0 0" euler="0 0 90"><frame pos="1 0 0" euler="90 0 0">
        <site name="mark" pos="0 1 0"/></frame></frame></worldbody></mujoco>"""
    )
    result = apply(scene, passes.drop_frames)
    mark = next(e for e in elements(result) if e.tag == "site")
    written = [float(x) for x in mark.attributes["pos"].split()]
    np.testing.assert_allclose(written, [1, 1, 1], atol=1e-15)


def test_explicit_inertials_outweigh_the_geoms() -> None:
    scene = scene_from(
        """<mujoco><worldbody><body name="ball"><freejoint/>
        <geom size="0.1" mass="2"/></body></worldbody></mujoco>"""
    )
    result = apply(scene, passes.explicit_inertials)
    xml = result.xml.replace('size="0.1" mass="2"', 'size="0.1" mass="9"')
    assert xml != result.xml
    heavier = mujoco.MjModel.from_xml_string(xml)
    assert heavier.body("ball").mass == 2
    inertia = 0.4 * 2 * 0.1**2
    np.testing.assert_allclose(heavier.body("ball").inertia, inertia)


@pytest.mark.parametrize("format", ["obj", "stl"])
def test_mesh_file_holds_the_scaled_vertices(format: passes.MeshFormat) -> None:
    scene = scene_from(
        """<mujoco><asset><mesh name="wedge" scale="1 2 -3"
        vertex="0 0 0 0.2 0 0 0 0.15 0 0 0 0.1"/></asset>
        <worldbody><geom type="mesh" mesh="wedge"/></worldbody></mujoco>"""
    )
    result = apply(scene, partial(passes.convert_meshes, format=format))
    (file,) = result.assets
    assert file.endswith(format)
    spec = mujoco.MjSpec()
    spec.add_mesh(name="m", file=file)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m")
    spec.assets = dict(result.assets)
    found = np.unique(corners(spec.compile(), 0).reshape(-1, 3).round(6), axis=0)
    expected = np.array([[0, 0, -0.3], [0, 0, 0], [0, 0.3, 0], [0.2, 0, 0]])
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_mesh_of_a_plugin_is_not_converted() -> None:
    scene = scene_from(
        """<mujoco><extension><plugin plugin="mujoco.sdf.torus">
        <instance name="t"/></plugin></extension><asset><mesh name="ring">
        <plugin instance="t"/></mesh></asset><worldbody/></mujoco>"""
    )
    with pytest.raises(BadAsset, match=r"mesh 'ring' \(scene.xml:\d+\).*plugin"):
        passes.convert_meshes(scene)


def test_a_legacy_directional_light_gets_its_type() -> None:
    scene = scene_from(
        '<mujoco><worldbody><light name="sun" directional="true"/></worldbody></mujoco>'
    )
    result = apply(scene, passes.normalise_lights)
    light = next(e for e in elements(result) if e.tag == "light")
    assert light.attributes["type"] == "directional"
