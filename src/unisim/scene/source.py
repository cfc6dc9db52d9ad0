"""A tolerant XML reader that keeps the file and line of elements and attributes.

MuJoCo parses the scene; this tree is only the join between its names and the files a
person wrote, and the place where sources are merged before MuJoCo sees them.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from unisim.errors import BrokenXml, MissingFile
from unisim.nearby import nearby

_MARKUP = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!(?!--|\[CDATA\[)[^>]*>"
    r"|<\s*/\s*(?P<close>[^\s<>]+)\s*>"
    r"|<\s*(?P<open>[^\s/<>=!?\"']+)"
    r"(?P<rest>(?:[^'\">/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)(?P<empty>/?)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"\s*([^\s=\"'<>/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ENTITY = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));")
_SURROGATES = range(0xD800, 0xE000)
_DEEPEST = 500
"""MuJoCo's XML parser nests no deeper."""
_ESCAPES = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


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
        files: The file that an attribute named before it was read into memory.
        origin: The source this element came from: "" is the scene's own file, other
            sources are named by the composer.
    """

    tag: str
    attributes: dict[str, str]
    at: Location
    children: list["Element"] = field(default_factory=list["Element"])
    lines: dict[str, Location] = field(default_factory=dict[str, Location])
    files: dict[str, Path] = field(default_factory=dict[str, Path])
    origin: str = ""

    def walk(self) -> Iterator["Element"]:
        """This element and everything below it, in document order."""
        waiting: list[Element] = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    def sections(self, tag: str) -> list["Element"]:
        """The direct children of this tag; MJCF sections may repeat."""
        return [child for child in self.children if child.tag == tag]

    def location(self, attribute: str | None = None) -> Location:
        """Where an attribute is written, or the element when it is not."""
        return self.lines.get(attribute or "", self.at)


def read(file: Path) -> Element:
    """Parse an XML file.

    Raises:
        MissingFile: If it is not there, is a folder, or cannot be read.
        BrokenXml: If MuJoCo could not read it either, or it is not UTF-8.
    """
    if file.is_dir():
        raise MissingFile(file, "this is a folder, not an MJCF file.")
    try:
        text = file.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except FileNotFoundError:
        raise MissingFile(file, "there is no such file.", nearby(file)) from None
    except OSError as error:
        raise MissingFile(file, f"the file cannot be read: {error.strerror}.") from None
    return parse(text, file)


def parse(text: str, file: Path) -> Element:
    """Parse XML text; `file` is only written into locations.

    Raises:
        BrokenXml: If there is no element, tags do not match, or an attribute has no
            value or two.
    """
    roots: list[Element] = []
    path: list[Element] = []
    end, line = 0, 1
    for match in _MARKUP.finditer(text):
        line = _skip(text[end : match.start()], file, line)
        end = match.end()
        if match["close"]:
            if path or not roots:
                _close(path, match["close"], Location(file, line))
        elif match["open"]:
            element = _element(match, file, line)
            (path[-1].children if path else roots).append(element)
            if not match["empty"]:
                path.append(element)
            if len(path) > _DEEPEST:
                raise BrokenXml(element.at, f"this is nested deeper than {_DEEPEST}.")
        line += match.group().count("\n")
    _skip(text[end:], file, line)
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
            f" {name}={_quoted(value)}" for name, value in element.attributes.items()
        )
        end = ">" if element.children else "/>"
        lines.append(f"{pad}<{element.tag}{attributes}{end}")
        opened.append(element)
        for child in element.children:
            put(child, depth + 1)
        if element.children:
            lines.append(f"{pad}</{element.tag}>")
            opened.append(element)

    put(root, 0)
    return "\n".join(lines) + "\n", opened


def _quoted(value: str) -> str:
    """A value in double quotes: not every parser of engines knows others."""
    return f'"{escape(value, _ESCAPES)}"'


def _skip(gap: str, file: Path, line: int) -> int:
    """Pass over text between tags; return the line after it."""
    start = gap.find("<")
    if start >= 0:
        at = Location(file, line + gap[:start].count("\n"))
        what = "comment" if gap.startswith("<!--", start) else "tag or a quote"
        raise BrokenXml(at, f"a {what} is not closed.")
    return line + gap.count("\n")


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
    rest, end = match["rest"], 0
    while item := _ATTRIBUTE.match(rest, end):
        name, value = item[1], item[2] if item[2] is not None else item[3]
        at = Location(file, line + rest[: item.start(1)].count("\n"))
        if name in element.attributes:
            raise BrokenXml(at, f"<{element.tag}> states {name} twice.")
        if not (name + value).isascii():
            _check_text(name + value, at)
        element.attributes[name] = _ENTITY.sub(_character, value)
        element.lines[name] = at
        end = item.end()
    left = rest[end:].split()
    if left:
        row = line + (rest[:end] + rest[end:].partition(left[0])[0]).count("\n")
        raise BrokenXml(
            Location(file, row),
            f"<{element.tag}> has {left[0]!r} where an attribute should be.",
            'Write attributes as name="value".',
        )
    return element


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return _ENTITIES[match[3]]
    number = int(match[1], 16) if match[1] else int(match[2])
    known = 0 < number <= sys.maxunicode and number not in _SURROGATES
    return chr(number) if known else match[0]


def _check_text(text: str, at: Location) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise BrokenXml(at, "this is not UTF-8.", "Save the file as UTF-8.") from None
