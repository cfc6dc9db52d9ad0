"""Differences as a plain-text table."""

from collections.abc import Sequence

from unisim.backend.audit.report import Difference

_HEAD = ("object", "field", "expected", "got", "unit", "where", "note")
_MOST = 40


def table(differences: Sequence[Difference]) -> str:
    """One line per difference, columns aligned; a long list is cut, and says so."""
    rows = [
        (
            f"{item.kind} {item.name}",
            item.field,
            item.expected,
            item.got,
            item.unit,
            item.at,
            item.note,
        )
        for item in differences[:_MOST]
    ]
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in (_HEAD, *rows)
    ]
    left = len(differences) - _MOST
    if left > 0:
        lines.append(f"... and {left} more differences")
    return "\n".join(line.rstrip() for line in lines)
