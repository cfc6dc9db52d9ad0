"""Takes a feature out of a robot's file, at the line that its use names."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from unisim.mjcf.detect import Use
from unisim.mjcf.feature import Feature
from unisim.mjcf.features import FEATURES
from unisim.mjcf.places import attributes

ELEMENT = "-"
MASKED = '+contype="0" conaffinity="0"'
HOW: Mapping[str, str] = {
    "actuator.trntype": ELEMENT,
    "actuator.dyntype": ELEMENT,
    "actuator.gaintype": ELEMENT,
    "actuator.biastype": ELEMENT,
    "equality": ELEMENT,
    "equality.solref": "",
    "equality.solimp": "",
    "contact.pair": ELEMENT,
    "contact.exclude": ELEMENT,
    "contact.convex": MASKED,
    "geom.type": MASKED,
    "geom.condim": MASKED,
    "tendon.limited": '+limited="false"',
    "tendon.wrap.cylinder": ELEMENT,
    "sensor": ELEMENT,
    "sensor.cutoff": "",
    "sensor.reftype": "refname|reftype",
    "key": ELEMENT,
    "key.qpos": "",
    "key.ctrl": "",
}
"""By feature or family, where it is not the attribute that is taken out: the element,
other attributes, or what is said instead."""

ELSE: Mapping[str, str] = {
    "joint.limited": '+limited="false"',
    "actuator.ctrllimited": '+ctrllimited="false"',
}
"""The same, where MuJoCo refuses the first."""

_BROKEN = "what names it or counts on its coordinates would be broken"
_PART = "it is what the element is made of"
LEFT: Mapping[str, str] = {
    "joint.type": _BROKEN,
    "joint.several": _BROKEN,
    "tendon.fixed": _BROKEN,
    "tendon.spatial": _BROKEN,
    "tendon.wrap.joint": _PART,
    "tendon.wrap.site": _PART,
    "actuator.lengthrange": "MuJoCo computes it where the file is silent",
    "flex": _PART,
    "equality.flex": _PART,
}
"""By feature or family: why it is not taken out of a robot."""
FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "geom.type": ("geom", "contact.convex"),
    "geom.condim": ("geom", "contact.convex"),
    "contact.convex": ("geom", "contact.convex"),
    "geom.mask": ("geom", "contact.convex", "visual.geom"),
    "contact.exclude": ("geom", "contact.convex"),
    "option.density": ("geom.type", "visual.geom", "option.wind"),
    "sensor.rangefinder": ("geom.type", "visual.geom"),
    "body.gravcomp": ("joint.actuatorgravcomp",),
    **dict.fromkeys(
        (f"actuator.{word}type" for word in ("trn", "dyn", "gain", "bias")),
        (
            *("actuator.trntype.joint.several", "joint.actuatorfrcrange"),
            *("key.ctrl", "key.act", "option.actuatorgroupdisable", "sensor"),
        ),
    ),
}
"""By feature or family: what may come and go with it, on other elements."""
_VALUE = r"""\s*=\s*(?:"[^"]*"|'[^']*')"""
_OPENED = re.compile(r"""<(\w+)((?:[^>"']|"[^"]*"|'[^']*')*?)(/?)>""")


def nearest(table: Mapping[str, str], feature: str) -> str | None:
    """What a table says of a feature or of its nearest family."""
    names = (feature, *FEATURES[feature].families)
    return next((table[name] for name in names if name in table), None)


def follows(feature: str, other: str) -> bool:
    """Whether a feature elsewhere may come or go with another."""
    names = (feature, *FEATURES[feature].families)
    allowed = ("option.flag", *(x for name in names for x in FOLLOWS.get(name, ())))
    return any(name in allowed for name in (other, *FEATURES[other].families))


def ways(use: Use) -> Iterator[tuple[Path, str]]:
    """A file's text without what a use names, in one way and another.

    Nothing where its line is ambiguous.
    """
    how = nearest(HOW, use.feature) or ""
    for way in (how, nearest(ELSE, use.feature)):
        found = None if way is None else _without(use, way)
        if found is not None:
            yield found


def _without(use: Use, how: str) -> tuple[Path, str] | None:
    whole = how.startswith(("-", "+"))
    place = use.at if whole else use.class_at or use.at
    text = place.file.read_text(encoding="utf-8")
    start = sum(map(len, text.splitlines(keepends=True)[: place.line - 1]))
    end = start + len(text[start:].partition("\n")[0])
    words = dict.fromkeys(_words(FEATURES[use.feature], "" if whole else how))
    patterns = [re.compile(rf"\s?\b{word}{_VALUE}") for word in words]
    found = [m for p in patterns for m in p.finditer(text, start) if m.start() < end]
    if whole:
        inside = found[0].end() if found else text.index("<", start) + 1
        return place.file, _edited(text, text.rindex("<", 0, inside), how)
    if not found or len({match[0].split("=")[0] for match in found}) < len(found):
        return None
    for match in sorted(found, key=lambda m: -m.start()):
        gap = "\n" * match[0].count("\n")
        text = text[: match.start()] + gap + text[match.end() :]
    return place.file, text


def without_controls(file: Path, actuator: str) -> str:
    """A file's text without what an actuator that is taken out leaves behind.

    Controls and activations of keys, and the sensors that name it.
    """
    text = file.read_text(encoding="utf-8")
    text = re.sub(rf'<\w+\b[^<>]*\bactuator="{re.escape(actuator)}"[^<>]*/>', "", text)
    return re.sub(
        r"<key\b[^>]*>",
        lambda key: re.sub(rf"\s(?:ctrl|act){_VALUE}", "", key[0]),
        text,
    )


def _words(feature: Feature, how: str) -> Iterator[str]:
    yield from how.split("|") if how else ()
    yield from attributes(feature)


def _edited(text: str, start: int, how: str) -> str:
    """The text without the element at a place, or with other attributes; same lines."""
    opened = _OPENED.match(text, start)
    assert opened is not None
    end = opened.end()
    if how != ELEMENT:
        said = how[1:]
        body = opened[2]
        for word in re.findall(r"(\w+)=", said):
            body = re.sub(rf"\s\b{word}{_VALUE}", "", body)
        return f"{text[:start]}<{opened[1]} {said}{body}{opened[3]}>{text[end:]}"
    if not opened[3]:
        closing = f"</{opened[1]}>"
        end = text.index(closing, end) + len(closing)
    return text[:start] + "\n" * text.count("\n", start, end) + text[end:]
