"""Which features a scene really uses, and where it says so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import mujoco
import numpy as np

from unisim.errors import UnsupportedFeature
from unisim.mjcf.enums import ENUMS, Enum, members
from unisim.mjcf.feature import COUNTS, FIRST, PREFIXES, Feature, values
from unisim.mjcf.features import FEATURES
from unisim.mjcf.places import shown
from unisim.mjcf.said import said, said_option
from unisim.mjcf.schema.walk import strangers
from unisim.mjcf.switches import is_voided, voided
from unisim.scene.scene import Scene
from unisim.scene.source import Location

_OBJECTS: Mapping[str, mujoco.mjtObj] = {
    "body": mujoco.mjtObj.mjOBJ_BODY,
    "joint": mujoco.mjtObj.mjOBJ_JOINT,
    "geom": mujoco.mjtObj.mjOBJ_GEOM,
    "pair": mujoco.mjtObj.mjOBJ_PAIR,
    "exclude": mujoco.mjtObj.mjOBJ_EXCLUDE,
    "equality": mujoco.mjtObj.mjOBJ_EQUALITY,
    "tendon": mujoco.mjtObj.mjOBJ_TENDON,
    "actuator": mujoco.mjtObj.mjOBJ_ACTUATOR,
    "sensor": mujoco.mjtObj.mjOBJ_SENSOR,
    "key": mujoco.mjtObj.mjOBJ_KEY,
    "flex": mujoco.mjtObj.mjOBJ_FLEX,
    "skin": mujoco.mjtObj.mjOBJ_SKIN,
    "camera": mujoco.mjtObj.mjOBJ_CAMERA,
    "light": mujoco.mjtObj.mjOBJ_LIGHT,
    "material": mujoco.mjtObj.mjOBJ_MATERIAL,
    "texture": mujoco.mjtObj.mjOBJ_TEXTURE,
    "numeric": mujoco.mjtObj.mjOBJ_NUMERIC,
    "text": mujoco.mjtObj.mjOBJ_TEXT,
    "tuple": mujoco.mjtObj.mjOBJ_TUPLE,
}
_BODY_OF = {"joint": "jnt_bodyid", "geom": "geom_bodyid"}
"""By kind: the array of the model with the bodies that they belong to."""
_OF_FLEX = {value for name, value in members("mjtEq").items() if "FLEX" in name}
"""The equalities of a flex, which a flexcomp makes."""
_SINGLE = ("option", "size")
_SHOWN = 6
"""Numbers shown of a value."""
_FOUND: "WeakKeyDictionary[Scene, tuple[Use, ...]]" = WeakKeyDictionary()
"""What was found already, since all backends are asked about the same scene."""


@dataclass(frozen=True)
class Use:
    """One element of a scene that asks for a feature.

    Attributes:
        feature: Id of the feature.
        kind: Kind of the element.
        name: Its name, or for options the option's; what a flexcomp made has none and
            is `#` and its index.
        value: What it asks for, as short text; "" when there is nothing to say.
        at: Where the file says so.
        class_at: Where the default class says so, None when the element itself does.
        notation: What is written there, where the value is what MuJoCo makes of it.
    """

    feature: str
    kind: str
    name: str
    value: str
    at: Location
    class_at: Location | None = None
    notation: str = ""

    @property
    def shown(self) -> str:
        """Kind, name and value of the element, as messages have it."""
        value = f" = {self.value}" if self.value else ""
        by = f" by notation {self.notation}" if self.notation else ""
        return f"{self.kind} {self.name!r}{value}{by}"

    def __str__(self) -> str:
        """Name the element, its value and its lines."""
        by = f", by the default at {self.class_at}" if self.class_at else ""
        return f"{self.feature}: {self.shown} ({self.at}{by})"


def detect(scene: Scene) -> tuple[Use, ...]:
    """Every feature that a scene uses, by element, in the vocabulary's order.

    Values are effective ones, defaults resolved. A value without effect is not a use;
    an attribute that the file states is one even at its default, where an engine could
    do otherwise.

    Raises:
        UnsupportedFeature: If the files state, or the model holds, what the vocabulary
            does not know, listing everything.
    """
    if scene not in _FOUND:
        _FOUND[scene] = tuple(_all_uses(scene))
    return _FOUND[scene]


def _all_uses(scene: Scene) -> Iterator[Use]:
    unknown = [*_strange_words(scene), *_strange_members(scene)]
    if unknown:
        lines, names = zip(*unknown, strict=True)
        raise UnsupportedFeature("unisim", lines, names)
    counts = {kind: int(getattr(scene.model, size)) for kind, size in COUNTS.items()}
    void = voided(scene.model)
    for row in FEATURES.values():
        if counts.get(row.kind, 1) and not is_voided(row, void):
            yield from _uses(scene, row)


def _uses(scene: Scene, feature: Feature) -> Iterator[Use]:
    model = scene.model
    mask = feature.find(model)
    rows = np.flatnonzero(mask).tolist()
    if feature.stated is not None:
        silent = np.flatnonzero(feature.stated(model))
        rows = sorted(
            {*rows, *(i for i in silent.tolist() if _states(scene, feature, i))}
        )
    for row in rows:
        yield _use(scene, feature, row)


def _states(scene: Scene, feature: Feature, row: int) -> bool:
    """Whether the file or a default class states the attribute of an element."""
    if feature.kind in _SINGLE:
        return said_option(feature, scene.sources.root) is not None
    element = scene.sources.element(feature.kind, _name(scene, feature.kind, row))
    return element is not None and said(feature, element, scene.sources) is not None


def _use(scene: Scene, feature: Feature, row: int) -> Use:
    sources = scene.sources
    if feature.kind in _SINGLE:
        name, element = feature.attribute, None
        found = said_option(feature, sources.root)
    else:
        name = _name(scene, feature.kind, row)
        element = sources.element(feature.kind, name)
        found = said(feature, element, sources) if element else None
    value = _value(scene.model, feature, row) or (found.text if found else "")
    name = name or f"#{row}"
    if found is None:
        at = element.at if element else _maker(scene, feature.kind, row)
        return Use(feature.id, feature.kind, name, value, at)
    return Use(
        *(feature.id, feature.kind, name, value, found.at),
        class_at=found.class_at,
        notation=found.notation,
    )


def _maker(scene: Scene, kind: str, row: int) -> Location:
    """Where what has no element of its own comes from: its flexcomp, or the file."""
    model, body = scene.model, ""
    if kind in _BODY_OF:
        body = _name(scene, "body", int(getattr(model, _BODY_OF[kind])[row]))
    elif kind == "body":
        body = _name(scene, "body", row)
    flexes = [_name(scene, "flex", i) for i in range(model.nflex)]
    if kind == "equality" and int(model.eq_type[row]) in _OF_FLEX:
        flexes, body = [flexes[int(model.eq_obj1id[row])]], ""
    for flex in flexes:
        element = scene.sources.element("flex", flex)
        if element and (kind == "equality" or body.startswith(f"{flex}_")):
            return element.at
    return scene.sources.root.at


def _value(model: mujoco.MjModel, feature: Feature, row: int) -> str:
    """The compiled numbers of an element, "" where the model has none that say it."""
    if feature.field:
        numbers, most = values(model, feature.field)[row], _SHOWN
    else:
        field, most = shown(feature)
        if not field:
            return ""
        first = FIRST.get(field)
        index = row if first is None else int(getattr(model, first)[row])
        numbers = np.atleast_1d(getattr(model, field)[index])[:most]
    text = " ".join(f"{number:.6g}" for number in numbers[:most].tolist())
    return text + (" ..." if len(numbers) > most else "")


def _name(scene: Scene, kind: str, row: int) -> str:
    return mujoco.mj_id2name(scene.model, _OBJECTS[kind], row) or ""


def _strange_words(scene: Scene) -> Iterator[tuple[str, str]]:
    """What the files state beyond the vocabulary: a sentence, and its name."""
    for root in dict.fromkeys(scene.sources.roots):
        for path, element, attribute in strangers(root):
            what = f"<{element.tag}>"
            if attribute:
                what = f"{attribute}={element.attributes[attribute]!r} of {what}"
            where = element.location(attribute)
            name = f"{path}.{attribute}" if attribute else path
            yield f"{what} ({where}) is nothing that this unisim knows", name


def _strange_members(scene: Scene) -> Iterator[tuple[str, str]]:
    """What the model holds beyond the vocabulary: a sentence, and its name."""
    for enum, row in ENUMS.items():
        present = members(enum)
        known = {present[name] for name in row.ids if name in present}
        held = {int(value) for value in np.unique(values(scene.model, row.field))}
        if row.bits:
            held = {1 << bit for value in held for bit in range(31) if value >> bit & 1}
        for value in sorted(held - known):
            named = (name for name, number in present.items() if number == value)
            name = next(named, f"{enum} {value}")
            holder = _holder(scene, row, value)
            yield f"{holder} uses {name}, which this unisim does not know", name


def _holder(scene: Scene, row: Enum, value: int) -> str:
    """The first element that holds a value, as messages name it."""
    kind = PREFIXES.get(row.field.split("_")[0])
    if kind is None:
        return f"the scene ({scene.sources.root.at})"
    index = int(np.flatnonzero(values(scene.model, row.field)[:, 0] == value)[0])
    return scene.sources.line(kind, _name(scene, kind, index))
