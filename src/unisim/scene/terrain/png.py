"""A reader of greyscale PNG: MuJoCo's own cuts 16 bits down to 8 without a word.

Source: Portable Network Graphics (third edition), sections 5, 9 and 11.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unisim.errors import BadAsset

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = struct.Struct(">IIBBBBB")
_DEPTHS = (8, 16)
_FILTERS = 5
_REMEDY = "Save it as greyscale PNG of 8 or 16 bits, not interlaced; or as .npy."


@dataclass(frozen=True)
class _Picture:
    """Rows, columns, bytes per sample, and the compressed content."""

    shape: tuple[int, int]
    depth: int
    content: bytes


def picture_size(content: bytes, file: Path) -> tuple[int, int]:
    """Rows and columns of a picture, without unpacking it.

    Raises:
        BadAsset: If it is not a greyscale PNG of 8 or 16 bits.
    """
    return _parse(content, file).shape


def read_picture(content: bytes, file: Path) -> NDArray[np.float64]:
    """The samples of a picture.

    Args:
        content: The file's bytes.
        file: Where they are from.

    Returns:
        From 0, black, to 1, white; the first row is the top. Shape (rows, columns).

    Raises:
        BadAsset: If it is not a greyscale PNG of 8 or 16 bits, or damaged.
    """
    picture = _parse(content, file)
    rows, columns = picture.shape
    size = rows * (columns * picture.depth + 1)
    try:
        # one byte more than there should be shows what is too long
        raw = zlib.decompressobj().decompress(picture.content, size + 1)
    except zlib.error as error:
        raise BadAsset(file, f"this PNG is damaged: {error}.", _REMEDY) from None
    if len(raw) != size:
        raise BadAsset(file, "this PNG holds another number of samples.", _REMEDY)
    lines = np.frombuffer(raw, np.uint8).reshape(rows, -1)
    if lines[:, 0].max() >= _FILTERS:
        raise BadAsset(file, "this PNG uses an unknown filter.", _REMEDY)
    pixels = lines[:, 1:].reshape(rows, columns, picture.depth)
    samples = _unfilter(lines[:, 0], pixels)
    weights = 256.0 ** np.arange(picture.depth)[::-1]
    return samples @ weights / (256.0**picture.depth - 1)


def _parse(content: bytes, file: Path) -> _Picture:
    if not content.startswith(_SIGNATURE):
        raise BadAsset(file, "this is not a PNG.", _REMEDY)
    chunks = list(_chunks(content, file))
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != _HEAD.size:
        raise BadAsset(file, "this PNG has no header.", _REMEDY)
    columns, rows, bits, colour, *_, interlaced = _HEAD.unpack(chunks[0][1])
    if colour or bits not in _DEPTHS or interlaced:
        what = f"colour type {colour}, {bits} bits" + ", interlaced" * bool(interlaced)
        raise BadAsset(file, f"this PNG is no plain greyscale one: {what}.", _REMEDY)
    data = b"".join(body for name, body in chunks if name == b"IDAT")
    return _Picture((rows, columns), bits // 8, data)


def _chunks(content: bytes, file: Path) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        body, end = content[at + 4 : at + 8 + size], at + 12 + size
        if end > len(content) or zlib.crc32(body) != int.from_bytes(
            content[end - 4 : end], "big"
        ):
            raise BadAsset(file, "this PNG is damaged: a checksum is wrong.", _REMEDY)
        yield body[:4], body[4:]
        at = end


def _unfilter(kinds: NDArray[np.uint8], raw: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Undo the filters: a sample needs those left, above, and left above.

    So all samples of one diagonal are done at once.
    """
    rows, columns, depth = raw.shape
    out = np.zeros((rows + 1, columns + 1, depth), np.int32)
    for diagonal in range(rows + columns - 1):
        first, end = max(0, diagonal - columns + 1), min(rows, diagonal + 1)
        r: NDArray[np.int64] = np.arange(first, end, dtype=np.int64)
        c = diagonal - r
        left, up, corner = out[r + 1, c], out[r, c + 1], out[r, c]
        guess = [0 * left, left, up, (left + up) // 2, _paeth(left, up, corner)]
        chosen = np.choose(kinds[r, None], guess)
        out[r + 1, c + 1] = (raw[r, c] + chosen) & 255
    return out[1:, 1:]


def _paeth(
    left: NDArray[np.int32], up: NDArray[np.int32], corner: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Whichever is nearest to left + up - corner; of equals, in this order."""
    to_left, to_up = abs(up - corner), abs(left - corner)
    to_corner = abs(left + up - 2 * corner)
    return np.where(
        (to_left <= to_up) & (to_left <= to_corner),
        left,
        np.where(to_up <= to_corner, up, corner),
    )
