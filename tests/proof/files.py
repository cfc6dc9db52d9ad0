"""Files that the worlds name."""

import struct
import zlib


def _png(width: int, height: int, colour: int) -> bytes:
    """A picture of one red, with green that grows along x and blue along y."""
    rows = b"".join(
        b"\0" + b"".join(bytes((colour, 9 * x, 9 * y)) for x in range(width))
        for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data))
        + tag
        + data
        + struct.pack(">I", zlib.crc32(tag + data))
        for tag, data in chunks
    )


def _skn(height: float) -> bytes:
    """A skin of one triangle on one bone."""
    vertices = struct.pack("<9f", 0, 0, height, 1, 0, 0, 0, 1, 0)
    bone = struct.pack("<40s7fi", b"n_arm", 0, 0, 0, 1, 0, 0, 0, 3)
    weights = struct.pack("<3i3f", 0, 1, 2, 1, 1, 1)
    counts, face = struct.pack("<4i", 3, 0, 1, 1), struct.pack("<3i", 0, 1, 2)
    return counts + vertices + face + bone + weights


_OBJ = b"v 0 0 0\nv .2 0 0\nv 0 .2 0\nv 0 0 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
_FIELD = struct.pack("<2i4f", 2, 2, 0, 0.5, 0.5, 1)
_PART = b"""<mujoco model="n_model"><worldbody><body name="n_child" pos="0 0 .2">
  <frame name="n_inner"><geom name="skull" size=".05" pos="0 .1 0"/></frame><joint/>
  </body><body name="n_other"><geom size=".06"/></body></worldbody></mujoco>"""

ASSETS: dict[str, bytes] = {
    **{f"{folder}a.obj": _OBJ for folder in ("", "x/", "y/")},
    **{f"{folder}a.bin": _FIELD for folder in ("", "x/", "y/")},
    **{f"{folder}a.png": _png(4, 4, 90) for folder in ("", "x/", "y/")},
    **{f"{folder}a.skn": _skn(0.0) for folder in ("", "x/", "y/")},
    **{f"{folder}grid.png": _png(4, 24, 90) for folder in ("", "x/", "y/")},
    "b.png": _png(4, 4, 200),
    "wide.png": _png(8, 12, 90),
    "b.skn": _skn(0.4),
    "part.xml": _PART,
    "copy.xml": _PART,
    "second.xml": _PART.replace(b"n_model", b"n_second").replace(b".05", b".09"),
}
"""Files that the worlds name."""
