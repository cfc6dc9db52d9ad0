"""What changes between two backends, for one scene or task."""

import json as json_format
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from unisim.backend.gate import GateReport, Verdict
from unisim.backend.manifest import Level
from unisim.cli.asked import one
from unisim.cli.examine import examine
from unisim.cli.overview import name
from unisim.cli.plain import ORDER, place, plain_claim
from unisim.cli.terminal import paint
from unisim.cli.verdicts import COLOURS, does, listed
from unisim.errors import MissingFile

Pair = tuple[Verdict, Verdict]
"""One use, and what the first and the second backend make of it."""


def compare(
    file: Path,
    backends: tuple[str, str],
    accept: Sequence[str],
    *,
    every: bool,
    json: bool,
) -> int:
    """Print in which uses two backends differ.

    Args:
        file: Scene or task config.
        backends: Two backends, each alone or as `backend:profile`.
        accept: Features or families that are accepted besides the config's.
        every: Whether to list every element.
        json: Whether to print JSON.

    Returns:
        The exit status: 0 when they do the same with every use, else 1.

    Raises:
        MissingFile: If the file is a folder.
        UnknownBackend: If nothing is known of a backend.
    """
    if file.is_dir():
        problem = "two backends are compared on one scene or config, not on a folder."
        raise MissingFile(file, problem)
    first, second = examine(file, [one(word) for word in backends], accept).reports
    pairs = list(zip(first.verdicts, second.verdicts, strict=True))
    differing = [pair for pair in pairs if _said(pair[0]) != _said(pair[1])]
    if json:
        print(json_format.dumps(_plain(file, (first, second), differing), indent=1))
    else:
        title = f"{file}: {name(first)} and {name(second)}"
        print(paint(title, "bold"))
        print("\n".join(_text((name(first), name(second)), differing, every=every)))
        features = len(_by_feature(differing))
        print(f"{len(differing)} of {len(pairs)} uses differ, of {features} features")
    return 1 if differing else 0


def _said(item: Verdict) -> tuple[Level, str]:
    """What a use comes to: its level, and for an approximation which one."""
    return item.support.level, item.support.how


def _better(pair: Pair) -> int:
    """Above 0 where the second backend does better, below where the first does."""
    first, second = (ORDER.index(item.support.level) for item in pair)
    return second - first


def _text(
    names: tuple[str, str], differing: Sequence[Pair], *, every: bool
) -> Iterator[str]:
    one, two = names
    groups = {
        f"{two} does better": [x for x in differing if _better(x) > 0],
        f"{one} does better": [x for x in differing if _better(x) < 0],
        "approximate in both, otherwise in each": [
            x for x in differing if not _better(x)
        ],
    }
    for title, pairs in groups.items():
        if pairs:
            yield from ("", paint(title, "bold"))
        for feature, found in _by_feature(pairs).items():
            yield from _feature(feature, found, names, every=every)


def _by_feature(pairs: Sequence[Pair]) -> Mapping[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair[0].use.feature, []).append(pair)
    return found


def _feature(
    feature: str, pairs: Sequence[Pair], names: tuple[str, str], *, every: bool
) -> Iterator[str]:
    yield f"  {paint(feature, 'bold')}"
    width = max(map(len, names))
    for backend, item in zip(names, pairs[0], strict=True):
        level = paint(item.support.level, COLOURS[item.support.level])
        yield f"    {backend:{width}}  {level}  {does(item.support)}".rstrip()
    yield from listed([pair[0] for pair in pairs], every=every)


def _plain(
    file: Path, reports: tuple[GateReport, GateReport], differing: Sequence[Pair]
) -> dict[str, object]:
    keys = [{"backend": x.backend, "profile": x.profile} for x in reports]
    return {
        "scene": str(file),
        "first": keys[0],
        "second": keys[1],
        "differences": [
            {
                "feature": first.use.feature,
                "kind": first.use.kind,
                "name": first.use.name,
                "value": first.use.value,
                "at": place(first.use.at),
                "class_at": place(first.use.class_at),
                "first": plain_claim(first.support),
                "second": plain_claim(second.support),
            }
            for first, second in differing
        ],
    }
