"""Heights are those that MuJoCo's rays hit and its spheres touch."""

from itertools import product

import mujoco
import numpy as np
import pytest

from grounds import BALL, GRID, array, composed, rays, to_world
from scene_files import no_cache  # noqa: F401
from unisim import Heights, TerrainCfg
from unisim.errors import BadArray, BadTerrain, UnknownName
from unisim.scene.terrain.grid import make_grid


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return composed(tmp_path_factory.mktemp("grid"), GRID).model


def test_heights_are_what_rays_hit_anywhere(model):
    rng = np.random.default_rng(0)
    local = rng.uniform(-1, 1, (6000, 2)) * [5.99, 10.99]
    points = to_world(GRID, local)
    expected = rays(model, points)
    assert np.ptp(expected) > 1.5
    assert Heights(model)(points) == pytest.approx(expected, abs=1e-6)


def test_heights_are_what_rays_hit_on_the_edges_of_tiles_and_cells(model):
    rng = np.random.default_rng(1)
    local = rng.uniform(-1, 1, (4000, 2)) * [5.99, 10.99]
    axis = rng.integers(0, 2, len(local))
    rows = np.arange(len(local))
    edges = np.where(rows % 2, 0.1 * np.round(local[rows, axis] / 0.1), 0.0)
    tiles = 5.0 * np.round(local[rows, axis] / 5.0)
    local[rows, axis] = np.where(rows % 2, edges, tiles)
    points = to_world(GRID, local)
    expected = rays(model, points)
    # a ray that just passes a side of a cell may slip through between two triangles
    hit = np.isfinite(expected)
    assert hit.mean() > 0.9
    assert Heights(model)(points[hit]) == pytest.approx(expected[hit], abs=1e-6)


def test_samples_are_where_the_field_was_told_to_have_them(model):
    field = make_grid(GRID).heights
    rows, columns = field.shape
    heights = Heights(model)
    place = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)
    found = heights.at(place)
    assert found[..., 2] == pytest.approx(field + 2.1, abs=1e-6)
    corner = to_world(GRID, np.array([-6.0, -11.0]))
    assert found[0, 0, :2] == pytest.approx(corner)
    assert heights.samples.shape == field.shape
    assert not heights.samples.flags.writeable


def test_points_keep_their_shape(model):
    heights = Heights(model)
    points = np.random.default_rng(2).uniform(-4, 4, (5, 7, 2))
    found = heights(points)
    assert found.shape == (5, 7)
    single = [[heights(point) for point in row] for row in points]
    assert (found == np.array(single)).all()
    assert heights(np.zeros((0, 3, 2))).shape == (0, 3)
    assert heights(points.astype(np.float32)) == pytest.approx(found, abs=1e-4)


@pytest.mark.parametrize(
    "outside", [(6.001, 0), (-6.001, 0), (0, 11.001), (0, -11.001), (1e300, 1)]
)
def test_outside_the_rim_there_is_no_height(model, outside):
    inside = np.array(outside) * 0.999
    points = to_world(GRID, np.array([outside, inside]))
    found = Heights(model)(points)
    assert np.isnan(found[0])
    assert np.isnan(rays(model, points[:1])[0])
    assert np.isfinite(found[1]) == (abs(inside) < 100).all()


@pytest.mark.parametrize("corner", list(product([-6.0, 6.0], [-11.0, 11.0])))
def test_the_rim_belongs_to_the_field(model, corner):
    found = Heights(model)(to_world(GRID, np.array(corner)))
    assert found == pytest.approx(2.1, abs=1e-6)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_point_that_is_not_finite_has_no_height_and_spoils_no_other(model, bad):
    found = Heights(model)(np.array([[bad, 0.0], [1.3, -0.7], [0.0, bad]]))
    assert np.isnan(found).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "points", [np.zeros((3, 3)), np.zeros((3, 2), int), np.array(1.0), ["a", "b"]]
)
def test_what_are_no_points_is_refused(model, points):
    with pytest.raises(BadArray, match=r"points: expected floats of shape \(..., 2\)"):
        Heights(model)(points)


