"""Check of contacts that yield by a law of the engine's: what holds for any law.

Who touches and how far apart, which way a contact pushes, that friction stays within
its bound, and that a world moves as its contact forces say.
"""

import copy
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from unisim.backend.audit.motion import force_scale
from unisim.backend.audit.oracle import Array, Oracle, Sample, States
from unisim.backend.audit.probe import Probe
from unisim.backend.audit.rub import OF_GEOMS, OF_PAIRS, friction, rubs_otherwise
from unisim.backend.audit.smooth import Smooth, outside, unknown
from unisim.backend.base import RawContacts

Pair = tuple[str, str]
_REACH = 5e-3  # m: each geom is seen so much earlier than it is felt
_DEEP = 2e-4  # m: what overlaps so much does overlap
_DEEPER = 0.3  # of the depth, in which two ways of measuring it may differ
_WRAPPED = 3e-3  # m: what overlaps more may push in all directions at once
_DIAGONAL = 2**0.5
_POINT = 3  # condim up to which a contact carries no torque
_SMALL = 1e-3  # of a world's contact force
_TURNED = 0.5  # edges of what overlaps have normals of their own
_ROUNDINGS = 16  # half units in the last place that a tolerance of rounding allows


@dataclass(frozen=True)
class Touch:
    """All contacts between two geoms.

    Attributes:
        dist: Least distance [m].
        force: Sum of the sizes of the contacts' forces [N].
        normals: From the pair's first name to its second. Shape (m, 3).
        reach: Distance at which the scene lets it push [m].
    """

    dist: float
    force: float
    normals: Array
    reach: float = 0.0


