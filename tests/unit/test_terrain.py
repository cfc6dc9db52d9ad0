"""The terrain takes the floor's place, or refuses and says why."""

import mujoco
import pytest

from scene_files import no_cache, write  # noqa: F401
from unisim.config import AttachCfg, SceneCfg, TerrainCfg
from unisim.errors import BadTerrain
from unisim.scene.compose import compose

ROBOT = """<mujoco><default><default class='ground'>
<geom type='plane' size='0 0 .1' contype='2' conaffinity='4' condim='4'/></default>
</default><worldbody>{}<body name='ball' pos='.3 0 {}'><freejoint/>
<geom name='ball' size='.1' contype='5' conaffinity='3'/></body></worldbody>
{}</mujoco>"""
FLOOR = "<geom name='floor' type='plane' size='0 0 1' rgba='.1 .2 .3 1'/>"
PLANE = TerrainCfg(kind="plane", friction=(0.7, 0.01, 0.002))


def compose_with(folder, terrain, floor="", rest="", height=0.5, **more):
    file = write(folder, main=ROBOT.format(floor, height, rest), **more)
    return compose(SceneCfg(model_file=file, terrain=terrain))


def test_a_plane_is_added_that_everything_touches(tmp_path):
    floor = (
        "</worldbody><default><geom contype='0' conaffinity='0'/></default><worldbody>"
    )
    model = compose_with(tmp_path, PLANE, floor).model
    geom = model.geom("terrain")
    assert geom.type[0] == mujoco.mjtGeom.mjGEOM_PLANE
    assert geom.size[:2].tolist() == [0, 0]
    assert geom.friction.tolist() == [0.7, 0.01, 0.002]
    assert (geom.contype[0], geom.conaffinity[0], geom.condim[0]) == (1, 1, 3)


def test_a_ball_rests_on_a_tilted_terrain(tmp_path):
    turn = (0.9, 0.0, 0.1, 0.0)
    terrain = TerrainCfg(kind="plane", pos=(0.0, 0.0, 0.2), quat=turn)
    model = compose_with(tmp_path, terrain, height=0.4).model
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    normal = data.geom("terrain").xmat.reshape(3, 3)[:, 2]
    assert normal[0] > 0.1
    assert data.geom("terrain").xpos.tolist() == [0, 0, 0.2]


@pytest.mark.parametrize("floor", [FLOOR, "<geom name='floor' class='ground'/>"])
def test_a_floor_that_the_config_does_not_name_is_refused(tmp_path, floor):
    with pytest.raises(
        BadTerrain, match=r"main.xml:3: .*floor, geom 'floor'.*replace = 'fl"
    ):
        compose_with(tmp_path, PLANE, floor)


def test_a_floor_without_a_name_is_refused(tmp_path):
    with pytest.raises(BadTerrain, match=r"main.xml:4: .* Give it a name"):
        compose_with(tmp_path, PLANE, "\n<geom type='plane' size='1 0 1'/>")


def replacing(name="floor"):
    return TerrainCfg(kind="plane", replace=name, friction=(0.7, 0.01, 0.002))


def test_the_terrain_keeps_the_masks_and_the_look_of_what_it_replaces(tmp_path):
    floor = "<geom name='floor' class='ground' rgba='.1 .2 .3 1' pos='0 0 -1'/>"
    model = compose_with(tmp_path, replacing(), floor).model
    geom = model.geom("terrain")
    assert model.ngeom == 2
    assert (geom.contype[0], geom.conaffinity[0], geom.condim[0]) == (2, 4, 4)
    assert geom.rgba == pytest.approx([0.1, 0.2, 0.3, 1])
    assert geom.friction.tolist() == [0.7, 0.01, 0.002]
    assert geom.pos.tolist() == [0, 0, 0]


def test_no_terrain_leaves_the_floor_alone(tmp_path):
    assert compose_with(tmp_path, TerrainCfg(), FLOOR).model.geom("floor").id == 0


def test_a_finite_plane_may_stay(tmp_path):
    model = compose_with(tmp_path, PLANE, "<geom type='plane' size='1 1 1'/>").model
    assert model.ngeom == 3


USERS = {
    "pair": "<contact>\n<pair geom1='ball' geom2='floor'/></contact>",
    "distance": "<sensor>\n<distance geom1='floor' geom2='ball' cutoff='1'/></sensor>",
    "framepos": "<sensor>\n<framepos objtype='geom' objname='floor'/></sensor>",
}


@pytest.mark.parametrize(("tag", "rest"), USERS.items(), ids=USERS.keys())
def test_a_floor_in_use_is_not_replaced(tmp_path, tag, rest):
    with pytest.raises(BadTerrain, match=rf"main.xml:6: <{tag}> refers to the floor"):
        compose_with(tmp_path, replacing(), FLOOR, rest)


def test_a_name_of_another_kind_is_no_use_of_the_floor(tmp_path):
    floor = FLOOR.replace("/>", " material='floor'/>")
    rest = (
        "<asset><material name='floor'/></asset><sensor><framepos objtype='site' "
        "objname='floor'/></sensor><worldbody><site name='floor'/>"
        "</worldbody>"
    )
    assert (
        compose_with(tmp_path, replacing(), floor, rest).model.geom("terrain").matid
        == 0
    )


REFUSED = [
    (replacing("ground"), FLOOR.replace("floor", "f"), "infinite floor, geom 'f'"),
    (replacing("ball"), "", "'ball', which is no infinite plane"),
    (replacing("flor"), "", "'flor', which is no infinite plane"),
    (
        PLANE,
        "<geom name='terrain' size='1'/>",
        r"main.xml:3: a geom is named 'terrain'",
    ),
    (TerrainCfg(replace="floor"), FLOOR, "terrain.kind is 'none'"),
]


@pytest.mark.parametrize(("terrain", "floor", "message"), REFUSED)
def test_a_terrain_that_cannot_be_is_refused(tmp_path, terrain, floor, message):
    with pytest.raises(BadTerrain, match=message):
        compose_with(tmp_path, terrain, floor)


def test_the_floor_of_an_attached_model_is_refused(tmp_path):
    file = write(
        tmp_path, main=ROBOT.format("", 1, ""), part=ROBOT.format(FLOOR, 1, "")
    )
    part = AttachCfg(model_file=tmp_path / "part.xml", prefix="p_", pos=(3.0, 0.0, 0.0))
    cfg = SceneCfg(model_file=file, terrain=PLANE, attach=(part,))
    with pytest.raises(BadTerrain, match=r"part.xml:3: .*floor of its own"):
        compose(cfg)
