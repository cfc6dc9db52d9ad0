"""MuJoCo Warp on rough ground: by one word, on its tiles, with room for contacts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mjwarp_sims import NEEDED
from unisim import Curriculum, Heights, Terrain, build, compose, ground, load
from unisim.backend import registry
from unisim.backend.arrays import host
from unisim.backend.base import Fault
from unisim.backend.layout import layout_of
from unisim.errors import AuditFailed, UnsupportedFeature
from unisim.progress import Silent
from unisim.runtime.measure import measure
from unisim.runtime.start import start
from unisim.task import build_cfg

pytestmark = NEEDED
wp = pytest.importorskip("warp")
torch = pytest.importorskip("torch")
CONFIG = Path(__file__).resolve().parents[2] / "configs" / "quadruped_rough.toml"
N = 12


def task(**more):
    return replace(load(CONFIG), backend="mjwarp", worlds=N, **more)


@pytest.fixture(scope="module")
def shared_sim():
    with build(task(faults="flag")) as sim:
        yield sim


@pytest.fixture
def sim(shared_sim):
    shared_sim.reset()
    return shared_sim


def test_the_word_is_in_the_file_and_consent_is_asked_for():
    assert 'backend = "mujoco"' in CONFIG.read_text(encoding="utf-8")
    with pytest.raises(UnsupportedFeature, match=r"geom 'terrain'.*four contacts"):
        build(task(accept=()))


def test_a_run_stands_on_every_tile_and_ground_carries_the_weight(sim):
    left_out = {item.what: item.names for item in sim.built.audit.unaudited}
    assert all("and terrain" in pair for pair in left_out["contact force"][:8])
    unread = set(left_out["derived constants"])
    assert not unread & {"geom_rbound", "body_subtreemass", "body_invweight0"}
    start(sim)
    places = host(sim.read("qpos"))[:, :2].copy()
    assert len(np.unique(places, axis=0)) == N
    cfg = replace(sim.built.task.run, seconds=0.6)
    measured = measure(sim, cfg, Silent())
    assert not measured.faults
    last = measured.force.mean[-10:].mean()
    assert last == pytest.approx(measured.ground.weight, rel=0.08)
    clear = host(sim.read("qpos"))[:, 2] - Heights(sim.built.scene.model)(
        host(sim.read("qpos"))[:, :2].astype(float)
    )
    assert clear.min() > 0.2


def test_the_ground_under_every_world_is_read_on_the_device(sim, monkeypatch):
    terrain = Terrain(sim.built.scene)
    course = Curriculum(terrain, N, seed=3, highest=terrain.cfg.levels - 1)
    spots = course.spawn()
    sim.reset(qpos=terrain.place(host(sim.read("qpos")), spots))
    under = ground(sim)
    around = torch.from_dlpack(sim.read("xpos"))[:, 1:, :2].contiguous()
    with monkeypatch.context() as patch:
        patch.setattr(wp.array, "numpy", None)
        patch.setattr(wp, "synchronize", None)
        found = torch.from_dlpack(under(around))
    want = Heights(sim.built.scene.model)(around.numpy().astype(float))
    np.testing.assert_allclose(found.numpy(), want, rtol=0, atol=1e-6)
    np.testing.assert_allclose(host(under(spots[:, :2])), spots[:, 2], atol=1e-6)
    assert np.ptp(want) > 0.1


def test_promoted_worlds_alone_go_to_other_tiles(sim):
    terrain = Terrain(sim.built.scene)
    course = Curriculum(terrain, N, seed=1)
    home = host(sim.read("qpos")).copy()
    sim.reset(qpos=terrain.place(home, course.spawn()))
    before = host(sim.read("qpos")).copy()
    passed = np.arange(N) % 3 == 0
    course.promote(passed)
    rows = terrain.place(home, course.spawn())
    # on a device a mask takes rows of all worlds, of which the masked ones count
    mask = torch.from_numpy(passed)
    sim.reset(mask, qpos=torch.from_numpy(rows).float())
    after = host(sim.read("qpos"))
    assert np.array_equal(after[~passed], before[~passed])
    assert np.allclose(after[passed], rows[passed], atol=1e-6)
    step = after[passed, 0] - before[passed, 0]
    assert np.all(np.abs(step - terrain.cfg.size) < terrain.cfg.size / 2)


def test_a_pool_too_small_is_seen_by_the_audit_and_else_a_fault_of_every_world():
    few = replace(task(engine={"contacts_per_world": 2}), worlds=2)
    with pytest.raises(AuditFailed, match="touching pairs"):
        build(few)
    scene = compose(few.scene)
    layout = layout_of(scene.model)
    engine = registry.load("mjwarp").build(build_cfg(few, scene), layout)
    engine.reset(None, layout.index("key", "home"))
    high = Terrain(scene).place(
        host(engine.read("qpos")), np.array([[0, 0, 0], [0, 0, 5.0]])
    )
    engine.write("qpos", high.astype(np.float32), None)
    assert not host(engine.faults).any()
    engine.step(None, 30)
    assert host(engine.faults).tolist() == [int(Fault.CAPACITY)] * 2
