"""Pictures as files: a film that moves, and a strip of stills."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np

from unisim.runtime.picture import Film, Image

_STILLS = 5
"""Pictures in a strip."""
_GAP = 6
"""White between two stills [pixel]."""


@dataclass(frozen=True)
class Images:
    """Pictures of one world as contents of files.

    Attributes:
        moving: The film as an animated WebP that plays in real time.
        strip: Stills side by side, as PNG.
        times: When the stills were taken [s].
    """

    moving: bytes
    strip: bytes
    times: tuple[float, ...]


def develop(film: Film) -> Images:
    """Make files of a film."""
    return Images(_moving(film), *_strip(film))


def _moving(film: Film) -> bytes:
    """The film as an animated WebP that plays in real time, over and over."""
    from PIL import Image as Picture

    frames = [Picture.fromarray(item) for item in film.images]
    lengths = np.diff(film.times, append=film.times[-1] + 0.8)
    stream = BytesIO()
    frames[0].save(
        stream,
        "WEBP",
        save_all=True,
        append_images=frames[1:],
        duration=[max(1, round(1000 * length)) for length in lengths],
        loop=0,
        quality=82,
        method=2,
    )
    return stream.getvalue()


def _strip(film: Film) -> tuple[bytes, tuple[float, ...]]:
    """Evenly spaced stills side by side, as PNG, and their times [s]."""
    from PIL import Image as Picture

    last = len(film.images) - 1
    evenly = np.unique(np.linspace(0, last, _STILLS).round())
    chosen = [int(i) for i in evenly]
    row = _side_by_side([film.images[i] for i in chosen])
    picture = Picture.fromarray(row)
    picture = picture.resize((row.shape[1] // 2, row.shape[0] // 2))
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return stream.getvalue(), tuple(film.times[i] for i in chosen)


def _side_by_side(images: Sequence[Image]) -> Image:
    gap = np.full((images[0].shape[0], _GAP, 3), 255, np.uint8)
    pieces = [piece for image in images for piece in (gap, image)]
    return np.concatenate(pieces[1:], axis=1)
