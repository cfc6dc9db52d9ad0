"""Masks that also do what excludes with the world do, which the importer has not."""

import mujoco
import numpy as np

from unisim.errors import UnsupportedFeature
from unisim.mjcf.pairs import allowed
from unisim.scene.scene import Scene

WORLD = "world"
_BITS = 32


def masks_of(model: mujoco.MjModel, scene: Scene) -> dict[str, tuple[int, int]]:
    """Type and affinity of every geom, by name; empty if the model's own will do.

    Geoms that collide with the same others share a bit.

    Args:
        model: The model.
        scene: Where things were written.

    Raises:
        UnsupportedFeature: If there are more kinds of geoms than bits.
    """
    excluded = [int(sign) for sign in model.exclude_signature if int(sign) >> 16 == 0]
    if not excluded:
        return {}
    pairs = allowed(model, stated=False)
    rows, kinds = np.unique(pairs, axis=0, return_inverse=True)
    kinds = np.ravel(kinds)
    if len(rows) > _BITS:
        body = model.body(excluded[0] & 0xFFFF).name
        reason = (
            f"{scene.sources.line('body', body)}: excludes with the world make "
            f"{len(rows)} kinds of geoms, of which the engine tells {_BITS} apart"
        )
        raise UnsupportedFeature("motrix", [reason], ("contact.exclude",))
    found: dict[str, tuple[int, int]] = {}
    for geom in range(model.ngeom):
        others = np.unique(kinds[pairs[geom]])
        affinity = sum(1 << int(kind) for kind in others)
        found[model.geom(geom).name] = (1 << int(kinds[geom]), affinity)
    return found
