"""What to do about a file that is not there."""

from difflib import get_close_matches
from pathlib import Path


def nearby(file: Path) -> str:
    """A remedy: a file of a similar name beside it, or what to correct."""
    folder = file.parent
    try:
        names = [item.name for item in folder.iterdir()]
    except OSError:
        return f"There is no folder {folder} either: correct the path."
    close = get_close_matches(file.name, names, n=1)
    if close:
        return f"Did you mean {str(folder / close[0])!r}?"
    return "Its folder is there: correct the name."
