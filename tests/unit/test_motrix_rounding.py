"""What single precision leaves of a step of MotrixSim's under constraints."""

from copy import copy
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import unisim
from audit_scene import HEAVY
from motrixes import Beside
from physics import scene_from
from unisim.backend.audit.oracle import Oracle, States
from unisim.backend.audit.probe import TOLERANCES
from unisim.errors import AuditFailed

WORLDS = 64
ROUNDING = TOLERANCES["float32"].rounding


def residuals(above):
    """Joint forces of a step that its contacts do not explain, and two bounds of them.

    Args:
        above: How far above the ground it starts [m].
    """
    both = Beside(HEAVY, WORLDS)
    model, rng = both.model, np.random.default_rng(0)
    qpos = rng.normal(size=(WORLDS, model.nq)) * 1e-3
    qvel = rng.normal(size=(WORLDS, model.nv)) * 0.1
    qpos[:, 1], qpos[:, 2], qvel[:, 1:3] = above, 0, 0
    qpos, qvel = (x.astype(np.float32).astype(float) for x in (qpos, qvel))
    both.guest.put(qpos, qvel, None)
    both.guest.step(both.inputs(), 1, None)
    free = copy(model)
    free.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    oracle, none = Oracle(free, -1), np.zeros((WORLDS, 0))
    states = States(qpos, qvel, none, none, np.zeros_like(qvel))
    contacts = both.guest.contacts(None)
    pushes, rows = np.zeros_like(qvel), np.zeros((3, model.nv))
    sole = int(model.geom_bodyid[1])
    for world, pos, force in zip(
        contacts.world, contacts.pos, contacts.force, strict=True
    ):
        oracle.place(states, world)
        mujoco.mj_jac(free, oracle.data, rows, None, pos.astype(float), sole)
        pushes[world] += rows.T @ force
    want = oracle.step(replace(states, applied=pushes)).qvel
    off = (both.guest.qvel.astype(float) - want) / model.opt.timestep
    moving = oracle.momentum(states, want)
    once = ROUNDING / model.opt.timestep
    bounds = moving.max(axis=0), oracle.returned(states, moving).max(axis=0) / 16
    return np.abs(oracle.force(states, off)).max(axis=0), *(once * x for x in bounds)


def test_the_engine_rounds_a_step_under_constraints_as_its_inertia_is_conditioned():
    off, plain, returned = residuals(0.2)
    assert (off < plain).all()
    off, plain, returned = residuals(0.0)
    assert (off < returned).all()
    bent = [0, 2, 3]  # x, tilt and first
    assert (off[bent] > 5 * plain[bent]).all()  # that bound would refuse it
    assert (off[bent] > 0.1 * returned[bent]).all()


def chain(links):
    link = """<body pos=".1 0 0"><joint axis="0 1 0"/>
      <inertial pos=".05 0 0" mass=".1" diaginertia=".0001 .0001 .0001"/>"""
    return f"<mujoco><worldbody>{link * links}{'</body>' * links}</worldbody></mujoco>"


def built(xml):
    made = scene_from(xml)
    cfg = unisim.SceneCfg(model_file=made.file)
    return unisim.build(unisim.TaskCfg(scene=cfg, backend="motrix"), made)


def test_what_is_lost_on_long_chains_is_refused():
    built(chain(20)).close()
    with pytest.raises(AuditFailed, match=r"velocity.*of what is gained in a step"):
        built(chain(60))
