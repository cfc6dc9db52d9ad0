"""The types of arguments that commands share.

Types are spelt such that tyro does not check them with a package whose import takes as
long as composing a scene: `Optional`, `Union` with None first, and a bare `tuple`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional, Union

import tyro
from tyro.conf import Positional, arg
from tyro.constructors import PrimitiveConstructorSpec

from unisim.strict import possible


class Ids(tuple[str, ...]):
    """Feature ids or families."""

    __slots__ = ()


def _path(words: list[str]) -> Path:
    if not words[0]:
        raise ValueError("an empty name is no path; . is this folder")
    return possible(Path(words[0]))


def _spec(metavar: str) -> PrimitiveConstructorSpec[Path | None]:
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=_path,
        is_instance=lambda value: value is None or isinstance(value, Path),
        str_from_instance=lambda value: [str(value)],
    )


_FOLDER, _FILE = _spec("DIR"), _spec("FILE")
File = Annotated[Positional[Path], _FILE]
Name = Annotated[Optional[str], arg(metavar="NAME")]  # noqa: UP045
Folder = Annotated[Path, _FOLDER]
MaybeFolder = Annotated[Optional[Path], _FOLDER]  # noqa: UP045
Target = Annotated[Optional[Path], _FILE]  # noqa: UP045
Count = Annotated[Optional[int], arg(metavar="N")]  # noqa: UP045
Seconds = Annotated[Optional[float], arg(metavar="S")]  # noqa: UP045
Features = Annotated[
    Ids,
    PrimitiveConstructorSpec(
        nargs="*",
        metavar="ID [ID ...]",
        instance_from_str=Ids,
        is_instance=lambda value: isinstance(value, Ids),
        str_from_instance=list,
    ),
]
Pair = Annotated[
    Union[None, tuple[str, str]],  # noqa: UP007, RUF036
    PrimitiveConstructorSpec(
        nargs=2,
        metavar="A B",
        instance_from_str=lambda words: (words[0], words[1]),
        is_instance=lambda value: value is None or isinstance(value, tuple),
        str_from_instance=lambda value: list(value or ()),
    ),
]
Words = tuple[str, ...] if TYPE_CHECKING else tuple
Backends = Annotated[
    tyro.conf.UseAppendAction[Words], arg(name="backend", metavar="NAME")
]
NOTHING = Ids()
"""No ids."""
CONFIG = (tyro.conf.FlagCreatePairsOff,)
"""How tyro reads all commands."""
