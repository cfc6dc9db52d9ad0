"""Colours and progress, on terminals only."""

import os
import sys
from time import monotonic
from typing import TextIO

_CODES = {"red": "31", "yellow": "33", "green": "32", "dim": "2", "bold": "1"}
_LINE, _EVERY = "\r\x1b[K", 0.1


def coloured(stream: TextIO) -> bool:
    """Whether a stream shows colours: a terminal, and the user wants them."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Text in a colour, where the stream (None: stdout) shows colours."""
    if not coloured(stream or sys.stdout):
        return text
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"


class Lines:
    """Says on stderr how far the work is: lines, and on a terminal a share."""

    def __init__(self) -> None:
        """Start the clock."""
        self._start, self._last = monotonic(), 0.0
        self._moving = sys.stderr.isatty()

    def line(self, text: str) -> None:
        """See `unisim.progress.Progress`."""
        clear = _LINE if self._moving else ""
        stamp = paint(f"[{monotonic() - self._start:6.1f} s]", "dim", sys.stderr)
        print(f"{clear}{stamp} {text}", file=sys.stderr, flush=True)

    def share(self, what: str, done: float) -> None:
        """See `unisim.progress.Progress`."""
        now = monotonic()
        if not self._moving or now - self._last < _EVERY:
            return
        self._last = now
        stamp = paint(f"[{now - self._start:6.1f} s]", "dim", sys.stderr)
        print(f"{_LINE}{stamp} {what} {done:4.0%}", end="", file=sys.stderr, flush=True)
        if done == 1.0:
            print(_LINE, end="", file=sys.stderr, flush=True)


def wants_progress(*, asked: bool) -> bool:
    """Whether to say how far the work is: on a terminal, or when asked to."""
    return asked or sys.stderr.isatty()
