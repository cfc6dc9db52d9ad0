"""The operations on device arrays are those on numpy arrays, in float32."""

import numpy as np
import pytest

from unisim.backend.arrays import HOST, host
from unisim.errors import BadArray, MissingDevice

wp = pytest.importorskip("warp")
torch = pytest.importorskip("torch")
from unisim.backend.device.arrays import DeviceArrays, flat, seen_as  # noqa: E402

N = 5
CHOSEN = np.array([1, 3, 4], np.int32)


@pytest.fixture(scope="module")
def arrays():
    return DeviceArrays("cpu")


def values(*shape, dtype="float32"):
    return np.random.default_rng(0).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("shape", [(N,), (N, 4), (N, 2, 3)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_are_picked_and_put_as_numpy_does(arrays, shape, dtype):
    whole, rows = values(*shape, dtype=dtype), values(*shape, dtype=dtype)[:3] * 2
    device, expected = arrays.upload(whole), whole.copy()
    assert np.array_equal(host(arrays.pick(device, CHOSEN)), whole[CHOSEN])
    arrays.put(device, arrays.upload(rows), CHOSEN)
    HOST.put(expected, rows, CHOSEN)
    assert np.array_equal(host(device), expected)
    copy = arrays.pick(device, None)
    arrays.put(device, arrays.upload(whole), None)
    assert np.array_equal(host(copy), expected)
    assert np.array_equal(host(device), whole)


def test_masked_rows_come_from_all_worlds(arrays):
    whole, rows = values(N, 3), values(N, 3) + 7
    mask = np.array([False, True, False, False, True])
    device = arrays.upload(whole)
    arrays.put(device, arrays.upload(rows), arrays.upload(mask))
    assert np.array_equal(host(device), np.where(mask[:, None], rows, whole))


@pytest.mark.parametrize("dtype", ["int64", "float32", "bool"])
@pytest.mark.parametrize("form", ["all", "index", "mask"])
def test_values_are_filled_in_the_worlds_asked_for(arrays, dtype, form):
    device = arrays.zeros((N,), dtype)
    mask = np.isin(np.arange(N), CHOSEN)
    to = {"all": None, "index": CHOSEN, "mask": arrays.upload(mask)}[form]
    arrays.fill(device, 1, to)
    assert host(device).astype(int).tolist() == (mask | (form == "all")).tolist()


def test_a_number_is_added(arrays):
    device = arrays.upload(np.arange(N))
    arrays.add(device, 3)
    assert host(device).tolist() == list(range(3, N + 3))


@pytest.mark.parametrize("over", ["all", "min", "max", "any"])
def test_steps_are_stacked_and_reduced_as_numpy_does(arrays, over):
    taken = [values(N, 2, 3) * sign for sign in (1, -2, 0)]
    for item in taken:
        item[0, 0] = 0
    got = arrays.reduce([arrays.upload(item) for item in taken], over)
    np.testing.assert_array_equal(host(got), HOST.reduce(taken, over), strict=True)


def test_torch_comes_in_without_a_copy(arrays):
    tensor = torch.arange(10, dtype=torch.float32).reshape(N, 2)
    rows = arrays.rows("ctrl", tensor, (N, 2), "float32")
    assert rows.ptr == tensor.data_ptr()
    mask = torch.tensor([True, False, True, False, False])
    taken = arrays.mask(mask, N)
    assert taken.ptr == mask.data_ptr()
    assert host(taken).tolist() == mask.tolist()


def test_torch_sees_a_device_array_without_a_copy(arrays):
    device = arrays.upload(values(N, 2))
    tensor = torch.from_dlpack(device)
    assert tensor.data_ptr() == device.ptr
    assert np.array_equal(tensor.numpy(), host(device))


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_other_floats_are_cast(arrays, dtype):
    for passed in (
        values(N, 2).astype(dtype),
        arrays.upload(values(N, 2).astype(float)),
    ):
        rows = arrays.rows("ctrl", passed, (N, 2), "float32")
        assert rows.dtype is wp.float32
        np.testing.assert_allclose(host(rows), values(N, 2), rtol=1e-3)


def test_vectors_are_taken_as_rows_of_their_components(arrays):
    for dtype, kind in ((np.float32, wp.vec2), (np.float64, wp.vec2d)):
        passed = wp.array(values(N, 2).astype(dtype), dtype=kind, device="cpu")
        rows = arrays.rows("ctrl", passed, (N, 2), "float32")
        assert (rows.dtype, rows.shape) == (wp.float32, (N, 2))
        assert np.array_equal(host(rows), values(N, 2))


@pytest.mark.parametrize(
    ("passed", "message"),
    [
        (np.zeros((N, 2), int), "int64"),
        (torch.zeros((N, 2), dtype=torch.int32), "int32"),
        (torch.zeros((N, 3)), r"shape \(5, 3\)"),
        (torch.zeros((N, 2), requires_grad=True), "gradient"),
    ],
)
def test_what_is_no_row_of_floats_is_refused(arrays, passed, message):
    with pytest.raises(BadArray, match=message):
        arrays.rows("ctrl", passed, (N, 2), "float32")


def test_a_mask_of_another_size_is_refused(arrays):
    with pytest.raises(BadArray, match=r"worlds: expected a mask of shape \(5,\)"):
        arrays.mask(torch.zeros(4, dtype=torch.bool), N)
    assert arrays.mask([1, 3], N) is None
    assert arrays.mask(np.ones(N, bool), N) is None


def test_views_show_the_components_of_vectors_as_columns(arrays):
    vectors = wp.array(values(N, 2, 3), dtype=wp.vec3, device="cpu")
    rows = flat(vectors)
    assert rows.shape == (N, 6)
    assert rows.ptr == vectors.ptr
    assert np.array_equal(host(rows), values(N, 2, 3).reshape(N, 6))
    part = seen_as(vectors, (2, 3), start=6)
    assert np.array_equal(host(part), values(N, 2, 3)[1])


def test_a_device_that_is_not_there_is_one_sentence():
    with pytest.raises(MissingDevice, match=r"no device 'cuda:9' here; there is: cpu"):
        DeviceArrays("cuda:9")


@pytest.mark.parametrize("to", [[0, 1, 2], [1, 2, 3], [2, 3, 4]])
def test_rows_may_be_a_part_of_what_they_go_into(arrays, to):
    whole = values(N, 3)
    device, expected = arrays.upload(whole), whole.copy()
    HOST.put(expected, whole[1:4], np.array(to, np.int32))
    arrays.put(device, device[1:4], np.array(to, np.int32))
    assert np.array_equal(host(device), expected)


def test_rows_may_be_what_they_go_into_turned_about(arrays):
    whole = values(N, N)
    device = arrays.upload(whole)
    arrays.put(device, wp.from_dlpack(torch.from_dlpack(device).T), None)
    assert np.array_equal(host(device), whole.T)


def test_small_numbers_on_a_device_are_no_mask(arrays):
    numbers = torch.tensor([3, 0, 1, 2, 4], dtype=torch.uint8)
    with pytest.raises(BadArray, match=r"expected a mask of .* got uint8"):
        arrays.mask(numbers, N)
