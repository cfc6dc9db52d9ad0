"""The whole table: every element, every attribute, and what it asks for."""

from collections.abc import Iterator, Mapping
from functools import cache

from unisim.mjcf.features import FEATURES
from unisim.mjcf.schema import assets, drives, links, settings, world
from unisim.mjcf.schema.common import Row

WORDS = ("composition", "notation", "visual")
"""Meanings that are no feature."""

_NAMED = "name class"
_TARGETS = (
    "name class body cranksite joint jointinparent lengthrange refsite site slidersite "
    "tendon tausmooth"
)
_FILES = "file fileback filedown filefront fileleft fileright fileup"
DEFAULTS: Mapping[str, tuple[str, str]] = {
    "mesh": (
        "asset/mesh",
        f"{_NAMED} builtin content_type face file material normal params refpos "
        "refquat smoothnormal texcoord vertex",
    ),
    "texture": ("asset/texture", f"{_NAMED} content_type {_FILES}"),
    "material": ("asset/material", _NAMED),
    "material/layer": ("asset/material/layer", ""),
    "joint": ("body/joint", _NAMED),
    "geom": ("body/geom", _NAMED),
    "site": ("body/site", _NAMED),
    "camera": ("body/camera", f"{_NAMED} target"),
    "light": ("body/light", f"{_NAMED} target texture"),
    "pair": ("contact/pair", f"{_NAMED} geom1 geom2"),
    "equality": ("equality/connect", f"{_NAMED} anchor body1 body2 site1 site2"),
    "tendon": ("tendon/spatial", _NAMED),
    **{
        path.removeprefix("actuator/"): (path, _TARGETS)
        for path in drives.ACTUATORS
        if path.count("/") == 1 and path != "actuator/plugin"
    },
}
"""By element below `<default>`: the element that it speaks for, and the attributes that
it cannot state."""


@cache
def attributes() -> Mapping[str, Mapping[str, str]]:
    """By element, and by attribute: the meaning as it is written in the rows."""
    found: dict[str, dict[str, str]] = {}
    for part in (settings, world, assets, links):
        found |= _spread(part.ROWS)
    found |= _spread(drives.ACTUATORS) | _spread(drives.SENSORS)
    for tag, (path, without) in DEFAULTS.items():
        left = set(without.split())
        found[f"default/{tag}"] = {
            name: meaning for name, meaning in found[path].items() if name not in left
        }
    return found


def meaning(element: str, attribute: str) -> tuple[str, ...]:
    """What an attribute asks for: feature ids, or one of `WORDS`.

    Args:
        element: Path of the element, e.g. `body/geom`.
        attribute: One of its attributes; a pair outside the table is a KeyError.
    """
    return tuple(_meaning(attributes()[element][attribute]))


def _meaning(text: str) -> Iterator[str]:
    for word in text.split():
        if word.endswith("*"):
            stem = word[:-1]
            yield from (
                id for id in FEATURES if id == stem or id.startswith(f"{stem}.")
            )
        else:
            yield word


def _spread(rows: Mapping[str, Row]) -> dict[str, dict[str, str]]:
    """One row per element, one meaning per attribute."""
    found: dict[str, dict[str, str]] = {}
    for paths, row in rows.items():
        for path in paths.split():
            tag = path.rpartition("/")[2]
            found[path] = {
                name: text.replace("{tag}", tag).replace("{attribute}", name)
                for names, text in row.items()
                for name in names.split()
            }
    return found
