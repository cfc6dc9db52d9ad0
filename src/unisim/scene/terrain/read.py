"""Reads a height field from an array or a picture."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unisim.errors import BadAsset, MissingFile
from unisim.scene.terrain.field import Field, check_size
from unisim.scene.terrain.png import picture_size, read_picture
from unisim.terrains import FieldCfg


def read_field(cfg: FieldCfg) -> Field:
    """The height field of a file; its size is checked before its content is read.

    Raises:
        MissingFile: If there is no such file.
        BadAsset: If it is neither a real array nor a greyscale PNG, or not finite.
        BadTerrain: If it has the wrong shape, or more samples than allowed.
    """
    file = cfg.file
    if not file.is_file():
        raise MissingFile(file, "there is no such height field.")
    try:
        if file.suffix.lower() == ".npy":
            raw = _array(cfg)
        elif file.suffix.lower() == ".png":
            raw = _picture(cfg)
        else:
            raise BadAsset(
                file, "a height field is a .npy or a .png.", "Save it as one of them."
            )
    except OSError as error:
        raise MissingFile(file, f"it cannot be read: {error.strerror}.") from None
    with np.errstate(over="ignore"):
        heights = (raw * cfg.scale).astype(np.float32)
    wrong = np.argwhere(~np.isfinite(heights))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise BadAsset(
            file,
            f"{len(wrong)} heights are not finite, the first at row {row}, column "
            f"{column}.",
            "Fill them in.",
        )
    return Field(heights, cfg.resolution)


def _array(cfg: FieldCfg) -> NDArray[np.float64]:
    try:
        array = np.load(cfg.file, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        problem = f"NumPy cannot read it: {error}."
        raise BadAsset(cfg.file, problem, "Save it with numpy.save.") from None
    if array.dtype.kind not in "fiu":
        raise BadAsset(
            cfg.file,
            f"an array of {array.dtype} holds no heights.",
            "Save real numbers.",
        )
    check_size(cfg.file, array.shape, cfg.max_cells)
    return np.asarray(array, np.float64)


def _picture(cfg: FieldCfg) -> NDArray[np.float64]:
    content = Path(cfg.file).read_bytes()
    check_size(cfg.file, picture_size(content, cfg.file), cfg.max_cells)
    # the top of a picture is at the highest y
    return read_picture(content, cfg.file)[::-1]
