"""The support matrix, as text, Markdown and plain values."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from unisim.backend import registry
from unisim.backend.manifest import Level, Manifest, Support
from unisim.errors import BadScene, CannotWrite, MissingFile
from unisim.mjcf.features import FEATURES

BEGIN, END = "<!-- unisim support -->", "<!-- /unisim support -->"
"""Lines around the table in a file that `rewrite` fills."""
_WORDS: Mapping[Level, str] = {
    Level.EXACT: "exact",
    Level.APPROXIMATE: "approximate",
    Level.UNSUPPORTED: "unsupported",
}


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
    """The columns of one backend, None for all.

    Raises:
        UnknownBackend: If no package registers it.
    """
    chosen = registry.names() if backend is None else (backend,)
    found: list[Column] = []
    for name in chosen:
        manifest = registry.load(name).manifest
        for profile in manifest.profiles:
            claims = {
                feature: manifest.support(profile, feature)
                for feature, row in FEATURES.items()
                if not row.visual
            }
            title = name if profile == manifest.default_profile else f"{name}.{profile}"
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
    """One row per feature: its level in every profile, and what differs."""
    head = ["feature", *(column.name for column in matrix), "remark"]
    rows = [head]
    for feature in matrix[0].claims:
        claims = [column.claims[feature] for column in matrix]
        remarks = dict.fromkeys(claim.how or claim.note for claim in claims)
        levels = [str(claim.level) for claim in claims]
        rows.append([feature, *levels, "; ".join(filter(None, remarks))])
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
        CannotWrite: If it cannot be written.
    """
    try:
        content = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MissingFile(file, f"cannot be read: {error}.") from None
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
    families = dict.fromkeys(name.split(".")[0] for name in matrix[0].claims)
    rows = [["feature", *(column.name for column in matrix)]]
    rows += [
        [family, *(_cell(column, family) for column in matrix)] for family in families
    ]
    versions = [f"{c.manifest.package} {c.manifest.version}" for c in matrix]
    return [*rows, ["claims made on", *versions]]


def _cell(column: Column, family: str) -> str:
    """How many features of a family have which level."""
    counts = Counter(
        claim.level
        for feature, claim in column.claims.items()
        if feature.split(".")[0] == family
    )
    if len(counts) == 1:
        return _WORDS[next(iter(counts))]
    return ", ".join(f"{counts[k]} {word}" for k, word in _WORDS.items() if counts[k])


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )
