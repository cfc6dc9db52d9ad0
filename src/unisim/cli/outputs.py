"""Where what a check finds goes: text or one format to stdout, others to files."""

import json as json_format
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from unisim.cli.survey import Survey
from unisim.errors import WrongUsage
from unisim.report.folder import staged_file, write

_STDOUT = Path("-")


class Put(Protocol):
    """Writes out what was found."""

    def __call__(self, survey: Survey, *, every: bool) -> None:
        """Write everything; `every` lists more in the text."""
        ...


@contextmanager
def opened(*, json: bool, sarif: Path | None, junit: Path | None) -> Generator[Put]:
    """Make sure that everything can be written, and give what writes it.

    When the block fails, no file is left behind or changed.

    Args:
        json: Whether JSON goes to stdout.
        sarif: Where SARIF goes; `-` is stdout, None nowhere.
        junit: Where JUnit XML goes, likewise.

    Raises:
        WrongUsage: If two formats go to the same place.
        CannotWrite: If a file cannot be written.
    """
    formats = {_sarif: sarif, _junit: junit}
    asked = [place for place in formats.values() if place is not None]
    asked += [_STDOUT] if json else []
    if len({place.resolve() for place in asked}) < len(asked):
        raise WrongUsage(
            "--json, --sarif and --junit go to the same place.",
            "Give each a file of its own; - is standard output.",
        )
    with ExitStack() as stack:
        files = {
            place: (stack.enter_context(staged_file(place)), form)
            for form, place in formats.items()
            if place is not None and place != _STDOUT
        }

        def put(survey: Survey, *, every: bool) -> None:
            for place, (file, form) in files.items():
                write(file, form(survey), place)
            shown = next((f for f, to in formats.items() if to == _STDOUT), None)
            print(_json(survey) if json else _show(shown, survey, every=every))

        yield put


def _show(shown: Callable[[Survey], str] | None, survey: Survey, *, every: bool) -> str:
    if shown is not None:
        return shown(survey).rstrip("\n")
    from unisim.cli.told import told

    return told(survey, every=every)


def _json(survey: Survey) -> str:
    from unisim.cli.plain import plain

    return json_format.dumps(plain(survey), indent=1)


def _sarif(survey: Survey) -> str:
    from unisim.cli.sarif import sarif

    return json_format.dumps(sarif(survey), indent=1) + "\n"


def _junit(survey: Survey) -> str:
    from unisim.cli.suites import junit

    return junit(survey)
