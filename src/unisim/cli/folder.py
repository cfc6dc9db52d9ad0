"""Checks every scene and task config below a folder."""

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from unisim.cli.asked import Asked
from unisim.cli.examine import Examined, examine
from unisim.cli.source import is_config, is_scene
from unisim.cli.survey import Aside, Survey
from unisim.errors import BadScene, MissingFile, UnisimError, UnsupportedFeature
from unisim.progress import Progress
from unisim.scene.source import read


@dataclass(frozen=True)
class _Look:
    """What a file seems to be.

    Attributes:
        foreign: Why it is neither scene nor task config, "" when it seems to be one.
        parts: The files that it includes or merges.
        empty: Whether it states no body and no geom.
    """

    foreign: str = ""
    parts: tuple[Path, ...] = ()
    empty: bool = False


def survey(
    folder: Path, asked: Sequence[Asked], accept: Sequence[str], progress: Progress
) -> Survey:
    """Check everything below a folder, whatever becomes of one file.

    What starts with a dot is left out. A file that another one includes, or a config
    merges, and that is no scene by itself is skipped; so are XML files that are not
    MJCF, and TOML files that are no task configs.

    Args:
        folder: The folder.
        asked: Backends to ask about.
        accept: Features or families that are accepted besides the configs'.
        progress: Gets told how far it is.

    Raises:
        MissingFile: If there is no scene and no task config.
    """
    files = sorted(_files(folder))
    looks = {file: _look(file) for file in files}
    owners = {part: file for file in files for part in looks[file].parts}
    examined: list[Examined] = []
    skipped: list[Aside] = []
    unread: list[Aside] = []
    for number, file in enumerate(files):
        progress.share(f"checking {file}", number / len(files))
        look, owner = looks[file], _owner(file, owners)
        part = Aside(file, f"no scene of its own: it is part of {owner}")
        if owner is not None and look.empty:
            skipped.append(part)
        elif look.foreign:
            skipped.append(Aside(file, look.foreign))
        else:
            try:
                examined.append(examine(file, asked, accept))
            except BadScene as error:
                (unread if owner is None else skipped).append(
                    _aside(file, error) if owner is None else part
                )
            except UnisimError as error:
                unread.append(_aside(file, error))
    progress.share("checking", 1.0)
    if not examined and not unread:
        problem = "there is no scene and no task config below this folder."
        raise MissingFile(folder, problem, "Name another folder, or a file.")
    return Survey(folder, tuple(examined), tuple(skipped), tuple(unread), folder=True)


def _owner(file: Path, owners: Mapping[Path, Path]) -> Path | None:
    """The file that `file` is part of; None where that is in turn part of `file`."""
    above, seen = owners.get(file.resolve()), set[Path]()
    while above is not None and above.resolve() not in seen:
        seen.add(above.resolve())
        above = owners.get(above.resolve())
    return None if file.resolve() in seen else owners.get(file.resolve())


def _aside(file: Path, error: UnisimError) -> Aside:
    notes: list[str] = vars(error).get("__notes__", [])
    reason = "\n".join([str(error), *notes])
    return Aside(file, reason, isinstance(error, UnsupportedFeature))


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files = (Path(place) / name for name in names if not name.startswith("."))
        yield from (file for file in files if is_scene(file) or is_config(file))


def _look(file: Path) -> _Look:
    """Look at a file as far as it can be read; what cannot is left to the check."""
    try:
        return _config(file) if is_config(file) else _scene(file)
    except (BadScene, OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return _Look()


def _config(file: Path) -> _Look:
    scene = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("scene")
    if not isinstance(scene, dict):
        return _Look("no task config: it has no [scene]")
    table = cast("dict[str, object]", scene)
    named = [table.get("visual_model_file"), *_list(table.get("fragments"))]
    return _Look(parts=tuple(_beside(file, x) for x in named if isinstance(x, str)))


def _scene(file: Path) -> _Look:
    root = read(file)
    if root.tag != "mujoco":
        return _Look(f"no scene: its root is <{root.tag}>", empty=True)
    included = [x for x in root.walk() if x.tag == "include"]
    named = [x.attributes["file"] for x in included if "file" in x.attributes]
    world = any(section.children for section in root.sections("worldbody"))
    parts = tuple(_beside(file, name) for name in named)
    return _Look(parts=parts, empty=not world and not parts)


def _beside(file: Path, name: str) -> Path:
    return (file.parent / name).resolve()


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []
