"""Where a config states what an error is about."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from unisim.errors import (
    BadConfig,
    BadControl,
    BadScene,
    MissingFile,
    OutOfRange,
    UnisimError,
    UnknownName,
    UnsupportedFeature,
)

_BY_CONFIG = (
    *(BadConfig, BadControl, BadScene, OutOfRange, UnknownName, UnsupportedFeature),
)


@contextmanager
def stated_in(config: Path) -> Generator[None]:
    """Note on what a config is the cause of which config it is, and which line.

    Args:
        config: A task config; a bare scene causes no notes.
    """
    try:
        yield
    except _BY_CONFIG as error:
        if config.suffix.lower() == ".toml" and str(config) not in str(error):
            _note(error, config)
        raise


def line_of(config: Path, key: str) -> int:
    """The line of a task config that states a key, else its first."""
    if config.suffix.lower() != ".toml":
        return 1
    stated = re.compile(rf"\s*\[*\s*{re.escape(key)}\b")
    lines = enumerate(config.read_text(encoding="utf-8-sig").splitlines(), 1)
    return next((number for number, line in lines if stated.match(line)), 1)


def _note(error: UnisimError, config: Path) -> None:
    name = ""
    if isinstance(error, UnknownName):
        name = error.name
    elif isinstance(error, MissingFile):
        name = Path(str(error.where)).name
    lines = _lines(config.read_text(encoding="utf-8-sig"), name) if name else []
    if lines:
        error.add_note(f"It is stated in {config}:{', '.join(lines)}.")
    elif not isinstance(error, UnknownName):
        error.add_note(f"The config is {config}.")


def _lines(text: str, name: str) -> list[str]:
    """Numbers of the lines that state a name, or a path that ends in it."""
    stated = re.compile(rf"""["'/]{re.escape(name)}["']""")
    lines = enumerate(text.splitlines(), 1)
    return [str(number) for number, line in lines if stated.search(line)]
