"""Fail where a source file, a class or an adapter has grown past its limit."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "unisim"
FILE, CLASS, ADAPTER = 400, 300, 1200
TRANSLATED = 3300
"""Lines of an adapter that puts every element into the engine's own builder, or mends
and reads back by name what the engine's importer makes of it."""
TRANSLATIONS = ("drake", "motrix")


def oversized() -> Iterator[str]:
    """Yield one line for each thing that is too large."""
    lines = {path: path.read_text().splitlines() for path in SOURCE.rglob("*.py")}
    for path, text in sorted(lines.items()):
        if len(text) > FILE:
            yield f"{path}: {len(text)} lines, over {FILE}"
        for node in ast.walk(ast.parse("\n".join(text))):
            if isinstance(node, ast.ClassDef) and class_lines(node) > CLASS:
                yield f"{path}: {node.name}, {class_lines(node)} lines, over {CLASS}"
    for manifest in sorted(SOURCE.glob("backend/*/manifest.toml")):
        folder = manifest.parent
        total = sum(len(text) for path, text in lines.items() if folder in path.parents)
        limit = TRANSLATED if folder.name in TRANSLATIONS else ADAPTER
        if total > limit:
            yield f"{folder}: {total} lines of Python, over {limit}"


def class_lines(node: ast.ClassDef) -> int:
    """Lines from the `class` statement to the end of its body."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


if __name__ == "__main__":
    found = list(oversized())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
