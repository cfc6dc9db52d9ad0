"""Which features a scene really uses, and where it says so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import mujoco
import numpy as np

from unisim.errors import UnsupportedFeature
from unisim.mjcf.enums import ENUMS, Enum, members
from unisim.mjcf.feature import COUNTS, PREFIXES, Feature, values
from unisim.mjcf.features import FEATURES
from unisim.mjcf.schema.walk import strangers
from unisim.mjcf.switches import is_voided, voided
from unisim.scene.scene import Scene
from unisim.scene.source import Element, Location

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
    """

    feature: str
    kind: str
    name: str
    value: str
    at: Location
    class_at: Location | None = None

    def __str__(self) -> str:
        """Name the element, its value and its lines."""
        value = f" = {self.value}" if self.value else ""
        by = f", by the default at {self.class_at}" if self.class_at else ""
        return f"{self.feature}: {self.kind} {self.name!r}{value} ({self.at}{by})"


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
        return _option(scene, feature) is not None
    element = scene.sources.element(feature.kind, _name(scene, feature.kind, row))
    if element is None:
        return False
    if feature.attribute in element.attributes:
        return True
    return scene.sources.default(element, feature.attribute) is not None


def _use(scene: Scene, feature: Feature, row: int) -> Use:
    if feature.kind in _SINGLE:
        element = _option(scene, feature)
        at = element.location(feature.attribute) if element else scene.sources.root.at
        value = _text(scene, feature, row, element)
        return Use(feature.id, feature.kind, feature.attribute, value, at)
    name = _name(scene, feature.kind, row)
    element = scene.sources.element(feature.kind, name)
    if element is None:
        value = _text(scene, feature, row, None)
        return Use(
            feature.id, feature.kind, name or f"#{row}", value, scene.sources.root.at
        )
    source = None
    if feature.attribute not in element.attributes:
        source = scene.sources.default(element, feature.attribute)
    value = _text(scene, feature, row, source or element)
    place = source.location(feature.attribute) if source else None
    at = element.location(feature.attribute)
    return Use(feature.id, feature.kind, name, value, at, place)


def _option(scene: Scene, feature: Feature) -> Element | None:
    """The last element of a section, or of its flags, that states an attribute."""
    found = None
    for section in scene.sources.root.sections(feature.kind):
        for element in (section, *section.sections("flag")):
            if feature.attribute in element.attributes:
                found = element
    return found


def _text(scene: Scene, feature: Feature, row: int, source: Element | None) -> str:
    """The effective value, or else what the file says."""
    if feature.field:
        numbers = values(scene.model, feature.field)[row]
        text = " ".join(f"{number:.6g}" for number in numbers[:_SHOWN].tolist())
        return text + (" ..." if len(numbers) > _SHOWN else "")
    return source.attributes.get(feature.attribute, "") if source else ""


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
