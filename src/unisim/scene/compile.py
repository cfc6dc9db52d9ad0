"""MuJoCo's compiler, with errors that point at the line a person wrote."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import mujoco

from unisim.errors import BadAsset, BadScene, CompileFailed
from unisim.scene.scene import Sources
from unisim.scene.source import Element, Location

_LINE = re.compile(r"line (\d+)")
_NAME = re.compile(r"(?:Element name|repeated name|keyframe) '([^']+)'")
_QUOTED = re.compile(r"'([^']+)'")
_WORD = re.compile(r"\w+")
_DIGEST = re.compile(r"[\w-]*[0-9a-f]{32}\.\w+")
_READS: Mapping[str, str] = {
    "mesh": "MuJoCo reads binary .stl, .obj and .msh meshes: convert it to one.",
    "flexcomp": "MuJoCo reads binary .stl, .obj and .msh meshes: convert it to one.",
    "texture": "MuJoCo reads .png and .ktx textures: convert it to one.",
    "hfield": "MuJoCo reads .png and its own .bin height fields: convert it to one.",
    "skin": "MuJoCo reads .skn skins: convert it.",
}


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
        BadAsset: If it cannot read a file that the text names.
    """
    content = dict(assets)
    try:
        return mujoco.MjSpec.from_string(xml, include=content, assets=content)
    except (ValueError, mujoco.FatalError) as error:
        raise _failed(str(error), opened, file, None) from None


def compile_spec(
    spec: mujoco.MjSpec,
    opened: list[Element] | None,
    file: Path,
    sources: Sources | None = None,
) -> mujoco.MjModel:
    """Compile a spec.

    Args:
        spec: The spec.
        opened: Element that each line of its text opens, None for unknown.
        file: Blamed when nothing better is known.
        sources: Finds what is wrong by its name, where lines are of several texts.

    Raises:
        CompileFailed: If MuJoCo refuses it.
        BadAsset: If it cannot read a file that the spec names.
    """
    try:
        return spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        raise _failed(str(error), opened, file, sources) from None


def compile_text(
    xml: str, assets: Mapping[str, bytes], opened: list[Element] | None, file: Path
) -> mujoco.MjModel:
    """Parse and compile a text; see `parse_spec`."""
    return compile_spec(parse_spec(xml, assets, opened, file), opened, file)


def _failed(
    error: str, opened: list[Element] | None, file: Path, sources: Sources | None
) -> BadScene:
    message = " ".join(error.split())
    element = _by_name(message, sources, opened or ())
    line = _LINE.search(message)
    if sources is None and line and 0 < int(line[1]) <= len(opened or ()):
        element = (opened or [])[int(line[1]) - 1]
    if element is None:
        return CompileFailed(file, f"MuJoCo refuses the scene: {message}")
    message = _LINE.sub(f"line {element.at.line}", message)
    if element.files:
        read = next(iter(element.files.values()))
        message = _DIGEST.sub(lambda _: str(read), message)
        where = element.location(next(iter(element.files)))
        remedy = _READS.get(element.tag, "")
        return BadAsset(where, f"MuJoCo cannot use {read}: {message}.", remedy)
    return CompileFailed(
        _attribute(message, element), f"MuJoCo refuses the scene: {message}"
    )


def _by_name(
    message: str, sources: Sources | None, opened: Iterable[Element]
) -> Element | None:
    """The element that a message names, of the kind that it speaks of if there is."""
    found = _NAME.search(message)
    if found is None:
        return None
    if sources is not None:
        known = sources.elements(found[1])
    else:
        known = [(e.tag, e) for e in opened if e.attributes.get("name") == found[1]]
    for kind, element in known:
        if kind in message:
            return element
    return known[0][1] if known else None


def _attribute(message: str, element: Element) -> Location:
    """Where the attribute is that a message speaks of, if it speaks of one."""
    message = _NAME.sub("", message)
    values = {v: k for k, v in element.attributes.items() if k != "name"}
    for quoted in _QUOTED.findall(message):
        if quoted in element.lines or quoted in values:
            return element.location(values.get(quoted, quoted))
    for word in _WORD.findall(message):
        if word in element.lines and word not in {"name", "class"}:
            return element.location(word)
    return element.at
