"""Checks of dry friction and equalities that yield by a law of the engine's."""

from collections.abc import Sequence
from dataclasses import replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.arrays import host
from unisim.backend.audit.closing import equality_rows
from unisim.backend.audit.oracle import Array, Oracle, Sample, States
from unisim.backend.audit.probe import Probe
from unisim.backend.audit.smooth import Smooth, outside, unknown

_FAST = 0.05  # rad/s or m/s: what moves so fast slides
_STEPS, _SHUT, _APART = 5, 1e-6, 0.1  # m or rad
_OPENS = 1e-6  # m or rad: an equality that opens less without it says nothing
_ROW = mujoco.mjtConstraint
_DRY = ("joint.frictionloss", "joint.frictionloss.ball", "joint.frictionloss.free")


def loosened(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Dofs of trees with dry friction or equalities. Shape (nv,)."""
    tree = np.asarray(model.dof_treeid)
    loose = set(tree[np.asarray(model.dof_frictionloss) > 0].tolist())
    if model.neq or np.any(model.tendon_frictionloss):
        loose |= set(tree.tolist())
    return np.isin(tree, sorted(loose))


def free_residual(
    probe: Probe, smooth: Smooth, samples: Sequence[Sample], scale: Array
) -> Array:
    """Relative forces that neither dry friction nor equalities explain. Shape (k, nv).

    Dry friction is held to its bounds on the way.
    """
    found: list[Array] = []
    _name_left_out(probe)
    for sample in samples:
        force = smooth.added(sample.states, sample.qvel)
        for world, row in enumerate(force):
            probe.oracle.place(sample.states, world)
            found.append(outside(row, unknown(probe.oracle, stops=False), scale))
            _check_dry(probe, row, (sample, world), scale)
    return np.array(found)


def _why_not(probe: Probe) -> str:
    """Why dry friction is not held to its bounds; "" where it is."""
    model = probe.oracle.model
    if any(feature in _DRY for feature in probe.agreed):
        return "its approximation was agreed to"
    if model.neq or np.any(model.tendon_frictionloss):
        return "equalities or tendons push beside it"
    return ""


def _name_left_out(probe: Probe) -> None:
    """Say where dry friction is not looked at."""
    model, reason = probe.oracle.model, _why_not(probe)
    dofs = np.flatnonzero(np.asarray(model.dof_frictionloss) > 0)
    tendons = np.flatnonzero(np.asarray(model.tendon_frictionloss) > 0)
    names = tuple(probe.names["dof"][dof] for dof in dofs)
    names += tuple(probe.names["tendon"][tendon] for tendon in tendons)
    if reason and names:
        probe.skip("dry friction", reason, names)


def _check_dry(
    probe: Probe, force: Array, where: tuple[Sample, int], scale: Array
) -> None:
    """Dry friction resists with what the file states at most, and when sliding."""
    oracle, (sample, world) = probe.oracle, where
    model = oracle.model
    if _why_not(probe):
        return
    bound = np.asarray(model.dof_frictionloss, dtype=np.float64)
    rubs = bound > 0
    before, after = sample.states.qvel[world], sample.qvel[world]
    slow = np.minimum(np.abs(before), np.abs(after)) < _FAST
    way = np.sign(before)
    slides = rubs & ~slow & (before * after > 0) & (_rubbing(oracle, way) > bound)
    least = np.where(slides, probe.tolerance.share * bound, -np.inf)
    against = -force * way
    off = np.maximum(np.abs(force) - bound, least - against)
    off = np.maximum(off - probe.tolerance.force * scale, 0.0)
    residual = np.where(rubs, off / np.where(rubs, bound, 1.0), 0.0)
    for dof in probe.judge("dry friction", residual[None], probe.tolerance.contact):
        text = (f"{bound[dof]:.3g} at most", f"{against[dof]:.3g}", "frictionloss")
        probe.report("dof", probe.names["dof"][dof], "dry friction", text)


def _rubbing(oracle: Oracle, way: Array) -> Array:
    """Dry friction in the reference, against a direction of each dof. Shape (nv,).

    A little is added, for what is at its bound.
    """
    data, found = oracle.data, np.zeros(oracle.model.nv)
    own = np.asarray(data.efc_type) == int(_ROW.mjCNSTR_FRICTION_DOF)
    found[np.asarray(data.efc_id)[own]] = np.asarray(data.efc_force)[own]
    return -1.01 * found * way


def check_ties(
    probe: Probe, states: States, steps: int, smooth: Smooth, end: States
) -> None:
    """After some steps, equalities are open by less than they would be without them.

    Args:
        probe: The audit under way.
        states: Where the steps started, controls held.
        steps: How many.
        smooth: The reference without constraints.
        end: Where the engine is after them.
    """
    if any(feature.startswith("equality.") for feature in probe.agreed):
        probe.skip("equality", "an approximation was agreed to")
        return
    oracle, free = probe.oracle, smooth.oracle
    without, left = np.zeros((2, len(states), oracle.model.neq))
    for world in range(len(states)):
        free.place(states, world)
        for _ in range(steps):
            mujoco.mj_step(free.model, free.data)
        without[world] = _errors(oracle, States(*_row(states, free.data)), 0)
        left[world] = _errors(oracle, end, world)
    opened = np.linalg.norm(without, axis=0)
    telling = opened > _OPENS
    lacks = np.linalg.norm(left, axis=0) / np.where(telling, opened, np.inf)
    kind = probe.names["equality"]
    for i in probe.judge("equality", lacks[None], probe.tolerance.tied):
        share = f"{lacks[i]:.3g} of what it opens by without it"
        text = (f"at most {probe.tolerance.tied:g}", share, "active, or its objects")
        probe.report("equality", kind[i], "equality", text)
    active = np.asarray(oracle.model.eq_active0, bool)
    still = tuple(kind[i] for i in np.flatnonzero(active & ~telling))
    if still:
        probe.skip("equality", "nothing pulls at it within a few steps", still)


def check_closed(probe: Probe, states: States) -> None:
    """Equalities that are closed, nothing moving, stay as closed as the reference's.

    Where one does not, its ends are elsewhere in the engine. Where an approximation of
    equalities was agreed to, an engine that holds no value for certain is not asked.
    """
    oracle = probe.oracle
    if not probe.certain and any(item.startswith("equality.") for item in probe.agreed):
        return
    still = replace(states, qvel=np.zeros_like(states.qvel))
    probe.write(still)
    ctrl = np.array(host(probe.engine.read("ctrl")))
    ctrl[probe.worlds] = still.ctrl
    probe.engine.step(ctrl, _STEPS)
    end, off = probe.held(), np.zeros((len(still), oracle.model.neq))
    span = _STEPS * oracle.model.opt.timestep
    for world in range(len(still)):
        before = _errors(oracle, still, world)
        for _ in range(_STEPS):
            mujoco.mj_step(oracle.model, oracle.data)
        # a pose that flies apart tells how a solver ends, not where the ends are
        flies = np.abs(oracle.data.qvel).max() * span > _APART
        want = _errors(oracle, States(*_row(still, oracle.data)), 0)
        opened = _errors(oracle, end, world) - np.maximum(want, before)
        judged = (before < _SHUT) & ~flies
        off[world] = np.where(judged, np.maximum(opened, 0.0), 0.0)
    passes = probe.tolerance.gap
    for i in probe.judge("closed equality", off, passes):
        text = (f"within {passes:g}", f"open by {off[:, i].max():.3g}", "its ends")
        probe.report("equality", probe.names["equality"][i], "closed equality", text)


def _row(states: States, data: mujoco.MjData) -> tuple[Array, ...]:
    """Where one world has come to, as states of one world."""
    applied = states.applied[:1]
    return *(
        np.array([x]) for x in (data.qpos, data.qvel, data.act, data.ctrl)
    ), applied


def _errors(oracle: Oracle, states: States, world: int) -> Array:
    """How far each active equality is open. Shape (neq,)."""
    oracle.place(states, world)
    data, found = oracle.data, np.zeros(oracle.model.neq)
    own = np.asarray(data.efc_type) == int(_ROW.mjCNSTR_EQUALITY)
    _, open_by = equality_rows(oracle)
    np.maximum.at(found, np.asarray(data.efc_id)[own], np.abs(open_by))
    return found
