"""The audit by behaviour: what the engine does in states that the reference chose."""

from collections import Counter
from dataclasses import replace

from unisim.backend.audit.conduct import check_future, check_others, check_writes
from unisim.backend.audit.contact import check_contact
from unisim.backend.audit.dry import check_closed
from unisim.backend.audit.everyone import (
    check_everyone,
    spread,
    write_everywhere,
)
from unisim.backend.audit.firm import check_firm
from unisim.backend.audit.motion import (
    check_dynamics,
    check_kinematics,
    check_mocap,
    check_reset,
    check_state,
)
from unisim.backend.audit.oracle import States, joined
from unisim.backend.audit.pairs import may_collide
from unisim.backend.audit.probe import Probe
from unisim.backend.audit.rest import check_rest
from unisim.backend.audit.sampling import Sampler
from unisim.backend.audit.stops import check_limits
from unisim.backend.audit.touch import Touching
from unisim.backend.audit.touching import touching_states

STATES = 8
"""States of each kind, at least: few worlds take them in turn."""
ROUNDS = 3
"""Rounds of velocities and controls for each configuration."""
_SHOWN = 8  # pairs, of those that are left out


def observe(probe: Probe, seed: int) -> None:
    """Run every check that the scene has states for; the engine's state is lost.

    Args:
        probe: Receives differences, residuals and what could not be audited.
        seed: Seed of the random states.
    """
    model, size = probe.oracle.model, len(probe.worlds)
    count = size * -(-STATES // size)
    check_reset(probe)
    check_writes(probe, seed)
    if model.nmocap:
        check_mocap(probe, seed)
    if model.nv == 0:
        probe.skip("motion", "nothing in this scene can move")
        return
    sampler = Sampler(probe.oracle, seed)
    if probe.kinematic:
        reason = "in this profile no force moves anything"
        probe.skip("contact force", reason)
        _place_only(probe, sampler, reason)
        return
    apart = sampler.apart(count)
    if apart is None:
        reason = "no state without contact and active limit was found"
        _place_only(probe, sampler, reason)
    else:
        again = (sampler.moving(apart.qpos) for _ in range(ROUNDS - 1))
        moving = joined([apart, *again])
        for batch in apart.batches(size):
            check_state(probe, batch)
            check_kinematics(probe, batch)
        wide = _widened(probe, len(moving), seed)
        check_dynamics(wide, moving.batches(len(wide.worlds)))
        _limits(probe, sampler.resting(apart.qpos))
        first = sampler.drifting(apart.qpos).batches(size)[0]
        check_future(probe, first)
        check_others(probe, first)
        if probe.smooth is not None and model.neq:
            check_closed(probe, first)
    _contacts(probe, sampler, count)
    if model.nflex:
        probe.skip("flex contacts", "only contacts between geoms are compared")


def _limits(probe: Probe, states: States) -> None:
    if probe.smooth is None:
        check_limits(probe, states)
    else:
        check_firm(probe, states, probe.smooth)


def _place_only(probe: Probe, sampler: Sampler, reason: str) -> None:
    """Audit what no force has a part in."""
    probe.skip("joint force", reason)
    probe.skip("joint limits", reason)
    states = sampler.moving(sampler.start(len(probe.worlds)))
    check_state(probe, states)
    check_kinematics(probe, states)
    check_everyone(probe, write_everywhere(probe, states))


def _widened(probe: Probe, count: int, seed: int) -> Probe:
    """The same audit, in as many worlds as there are states, if there are so many."""
    size = len(probe.engine.read("qpos"))
    if size < count:
        return probe
    return replace(probe, worlds=spread(size, len(probe.worlds), count, seed))


def _named(pairs: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    """Pairs in words, those of the geoms in most pairs first; a few of many."""
    often = Counter(name for pair in pairs for name in pair)
    ranked = sorted(pairs, key=lambda pair: (-max(often[n] for n in pair), pair))
    words = [" and ".join(pair) for pair in ranked]
    if len(words) <= _SHOWN:
        return tuple(words)
    return (*words[:_SHOWN], f"{len(words) - _SHOWN} more pairs")


def _contacts(probe: Probe, sampler: Sampler, count: int) -> None:
    if not may_collide(probe.oracle.model):
        return
    if probe.loose:
        reason = "an approximation of their contacts was agreed to"
        probe.skip("contact force", reason, _named(probe.loose))
    states: States | None = touching_states(probe.oracle, sampler, count)
    if states is None:
        probe.skip("contact force", "nothing touches in the states that were tried")
    touching = None if probe.smooth is None else Touching(probe, probe.smooth)
    for batch in [] if states is None else states.batches(len(probe.worlds)):
        if touching is None:
            check_contact(probe, batch)
        else:
            touching.check(probe, batch)
    if touching is not None:
        check_rest(probe, touching)
