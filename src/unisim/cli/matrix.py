"""The support matrix, as text, Markdown and plain values."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from unisim.backend import registry
from unisim.backend.manifest import Basis, Level, Manifest, Support
from unisim.errors import BadScene, CannotWrite, MissingFile
from unisim.mjcf.features import FEATURES
from unisim.nearby import nearby

BEGIN, END = "<!-- unisim support -->", "<!-- /unisim support -->"
"""Lines around the table in a file that `rewrite` fills."""


@dataclass(frozen=True)
class Column:
    """A backend in one of its solver profiles.

    Attributes:
        name: `backend` for the default profile, else `backend.profile`.
        manifest: The backend's manifest.
        claims: Support by feature with a physical effect.
    """

    name: str
    manifest: Manifest
    claims: Mapping[str, Support]


def columns(backend: str | None) -> list[Column]:
    """Each profile of one backend; for None, all backends in their default profiles.

    Raises:
        UnknownBackend: If nothing is known of it.
    """
    found: list[Column] = []
    for name in registry.known() if backend is None else (backend,):
        manifest = registry.manifest(name)
        default = manifest.default_profile
        for profile in manifest.profiles if backend else (default,):
            claims = {
                feature: manifest.support(profile, feature)
                for feature, row in FEATURES.items()
                if not row.visual
            }
            title = name if profile == default else f"{name}.{profile}"
            found.append(Column(title, manifest, claims))
    return found


def text(matrix: Sequence[Column]) -> str:
    """One row per family, for a terminal."""
    return _aligned(_families(matrix))


def markdown(matrix: Sequence[Column]) -> str:
    """One row per family, as Markdown."""
    head, *body = _families(matrix)
    rows = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def features(matrix: Sequence[Column], *, markdown: bool) -> str:
    """One row per feature: its level in every profile, its basis and what differs."""
    head = ["feature", *(column.name for column in matrix), "basis", "remark"]
    rows = [head]
    for feature in matrix[0].claims:
        claims = [column.claims[feature] for column in matrix]
        remarks = dict.fromkeys(claim.how or claim.note for claim in claims)
        levels = [str(claim.level) for claim in claims]
        bases = ", ".join(dict.fromkeys(str(claim.basis) for claim in claims))
        rows.append([feature, *levels, bases, "; ".join(filter(None, remarks))])
    if not markdown:
        return _aligned(rows)
    rows.insert(1, ["---"] * len(head))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def plain(matrix: Sequence[Column]) -> list[dict[str, object]]:
    """Everything, for programs."""
    return [
        {
            "column": column.name,
            "backend": column.manifest.name,
            "package": column.manifest.package,
            "version": column.manifest.version,
            "features": {
                feature: {k: v for k, v in asdict(claim).items() if k != "ids"}
                for feature, claim in column.claims.items()
            },
        }
        for column in matrix
    ]


def rewrite(file: Path, table: str) -> None:
    """Put a table between the two marks of a file, all at once.

    Raises:
        MissingFile: If the file is not there or cannot be read.
        BadScene: If it does not have both marks, once each and in order.
        CannotWrite: If it cannot be written, or is a device or a pipe.
    """
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise CannotWrite(file, "it is no ordinary file")
    try:
        content = file.read_text(encoding="utf-8")
    except OSError as error:
        problem = f"it cannot be read: {error.strerror}."
        remedy = "" if file.exists() else nearby(file)
        raise MissingFile(file, problem, remedy) from None
    except UnicodeDecodeError as error:
        raise MissingFile(file, f"it is not UTF-8: {error.reason}.") from None
    head, begin, rest = content.partition(f"{BEGIN}\n")
    _, end, tail = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in tail:
        remedy = f"Add the two lines {BEGIN} and {END}, where the table belongs."
        raise BadScene(file, "there is no place for the table.", remedy)
    _replace(file, f"{head}{BEGIN}\n{table}\n{END}{tail}")


def _replace(file: Path, content: str) -> None:
    try:
        mode = file.stat().st_mode
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=file.parent, delete=False
        ) as copy:
            copy.write(content)
        os.chmod(copy.name, mode)
        os.replace(copy.name, file)
    except OSError as error:
        raise CannotWrite(file, error.strerror or str(error)) from None


def _families(matrix: Sequence[Column]) -> list[list[str]]:
    first = matrix[0].claims
    sizes = Counter(name.split(".")[0] for name in first)
    rows = [["feature", "of", *(column.name for column in matrix)]]
    rows += [
        [family, str(size), *(_cell(column, family) for column in matrix)]
        for family, size in sizes.items()
    ]
    measured = [_resting_on(column, Basis.MEASURED) for column in matrix]
    unknown = [_resting_on(column, Basis.NOTHING) for column in matrix]
    adapters = [_adapter(column) for column in matrix]
    versions = [", ".join(column.manifest.measured) for column in matrix]
    return [
        *rows,
        ["measured", str(len(first)), *measured],
        ["rests on nothing", str(len(first)), *unknown],
        ["adapter", "", *adapters],
        ["version", "", *versions],
    ]


def _cell(column: Column, family: str) -> str:
    """How many features of a family are exact, and how many approximate."""
    counts = Counter(
        claim.level
        for feature, claim in column.claims.items()
        if feature.split(".")[0] == family
    )
    exact, close = counts[Level.EXACT], counts[Level.APPROXIMATE]
    if exact == counts.total():
        return "all"
    words = [str(exact)] if exact else []
    return " ".join([*words, f"≈{close}"] if close else words) or "–"


def _resting_on(column: Column, basis: Basis) -> str:
    """How many claims have a basis, whatever they say."""
    bases = [claim.basis for claim in column.claims.values()]
    return str(bases.count(basis))


def _adapter(column: Column) -> str:
    return "yes" if column.manifest.name in registry.names() else "–"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )
