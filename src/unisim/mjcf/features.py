"""The vocabulary: everything MJCF can ask for, as dotted ids in MJCF's own words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import mujoco
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Feature:
    """One thing MJCF can ask for."""

    id: str
    doc: str
    kind: str
    attribute: str | None
    find: Callable[[mujoco.MjModel], NDArray[np.bool_]]

    @property
    def visual(self) -> bool:
        """Whether it has no physical effect."""
        return self.id.startswith("visual.")

    @property
    def families(self) -> tuple[str, ...]:
        """The ids above this one, nearest first."""
        parts = self.id.split(".")
        return tuple(".".join(parts[:n]) for n in range(len(parts) - 1, 0, -1))


FEATURES: Mapping[str, Feature] = {}
"""Every feature by id."""

FAMILIES: frozenset[str] = frozenset(
    family for feature in FEATURES.values() for family in feature.families
)
"""The ids that stand for all features below them."""


def nearest(name: str) -> str:
    """A remark that suggests known ids, to follow an unknown one."""
    close = get_close_matches(name, [*FEATURES, *FAMILIES], n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""
