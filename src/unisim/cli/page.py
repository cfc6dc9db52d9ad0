"""A feature or a family explained: for a terminal, as Markdown, as plain values."""

import re
from collections.abc import Iterator
from dataclasses import asdict
from textwrap import fill, indent

from unisim.backend.manifest import Level, Support
from unisim.cli.facts import Claim, Facts, Group, facts, group
from unisim.cli.terminal import paint
from unisim.mjcf.features import FAMILIES, FEATURES
from unisim.mjcf.meaning import meaning

_COLOURS = {
    Level.UNSUPPORTED: "red",
    Level.APPROXIMATE: "yellow",
    Level.EXACT: "green",
    Level.VISUAL: "dim",
}
_WIDTH = 88
_MARKS = re.compile(r"([*_|<\[\]`])")
_INDEX = """Everything that unisim knows MJCF can ask for, as `unisim explain` tells it:
what it is, what MuJoCo means by it, and what each backend makes of it."""
_ORPHAN = "---\norphan: true\n---\n"
"""The index links to every page; a tree of them all would stand beside each."""
_STATED = "Stating it counts, even at MuJoCo's default: an engine could do otherwise."


def text(item: Facts) -> str:
    """A feature, for people at a terminal."""
    lines = [f"{paint(item.id, 'bold')}: {item.doc}", "", _paragraph(item.meaning)]
    lines += [_paragraph(_STATED)] if item.stated else []
    lines += ["", *_facts(item)]
    if item.example:
        lines += ["", "  a scene that uses it:", "", indent(item.example, "    ")]
    lines += [line for claims in _alike(item) for line in _claim(claims)]
    if not item.example:
        lines += ["", "  visual: every backend runs it, no physics depends on it"]
    return "\n".join(lines)


def group_text(item: Group) -> str:
    """A family, for people at a terminal."""
    width = max(len(row.id) for row in item.members)
    head = f"{paint(item.id, 'bold')}: a family of {len(item.members)} features"
    lines = [head, "", _paragraph(item.meaning), ""]
    lines += [f"  {row.id:{width}}  {row.doc}" for row in item.members]
    lines += ["", "  in each backend's default profile:"] if item.levels else []
    lines += [
        f"  {name:{width}}  {_counted(counts)}" for name, counts in item.levels.items()
    ]
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """By name: a page for each feature and family, and `index`."""
    families = {name: group(name) for name in sorted(FAMILIES - FEATURES.keys())}
    return {
        "index": _index(),
        **{name: group_markdown(family) for name, family in families.items()},
        **{name: markdown(facts(name)) for name in FEATURES},
    }


def _index() -> str:
    lines = ["# Features", "", _INDEX]
    family = ""
    for name, row in FEATURES.items():
        if name.split(".")[0] != family:
            family = name.split(".")[0]
            lines += ["", f"## {family}", "", _prose(meaning(family)), ""]
            lines += ["| feature | what |", "| --- | --- |"]
        lines.append(f"| [{name}]({name}.md) | {_plain(row.doc)} |")
    return "\n".join([*lines, ""])


def markdown(item: Facts) -> str:
    """A feature, as a page."""
    lines = [
        _ORPHAN,
        f"# {item.id}",
        "",
        item.doc,
        "",
        f"**In MuJoCo.** {_prose(item.meaning)}",
    ]
    lines += [_STATED] if item.stated else []
    lines += ["", f"- MJCF: {', '.join(f'`{place}`' for place in item.mjcf)}"]
    lines += [f"- `mjModel`: `{item.field}`"] if item.field else []
    for word, names in (("family", item.above), ("below it", item.below)):
        links = ", ".join(f"[{name}]({name}.md)" for name in names)
        lines += [f"- {word}: {links}"] if names else []
    if item.example:
        lines += ["", "A scene that uses it:", "", f"```xml\n{item.example}```", ""]
        lines += ["| backend | profiles | level | what | rests on | what to do |"]
        lines += ["| --- | --- | --- | --- | --- | --- |"]
        lines += [_row(claims) for claims in _alike(item)]
    else:
        lines += ["", "Visual: every backend runs it, no physics depends on it."]
    return "\n".join([*lines, ""])


