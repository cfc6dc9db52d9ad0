"""What Drake says while it builds: whatever it warns of is refused."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import BufferingHandler

from unisim.errors import UnsupportedFeature

_DRAKE = logging.getLogger("drake")
_DEFORMABLE = "half spaces are not currently supported for deformable contact"
_MANY = 10_000
"""Records that are kept."""


def _about_scenes(record: logging.LogRecord) -> bool:
    """Not what Drake says about deformable bodies: there are none."""
    return _DEFORMABLE not in record.getMessage()


_DRAKE.addFilter(_about_scenes)


@contextmanager
def no_warnings() -> Iterator[None]:
    """Refuse what Drake only warns of, whatever level its logger has.

    Raises:
        UnsupportedFeature: On leaving, with all that was said.
    """
    heard, before = BufferingHandler(_MANY), (_DRAKE.level, _DRAKE.propagate)
    heard.setLevel(logging.WARNING)
    _DRAKE.addHandler(heard)
    _DRAKE.setLevel(min(_DRAKE.getEffectiveLevel(), logging.WARNING))
    _DRAKE.propagate = False
    try:
        yield
    finally:
        _DRAKE.removeHandler(heard)
        _DRAKE.setLevel(before[0])
        _DRAKE.propagate = before[1]
    if heard.buffer:
        said = tuple(dict.fromkeys(item.getMessage() for item in heard.buffer))
        raise UnsupportedFeature("drake", said, ())
