"""Finds in a file what the table does not know."""

from collections.abc import Iterator

from unisim.mjcf.schema.table import attributes
from unisim.scene.source import Element

_BODIES = frozenset({"worldbody", "body", "body/frame", "body/replicate"})
"""Elements that hold what the body tree is made of."""
_SAME = ("body", "default")
"""Elements that have one path however deep they are."""


def placed(root: Element) -> Iterator[tuple[str, Element]]:
    """Every element of an MJCF tree with its path in the table, in no special order."""
    waiting = [("mujoco", root)]
    while waiting:
        path, element = waiting.pop()
        yield path, element
        stem = "body/" if path in _BODIES else f"{path}/"
        if path == "mujoco":
            stem = ""
        for child in element.children:
            same = child.tag in _SAME and (path in _BODIES or path == child.tag)
            waiting.append((child.tag if same else stem + child.tag, child))


def strangers(root: Element) -> list[tuple[str, Element, str]]:
    """What an MJCF tree states and the table lacks, in the order of the file.

    Returns:
        Path of the element, the element, and the attribute, "" for the element itself.
    """
    known = attributes()
    found: list[tuple[str, Element, str]] = []
    for path, element in placed(root):
        names = known.get(path)
        above = path.rpartition("/")[0]
        if names is None:
            # what is in an element that nobody knows is not known either
            found += [(path, element, "")] if not above or above in known else []
        elif not element.attributes.keys() <= names.keys():
            found += [
                (path, element, name)
                for name in element.attributes
                if name not in names
            ]
    return sorted(found, key=lambda item: item[1].location(item[2]))