def group_markdown(item: Group) -> str:
    """A family that is no feature, as a page."""
    lines = [
        _ORPHAN,
        f"# {item.id}",
        "",
        _prose(item.meaning),
        "",
        "| feature | what |",
    ]
    lines += ["| --- | --- |"]
    lines += [f"| [{r.id}]({r.id}.md) | {_plain(r.doc)} |" for r in item.members]
    if item.levels:
        lines += ["", "| backend | in its default profile |", "| --- | --- |"]
        lines += [
            f"| {name} | {_counted(counts)} |" for name, counts in item.levels.items()
        ]
    return "\n".join([*lines, ""])


def plain(item: Facts) -> dict[str, object]:
    """A feature, for programs."""
    claims = [
        {
            "backend": claim.backend,
            "profile": claim.profile,
            "default": claim.default,
            "version": claim.version,
            **{k: v for k, v in asdict(claim.support).items() if k != "ids"},
            "remedies": list(claim.remedies),
        }
        for claim in item.claims
    ]
    return {**asdict(item), "claims": claims}


def group_plain(item: Group) -> dict[str, object]:
    """A family, for programs."""
    members = [{"id": row.id, "doc": row.doc} for row in item.members]
    return {
        "id": item.id,
        "meaning": item.meaning,
        "members": members,
        "levels": item.levels,
    }


def _facts(item: Facts) -> Iterator[str]:
    rows = {
        "MJCF": ", ".join(item.mjcf),
        "mjModel": item.field,
        "family": ", ".join(item.above),
        "below it": ", ".join(item.below),
    }
    for name, value in rows.items():
        if value:
            yield _wrapped(f"{name:9} {value}", hanging=12)


def _alike(item: Facts) -> list[list[Claim]]:
    """Claims of one backend that say the same of several profiles, together."""
    found: list[list[Claim]] = []
    for claim in item.claims:
        for alike in found:
            if _same(alike[0], claim):
                alike.append(claim)
                break
        else:
            found.append([claim])
    return found


def _same(one: Claim, other: Claim) -> bool:
    said = (one.backend, one.support, one.remedies)
    return said == (other.backend, other.support, other.remedies)


def _profiles(claims: list[Claim]) -> str:
    """Names of the profiles, the default one marked."""
    return ", ".join(
        f"{claim.profile} (default)" if claim.default else claim.profile
        for claim in claims
    )


def _claim(claims: list[Claim]) -> Iterator[str]:
    support, claim = claims[0].support, claims[0]
    level = paint(support.level, _COLOURS[support.level])
    named = [f"{paint(claim.backend, 'bold')}"]
    named += [] if _profiles(claims) == "default (default)" else [_profiles(claims)]
    yield _wrapped(f"{' '.join(named)}: {level}  {_what(support)}".rstrip())
    yield _wrapped(f"{support.ground} [{claim.version}]", start=6)
    yield from (f"      -> {remedy}" for remedy in claim.remedies)


def _row(claims: list[Claim]) -> str:
    support, claim = claims[0].support, claims[0]
    cells = [
        claim.backend,
        _profiles(claims),
        str(support.level),
        _plain(_what(support)),
        _plain(support.ground.removeprefix("rests on ")),
        _plain("; ".join(claim.remedies)),
    ]
    return f"| {' | '.join(cells)} |"


def _what(support: Support) -> str:
    """What the backend does instead, or lacks."""
    return support.how if support.level is Level.APPROXIMATE else support.note


def _counted(counts: dict[Level, int]) -> str:
    return ", ".join(f"{counts[level]} {level}" for level in Level if counts.get(level))


def _plain(words: str) -> str:
    """Text whose marks Markdown leaves alone."""
    return _MARKS.sub(r"\\\1", words)


def _prose(words: str) -> str:
    """Text of which what stands between backticks is code."""
    parts = words.split("`")
    return "`".join(part if n % 2 else _plain(part) for n, part in enumerate(parts))


def _paragraph(words: str) -> str:
    return _wrapped(words, hanging=2)


def _wrapped(words: str, *, start: int = 2, hanging: int = 0) -> str:
    return fill(
        words,
        _WIDTH,
        initial_indent=" " * start,
        subsequent_indent=" " * (hanging or start + 2),
        break_long_words=False,
    )
