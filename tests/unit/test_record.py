"""Recordings of quantities, apart from any engine."""

from typing import get_args

import numpy as np
import pytest

from unisim.errors import UnknownName
from unisim.record import Over, Record, Recorder

STEPS = np.array([[[1.0], [-2.0]], [[0.0], [-5.0]], [[4.0], [0.0]]])
"""Three steps of two worlds."""
EXPECTED = {
    "all": [[[1.0], [0.0], [4.0]], [[-2.0], [-5.0], [0.0]]],
    "min": [[0.0], [-5.0]],
    "max": [[4.0], [0.0]],
    "any": [[1.0], [1.0]],
}


class Engine:
    """Gives the next step's array, always in the same memory."""

    def __init__(self):
        self.memory = np.zeros((2, 1))

    def read(self, name):
        return self.memory


def recorded(items):
    engine, recorder = Engine(), Recorder(items)
    for step in STEPS:
        engine.memory[...] = step
        recorder.take(engine)
    return recorder.result()


@pytest.mark.parametrize("over", get_args(Over))
def test_each_reduction_is_over_the_steps(over):
    item = Record("qacc", over)
    assert recorded([item])[item].tolist() == EXPECTED[over]


def test_a_name_alone_keeps_every_step():
    assert recorded(["qacc"])["qacc"].tolist() == EXPECTED["all"]


def test_any_keeps_the_dtype_and_tells_zero_from_the_rest():
    item = Record("qacc", "any")
    got = recorded([item])[item]
    assert got.dtype == np.float64
    STEPS_OF_ZEROS = Recorder([item])
    STEPS_OF_ZEROS.take(Engine())
    assert STEPS_OF_ZEROS.result()[item].tolist() == [[0.0], [0.0]]


def test_items_are_the_keys_of_the_result():
    items = ["qpos", Record("qpos", "min"), Record("qpos", "max")]
    assert list(recorded(items)) == items


def test_unknown_quantities_and_reductions_are_refused():
    with pytest.raises(UnknownName, match=r"No quantity 'qaccc'.*'qacc'"):
        Recorder(["qpos", "qaccc"])
    with pytest.raises(UnknownName, match=r"No quantity 'touch'"):
        Recorder([Record("touch", "any")])
    with pytest.raises(UnknownName, match=r"No reduction 'mean'.*all, any, max, min"):
        Recorder([Record("qpos", "mean")])
