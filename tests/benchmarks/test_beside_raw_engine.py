"""How much a sim adds to its raw engine doing the same work; nothing is asserted.

Each benchmark's extra info has the medians of the raw engine and of the sim, measured
in turn, what is added to a call, and the ratio of throughputs. The last work is a
control law beside the file's servos. `unisim bench` prints the same as a table.
"""

import pytest

from contract.scenes import composed
from mjwarp_sims import NEEDED
from unisim import SceneCfg, TaskCfg
from unisim.bench.timing import in_turn
from unisim.bench.work import Pair

SECONDS = 0.5
WORLDS = (1, 64, 512, 4096)
SCENES = ["quadruped", pytest.param("go1", marks=pytest.mark.real_robot)]
BACKENDS = ["mujoco", pytest.param("mjwarp", marks=NEEDED)]
WORKS = {
    "step": 0,
    "step-read": 1,
    "5-steps": 2,
    "5-steps-read": 3,
    "reset-a-tenth": 4,
    "law": 5,
}


@pytest.fixture(scope="module", params=SCENES)
def scene(request):
    return composed(request.param, "home")


@pytest.fixture(scope="module", params=BACKENDS)
def backend(request):
    return request.param


@pytest.fixture(scope="module", params=WORLDS)
def pair(request, scene, backend):
    cfg = SceneCfg(model_file=scene.file, keyframe="home")
    task = TaskCfg(scene=cfg, backend=backend, worlds=request.param, decimation=5)
    pair = Pair(task, scene)
    yield pair
    pair.close()


@pytest.mark.parametrize("work", WORKS)
def test_work(benchmark, pair, work):
    job = pair.jobs()[WORKS[work]]
    pair.restart()
    benchmark.pedantic(job.ours.run, args=(1,), rounds=3, warmup_rounds=2)
    pair.restart()
    times = in_turn([job.ours, job.other], SECONDS)
    (ours, _), (raw, _) = times.costs
    benchmark.extra_info.update(
        work=job.work,
        beside=job.beside,
        raw_us=round(raw * 1e6, 1),
        ours_us=round(ours * 1e6, 1),
        added_us=round((ours - raw) * 1e6, 1),
        throughput=round(times.ratio, 3),
    )
