"""What MuJoCo means by a feature."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


def meaning(name: str) -> str:
    """What MuJoCo means by a feature or family: one or two sentences.

    The most specific sentence that covers it.
    """
    parts = name.split(".")
    covering = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next(said()[item] for item in covering if item in said())


@cache
def said() -> Mapping[str, str]:
    """All sentences, by feature or family."""
    file = Path(__file__).with_name("meanings.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: str(text) for name, text in table.items()}
