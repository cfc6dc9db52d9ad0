"""Check of contacts: who touches, how hard, and with how much friction."""

from collections.abc import Mapping

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.motion import force_scale
from unisim.backend.audit.oracle import Array, Oracle, States
from unisim.backend.audit.probe import Probe

Pair = tuple[str, str]
_SMALL = 1e-3  # of a world's contact force: a touch that either side may lack
_HINTS: Mapping[str, str] = {
    "normal": "solref, solimp, margin, size or mass",
    "tangential": "friction, condim or priority",
    "directed normal": "its normal points from geom2 to geom1, or elsewhere",
}
"""What usually makes a part of a pair's force deviate."""


def check_contact(probe: Probe, states: States) -> None:
    """Touching pairs, their forces and the step are the reference's.

    Of geoms whose contacts the engine is agreed to approximate, only what touches.
    """
    probe.write(states)
    off: dict[tuple[Pair, str], float] = {}
    compared = np.ones(len(states), bool)
    for world in range(len(states)):
        want = _reference(probe.oracle, states, world, probe.names["geom"])
        got = _engine(probe, world)
        size = float(sum(np.linalg.norm(force) for force in want.values()))
        for pair in sorted({*want, *got}):
            forces = want.get(pair), got.get(pair)
            loose = pair in probe.loose
            _compare(probe, pair, forces, size, {} if loose else off)
            compared[world] &= not loose
    passes = probe.tolerance.contact
    before = probe.residuals.get("contact force", (0.0, passes))[0]
    worst = max(off.values(), default=0.0)
    probe.residuals["contact force"] = (max(before, worst), passes)
    for (pair, part), value in sorted(off.items(), key=lambda item: -item[1]):
        if value > passes:
            hint = f"with geom {pair[1]}: {_HINTS[part]}"
            text = (f"within {passes:g}", f"off by {value:.3g} of the largest", hint)
            probe.report("geom", pair[0], f"{part} force", text)
    _check_step(probe, states, compared)


def _check_step(probe: Probe, states: States, compared: NDArray[np.bool_]) -> None:
    """The step out of the contact, as joint forces, in the worlds to be compared."""
    sample = probe.step(states)
    passes = probe.tolerance.contact
    residual = np.abs(sample.force) / force_scale(probe, [sample], passes)
    residual = residual[compared]
    for dof in probe.judge("joint force in contact", residual, passes):
        got = f"off by {residual[:, dof].max():.3g} of its force"
        hint = "contact model, friction, or what the other checks name"
        text = (f"within {passes:g}", got, hint)
        probe.report("dof", probe.names["dof"][dof], "joint force in contact", text)


def _compare(
    probe: Probe,
    pair: Pair,
    forces: tuple[Array | None, Array | None],
    size: float,
    off: dict[tuple[Pair, str], float],
) -> None:
    """Note how far the forces of one pair in one world are apart."""
    want, got = forces
    if want is None or got is None:
        present = want if want is not None else got
        strong = present is not None and float(np.linalg.norm(present)) > _SMALL * size
        if strong:
            hint = f"with geom {pair[1]}: masks, excludes, margin, size or pose"
            text = ("touching", "apart", hint)
            if want is None:
                text = ("apart", "touching", hint)
            probe.report("geom", pair[0], "touching pairs", text)
        return
    for part, x, y in zip(_HINTS, want, got, strict=True):
        value = float(np.linalg.norm(x - y)) / max(size, 1e-12)
        off[pair, part] = max(off.get((pair, part), 0.0), value)


def _reference(
    oracle: Oracle, states: States, world: int, names: tuple[str, ...]
) -> dict[Pair, Array]:
    """Parts of the force of each pair in the reference. Shape (3, 3) each."""
    oracle.place(states, world)
    contact, local, found = oracle.data.contact, np.zeros(6), dict[Pair, Array]()
    frames = np.asarray(contact.frame, dtype=np.float64).reshape(-1, 3, 3)
    rows = np.asarray(contact.efc_address, dtype=np.int64)
    for i, geoms in enumerate(np.asarray(contact.geom, dtype=np.int64)):
        first, second = int(geoms[0]), int(geoms[1])
        if rows[i] < 0 or first < 0 or second < 0:  # a flex has no geom
            continue
        mujoco.mj_contactForce(oracle.model, oracle.data, i, local)
        force = frames[i].T @ local[:3]
        _add(found, (names[first], names[second]), frames[i, 0], force)
    return found


def _engine(probe: Probe, world: int) -> Mapping[Pair, Array]:
    """The same in the engine."""
    raw, names = probe.engine.raw_contacts(world), probe.names["geom"]
    found: dict[Pair, Array] = {}
    for geoms, normal, force in zip(raw.geoms, raw.normal, raw.force, strict=True):
        if np.any(force != 0) and np.all(geoms >= 0):
            pair = (names[int(geoms[0])], names[int(geoms[1])])
            _add(found, pair, normal.astype(float), force.astype(float))
    return found


def _add(found: dict[Pair, Array], pair: Pair, normal: Array, force: Array) -> None:
    """Add one contact to a pair, as the force on the pair's second name.

    What is added: the normal force, the tangential force, and the size of the normal
    force along the normal.
    """
    sign = 1.0 if pair[0] <= pair[1] else -1.0
    pair = (min(pair), max(pair))
    along = (normal @ force) * normal
    directed = abs(normal @ force) * normal
    found.setdefault(pair, np.zeros((3, 3)))
    found[pair] += sign * np.array([along, force - along, directed])
