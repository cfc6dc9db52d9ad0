"""A tolerant XML reader that keeps the file and line of elements and attributes.

MuJoCo parses the scene; this tree is only the join between its names and the files a
person wrote, and the place where sources are merged before MuJoCo sees them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from xml.sax.saxutils import quoteattr

from unisim.errors import BrokenXml, MissingFile

_MARKUP = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<![^>]*>"
    r"|</\s*(?P<close>[^\s>]+)\s*>"
    r"|<(?P<open>[^\s/>=]+)(?P<rest>(?:\"[^\"]*\"|'[^']*'|[^'\">])*?)(?P<empty>/?)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.DOTALL)


@dataclass(frozen=True, order=True)
class Location:
    """A line of a file."""

    file: Path
    line: int

    def __str__(self) -> str:
        """Write it as editors and compilers do: file:line."""
        return f"{self.file}:{self.line}"


@dataclass(eq=False)
class Element:
    """An XML element: mutable while a scene is composed, never afterwards.

    Attributes:
        tag: The element's name.
        attributes: Attribute values as written, entities resolved, in file order.
        at: Where the element starts.
        children: Child elements; text between them is dropped, as in MuJoCo.
        lines: Where each attribute starts.
        origin: The source this element came from: "" is the scene's own file, other
            sources are named by the composer.
    """

    tag: str
    attributes: dict[str, str]
    at: Location
    children: list["Element"] = field(default_factory=list["Element"])
    lines: dict[str, Location] = field(default_factory=dict[str, Location])
    origin: str = ""

    def walk(self) -> Iterator["Element"]:
        """This element and everything below it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def sections(self, tag: str) -> list["Element"]:
        """The direct children of this tag; MJCF sections may repeat."""
        return [child for child in self.children if child.tag == tag]

    def location(self, attribute: str | None = None) -> Location:
        """Where an attribute is written, or the element when it is not."""
        return self.lines.get(attribute or "", self.at)


def read(file: Path) -> Element:
    """Parse an XML file.

    Raises:
        MissingFile: If it is not there, is a folder, or is not text.
        BrokenXml: If its tags do not match.
    """
    if file.is_dir():
        raise MissingFile(file, "this is a folder, not an MJCF file.")
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        raise MissingFile(file, "there is no such file.") from None
    except OSError as error:
        raise MissingFile(file, f"the file cannot be read: {error.strerror}.") from None
    return parse(text, file)


def parse(text: str, file: Path) -> Element:
    """Parse XML text; `file` is only written into locations.

    Raises:
        BrokenXml: If there is no element, or tags do not match.
    """
    roots: list[Element] = []
    path: list[Element] = []
    end, line = 0, 1
    for match in _MARKUP.finditer(text):
        gap = text[end : match.start()]
        line += gap.count("\n")
        if "<" in gap:
            raise BrokenXml(Location(file, line), "a tag is not closed.")
        end = match.end()
        if match["close"]:
            _close(path, match["close"], Location(file, line))
        elif match["open"]:
            element = _element(match, file, line)
            (path[-1].children if path else roots).append(element)
            if not match["empty"]:
                path.append(element)
        line += match.group().count("\n")
    if "<" in text[end:]:
        line += text[end : text.index("<", end)].count("\n")
        raise BrokenXml(Location(file, line), "a tag is not closed.")
    if path:
        raise BrokenXml(path[-1].at, f"<{path[-1].tag}> is never closed.")
    if not roots:
        raise BrokenXml(Location(file, 1), "there is no XML element in this file.")
    return roots[0]


def write(root: Element) -> tuple[str, list[Element]]:
    """Serialise a tree, one element per line.

    Returns:
        The text, and for each of its lines the element that the line opens or closes.
    """
    lines: list[str] = []
    opened: list[Element] = []

    def put(element: Element, depth: int) -> None:
        pad = "  " * depth
        attributes = "".join(
            f" {name}={quoteattr(value)}" for name, value in element.attributes.items()
        )
        lines.append(f"{pad}<{element.tag}{attributes}{'' if element.children else '/'}>")
        opened.append(element)
        for child in element.children:
            put(child, depth + 1)
        if element.children:
            lines.append(f"{pad}</{element.tag}>")
            opened.append(element)

    put(root, 0)
    return "\n".join(lines) + "\n", opened


def _close(path: list[Element], tag: str, at: Location) -> None:
    if not path:
        raise BrokenXml(at, f"</{tag}> closes an element that was never opened.")
    if path[-1].tag != tag:
        raise BrokenXml(
            at, f"</{tag}> does not close <{path[-1].tag}> opened at {path[-1].at}."
        )
    path.pop()


def _element(match: re.Match[str], file: Path, line: int) -> Element:
    element = Element(match["open"], {}, Location(file, line))
    rest = match["rest"]
    for item in _ATTRIBUTE.finditer(rest):
        value = item[2] if item[2] is not None else item[3]
        element.attributes[item[1]] = unescape(value)
        row = line + rest[: item.start()].count("\n")
        element.lines[item[1]] = Location(file, row)
    return element
