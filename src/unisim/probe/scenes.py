"""For every physical feature: the smallest scene that uses it, and one that does not.

The two differ in as little as possible, so that a difference between what they do is
the feature's.
"""

from unisim.probe.bodies import BODIES
from unisim.probe.drives import DRIVES
from unisim.probe.soft import SOFT
from unisim.probe.templates import Pair

SCENES: dict[str, Pair] = {**BODIES, **DRIVES, **SOFT}
"""By feature id, one for each that is not `visual`."""

SINCE_4 = frozenset(
    {
        "flex.elasticity.yield",
        "joint.springyield",
        "key.plastic",
        "option.flag.speculative",
        "tendon.springyield",
    }
)
"""Ids whose scenes need MuJoCo 4."""

GONE_4 = frozenset({"equality.flexvert", "plugin.body"})
"""Ids whose scenes need a MuJoCo before 4."""
