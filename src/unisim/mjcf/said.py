"""Where the files say a feature: an attribute of an element, or of its class."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from unisim.mjcf.feature import Feature
from unisim.mjcf.features import FEATURES
from unisim.mjcf.places import places
from unisim.mjcf.schema.table import attributes
from unisim.scene.scene import Sources
from unisim.scene.source import Element, Location

_HOLDERS = frozenset({"spatial", "fixed", "flexcomp", "flex"})
"""Elements of which a child says something."""
_NUMBERS = frozenset("123456789")


@dataclass(frozen=True)
class Said:
    """What says a feature.

    Attributes:
        source: The element that states it: one of the scene, a child, or of a class.
        attribute: The attribute, "" when the element itself says it.
        at: Its line, or that of the scene's element when a class states it.
        class_at: Its line in the class, None when the element itself states it.
    """

    source: Element
    attribute: str
    at: Location
    class_at: Location | None = None

    @property
    def text(self) -> str:
        """What is written."""
        return self.source.attributes.get(self.attribute, "")

    @property
    def notation(self) -> str:
        """`attribute="text"` where the value is not the one that is written, or ""."""
        is_notation = (self.source.tag, self.attribute) in _notation()
        return f'{self.attribute}="{self.text}"' if is_notation else ""


def said(feature: Feature, element: Element, sources: Sources) -> Said | None:
    """The attribute that says a feature of an element, None when no attribute does."""
    for tag, child, attribute in _candidates(feature.id):
        if tag not in {"*", element.tag}:
            continue
        holders = element.sections(child) if child else [element]
        for holder in holders:
            if _states(holder, attribute):
                return Said(holder, attribute, holder.location(attribute))
        source = None if child else sources.default(element, attribute)
        if source is not None and _states(source, attribute):
            place = source.location(attribute)
            return Said(source, attribute, element.at, place)
    return None


def said_option(feature: Feature, root: Element) -> Said | None:
    """The last statement of an option or a flag, None for none."""
    found = None
    for section in root.sections(feature.kind):
        for tag, _, attribute in _candidates(feature.id):
            for element in section.sections("flag") if tag == "flag" else [section]:
                if attribute in element.attributes:
                    found = Said(element, attribute, element.location(attribute))
    return found


def _states(element: Element, attribute: str) -> bool:
    """Whether an element states an attribute; notation that says 0 says nothing."""
    text = element.attributes.get(attribute)
    if text is None:
        return False
    if (element.tag, attribute) not in _notation():
        return True
    return text == "true" or not _NUMBERS.isdisjoint(text)


@cache
def _candidates(name: str) -> tuple[tuple[str, str, str], ...]:
    """Tag of the element, tag of its child or "", and the attribute, in order."""
    return tuple(dict.fromkeys(_listed(FEATURES[name])))


def _listed(feature: Feature) -> Iterator[tuple[str, str, str]]:
    for path, attribute in places(feature):
        outer, _, inner = path.rpartition("/")
        nested = outer in _HOLDERS
        if attribute:
            yield (outer, inner, attribute) if nested else (inner, "", attribute)
    if feature.attribute and feature.kind not in {"option", "size"}:
        yield "*", "", feature.attribute


@cache
def _notation() -> frozenset[tuple[str, str]]:
    """Tags and attributes that say in their own way what others say."""
    return frozenset(
        (path.rpartition("/")[2], name)
        for path, meanings in attributes().items()
        for name, meaning in meanings.items()
        if meaning == "notation"
    )
