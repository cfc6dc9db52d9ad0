"""Columns and quaternions change their order and come back, on both twins alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from unisim.backend.arrays import host
from unisim.backend.order import Order, wxyz, xyzw
from unisim.errors import BadArray

N = 5
# a free base and three joints; the engine holds the joints in front, xyzw
OURS = [9, 7, 8, 0, 1, 2, 3, 4, 5, 6]
ORDER = Order(OURS, [6])


def rows(columns=10):
    """Distinct values in every world and column."""
    return np.arange(N * columns, dtype=np.float32).reshape(N, columns) + 0.25


def test_columns_go_where_the_engine_has_them():
    got = ORDER.to_engine(rows())
    for world, row in enumerate(rows().tolist()):
        x, y, z, qw, qx, qy, qz, a, b, c = row
        assert got[world].tolist() == [c, a, b, x, y, z, qx, qy, qz, qw]


def test_the_engines_quaternion_is_the_same_turn():
    turns = Rotation.random(N, random_state=0)
    ours = rows()
    ours[:, 3:7] = turns.as_quat(scalar_first=True)
    got = Rotation.from_quat(ORDER.to_engine(ours)[:, 6:10])
    assert (got * turns.inv()).magnitude() == pytest.approx(0, abs=1e-6)


@given(st.permutations(range(12)), st.sets(st.sampled_from([0, 4, 8])))
def test_there_and_back_is_where_one_was(ours, quats):
    order, start = Order(ours, sorted(quats)), rows(12)
    assert np.array_equal(order.to_ours(order.to_engine(start)), start)
    assert np.array_equal(order.to_engine(order.to_ours(start)), start)
    assert np.array_equal(start, rows(12))


def test_quaternions_of_any_shape_turn_their_order():
    quats = np.arange(24.0).reshape(2, 3, 4)
    assert xyzw(quats)[1, 2].tolist() == [21, 22, 23, 20]
    assert np.array_equal(wxyz(xyzw(quats)), quats)
    turn = Rotation.random(N, random_state=1)
    assert np.allclose(xyzw(turn.as_quat(scalar_first=True)), turn.as_quat())


def test_the_twin_on_a_device_does_the_same():
    wp = pytest.importorskip("warp")
    from unisim.backend.device.arrays import DeviceArrays
    from unisim.backend.device.order import DeviceOrder

    arrays = DeviceArrays("cpu")
    twin, start = DeviceOrder(ORDER, arrays), rows()
    ours, theirs = arrays.upload(start), arrays.zeros(start.shape, "float32")
    twin.to_engine(ours, theirs)
    assert np.array_equal(host(theirs), ORDER.to_engine(start))
    back = arrays.zeros(start.shape, "float32")
    twin.to_ours(theirs, back)
    assert np.array_equal(host(back), start)
    with pytest.raises(BadArray, match="the same"):
        twin.to_ours(theirs, theirs)
    with pytest.raises(BadArray, match=r"out.*\(4, 10\)"):
        twin.to_ours(theirs, wp.zeros((4, 10), dtype=wp.float32, device="cpu"))
    double = arrays.zeros(start.shape, "float64")
    with pytest.raises(BadArray, match="float32 into float64"):
        twin.to_ours(theirs, double)


@pytest.mark.parametrize(
    ("ours", "quats", "message"),
    [
        ([0, 0, 1], [], "every column once"),
        ([0, 1, 3], [], "every column once"),
        (range(6), [3], "a start at 3 of 6"),
        (range(6), [-1], "a start at -1"),
        (range(6), [0, 2], "a start at 2"),
    ],
)
def test_what_is_no_order_is_refused(ours, quats, message):
    with pytest.raises(BadArray, match=message):
        Order(list(ours), quats)


def test_rows_of_another_width_are_refused():
    with pytest.raises(BadArray, match=r"shape \(n, 10\)"):
        ORDER.to_ours(rows(9))
