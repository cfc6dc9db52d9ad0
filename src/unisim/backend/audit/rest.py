"""Check of rest and of sliding under a contact law of the engine's."""

import copy
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from unisim.backend.audit.everyone import write_everywhere
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.oracle import Array, Oracle, States, single
from unisim.backend.audit.probe import Probe
from unisim.backend.audit.rub import friction, rubs_otherwise
from unisim.backend.audit.touch import Touching
from unisim.backend.audit.touching import WILD

_STEPS, _EVERY = 300, 10
_SLOW, _STILL = 0.05, 0.1  # m/s and m/s^2, or rad
_PAUSE, _PAUSES, _MOST = 0.02, 5, 40  # s; steps of the engine in each
_FIRM, _WIDE = 2e-3, 1e-2  # s; m
_IMPEDANCE = (0.9, 0.95, 1e-3, 0.5, 2.0)
_ROUNDS, _CLEAR, _UP = 20, 1e-5, 0.3
_SLIDE, _SLIDES = 2.0, 1.0  # m/s: so fast that any law has all its friction
_WORLDS = 2
_MARGIN = AUDITED["geom_margin"]
_FREE = mujoco.mjtJoint.mjJNT_FREE
_DISTURBED = 5e-3  # m/s or rad/s, of the second start
_TILTED = 0.9  # rad between the directions of two worlds


@dataclass(frozen=True)
class Rest:
    """Where the reference has come to rest.

    Attributes:
        states: One a world, from slightly different starts.
        trees: Floating trees that are at rest and touch something, in every world.
        xpos: Origins of the bodies [m]. Shape (k, nbody, 3).
    """

    states: States
    trees: list[int]
    xpos: Array


def check_rest(probe: Probe, touching: Touching) -> None:
    """What rests in the reference stays where it is, carried by its contacts.

    Bodies are let go from just above where they rest, and then made to slide.
    """
    model = probe.oracle.model
    floating = _floating(model)
    if not floating or not np.any(model.opt.gravity):
        return
    few = replace(probe, worlds=probe.worlds[:_WORLDS])
    found = _settled(probe.oracle, len(few.worlds), floating)
    left = [tree for tree in floating if tree not in found.trees]
    if left:
        names = tuple(probe.names["body"][_root(model, tree)] for tree in left)
        probe.skip("rest", "it does not come to rest on anything in time", names)
    if not found.trees:
        return
    start = _lifted(probe.oracle, found)
    write_everywhere(few, start)
    _let_go(few, found.trees)
    _check_heights(few, found, start)
    end = few.held()
    touching.check(few, end)
    _check_sliding(few, found, end)


def _let_go(probe: Probe, trees: list[int]) -> None:
    """Advance the engine until what rests in the reference is slow, or for a while."""
    model = probe.oracle.model
    own = np.isin(model.dof_treeid, trees)
    steps = int(min(np.ceil(_PAUSE / model.opt.timestep), _MOST))
    for _ in range(_PAUSES):
        probe.engine.step(None, steps)
        if np.all(np.abs(probe.read("qvel")[:, own]) < _SLOW):
            break


def _check_heights(probe: Probe, found: Rest, start: States) -> None:
    """Bodies are as high as in the reference, under whichever law it rests lowest."""
    model, passes = probe.oracle.model, probe.tolerance.height
    low, high = _span(probe, found, start)
    got = probe.read("xpos") @ _up(model)
    off = np.maximum(np.maximum(low - got, got - high), 0.0)
    off[:, ~np.isin(model.body_treeid, found.trees)] = 0
    open_to = np.any(high - low > _WIDE, axis=0) & np.isin(
        model.body_treeid, found.trees
    )
    off[:, open_to] = 0
    if open_to.any():
        names = tuple(probe.names["body"][body] for body in np.flatnonzero(open_to))
        probe.skip("height at rest", "it depends on how contacts yield", names)
    for body in probe.judge("height at rest", off, passes):
        text = (
            f"within {passes:g} m",
            f"off by {off[:, body].max():.3g} m",
            "geoms, masks, masses, gravity, or contacts that yield much",
        )
        probe.report("body", probe.names["body"][body], "height at rest", text)


