"""Names of what is registered for a geom: they tell of which geom it is a part."""

import re
from typing import NamedTuple

from unisim.backend.drake.slots import Part, Slot

_LABEL = re.compile(r"^(?:.*?::)?(\d+)\.([a-z]+)\.(\d+)\.(\d+) <(.*)>$", re.DOTALL)
"""The plant puts the name of a model instance in front."""


class Label(NamedTuple):
    """What a name says: a piece of a part, and the geom's name."""

    part: Part
    piece: int
    name: str

    def __str__(self) -> str:
        """The name itself."""
        geom, slot, copy = self.part
        return f"{geom}.{slot.value}.{copy}.{self.piece} <{self.name}>"


def read_label(text: str) -> Label | None:
    """What a name says, or None if it is no such name."""
    found = _LABEL.match(text)
    if found is None or found[2] not in {slot.value for slot in Slot}:
        return None
    part = Part(int(found[1]), Slot(found[2]), int(found[3]))
    return Label(part, int(found[4]), found[5])
