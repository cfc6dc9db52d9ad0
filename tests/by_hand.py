"""Scenes made by hand from MJCF text, without the composer."""

from collections.abc import Iterator
from pathlib import Path

import mujoco

from unisim.scene.scene import KINDS, SECTIONS, Scene, Sources
from unisim.scene.source import Element, parse

FILE = Path("scene.xml")


def by_hand(xml: str) -> Scene:
    """Compile MJCF whose elements have names; default classes are not nested."""
    root = parse(xml, FILE)
    named = {
        (kind, item.attributes.get("name", "")): item for kind, item in _named(root)
    }
    classes = {
        group.attributes.get("class", "main"): group.children
        for section in root.sections("default")
        for group in (section, *section.sections("default"))
    }
    defaults = {
        id(item): tuple(
            source
            for name in (item.attributes.get("class", "main"), "main")
            for source in classes.get(name, ())
            if source.tag == item.tag
        )
        for item in named.values()
    }
    model = mujoco.MjModel.from_xml_string(xml)
    return Scene(FILE, xml, {}, model, Sources(named, defaults, root), "digest")


def _named(root: Element) -> Iterator[tuple[str, Element]]:
    for section in root.children:
        if section.tag in SECTIONS:
            yield from ((SECTIONS[section.tag], child) for child in section.children)
        elif section.tag != "default":
            for child in section.walk():
                if child.tag in KINDS:
                    yield KINDS[child.tag], child
