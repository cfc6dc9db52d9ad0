"""The raw loop of MuJoCo Warp does the work that the adapter does."""

import numpy as np

from contract.scenes import composed
from mjwarp_sims import NEEDED
from unisim import SceneCfg, TaskCfg
from unisim.backend.arrays import host
from unisim.backend.raw import READS
from unisim.bench.work import Pair

pytestmark = NEEDED


def test_raw_and_adapter_step_reset_and_read_the_same():
    scene = composed("quadruped", "home")
    cfg = SceneCfg(model_file=scene.file, keyframe="home")
    task = TaskCfg(
        scene=cfg,
        backend="mjwarp",
        worlds=4,
        faults="flag",
        accept=("contact.convex",),
    )
    pair = Pair(task, scene)
    sim, raw = pair.sim, pair.raw
    assert raw is not None
    ctrl = np.array(sim.read("ctrl"))
    ctrl += np.random.default_rng(0).uniform(-0.3, 0.3, ctrl.shape).astype(np.float32)

    def same(worlds):
        for name in ("qpos", *READS):
            ours = np.array(host(sim.read(name)))
            theirs = getattr(raw._data, name).numpy().reshape(ours.shape)
            ours, theirs = ours[worlds], theirs[worlds]
            assert ours.size
            np.testing.assert_allclose(ours, theirs, atol=1e-5, err_msg=name)

    pair.restart()
    for steps in (1, 20):
        sim.step(ctrl, steps)
        raw.step(ctrl, steps, refresh=True)
        same(slice(None))
    chosen = np.array([1, 3], np.int32)
    sim.reset(chosen)
    raw.reset(chosen, scene.model.key("home").id)
    same(chosen)  # the others' accelerations are those of the step in ours alone
    assert not np.array_equal(*np.array(host(sim.read("qpos")))[:2])
    pair.close()
