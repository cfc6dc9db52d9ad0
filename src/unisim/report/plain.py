"""Values in JSON's own types."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

Plain = None | bool | int | float | str | Sequence["Plain"] | Mapping[str, "Plain"]
"""What JSON can hold."""


def plain(value: object) -> Plain:
    """The value in JSON's own types; a number that is not finite is None."""
    match value:
        case None | bool() | str() | int():
            return value
        case float() | np.floating():
            return float(value) if math.isfinite(value) else None
        case Mapping():
            table = cast("Mapping[object, object]", value)
            return {str(key): plain(item) for key, item in table.items()}
        case Sequence():
            return [plain(item) for item in cast("Sequence[object]", value)]
        case np.ndarray() | np.generic():
            return plain(cast("object", value.tolist()))
        case _:
            return str(value)


def text(value: object) -> str:
    """The value as JSON that ends in a line break."""
    return json.dumps(plain(value), indent=1, allow_nan=False) + "\n"


def parse(content: str) -> object:
    """The value of a JSON text.

    Raises:
        ValueError: If it is not JSON.
    """
    return json.loads(content)
