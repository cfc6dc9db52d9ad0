"""Writes a composed scene into a folder that plain MuJoCo can load."""

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import mujoco

from unisim.errors import CannotWrite
from unisim.scene.scene import Scene
from unisim.scene.terrain.grid import record

_FORMAT = "unisim scene 1"
_OURS = re.compile(r"scene\.(?:xml|json)|[0-9a-f]{32}[.\w]*")
_COUNTS: Mapping[str, str] = {
    "body": "nbody",
    "joint": "njnt",
    "geom": "ngeom",
    "site": "nsite",
    "camera": "ncam",
    "light": "nlight",
    "flex": "nflex",
    "mesh": "nmesh",
    "skin": "nskin",
    "hfield": "nhfield",
    "texture": "ntex",
    "material": "nmat",
    "pair": "npair",
    "exclude": "nexclude",
    "equality": "neq",
    "tendon": "ntendon",
    "actuator": "nactuator",
    "sensor": "nsensor",
    "key": "nkey",
}


def export(scene: Scene, folder: Path) -> None:
    """Write `scene.xml`, the files it names, and `scene.json`, or nothing at all.

    `scene.json` holds the digest, MuJoCo's version, the keys, what the terrain was made
    from, and by kind the names in the model's order with the place where each was
    written.

    Args:
        scene: The scene.
        folder: Made where it is absent; replaced where an export made it.

    Raises:
        CannotWrite: If the folder holds anything else, or cannot be written.
    """
    target = folder.absolute()
    _check(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as name:
            staging = Path(name)
            _write(scene, staging / "new")
            _swap(staging / "new", target, staging / "old")
    except OSError as error:
        raise CannotWrite(folder, error.strerror or str(error)) from None


def describe(scene: Scene) -> dict[str, object]:
    """What `scene.json` holds."""
    names = {kind: _names(scene.model, kind) for kind in _COUNTS}
    places = {
        kind: {name: str(scene.sources.where(kind, name)) for name in found}
        for kind, found in names.items()
        if kind != "key"
    }
    return {
        "format": _FORMAT,
        "digest": scene.digest,
        "mujoco": mujoco.__version__,
        "file": str(scene.file),
        "keyframe": scene.keyframe,
        "visual_file": None if scene.visual_file is None else str(scene.visual_file),
        "terrain": record(scene.terrain),
        "names": names,
        "sources": places,
    }


def _check(target: Path) -> None:
    if target.is_dir():
        found = {item.name for item in target.iterdir()}
        strange = sorted(name for name in found if not _OURS.fullmatch(name))
        if strange or (found and not _is_ours(target)):
            name = strange[0] if strange else "scene.xml"
            raise CannotWrite(
                target,
                f"the folder holds {name!r}, which no export wrote; choose another "
                "folder or empty it",
            )
    elif target.exists():
        raise CannotWrite(target, "this is a file; choose a folder")


def _is_ours(target: Path) -> bool:
    try:
        text = (target / "scene.json").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return f'"format": "{_FORMAT}"' in text


def _swap(new: Path, target: Path, old: Path) -> None:
    """Put a folder in the place of another, or leave that where it was."""
    if target.exists():
        target.replace(old)
    try:
        new.replace(target)
    except OSError:
        if old.exists():
            old.replace(target)
        raise


def _write(scene: Scene, folder: Path) -> None:
    folder.mkdir()
    for name, content in scene.assets.items():
        (folder / name).write_bytes(content)
    (folder / "scene.xml").write_text(scene.xml, encoding="utf-8")
    text = json.dumps(describe(scene), indent=1, ensure_ascii=False)
    (folder / "scene.json").write_text(text + "\n", encoding="utf-8")


def _names(model: mujoco.MjModel, kind: str) -> list[str]:
    number = mujoco.mju_str2Type(kind)
    count = int(getattr(model, _COUNTS[kind]))
    return [mujoco.mj_id2name(model, number, i) or "" for i in range(count)]
