"""Check of all worlds: equal states go on equally, in whichever world they are."""

import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.oracle import States
from unisim.backend.audit.probe import Probe

_READ = ("time", "qpos", "qvel", "act", "xpos", "sensordata")
_NAMED = 8  # worlds


def spread(worlds: int, first: int, most: int, seed: int) -> NDArray[np.int32]:
    """The first worlds, and some of the others at random.

    Args:
        worlds: Number of worlds.
        first: How many of the first are taken.
        most: How many are taken in all, at most.
        seed: Seed of the choice.

    Returns:
        Sorted, unique indices.
    """
    rest = np.arange(min(first, worlds), worlds)
    rng = np.random.default_rng(seed)
    others = rng.choice(rest, min(most - first, len(rest)), replace=False)
    return np.concatenate([np.arange(min(first, worlds)), np.sort(others)]).astype(
        np.int32
    )


def write_everywhere(probe: Probe, states: States) -> NDArray[np.int64]:
    """Put every world into one of the states, the audited ones in their order.

    Returns:
        The state that each world is in. Shape (n,).
    """
    engine = probe.engine
    chosen = np.arange(len(engine.read("qpos"))) % len(states)
    chosen[probe.worlds] = np.arange(len(states))
    engine.reset(None, probe.oracle.key)
    dtype = engine.read("qpos").dtype
    for name in ("qpos", "qvel", "act", "ctrl"):
        values = getattr(states, name)
        if values.size:
            engine.write(name, values[chosen].astype(dtype), None)
    return chosen


def check_everyone(probe: Probe, chosen: NDArray[np.int64]) -> None:
    """After a step, every world holds what the audited world of its state holds."""
    passes = probe.tolerance.velocity
    for name in _READ:
        got = np.array(probe.engine.read(name), dtype=np.float64)
        got = got.reshape(len(got), -1)
        if not got.size:
            continue
        want = got[probe.worlds][chosen]
        # what an engine does not tell is NaN, in all worlds
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        off = np.where(same, 0.0, np.abs(got - want) / np.maximum(1.0, np.abs(want)))
        if probe.judge("all worlds", off, passes):
            wrong = np.flatnonzero(~(off <= passes).all(axis=1)).tolist()
            shown = ", ".join(map(str, wrong[:_NAMED]))
            got_text = f"{len(wrong)} worlds differ: {shown}"
            hint = "a batch that treats its worlds differently"
            text = ("equal states go on equally", got_text, hint)
            probe.report("model", "model", f"all worlds ({name})", text)
