"""Puts every world of a sim into a state of its own, and compares sims."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.fields import QUANTITIES, STATE
from unisim.sim import Sim

Arrays = Mapping[str, Array]
Worlds = slice | Sequence[int] | NDArray[np.integer]


def scatter(sim: Sim, seed: int = 0, steps: int = 7) -> None:
    """Random velocities, controls and forces, stepped until all states differ."""
    random = np.random.default_rng(seed)
    for _ in range(steps):
        sim.step(commands(sim, random))
        velocity = sim.read("qvel")
        sim.write("qvel", velocity + random.normal(0, 0.05, velocity.shape))
    for name in ("qfrc_applied", "xfrc_applied", "userdata"):
        sim.write(name, random.normal(0, 0.2, sim.read(name).shape))
    for name in ("mocap_pos", "mocap_quat"):
        values = sim.read(name)
        sim.write(name, values + random.normal(0, 0.02, values.shape))
    active = sim.read("eq_active")
    sim.write("eq_active", random.integers(0, 2, active.shape).astype(float))
    sim.step(commands(sim, random), 2)


def commands(sim: Sim, random: np.random.Generator) -> Array:
    """Controls around those of the key, different in every world."""
    model = sim.built.scene.model
    middle = model.key_ctrl[0] if model.nkey else np.zeros(model.nu)
    return middle + random.normal(0, 0.2, (sim.worlds, model.nu))


def everything(sim: Sim, names: Iterable[str] = QUANTITIES) -> Arrays:
    """Copies of quantities."""
    return {name: sim.read(name).copy() for name in names}


def state(sim: Sim) -> Arrays:
    """Copies of the whole state that can be written."""
    return everything(sim, STATE)


def future(sim: Sim, steps: int = 6, seed: int = 9) -> Arrays:
    """States after each of some steps under random commands, then all there is."""
    random = np.random.default_rng(seed)
    rows: dict[str, list[Array]] = {name: [] for name in STATE}
    for _ in range(steps):
        sim.step(commands(sim, random))
        for name, taken in rows.items():
            taken.append(sim.read(name).copy())
    path = {f"path of {k}": np.stack(v, axis=1) for k, v in rows.items()}
    return {**path, **everything(sim)}


def same(first: Arrays, second: Arrays, worlds: Worlds = slice(None)) -> None:
    """Equal bit for bit, NaN where NaN is, in some worlds."""
    assert first.keys() == second.keys()
    for name, values in first.items():
        np.testing.assert_array_equal(
            values[worlds], second[name][worlds], err_msg=name, strict=True
        )


def all_differ(arrays: Arrays) -> bool:
    """Whether no two worlds are alike."""
    rows = np.concatenate([v.reshape(len(v), -1) for v in arrays.values()], axis=1)
    return len(np.unique(rows, axis=0)) == len(rows)


def rounding(sim: Sim, tight: float) -> float:
    """A tolerance for a sim: `tight` in float64, some roundings in float32."""
    return tight if sim.built.task.dtype == "float64" else 5e-6
