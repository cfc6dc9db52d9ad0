"""On a device the ground has the heights of the host, which are those rays hit."""

import numpy as np
import pytest

from grounds import BALL, GRID, composed, rays, to_world
from scene_files import no_cache  # noqa: F401
from unisim import Heights, TerrainCfg
from unisim.backend.arrays import host
from unisim.errors import BadArray

wp = pytest.importorskip("warp")
torch = pytest.importorskip("torch")
from unisim.backend.device.arrays import DeviceArrays  # noqa: E402

PLANE = "<geom name='p' type='plane' size='1 2 1' pos='.2 .1 .4' euler='0 20 30'/>"


@pytest.fixture(scope="module")
def arrays():
    return DeviceArrays("cpu")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    main = BALL.replace("<worldbody>", f"<worldbody>{PLANE}")
    return composed(tmp_path_factory.mktemp("grid"), GRID, main).model


def points(*shape):
    rng = np.random.default_rng(sum(shape))
    local = rng.uniform(-1, 1, (*shape, 2)) * [6.5, 11.5]
    return to_world(GRID, local).astype(np.float32)


def twins(model, arrays, geom):
    heights = Heights(model, geom)
    return heights, arrays.surface(heights)


@pytest.mark.parametrize("geom", ["terrain", "p"])
def test_both_twins_agree_to_the_rounding_of_float32(model, arrays, geom):
    heights, twin = twins(model, arrays, geom)
    xy = points(16, 250) * (1 if geom == "terrain" else 0.2)
    want, got = heights(xy), host(twin(xy))
    assert got.shape == (16, 250)
    assert got.dtype == np.float32
    assert 0.05 < np.isnan(want).mean() < 0.95
    np.testing.assert_allclose(got, want, rtol=0, atol=4e-7)


def test_the_device_has_the_heights_that_rays_hit(model, arrays):
    _, twin = twins(model, arrays, "terrain")
    xy = points(2000)
    got, want = host(twin(xy)), rays(model, xy.astype(float))
    hit = want > 0.0  # the plane is below, and inside a field nothing else is hit
    assert hit.mean() > 0.7
    np.testing.assert_allclose(got[hit], want[hit], rtol=0, atol=1e-6)


def test_points_of_torch_and_warp_are_taken_where_they_are(model, arrays, monkeypatch):
    heights, twin = twins(model, arrays, "terrain")
    xy = points(3, 5)
    tensor, vectors = torch.from_numpy(xy), wp.array(xy, dtype=wp.vec2, device="cpu")

    def refuse(*_args, **_kwargs):
        raise AssertionError("a copy to the host, or a wait")

    with monkeypatch.context() as patch:
        for owner, name in ((wp.array, "numpy"), (wp, "synchronize")):
            patch.setattr(owner, name, refuse)
        found = [twin(tensor), twin(vectors)]
    for each in found:
        np.testing.assert_allclose(host(each), heights(xy), rtol=0, atol=4e-7)
    assert torch.from_dlpack(found[0]).shape == (3, 5)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_point_that_is_not_finite_has_no_height_and_spoils_no_other(
    model, arrays, bad
):
    _, twin = twins(model, arrays, "terrain")
    found = host(twin(np.array([[bad, 0.0], [1.3, -0.7], [0.0, bad]])))
    assert np.isnan(found).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "wrong", [np.zeros((3, 3)), torch.zeros(3), torch.zeros((2, 2), dtype=torch.int32)]
)
def test_what_are_no_points_is_refused(model, arrays, wrong):
    _, twin = twins(model, arrays, "terrain")
    with pytest.raises(BadArray, match="points"):
        twin(wrong)


def test_an_endless_plane_has_heights_everywhere_and_no_points_have_none(
    tmp_path, arrays
):
    model = composed(tmp_path, TerrainCfg(kind="plane", pos=(0, 0, 0.25))).model
    _, twin = twins(model, arrays, "terrain")
    assert host(twin(np.array([[1e6, -1e6]]))).tolist() == [0.25]
    assert host(twin(np.zeros((0, 4, 2)))).shape == (0, 4)
