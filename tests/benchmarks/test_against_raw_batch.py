"""How much a sim adds to `mujoco.batch` doing the same work; nothing is asserted.

Each benchmark's extra info has the medians of the raw batch and of the sim, measured in
turn, what is added to a call, and the ratio of throughputs.
"""

import pytest

from benchmarks.raw import Raw, in_turn

ROUNDS = {1: 3000, 64: 200, 512: 40, 4096: 7}
SCENES = ["quadruped", pytest.param("go1", marks=pytest.mark.real_robot)]


@pytest.fixture(scope="module", params=SCENES)
def scene(request):
    return request.param


@pytest.fixture(scope="module", params=ROUNDS)
def pair(request, scene):
    pair = Raw(scene, request.param)
    yield pair
    pair.sim.close()


def compare(benchmark, pair, works):
    raw, ours = works
    benchmark.pedantic(ours, rounds=3, warmup_rounds=2)
    seconds = in_turn(raw, ours, ROUNDS[pair.sim.worlds])
    benchmark.extra_info.update(
        raw_us=round(seconds[0] * 1e6, 1),
        ours_us=round(seconds[1] * 1e6, 1),
        added_us=round((seconds[1] - seconds[0]) * 1e6, 1),
        throughput=round(seconds[0] / seconds[1], 3),
    )


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("refresh", [False, True], ids=["state", "refresh"])
def test_step(benchmark, pair, count, refresh):
    pair.sim.reset()
    pair.batch.reset()
    compare(benchmark, pair, pair.step(count, refresh=refresh))


def test_reset_of_a_random_tenth(benchmark, pair):
    compare(benchmark, pair, pair.reset())
