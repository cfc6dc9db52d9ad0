"""A disk cache of compiled scenes; a corrupt or stale entry is never trusted."""

import os
import struct
import tempfile
from hashlib import sha256
from pathlib import Path

import mujoco
import numpy as np

_ENTRIES = 64
_FORMAT = b"unisim scene 1\n"
_HEAD = struct.Struct("<32sQ")


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
    try:
        content = (base / f"{key}.scene").read_bytes()
    except OSError:
        return None
    start = len(_FORMAT) + _HEAD.size
    if len(content) < start or not content.startswith(_FORMAT):
        return None
    digest, size = _HEAD.unpack_from(content, len(_FORMAT))
    payload = memoryview(content)[start:]
    if sha256(payload).digest() != digest or size > len(payload):
        return None
    xml = bytes(payload[:size]).decode("utf-8", "surrogateescape")
    model = mujoco.MjModel.from_binary_path(
        "scene.mjb", {"scene.mjb": bytes(payload[size:])}
    )
    return xml, model


def store(key: str, xml: str, model: mujoco.MjModel) -> None:
    """Keep a compiled scene; a folder that cannot be written keeps nothing."""
    base = folder()
    if base is None:
        return
    text = xml.encode("utf-8", "surrogateescape")
    binary = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, binary)
    payload = text + binary.tobytes()
    head = _FORMAT + _HEAD.pack(sha256(payload).digest(), len(text))
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=base) as staging:
            file = Path(staging) / "entry"
            file.write_bytes(head + payload)
            file.replace(base / f"{key}.scene")
        _trim(base)
    except OSError:
        return


def _trim(base: Path) -> None:
    """Drop the entries used longest ago."""
    entries = sorted(base.glob("*.scene"), key=lambda item: item.stat().st_mtime)
    for entry in entries[:-_ENTRIES]:
        entry.unlink(missing_ok=True)
