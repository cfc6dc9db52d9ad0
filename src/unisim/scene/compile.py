"""MuJoCo's compiler, with errors that point at the line a person wrote."""

import re
from collections.abc import Mapping
from pathlib import Path

import mujoco

from unisim.errors import CompileFailed
from unisim.scene.source import Element, Location

_LINE = re.compile(r"line (\d+)")


def parse_spec(
    xml: str, assets: Mapping[str, bytes], opened: list[Element] | None, file: Path
) -> mujoco.MjSpec:
    """Let MuJoCo parse a text whose files are all in `assets`.

    Args:
        xml: MJCF text.
        assets: File contents by the names that the text uses.
        opened: Element that each line of the text opens, None for unknown.
        file: Blamed when no line is known.

    Raises:
        CompileFailed: If MuJoCo refuses the text.
    """
    content = dict(assets)
    try:
        return mujoco.MjSpec.from_string(xml, include=content, assets=content)
    except ValueError as error:
        raise _failed(error, opened, file) from None


def compile_spec(
    spec: mujoco.MjSpec, opened: list[Element] | None, file: Path
) -> mujoco.MjModel:
    """Compile a spec.

    Raises:
        CompileFailed: If MuJoCo refuses it.
    """
    try:
        return spec.compile()
    except ValueError as error:
        raise _failed(error, opened, file) from None


def compile_text(
    xml: str, assets: Mapping[str, bytes], opened: list[Element] | None, file: Path
) -> mujoco.MjModel:
    """Parse and compile a text; see `parse_spec`."""
    return compile_spec(parse_spec(xml, assets, opened, file), opened, file)


def _failed(
    error: ValueError, opened: list[Element] | None, file: Path
) -> CompileFailed:
    message = " ".join(str(error).split())
    found = _LINE.search(message)
    where: Location | Path = file
    if found and opened is not None and 0 < int(found[1]) <= len(opened):
        where = opened[int(found[1]) - 1].at
        message = _LINE.sub(f"line {where.line}", message)
    return CompileFailed(where, f"MuJoCo refuses the scene: {message}")
