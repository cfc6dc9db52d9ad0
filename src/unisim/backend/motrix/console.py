"""What the engine writes to the console, past Python's own streams."""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@contextmanager
def heard(said: list[str]) -> Iterator[None]:
    """Collect the lines that are written to the two console streams meanwhile.

    Args:
        said: Takes them, without colours.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with tempfile.TemporaryFile() as held:
        saved = [(number, os.dup(number)) for number in (1, 2)]
        try:
            for number, _ in saved:
                os.dup2(held.fileno(), number)
            yield
        finally:
            for number, copy in saved:
                os.dup2(copy, number)
                os.close(copy)
            held.seek(0)
            text = held.read().decode("utf-8", "replace")
            said.extend(_COLOUR.sub("", text).splitlines())
