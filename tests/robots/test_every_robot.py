"""Every robot and case on every engine: built, audited, as MuJoCo; or refused."""

import os

import mujoco
import numpy as np
import pytest

from robots.every import (
    STEPS,
    WORLDS,
    allowed,
    apart,
    commands,
    files,
    reference,
    speeds,
)
from unisim import SceneCfg, TaskCfg, build, compose
from unisim.backend.arrays import host
from unisim.errors import AuditFailed, CompileFailed

pytestmark = pytest.mark.real_robot
REQUIRED = os.environ.get("UNISIM_REQUIRE", "").split(",")
FILES = files()
SHORT = {
    "menagerie__unitree_a1__novis", "B05_option_flags", "B13_free_joint_spin",
    "B16_inertial_quat", "B18_eulerseq", "B20_gain_defaults", "B36_keyframe_restores",
}  # fmt: skip
"""What every run takes on mjwarp; `UNISIM_CONTRACT=full` takes all."""
ACCEPT = ("contact.convex", "geom.type.hfield", "option.ls_iterations")
"""Approximations that are agreed to on mjwarp."""
REFUSED = {
    # boxes that meet: contacts are missing, or turned, and stacked boxes fall through
    "B34_contact_capacity": ("geom c10_geom_a", "model.xml:17", "apart"),
    "trossen_arm_sim__wxai_scene": ("carriage_left_geom_c", "wxai_follower.xml:91"),
    # contacts that nothing can yield to: in float32 they drown all others
    "B29_masks_and_excludes": ("geom flag_g", "model.xml:13", "post_g"),
    "gymnasium_robotics__fetch__pick_and_place": (
        "geom floor0", "pick_and_place.xml:11", "object0",
    ),
    # a loop of strings about a pulley: at rest, stiff forces cancel
    "mujoco__flex__pulley": ("pulley.xml:16", "qacc"),
    "dm_control__suite__quadruped": ("joint root", "quadruped.xml:88", "limit force"),
}  # fmt: skip
"""On mjwarp, by the audit: the words of element, place and reason that it names."""


def cases():
    for name in FILES:
        yield pytest.param("mujoco", name, id=f"mujoco-{name}")
    if "mjwarp" in REQUIRED:
        full = os.environ.get("UNISIM_CONTRACT") == "full"
        for name in FILES if full else sorted(SHORT & FILES.keys()):
            yield pytest.param("mjwarp", name, id=f"mjwarp-{name}")
    if not FILES:
        yield pytest.param("mujoco", "", id="absent")


@pytest.mark.parametrize(("backend", "name"), list(cases()))
def test_it_is_built_and_moves_as_in_mujoco_or_is_refused(backend, name):
    cfg = SceneCfg(model_file=FILES[name])
    try:
        scene = compose(cfg)
    except CompileFailed:
        with pytest.raises(ValueError, match=r"\S"):  # nor does MuJoCo
            mujoco.MjModel.from_xml_path(str(FILES[name]))
        return
    options = {}
    if backend == "mjwarp":
        options = {"accept": ACCEPT}
    task = TaskCfg(scene=cfg, backend=backend, worlds=WORLDS, faults="flag", **options)
    if backend == "mjwarp" and name in REFUSED:
        with pytest.raises(AuditFailed) as refused:
            build(task, scene)
        assert all(word in str(refused.value) for word in REFUSED[name])
        return
    with build(task, scene) as sim:
        path = run(sim, scene.model)
    off = apart(path, reference(scene.model))
    bound = allowed(scene.model) if backend == "mjwarp" else np.zeros(STEPS)
    print(f"{name}: off by {off.max():.1e}, allowed {bound.max():.1e}")
    assert np.all(off <= bound)


def run(sim, model):
    """Positions after every step, every world moving otherwise. Shape (n, t, nq)."""
    dtype = host(sim.read("qvel")).dtype
    sim.reset(qvel=speeds(model).astype(dtype))
    path = np.empty((WORLDS, STEPS, model.nq))
    for step, ctrl in enumerate(commands(model).astype(dtype)):
        sim.step(ctrl)
        path[:, step] = host(sim.read("qpos"))
    return path
