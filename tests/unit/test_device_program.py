"""A program replays what its launches do."""

import numpy as np
import pytest

wp = pytest.importorskip("warp")

from unisim.backend.device import compiling, kernels  # noqa: E402
from unisim.backend.device.program import Program  # noqa: E402


def test_every_call_does_what_the_launches_do_though_they_run_twice():
    compiling.start()
    device = wp.get_device("cpu")
    total, copy, seen = wp.zeros(3, dtype=wp.float64), wp.zeros(3, dtype=wp.float64), []

    def launches():
        seen.append(None)
        inputs = [wp.float64(0.5), total]
        wp.launch(kernels.add, dim=3, inputs=inputs, device=device)
        wp.copy(copy, total)
        total.zero_()
        wp.launch(kernels.add, dim=3, inputs=[wp.float64(2.0), total], device=device)

    program = Program(launches, device)
    for call in range(5):
        total.assign(np.array([1.0, 2.0, 3.0]) * call)
        program()
        assert np.array_equal(copy.numpy(), np.array([1.0, 2.0, 3.0]) * call + 0.5)
        assert np.array_equal(total.numpy(), [2.0, 2.0, 2.0])
    assert len(seen) == 2
