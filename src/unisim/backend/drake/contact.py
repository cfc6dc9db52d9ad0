"""What of a scene's contacts is put into a plant, decided before there is one."""

from collections.abc import Iterator
from dataclasses import dataclass

import mujoco
import numpy as np

from unisim.backend.audit.names import names_of_kind
from unisim.backend.audit.places import place
from unisim.backend.collide.friction import Array, pair_friction
from unisim.backend.drake.friction import Conflict, copied, solve
from unisim.backend.drake.slots import KINDS, Meetings, Part, meetings
from unisim.errors import BadArray, UnsupportedFeature
from unisim.mjcf.feature import Mask
from unisim.mjcf.pairs import allowed
from unisim.scene.scene import Sources

SOFT = "hydroelastic"
"""The profile in which all contact is hydroelastic."""
_TYPES = {
    int(kind): kind.name[7:].lower() for kind in mujoco.mjtGeom.__members__.values()
}


@dataclass(frozen=True)
class Plan:
    """Which parts of which geoms may collide, and how they rub.

    Attributes:
        met: Parts that may collide.
        friction: Of each part.
        soft: Whether all contact is hydroelastic.
    """

    met: Meetings
    friction: dict[Part, float]
    soft: bool


def plan(model: mujoco.MjModel, sources: Sources, profile: str) -> Plan:
    """Decide on all contacts of a scene.

    Args:
        model: The reference model.
        sources: Where its elements are stated.
        profile: Name of the solver profile.

    Raises:
        UnsupportedFeature: If Drake has no such shapes or pairs.
    """
    chosen = allowed(model)
    refusals = list(_refusals(model, sources, chosen))
    if refusals:
        features = tuple(dict.fromkeys(feature for feature, _ in refusals))
        raise UnsupportedFeature("drake", [text for _, text in refusals], features)
    soft, own = profile == SOFT, np.asarray(model.geom_friction)[:, 0]
    met = meetings(model, chosen, soft=soft)
    return Plan(*copied(met, pair_friction(model), own), soft)


def varied(model: mujoco.MjModel, own: Plan, friction: Array) -> dict[Part, float]:
    """Friction of each part when the geoms have another one.

    Args:
        model: The reference model.
        own: What was decided before the build.
        friction: Of the geoms. Shape (ngeom, 3).

    Raises:
        BadArray: If Drake cannot give some pair its friction, which is named.
    """
    if not np.isfinite(friction).all() or (friction < 0).any():
        raise BadArray("geom_friction", "finite frictions of at least 0", "others")
    found = solve(own.met, pair_friction(model, friction), friction[:, 0])
    if isinstance(found, Conflict):
        names = names_of_kind(model, "geom")
        first, second = (names[part.geom] for part in found.parts)
        got = f"{found.wanted:g} for {first!r} on {second!r}, beside their other pairs"
        expected = "frictions that Drake's 2ab/(a+b) gives every pair"
        raise BadArray("geom_friction", expected, got)
    return found


def _refusals(
    model: mujoco.MjModel, sources: Sources, chosen: Mask
) -> Iterator[tuple[str, str]]:
    """Features that Drake lacks, and a sentence on each."""
    names = names_of_kind(model, "geom")

    def where(geom: int) -> str:
        return f"geom {names[geom]!r} ({place(sources, 'geom', names[geom])})"

    for geom in np.flatnonzero(chosen.any(axis=0)).tolist():
        kind = int(model.geom_type[geom])
        if kind not in KINDS:
            word = _TYPES[kind]
            yield (
                f"geom.type.{word}",
                f"{where(geom)}: Drake has no {word} that collides.",
            )
    still = np.asarray(model.body_treeid)[model.geom_bodyid] < 0
    body = np.asarray(model.geom_bodyid)
    dead = (still[:, None] & still) | (body[:, None] == body)
    for first, second in np.argwhere(np.triu(chosen & dead, 1)).tolist():
        text = "Drake has no contact of bodies that do not move against each other."
        yield "contact.pair", f"{where(first)} and {where(second)}: {text}"
    for i in range(model.npair):
        slides = model.pair_friction[i, :2]
        if model.pair_dim[i] > 1 and slides[0] != slides[1]:
            pair = where(int(model.pair_geom1[i])), where(int(model.pair_geom2[i]))
            text = "their frictions in two directions differ, and Drake has one."
            yield "contact.pair", f"{pair[0]} and {pair[1]}: {text}"
