"""Output folders that hold either everything or nothing new."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from unisim.errors import CannotWrite


@contextmanager
def staged(folder: Path) -> Generator[Path]:
    """Give a folder to write into, whose files move to `folder` when all are there.

    Files of `folder` that have other names stay. When the block fails, nothing is
    left of what it wrote.

    Args:
        folder: Where the files belong; it and its parents are made when missing.

    Raises:
        CannotWrite: If it is a file or may not be written, before the block runs.
    """
    made = _make(folder)
    try:
        stage = Path(mkdtemp(dir=folder, prefix=".unfinished-"))
    except OSError as error:
        _remove(made)
        raise CannotWrite(folder, error.strerror or str(error)) from None
    try:
        yield stage
        _move(stage, folder)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        _remove(made)


@contextmanager
def staged_file(file: Path) -> Generator[Path]:
    """Give a file to write, which takes the place of `file` when the block is done.

    When the block fails, nothing is left of what it wrote. What is no ordinary file,
    such as a pipe, is written to as it is.

    Args:
        file: Where the text belongs; its folders are made when missing.

    Raises:
        CannotWrite: If it is a folder or may not be written, before the block runs.
    """
    if file.is_dir():
        raise CannotWrite(file, "it is a folder, and a file is needed")
    if file.exists() and not os.access(file, os.W_OK):
        raise CannotWrite(file, "it may not be written")
    if file.exists() and not file.is_file():
        yield file
        return
    target = file.resolve()
    with staged(target.parent) as stage:
        yield stage / target.name


def write(file: Path, text: str, place: Path | None = None) -> None:
    """Write a text file, whose folders are made when missing.

    Args:
        file: Where it is written.
        text: What is written.
        place: The name that the user knows, where `file` is staged for it.

    Raises:
        CannotWrite: If it may not be written, or the disk is full.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotWrite(place or file, error.strerror or str(error)) from None


def _move(stage: Path, folder: Path) -> None:
    try:
        for file in sorted(stage.iterdir()):
            os.replace(file, folder / file.name)
    except OSError as error:
        raise CannotWrite(folder, error.strerror or str(error)) from None


def _make(folder: Path) -> list[Path]:
    """Make a folder; returns the folders that were missing, innermost first."""
    if folder.exists() and not folder.is_dir():
        raise CannotWrite(folder, "it is a file, and a folder is needed")
    missing = [item for item in (folder, *folder.parents) if not item.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _remove(missing)
        raise CannotWrite(folder, error.strerror or str(error)) from None
    return missing


def _remove(folders: list[Path]) -> None:
    """Remove folders as long as they are empty, innermost first."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return