def _span(probe: Probe, found: Rest, start: States) -> tuple[Array, Array]:
    """Least and largest heights at rest under some laws [m]. Shapes (k, nbody).

    They are the reference's, that with firmer contacts, and with these and without dry
    friction; and without the margins in which it was agreed that nothing is felt.
    """
    oracle = probe.oracle
    model, up = copy.copy(oracle.model), _up(oracle.model)
    heights = [found.xpos @ up, _later(Oracle(model, oracle.key), start) @ up]
    timeconst = 2 * max(model.opt.timestep, _FIRM)
    model.geom_solref[:] = model.pair_solref[:] = (timeconst, 1.0)
    model.geom_solimp[:] = model.pair_solimp[:] = _IMPEDANCE
    heights.append(_later(Oracle(model, oracle.key), start) @ up)
    if np.any(model.dof_frictionloss) or np.any(model.tendon_frictionloss):
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_FRICTIONLOSS)
        heights.append(_later(Oracle(model, oracle.key), start) @ up)
    if np.any(margin := model.geom_margin) and _MARGIN.accepted(probe.agreed):
        margin[:] = model.geom_gap[:] = 0
        heights.append(_later(Oracle(model, oracle.key), start) @ up)
    return np.min(heights, axis=0), np.max(heights, axis=0)


def _later(oracle: Oracle, start: States) -> Array:
    """Origins of the bodies a while after a start [m]. Shape (k, nbody, 3)."""
    model, data = oracle.model, oracle.data
    steps = int(min(np.ceil(_PAUSE / model.opt.timestep), _MOST)) * _PAUSES
    found = np.empty((len(start), model.nbody, 3))
    for world in range(len(start)):
        oracle.place(start, world)
        for _ in range(steps):
            mujoco.mj_step(model, data)
        mujoco.mj_kinematics(model, data)
        found[world] = data.xpos
    return found


def _check_sliding(probe: Probe, found: Rest, end: States) -> None:
    """What slides in the reference with all its friction has nearly as much of it."""
    model, names = probe.oracle.model, probe.names["geom"]
    before, after = (_shoved(model, at, found.trees) for at in (found.states, end))
    probe.write(after)
    least, silent = probe.tolerance.share, set[str]()
    for world in range(len(after)):
        raw = probe.engine.raw_contacts(int(probe.worlds[world]))
        pairs = np.sort(raw.geoms, axis=1)
        along = np.sum(raw.normal * raw.force, axis=1)
        across = np.linalg.norm(raw.force - along[:, None] * raw.normal, axis=1)
        total = np.abs(along).sum()
        for pair in sorted(_sliding(probe.oracle, before, world, least)):
            own = (pairs == pair).all(axis=1)
            if rubs_otherwise(probe, *pair):
                continue
            normal = float(along[own].sum())
            words = " and ".join(names[geom] for geom in pair)
            if normal <= 1e-2 * total:
                silent.add(words)
                continue
            share = float(across[own].sum()) / normal / friction(model, *pair)
            if probe.judge("friction", np.array([[max(1 - share, 0.0)]]), 1 - least):
                hint = f"with geom {names[pair[1]]}: friction, condim or priority"
                text = (f"at least {least:g} of it", f"{share:.3g} of it", hint)
                probe.report("geom", names[pair[0]], "sliding friction", text)
    if silent:
        reason = "what slides does not press in the engine"
        probe.skip("friction", reason, tuple(sorted(silent)))


def _shoved(model: mujoco.MjModel, states: States, trees: list[int]) -> States:
    """Floating trees that move along the ground, in another direction each world."""
    qvel = np.zeros_like(states.qvel)
    up = _up(model)
    aside = np.cross(up, np.roll(np.abs(up), 1))
    aside /= np.linalg.norm(aside)
    for world in range(len(qvel)):
        angle = _TILTED * (world + 0.3)
        way = np.cos(angle) * aside + np.sin(angle) * np.cross(up, aside)
        for tree in trees:
            start = int(model.jnt_dofadr[model.body_jntadr[_root(model, tree)]])
            qvel[world, start : start + 3] = _SLIDE * way
    return single(replace(states, qvel=qvel))


def _sliding(
    oracle: Oracle, states: States, world: int, least: float
) -> set[tuple[int, int]]:
    """Pairs that slide fast in the reference with nearly all of their friction."""
    oracle.place(states, world)
    model, data, local = oracle.model, oracle.data, np.zeros(6)
    forces: dict[tuple[int, int], Array] = {}
    for i, row in enumerate(np.asarray(data.contact.efc_address).tolist()):
        first, second = (int(geom) for geom in data.contact.geom[i])
        if row < 0 or min(first, second) < 0:
            continue
        mujoco.mj_contactForce(model, data, i, local)
        pair = (min(first, second), max(first, second))
        both = np.array([local[0], np.linalg.norm(local[1:3])])
        fast = _speed(oracle, (first, second), np.array(data.contact.pos[i])) > _SLIDES
        forces[pair] = forces.get(pair, np.zeros(2)) + both * (1.0 if fast else 0.0)
    found: set[tuple[int, int]] = set()
    for pair, (normal, across) in forces.items():
        bound = friction(model, *pair) * normal
        if 0 < least * bound < across:
            found.add(pair)
    return found