SADDLES = {"valley": ([[0.0, 1.0], [1.0, 0.0]], 0.0), "ridge": ([[1, 0], [0, 1]], 1.0)}


@pytest.mark.parametrize(("corners", "middle"), SADDLES.values(), ids=SADDLES)
def test_spheres_meet_the_same_two_triangles_of_a_cell(tmp_path, corners, middle):
    cfg = array(tmp_path, np.array(corners, float), resolution=2.0)
    model = composed(tmp_path, cfg).model
    assert Heights(model)([0.0, 0.0]) == middle
    data = mujoco.MjData(model)
    for height, touches in ((0.03, True), (0.3, False)):
        data.qpos[:3] = [0, 0, middle + height]
        mujoco.mj_forward(model, data)
        assert bool(data.ncon) == touches


@pytest.mark.parametrize("quat", [(1.0, 0, 0, 0), (0.9, 0.1, -0.2, 0.3)])
def test_a_plane_has_the_heights_that_rays_hit(tmp_path, quat):
    cfg = TerrainCfg(kind="plane", pos=(0.2, 0.1, 0.4), quat=quat)
    model = composed(tmp_path, cfg).model
    points = np.random.default_rng(3).uniform(-9, 9, (200, 2))
    assert Heights(model)(points) == pytest.approx(rays(model, points), abs=1e-6)


def test_a_finite_plane_ends(tmp_path):
    plane = "<geom name='p' type='plane' size='1 0 1' euler='0 20 30'/>"
    main = BALL.replace("<worldbody>", f"<worldbody>{plane}")
    model = composed(tmp_path, TerrainCfg(), main).model
    points = np.random.default_rng(4).uniform(-3, 3, (500, 2))
    found, expected = Heights(model, "p")(points), rays(model, points)
    assert 50 < np.isnan(expected).sum() < 450
    assert np.isnan(found).tolist() == np.isnan(expected).tolist()
    hit = np.isfinite(found)
    assert found[hit] == pytest.approx(expected[hit], abs=1e-6)


def test_a_field_of_the_file_itself_has_heights_too(tmp_path):
    field = (
        "<hfield name='h' nrow='2' ncol='3' size='1 2 3 1' elevation='0 1 2 3 4 6'/>"
    )
    body = "<body pos='1 1 1' euler='0 0 40'><geom name='g' type='hfield' hfield='h'/>"
    main = BALL.replace(
        "<worldbody>", f"<asset>{field}</asset><worldbody>{body}</body>"
    )
    model = composed(tmp_path, TerrainCfg(), main).model
    points = np.random.default_rng(5).uniform(0.5, 1.5, (200, 2))
    found = Heights(model, "g")(points)
    assert found == pytest.approx(rays(model, points), abs=1e-6)
    with pytest.raises(UnknownName, match=r"No geom 'terrain'"):
        Heights(model)


HOPELESS = {
    "it moves": "<body><freejoint/><geom name='g' type='hfield' hfield='h'/></body>",
    "z axis": "<geom name='g' type='hfield' hfield='h' euler='5 0 0'/>",
    "of a plane, or": "<geom name='g' size='1'/>",
    "those of a plane": "<geom name='g' type='plane' size='1 1 1' euler='90 0 0'/>",
}


@pytest.mark.parametrize(("message", "geom"), HOPELESS.items(), ids=HOPELESS)
def test_what_has_no_heights_is_refused(message, geom):
    geom = geom.replace(
        "<freejoint/>",
        "<freejoint/><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>",
    )
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
        f"<worldbody>{geom}</worldbody></mujoco>"
    )
    with pytest.raises(BadTerrain, match=f"geom 'g': .*{message}"):
        Heights(model, "g")


def test_a_plane_has_no_samples(tmp_path):
    heights = Heights(composed(tmp_path, TerrainCfg(kind="plane")).model)
    assert heights.samples is None
    with pytest.raises(BadTerrain, match="a plane has no samples"):
        heights.at([0.0, 0.0])