class Touching:
    """What holds for contacts of any law, beside one reference."""

    def __init__(self, probe: Probe, smooth: Smooth) -> None:
        """Take the reference, and a copy that lists what nearly touches."""
        model = copy.copy(probe.oracle.model)
        model.geom_gap += _REACH
        model.pair_gap += _REACH
        model.body_margin += 2 * _REACH
        self._near = Oracle(model, probe.oracle.key)
        self._smooth, self._names = smooth, probe.names["geom"]
        _name_left_out(probe)

    def check(self, probe: Probe, states: States) -> None:
        """Compare one step out of states, one in each audited world."""
        probe.write(states)
        raws = [probe.engine.raw_contacts(int(world)) for world in probe.worlds]
        for world, raw in enumerate(raws):
            size = float(np.linalg.norm(raw.force, axis=1).sum())
            want, got = self._reference(states, world), self._engine(raw)
            for pair in sorted({*want, *got}):
                self._compare(probe, pair, want.get(pair), got.get(pair))
            if raw.dist.min(initial=0.0) > -_WRAPPED:
                self._check_forces(probe, raw, size)
            else:
                reason = f"geoms overlap by over {_WRAPPED:g} m in a state of it"
                probe.skip("direction of contact forces", reason, (f"world {world}",))
        self._check_step(probe, states, raws)

    def _compare(
        self, probe: Probe, pair: Pair, want: Touch | None, got: Touch | None
    ) -> None:
        """Touching pairs, their distance and their normals."""
        passes = probe.tolerance.gap
        hint = f"with geom {pair[1]}: masks, excludes, size, shape or pose"
        if want is None or got is None:
            present = want or got
            pressed = present is not None and present.force > 0
            deep = passes if pair in probe.loose else _DEEP
            if pressed and (want is None or want.dist < -deep):
                text = ("touching", "apart", hint)
                text = ("apart", "touching", hint) if want is None else text
                probe.report("geom", pair[0], "touching pairs", text)
        elif pair not in probe.loose:
            early = got.dist - want.reach if got.force > 0 else 0.0
            off = abs(got.dist - want.dist) - _DEEPER * abs(want.dist)
            excess = max(off, early, 0.0)
            if probe.judge("distance", np.array([[excess]]), passes):
                text = (f"{want.dist:.3g} m", f"{got.dist:.3g} m", hint)
                if early > off:
                    told = f"a push at {got.dist:.3g} m"
                    text = (f"none beyond {want.reach:.3g} m", told, hint)
                probe.report("geom", pair[0], "distance", text)
            self._compare_normals(probe, pair, want, got)

    def _compare_normals(
        self, probe: Probe, pair: Pair, want: Touch, got: Touch
    ) -> None:
        along = (got.normals @ want.normals.T).max(axis=1)
        if probe.judge("normal", np.maximum(-along, 0.0)[:, None], _TURNED):
            hint = f"with geom {pair[1]}: it points from geom2 to geom1"
            text = ("from geom1 to geom2", "the other way", hint)
            probe.report("geom", pair[0], "normal", text)

    def _check_forces(self, probe: Probe, raw: RawContacts, size: float) -> None:
        """Contacts push, and their friction stays within its bound."""
        passes = probe.tolerance.contact
        normal = np.sum(raw.normal * raw.force, axis=1)
        across = np.linalg.norm(raw.force - normal[:, None] * raw.normal, axis=1)
        for i, row in enumerate(raw.geoms):
            geoms = [int(geom) for geom in row]
            if min(geoms) < 0 or size == 0 or self._pulls(geoms):
                continue
            first, second = self._names[geoms[0]], self._names[geoms[1]]
            pull = np.array([[max(-normal[i], 0.0) / size]])
            if probe.judge("push", pull, passes):
                hint = f"with geom {second}: sign of the force, or of the normal"
                text = ("pushes", f"pulls with {-normal[i]:.3g} N", hint)
                probe.report("geom", first, "contact force", text)
            most = friction(probe.oracle.model, *geoms)
            most *= _DIAGONAL if probe.square else 1.0
            bound = most * max(normal[i], 0.0)
            excess = np.array([[max(across[i] - bound, 0.0) / size]])
            if rubs_otherwise(probe, *geoms):
                continue
            if probe.judge("friction bound", excess, passes):
                hint = f"with geom {second}: friction, condim or priority"
                text = (f"at most {bound:.3g} N", f"{across[i]:.3g} N", hint)
                probe.report("geom", first, "friction bound", text)

    def _check_step(
        self, probe: Probe, states: States, raws: list[RawContacts]
    ) -> None:
        """The step is what a world without constraints makes under those forces."""
        if self._smooth.oracle.model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
            return  # it meets contacts within a step
        sample, passes = probe.step(states), probe.tolerance.contact
        push, size = np.zeros_like(states.qvel), np.zeros_like(states.qvel)
        free: list[Array] = []
        for world, raw in enumerate(raws):
            probe.oracle.place(states, world)
            push[world], size[world] = _push(probe.oracle, raw)
            free.append(_unknown(probe.oracle, raw))
        pushed = replace(states, applied=states.applied + push)
        force = self._smooth.added(pushed, sample.qvel)
        scale = np.maximum(force_scale(probe, [sample], passes), size.max(axis=0))
        scale = np.maximum(scale, _rounded(probe, sample) / passes)
        for rows in probe.oracle.turned():  # axes that mix
            scale[rows] = scale[rows].max()
        residual = np.array(
            [outside(row, free[i], scale) for i, row in enumerate(force)]
        )
        for dof in probe.judge("joint force in contact", np.abs(residual), passes):
            got = f"off by {np.abs(residual[:, dof]).max():.3g} of its force"
            hint = "contact forces or their places, masses, or friction of another law"
            text = (f"within {passes:g}", got, hint)
            name = probe.names["dof"][dof]
            probe.report("dof", name, "joint force in contact", text)

    def _pulls(self, geoms: list[int]) -> bool:
        """Whether adhesion may act on one of these geoms."""
        model = self._near.model
        by_actuator = np.any(model.actuator_trntype == mujoco.mjtTrn.mjTRN_BODY)
        stated = bool(np.any(model.geom_adhesion[geoms] != 0))
        return stated or bool(np.any(model.pair_adhesion != 0)) or bool(by_actuator)

    def _reference(self, states: States, world: int) -> dict[Pair, Touch]:
        """What touches, or nearly does, in the reference."""
        oracle = self._near
        oracle.place(states, world)
        contact, local = oracle.data.contact, np.zeros(6)
        rows = [[int(geom) for geom in geoms] for geoms in contact.geom]
        force = np.zeros(len(rows))
        for i, row in enumerate(np.asarray(contact.efc_address).tolist()):
            if row >= 0:
                mujoco.mj_contactForce(oracle.model, oracle.data, i, local)
                force[i] = np.linalg.norm(local[:3])
        normal = np.reshape(contact.frame, (-1, 3, 3))[:, 0]
        reach = np.asarray(contact.includemargin)
        force[force < _SMALL * force.sum()] = 0
        return self._gathered(
            rows, np.asarray(contact.dist), force, normal, reach=reach
        )

    def _engine(self, raw: RawContacts) -> dict[Pair, Touch]:
        force = np.linalg.norm(raw.force.astype(np.float64), axis=1)
        force[force < _SMALL * force.sum()] = 0
        dist, normal = raw.dist.astype(np.float64), raw.normal.astype(np.float64)
        return self._gathered(raw.geoms.tolist(), dist, force, normal)

    def _gathered(
        self,
        geoms: list[list[int]],
        dist: Array,
        force: Array,
        normal: Array,
        reach: Array | None = None,
    ) -> dict[Pair, Touch]:
        """Contacts by pair of names, sorted."""
        found: dict[Pair, Touch] = {}
        for i, (first, second) in enumerate(geoms):
            if first < 0 or second < 0:  # a flex has no geom
                continue
            pair = (self._names[first], self._names[second])
            turn = 1.0 if pair[0] <= pair[1] else -1.0
            pair = (min(pair), max(pair))
            along = turn * normal[i : i + 1]
            most = 0.0 if reach is None else float(reach[i])
            old = found.get(pair)
            if old is None:
                found[pair] = Touch(float(dist[i]), float(force[i]), along, most)
            else:
                found[pair] = Touch(
                    min(old.dist, float(dist[i])),
                    old.force + float(force[i]),
                    np.concatenate([old.normals, along]),
                    max(old.reach, most),
                )
        return found


