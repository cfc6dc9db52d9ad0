"""A disk cache of compiled scenes; a corrupt or stale entry is never trusted.

An entry is two files: the model as MuJoCo saves it, which MuJoCo reads fastest from a
file of its own, and the text, with the checksums of both.
"""

import os
import struct
import tempfile
import zlib
from mmap import ACCESS_READ, mmap
from pathlib import Path

import mujoco

_BYTES = 2 * 1024**3
"""The entries used last are kept, up to this size in all."""
_FORMAT = b"unisim scene 3\n"
_HEAD = struct.Struct("<IIQ")


def folder() -> Path | None:
    """Where compiled scenes are kept.

    `UNISIM_CACHE` names the folder; `off` switches the cache off. The default is
    `unisim` in the user's cache folder.
    """
    stated = os.environ.get("UNISIM_CACHE", "")
    if stated == "off":
        return None
    if stated:
        return Path(stated)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "unisim"


def load(key: str) -> tuple[str, mujoco.MjModel] | None:
    """Text and model stored under a key, None when there is no sound entry."""
    base = folder()
    if base is None:
        return None
    binary = base / f"{key}.mjb"
    try:
        content = (base / f"{key}.scene").read_bytes()
        size, checksum = _measure(binary)
    except (OSError, ValueError):
        return None
    start = len(_FORMAT) + _HEAD.size
    if len(content) < start or not content.startswith(_FORMAT):
        return None
    text = content[start:]
    sums = _HEAD.unpack_from(content, len(_FORMAT))
    if sums != (_checksum(key, text), checksum, size):
        return None
    try:
        found = mujoco.MjModel.from_binary_path(str(binary))
        os.utime(base / f"{key}.scene")
    except (OSError, ValueError):
        # another process has just dropped or replaced the entry
        return None
    return text.decode(), found


def store(key: str, xml: str, model: mujoco.MjModel) -> None:
    """Keep a compiled scene; a folder that cannot be written keeps nothing."""
    base = folder()
    if base is None:
        return
    text = xml.encode()
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=base) as staging:
            binary, entry = Path(staging) / "model.mjb", Path(staging) / "entry"
            mujoco.mj_saveModel(model, str(binary), None)
            size, checksum = _measure(binary)
            head = _HEAD.pack(_checksum(key, text), checksum, size)
            entry.write_bytes(_FORMAT + head + text)
            binary.replace(base / f"{key}.mjb")
            entry.replace(base / f"{key}.scene")
        _trim(base)
    except OSError:
        return


def _checksum(key: str, text: bytes) -> int:
    """Of the text and of the key: an entry under another name is not this one."""
    return zlib.crc32(text, zlib.crc32(key.encode()))


def _measure(file: Path) -> tuple[int, int]:
    """Size and checksum of a file that is not empty."""
    with (
        file.open("rb") as stream,
        mmap(stream.fileno(), 0, access=ACCESS_READ) as content,
    ):
        return len(content), zlib.crc32(content)


def _trim(base: Path) -> None:
    """Drop the entries used longest ago."""
    left = _BYTES
    entries = [(item.stat().st_mtime, item) for item in base.glob("*.scene")]
    for _, entry in sorted(entries, reverse=True):
        binary = entry.with_suffix(".mjb")
        left -= binary.stat().st_size if binary.exists() else 0
        if left < 0:
            entry.unlink(missing_ok=True)
            binary.unlink(missing_ok=True)