def _speed(oracle: Oracle, geoms: tuple[int, int], point: Array) -> float:
    """How fast two geoms move past each other at a point [m/s]."""
    model, data = oracle.model, oracle.data
    moves, speed = np.zeros((3, model.nv)), np.zeros(3)
    for geom, sign in zip(geoms, (-1.0, 1.0), strict=True):
        body = int(model.geom_bodyid[geom])
        mujoco.mj_jac(model, data, moves, None, np.array(point), body)
        speed += sign * moves @ data.qvel
    return float(np.linalg.norm(speed))


def _settled(oracle: Oracle, count: int, floating: list[int]) -> Rest:
    """Let the reference go until everything that floats is slow."""
    model, data = oracle.model, oracle.data
    rng, trees = np.random.default_rng(2), set(floating)
    found: list[tuple[Array, ...]] = []
    xpos = np.empty((count, model.nbody, 3))
    for world in range(count):
        oracle.reset(oracle.key)
        data.qvel[:] += rng.normal(size=model.nv) * _DISTURBED * world
        mujoco.mj_forward(model, data)
        for step in range(_STEPS):
            if not np.all(np.abs(data.qacc) < WILD):
                trees.clear()
                break
            mujoco.mj_step(model, data)
            if step % _EVERY == 0 and set(floating) <= _resting(oracle):
                break
        trees &= _resting(oracle)
        values = (data.qpos, data.qvel, data.act, data.ctrl, data.qfrc_applied)
        found.append(tuple(item.copy() for item in values))
        mujoco.mj_kinematics(model, data)
        xpos[world] = data.xpos
    columns = (np.array(column) for column in zip(*found, strict=True))
    return Rest(States(*columns), sorted(trees), xpos)


def _resting(oracle: Oracle) -> set[int]:
    """Trees that are slow and pressed by something."""
    model, data = oracle.model, oracle.data
    if data.warning.number.any():
        return set()
    pressed: set[int] = set()
    for contact in data.contact:
        if contact.efc_address >= 0 and min(contact.geom) >= 0:
            pressed |= set(model.body_treeid[model.geom_bodyid[contact.geom]].tolist())
    tree = np.asarray(model.dof_treeid)
    fast = set(tree[np.abs(data.qvel) > _SLOW].tolist())
    fast |= set(tree[np.abs(data.qacc) > _STILL].tolist())
    return pressed - fast


def _lifted(oracle: Oracle, found: Rest) -> States:
    """The states with floating trees raised until nothing overlaps, at rest."""
    model, data = oracle.model, oracle.data
    states = replace(found.states, qvel=np.zeros_like(found.states.qvel))
    qpos, up, floating = states.qpos.copy(), _up(model), _floating(model)
    states = replace(states, qpos=qpos)
    for world in range(len(qpos)):
        for _ in range(_ROUNDS):
            oracle.place(states, world)
            raised: dict[int, float] = {}
            for contact in data.contact:
                along = float(np.dot(contact.frame[:3], up))
                if contact.dist > -_CLEAR or abs(along) < _UP or min(contact.geom) < 0:
                    continue
                geom = contact.geom[1 if along > 0 else 0]
                tree = int(model.body_treeid[model.geom_bodyid[geom]])
                if tree in floating:
                    far = -contact.dist / abs(along)
                    raised[tree] = max(raised.get(tree, 0.0), far)
            for tree, far in raised.items():
                start = int(model.jnt_qposadr[model.body_jntadr[_root(model, tree)]])
                qpos[world, start : start + 3] += far * up
            if not raised:
                break
    return single(states)


def _floating(model: mujoco.MjModel) -> list[int]:
    """Trees whose root has a free joint."""
    return [
        tree
        for tree in range(model.ntree)
        if model.jnt_type[model.body_jntadr[_root(model, tree)]] == _FREE
    ]


def _root(model: mujoco.MjModel, tree: int) -> int:
    """The first body of a tree."""
    return int(model.dof_bodyid[model.tree_dofadr[tree]])


def _up(model: mujoco.MjModel) -> Array:
    gravity = np.asarray(model.opt.gravity, dtype=np.float64)
    return -gravity / np.linalg.norm(gravity)
