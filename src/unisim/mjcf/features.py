"""The vocabulary: everything MJCF can ask for, as dotted ids in MJCF's own words."""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from unisim.mjcf import actuators, bodies, extras, geoms, links, options, sensors
from unisim.mjcf.feature import Feature

FEATURES: Mapping[str, Feature] = MappingProxyType(
    {
        row.id: row
        for module in (options, bodies, geoms, links, actuators, sensors, extras)
        for row in module.ROWS
    }
)
"""Every feature by id."""

FAMILIES: frozenset[str] = frozenset(
    family for feature in FEATURES.values() for family in feature.families
)
"""The ids that stand for all features below them."""


def nearest(name: str) -> str:
    """A remark that suggests known ids, to follow an unknown one; "" for none."""
    close = get_close_matches(name, sorted({*FEATURES, *FAMILIES}), n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""
