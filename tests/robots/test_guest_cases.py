"""Every case on the engines that are translated to: as expected, or refused."""

import json

import numpy as np
import pytest

import unisim
from conftest import SHARED
from robots.guests import GUESTS, consents
from unisim.backend.arrays import host
from unisim.errors import AuditFailed

pytestmark = pytest.mark.real_robot
CASES = sorted(path.parent.name for path in SHARED.glob("cases/*/model.xml"))
REFUSED = {
    # contact forces that are told are not those that move the bodies, by 5 to 15 %
    ("motrix", "B29_masks_and_excludes"): (
        "joint jl", "model.xml:7", "joint force in contact",
    ),
    ("motrix", "B34_contact_capacity"): (
        "joint c28_freejoint_a", "model.xml:35", "joint force in contact",
    ),
}  # fmt: skip
"""By the audit: element, place and what is wrong, which the refusal names."""
_ROUNDED = 1e-4
"""What passes in single precision."""
LYING = {"qpos": [0, 0, 1, 2**-0.5, 2**-0.5, 0, 0], "qvel": [0, 0, 0, 0, 0, 1]}


def qpos(sim, start, ctrl=None, steps=0):
    path(sim, start, ctrl, steps)
    return host(sim.read("qpos"))[0].astype(float)


def path(sim, start, ctrl, steps):
    sim.reset(**{name: np.array([row], float) for name, row in start.items()})
    row = None if ctrl is None else np.array([ctrl])
    if steps:
        return host(sim.step(row, steps, record=("qpos",))["qpos"])[0]
    return None


def place(sim, site, start):
    qpos(sim, start)
    return host(sim.read("site_xpos"))[0, sim.layout.index("site", site)]


def sensor(sim, name, start):
    qpos(sim, start)
    return host(sim.sensor(name))[0]


def fingers(sim):
    found = qpos(sim, {}, [0.03], 500)
    return [
        found[sim.layout.columns("qpos", name)][0] for name in ("finger_a", "finger_b")
    ]


def pairs(sim):
    qpos(sim, {})
    names = sim.layout.names["geom"]
    found = sim.built.engine.raw_contacts(0).geoms.tolist()
    touching = sorted({tuple(sorted(names[i] for i in row)) for row in found})
    return [list(pair) for pair in touching]


def drift(sim):
    sim.reset(keyframe="home")
    start = host(sim.read("qpos"))[0].astype(float)
    return np.abs(host(sim.step(None, 500, record=("qpos",))["qpos"])[0] - start).max()


MEASURED = {
    "B01_dampratio": {
        "angle after 50 steps": lambda sim: qpos(sim, {}, [0.5], 50)[0],
        "peak angle": lambda sim: path(sim, {}, [0.5], 500)[:, 0].max(),
    },
    "B05_option_flags": {"height after": lambda sim: qpos(sim, {}, None, 100)[2]},
    "B11_mimic_index": {"finger_a, finger_b": fingers},
    "B13_free_joint_spin": {
        "gyro": lambda sim: sensor(sim, "gyro", LYING),
        "frameangvel": lambda sim: sensor(sim, "w_world", LYING),
        "quaternion": lambda sim: qpos(sim, LYING, None, 500)[3:7],
    },
    "B18_eulerseq": {"world position of the tip": lambda sim: place(sim, "tip", {})},
    "B29_masks_and_excludes": {"pairs in contact": pairs},
    "B31_many_joints_one_body": {
        "tip for": lambda sim: place(
            sim, "tip", {"qpos": [0.3, 0.5, -0.4, 2**-0.5, 0, 0, 2**-0.5, 0.05]}
        )
    },
    "B34_contact_capacity": {
        "state finite": lambda sim: bool(np.isfinite(qpos(sim, {}, None, 250)).all())
    },
    "B36_keyframe_restores": {"largest drift": drift},
}
"""By case and the beginning of a check's name; the audit holds what is stated."""
EXACTLY = {"B29_masks_and_excludes", "B34_contact_capacity"}
"""Cases whose checks are no numbers."""


@pytest.mark.parametrize("backend", GUESTS)
@pytest.mark.parametrize("name", CASES)
def test_a_case_comes_out_as_expected_or_its_refusal_says_what_is_lacking(
    backend, name
):
    folder = SHARED / "cases" / name
    expected = json.loads((folder / "expected.json").read_text())
    scene_cfg = unisim.SceneCfg(model_file=folder / "model.xml")
    scene = unisim.compose(scene_cfg)
    accept = consents(scene, backend)
    task = unisim.TaskCfg(
        scene=scene_cfg, backend=backend, accept=accept, faults="flag"
    )
    if words := REFUSED.get((backend, name)):
        with pytest.raises(AuditFailed) as refused:
            unisim.build(task, scene)
        assert all(word in str(refused.value) for word in words)
        return
    with unisim.build(task, scene) as sim:
        found = {key: ask(sim) for key, ask in MEASURED.get(name, {}).items()}
        assert not host(sim.faults).any()
    others = expected["tolerance_for_other_backends"]
    wide = max(others.values()) if isinstance(others, dict) else 0.0
    for start, got in found.items():
        (check,) = (x for x in expected["checks"] if x["name"].startswith(start))
        want = check["value"]
        if name in EXACTLY:
            assert got == want, start
            continue
        bound = max(wide, check["atol"], _ROUNDED * float(np.abs(want).max()))
        np.testing.assert_allclose(got, want, atol=bound, rtol=0, err_msg=start)
