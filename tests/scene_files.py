"""Small scenes on disk for the tests of composing."""

import struct
from pathlib import Path

import pytest

from unisim.config import SceneCfg
from unisim.scene.compose import compose
from unisim.scene.scene import Scene


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile every scene anew, and leave the user's cache alone."""
    monkeypatch.setenv("UNISIM_CACHE", "off")


def write(folder: Path, **files: str | bytes) -> Path:
    """Write `main="..."` as main.xml and the like; return the path of main.xml."""
    for name, content in files.items():
        file = folder / f"{name}.xml"
        data = content if isinstance(content, bytes) else content.encode()
        file.write_bytes(data)
    return folder / "main.xml"


def composed(folder: Path, main: str | bytes, **files: str | bytes) -> Scene:
    """Compose main.xml of a folder after writing the files."""
    return compose(SceneCfg(model_file=write(folder, main=main, **files)))


def stl(scale: float) -> bytes:
    """A binary STL of a tetrahedron."""
    corners = ((0, 0, 0), (scale, 0, 0), (0, scale, 0), (0, 0, scale))
    faces = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
    content = bytes(80) + struct.pack("<I", len(faces))
    for face in faces:
        numbers = [0.0, 0.0, 0.0, *(value for i in face for value in corners[i])]
        content += struct.pack("<12fH", *numbers, 0)
    return content
