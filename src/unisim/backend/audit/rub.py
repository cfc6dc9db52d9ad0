"""How much friction a pair of geoms has, by MuJoCo's rules."""

import mujoco
import numpy as np

from unisim.backend.audit.probe import Probe

OF_GEOMS = ("geom.friction", "geom.priority", "geom.condim.1")
OF_PAIRS = (
    *("contact.pair.friction", "contact.pair.friction.anisotropic"),
    "contact.pair.condim.1",
)
"""Features that state the friction of geoms, and of explicit pairs."""


def friction(model: mujoco.MjModel, first: int, second: int) -> float:
    """The larger sliding friction of a pair, by MuJoCo's rules.

    Source: MuJoCo documentation, Computation, "Contact parameters".
    """
    pair = _stated(model, first, second)
    if pair is not None:
        slides = model.pair_dim[pair] > 1
        return float(model.pair_friction[pair, :2].max()) if slides else 0.0
    geoms = [first, second]
    priority = model.geom_priority[geoms]
    if priority[0] != priority[1]:
        geoms = [geoms[int(np.argmax(priority))]]
    if model.geom_condim[geoms].max() == 1:
        return 0.0
    if model.opt.enableflags & mujoco.mjtEnableBit.mjENBL_OVERRIDE:
        return float(model.opt.o_friction[:2].max())
    return float(model.geom_friction[geoms, 0].max())


def rubs_otherwise(probe: Probe, first: int, second: int) -> bool:
    """Whether it was agreed that the friction of two geoms is approximate."""
    by_pair = _stated(probe.oracle.model, first, second) is not None
    features = OF_PAIRS if by_pair else OF_GEOMS
    return any(feature in features for feature in probe.agreed)


def _stated(model: mujoco.MjModel, first: int, second: int) -> int | None:
    """The explicit pair of two geoms, None if there is none."""
    found = (model.pair_geom1 == first) & (model.pair_geom2 == second)
    found |= (model.pair_geom1 == second) & (model.pair_geom2 == first)
    return int(np.flatnonzero(found)[0]) if found.any() else None
