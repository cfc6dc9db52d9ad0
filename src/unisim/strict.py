"""What makes a class a config: frozen, strict, and refusing by one error."""

import dataclasses
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import (
    Annotated,
    Literal,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import AfterValidator, ConfigDict, Strict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from unisim.errors import BadConfig, suggest

STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
LONGEST_NAME, LONGEST_PATH = 255, 4095
"""Bytes that a file's name and a path may have on Linux."""
_PLAIN = (str, int, float, Path, type(None))
T = TypeVar("T")


def possible(path: Path) -> Path:
    """Take a path that may name a file.

    Raises:
        ValueError: If no file could have it, with the reason.
    """
    name = max(map(os.fsencode, path.parts), key=len, default=b"")
    if b"\0" in bytes(path):
        raise ValueError("a null byte is in no path: leave it out")
    if len(name) > LONGEST_NAME or len(bytes(path)) > LONGEST_PATH:
        raise ValueError(
            f"it is too long for a path: {LONGEST_NAME} bytes a name, {LONGEST_PATH} "
            "in all"
        )
    return path


def distinct(values: tuple[T, ...]) -> tuple[T, ...]:
    """Take a list in which nothing comes twice; what has a name counts by its name.

    Raises:
        ValueError: If something does.
    """
    names = [str(getattr(item, "name", item)) for item in values]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{', '.join(map(repr, twice))} is here twice; once is wanted")
    return values


File = Annotated[Path, Strict(strict=False), AfterValidator(possible)]
"""A path; Python code may state it as a string, as a file does."""


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(dataclasses.field,)
)
def strict(kind: type[T]) -> type[T]:
    """Make a class a config: a frozen dataclass that takes keywords and checks them.

    Its constructor raises `BadConfig`, which names every wrong key, type and value.
    """
    made = cast("type[T]", dataclass(frozen=True, kw_only=True, config=STRICT)(kind))
    construct: Callable[..., None] = made.__init__

    @wraps(construct)
    def checked(self: object, *args: object, **values: object) -> None:
        try:
            construct(self, *args, **values)
        except ValidationError as error:
            raise BadConfig(kind.__name__, _problems(made, error, "")) from None

    made.__init__ = checked
    return made


def validate(kind: type[T], table: object, source: object, text: str = "") -> T:
    """Make a config of some type from plain values, or say all that is wrong.

    Args:
        kind: The type.
        table: The values.
        source: What to call them.
        text: The TOML they come from, for line numbers.

    Raises:
        BadConfig: If a key, type or value is wrong; each with its path.
    """
    leaves = list(_leaves(table, ()))
    strange = [
        f"{'.'.join(path) or 'top level'}: a {type(value).__name__} has no place here"
        for path, value in leaves
        if not isinstance(value, _PLAIN)
    ]
    strange += [
        f"{'.'.join(path)}: a null byte has no place in {value!r}"
        for path, value in leaves
        if isinstance(value, str) and "\0" in value
    ]
    if strange:
        raise BadConfig(source, strange)
    try:
        return TypeAdapter(kind).validate_json(json.dumps(table, default=str))
    except ValidationError as error:
        raise BadConfig(source, _problems(kind, error, text)) from None


def _leaves(
    value: object, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every value that is no table or list, with its path."""
    if isinstance(value, Mapping):
        for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield from _leaves(item, (*path, str(key)))  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            yield from _leaves(item, (*path, str(number)))  # pyright: ignore[reportUnknownArgumentType]
    else:
        yield path, value


def _problems(kind: type, error: ValidationError, text: str) -> list[str]:
    """Every problem with its path, and its line where the text has only one such."""
    problems: list[str] = []
    for item in error.errors():
        path, what = item["loc"], item["msg"].removeprefix("Value error, ")
        if item["type"] == "unexpected_keyword_argument":
            known = _keys(kind, path[:-1])
            what = f"Unexpected key. {suggest(str(path[-1]), known)}"
        line = None if item["type"] == "missing" else _line(text, path)
        at = f" (line {line})" if line else ""
        problems.append(f"{'.'.join(map(str, path)) or 'top level'}: {what}{at}")
    return problems


def _line(text: str, path: tuple[str | int, ...]) -> int | None:
    """Number of the only line of a TOML file that states a key, None if unclear."""
    key = next((step for step in reversed(path) if isinstance(step, str)), None)
    if key is None:
        return None
    stated = rf"""^[^#\n]*?(?<![\w-])["']?{re.escape(key)}["']?\s*[=\]]"""
    found = [match.end() for match in re.finditer(stated, text, re.MULTILINE)]
    return text.count("\n", 0, found[0]) + 1 if len(found) == 1 else None


def _keys(kind: type, path: tuple[str | int, ...]) -> list[str]:
    """The keys that the table at a path of a config may have."""
    tables = [kind]
    for step in path:
        inside = [
            part
            for table in tables
            for name, hint in get_type_hints(table, include_extras=True).items()
            if name == step
            for part in _tables(hint)
        ]
        # what is no key is a number in a list, or the `kind` of a table
        tables = inside or [table for table in tables if _is(table, step)] or tables
    return [field.name for table in tables for field in dataclasses.fields(table)]


def _tables(hint: object) -> list[type]:
    """The config classes that a type is made of."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [hint]
    return [part for item in get_args(hint) for part in _tables(item)]


def _is(table: type, step: str | int) -> bool:
    """Whether a table is of the kind that a path names."""
    kinds = get_type_hints(table).get("kind")
    return get_origin(kinds) is Literal and step in get_args(kinds)