def _name_left_out(probe: Probe) -> None:
    """Say what is not looked at in contacts."""
    agreed = tuple(name for name in probe.agreed if name in (*OF_GEOMS, *OF_PAIRS))
    if agreed:
        probe.skip("friction", "its approximation was agreed to", agreed)
    model = probe.oracle.model
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        probe.skip("joint force in contact", "RK4 meets contacts within a step")
    rubs = np.flatnonzero(np.asarray(model.dof_frictionloss) > 0)
    names = tuple(probe.names["dof"][dof] for dof in rubs)
    if names or model.neq:
        reason = "how much dry friction and equalities add there is not known"
        probe.skip("joint force in contact", reason, (*names, *probe.names["equality"]))


def _rounded(probe: Probe, sample: Sample) -> Array:
    """Joint forces that rounding may leave of a step under constraints. Shape (nv,).

    An engine solves it for velocities, of momenta that are rounded once.
    """
    oracle, states = probe.oracle, sample.states
    moving = oracle.momentum(states, sample.want.qvel)
    once = probe.tolerance.rounding / _ROUNDINGS
    back = oracle.returned(states, moving).max(axis=0)
    return once * back / oracle.model.opt.timestep


def _push(oracle: Oracle, raw: RawContacts) -> tuple[Array, Array]:
    """Joint forces of contacts, at the state that the oracle holds.

    Returns:
        The forces, and their size if nothing cancelled and they pointed anywhere.
        Shapes (nv,).
    """
    found, size = np.zeros(oracle.model.nv), np.zeros(oracle.model.nv)
    for i, (point, force) in enumerate(zip(raw.pos, raw.force, strict=True)):
        for geom, sign in zip(raw.geoms[i].tolist(), (-1.0, 1.0), strict=True):
            if geom >= 0:
                rows, _ = _jacobian(oracle, geom, point.astype(np.float64))
                found += sign * rows.T @ force
                size += np.linalg.norm(rows, axis=0) * np.linalg.norm(force)
    return found, size


def _unknown(oracle: Oracle, raw: RawContacts) -> Array:
    """Directions in which more than contact forces may push. Shape (nv, m)."""
    found = [unknown(oracle, stops=True)]
    model = oracle.model
    for point, geoms in zip(raw.pos, raw.geoms.tolist(), strict=True):
        torque = np.zeros((3, model.nv))
        for geom, sign in zip(geoms, (-1.0, 1.0), strict=True):
            if geom >= 0:
                torque += sign * _jacobian(oracle, geom, point.astype(np.float64))[1]
        if min(geoms) >= 0 and _twists(model, geoms):
            found.append(torque.T)
        if min(geoms) < 0:  # a flex
            found.append(np.eye(model.nv))
    return np.concatenate(found, axis=1)


def _twists(model: mujoco.MjModel, geoms: list[int]) -> bool:
    """Whether a contact of two geoms may carry a torque."""
    paired = np.isin(model.pair_geom1, geoms) & np.isin(model.pair_geom2, geoms)
    most = np.asarray(model.pair_dim)[paired].max(initial=0)
    return max(most, int(model.geom_condim[geoms].max())) > _POINT


def _jacobian(oracle: Oracle, geom: int, point: Array) -> tuple[Array, Array]:
    """How a point of a geom's body moves and turns. Shapes (3, nv)."""
    model = oracle.model
    moves, turns = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    body = int(model.geom_bodyid[geom])
    mujoco.mj_jac(model, oracle.data, moves, turns, point, body)
    return moves, turns
