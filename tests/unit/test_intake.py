"""What users pass is turned into the sim's arrays, or refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.scenes import composed
from unisim.backend.layout import layout_of
from unisim.errors import BadArray, OutOfRange, UnknownName
from unisim.intake import Intake

N = 6


@pytest.fixture(scope="module")
def intake():
    return Intake(layout_of(composed("sink").model), N, "float64")


@given(
    chosen=st.lists(st.integers(0, N - 1), unique=True),
    dtype=st.sampled_from([np.int8, np.uint8, np.int32, np.int64, np.uint64]),
)
def test_rows_go_to_the_worlds_they_were_passed_for(intake, chosen, dtype):
    to = intake.worlds(np.array(chosen, dtype))
    values = np.array(chosen, float)
    target = np.full(N, -1.0)
    target[to.index] = intake.state("time", values, to)
    expected = np.full(N, -1.0)
    expected[chosen] = values
    assert np.array_equal(target, expected)
    assert to.count == len(chosen)
    assert to.index.dtype == np.int32
    assert np.all(np.diff(to.index) > 0)


@given(st.lists(st.booleans(), min_size=N, max_size=N))
def test_a_mask_names_the_worlds_where_it_is_true(intake, mask):
    to = intake.worlds(mask)
    assert to.index.tolist() == np.flatnonzero(mask).tolist()
    assert to.count == sum(mask)


def test_nothing_named_is_all_worlds(intake):
    to = intake.worlds(None)
    assert (to.index, to.count) == (None, N)


@pytest.mark.parametrize(
    ("worlds", "error", "message"),
    [
        ([0, N], OutOfRange, "world 6 is out of range: allowed is 0 to 5"),
        ([-1], OutOfRange, "world -1"),
        ([7, 2, -3], OutOfRange, "world 7, -3 is out of range"),
        (np.array([2**40]), OutOfRange, str(2**40)),
        ([2, 1, 2], BadArray, "world 2 twice"),
        ([1, 1], BadArray, "world 1 twice"),
        ([True] * 5, BadArray, r"a mask of shape \(6,\), got shape \(5,\)"),
        (np.ones((N, 1), bool), BadArray, r"got shape \(6, 1\)"),
        ([0.0, 1.0], BadArray, "float64"),
        (np.zeros((0, 3)), BadArray, r"shape \(0, 3\)"),
        (3, BadArray, r"shape \(\)"),
        ("all", BadArray, "<U3"),
        ([[1, 2], [3]], BadArray, "rows of different lengths"),
    ],
)
def test_wrong_worlds_are_refused(intake, worlds, error, message):
    with pytest.raises(error, match=message):
        intake.worlds(worlds)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.zeros((N, 3)), r"floats of shape \(6, 4\), got float64 of shape \(6, 3\)"),
        (np.zeros(4), r"shape \(4,\)"),
        (np.zeros((N, 4), int), "got int64"),
        (np.zeros((N, 4), bool), "got bool"),
        (np.zeros((N, 4), complex), "got complex128"),
        ([[0.0] * 4] * 5, r"shape \(5, 4\)"),
        ([[0] * 4] * 6, "got int64"),
        ([[0.0] * 4, [0.0]], "rows of different lengths"),
        ("ctrl", "<U4"),
        (None, "object"),
    ],
)
def test_wrong_arrays_are_refused(intake, values, message):
    with pytest.raises(BadArray, match=f"^ctrl: expected.*{message}"):
        intake.state("ctrl", values, intake.all)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_other_floats_are_cast(intake, dtype):
    values = np.arange(24.0).reshape(6, 4).astype(dtype)
    got = intake.state("ctrl", values, intake.all)
    assert got.dtype == np.float64
    assert np.array_equal(got, values)


def test_arrays_of_the_right_dtype_are_not_copied(intake):
    values = np.zeros((N, 4))
    assert intake.state("ctrl", values, intake.all) is values


def test_quantities_that_cannot_be_written_are_refused(intake):
    with pytest.raises(UnknownName, match=r"No writable quantity 'qvell'.*'qvel'"):
        intake.state("qvell", np.zeros(N), intake.all)
    with pytest.raises(UnknownName, match="No writable quantity 'xpos'"):
        intake.state("xpos", np.zeros(N), intake.all)


@pytest.mark.parametrize("value", [0.5, 2.0, -1.0, np.nan])
def test_an_equality_is_on_or_off(intake, value):
    values = np.ones((N, 2))
    values[3, 1] = value
    with pytest.raises(BadArray, match=f"eq_active: expected 0 or 1, got {value}"):
        intake.state("eq_active", values, intake.all)
