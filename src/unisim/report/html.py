"""Pieces of a page of HTML that needs nothing else."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from unisim.report.style import STYLE


def document(title: str, parts: Iterable[str]) -> str:
    """A whole page of some parts, empty ones left out."""
    title = escape(title)
    return (
        "<!doctype html>\n"
        f'<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, parts))
        + "\n</main>\n</body>\n</html>\n"
    )


def cards(items: Iterable[tuple[str, str]]) -> str:
    """Numbers with what they count, side by side."""
    inside = "".join(
        f"<li><b>{escape(value)}</b><span>{escape(text)}</span></li>"
        for value, text in items
    )
    return f'<ul class="cards">{inside}</ul>'


def section(title: str, body: str, kind: str = "") -> str:
    """A titled box; `body` is HTML, `kind` a class of the style."""
    mark = f' class="{kind}"' if kind else ""
    return f"<section{mark}><h2>{escape(title)}</h2>{body}</section>"


def note(text: str) -> str:
    """A box with one remark."""
    return f'<section class="note"><p>{escape(text)}</p></section>'


def figure(title: str, svg: str | None, caption: str) -> str:
    """A titled drawing and what it shows; nothing when there is none."""
    if svg is None:
        return ""
    about = f"<figcaption>{escape(caption)}</figcaption>"
    return section(title, f"<figure>{svg}{about}</figure>")


def fold(title: str, head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table that opens when its title is clicked."""
    return f"<details><summary>{escape(title)}</summary>{table(head, body)}</details>"


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table; no head is drawn when `head` is empty."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in body
    )
    start = f"<thead><tr>{top}</tr></thead>" if head else ""
    return f'<div class="wide"><table>{start}<tbody>{lines}</tbody></table></div>'


def embed(content: bytes, kind: str, text: str) -> str:
    """A picture, and what it shows for those who do not see it."""
    data = b64encode(content).decode("ascii")
    return f'<img src="data:image/{kind};base64,{data}" alt="{escape(text)}">'
