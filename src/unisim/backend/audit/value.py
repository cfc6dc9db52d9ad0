"""The audit by value: what was read back against what the reference holds."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import AuditedField, Tolerance, Values
from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import PAIRS, digest_pairs
from unisim.backend.audit.names import referred
from unisim.backend.audit.places import place
from unisim.backend.audit.report import Difference
from unisim.backend.base import Readback
from unisim.scene.scene import Sources

_GONE = "number -2"
"""What an engine refers to that it does not hold."""
_MOST_WORLDS, _MOST_NUMBERS = 8, 12


def compare(
    expected: Readback, got: Readback, sources: Sources, skip: frozenset[str]
) -> list[Difference]:
    """Everything that the engine holds otherwise than the reference.

    Names and their order come first; values are compared between the rows of names
    that both have. A value that the reference has and the engine does not is a
    difference. Geoms that take part in no pair may be missing.

    Args:
        expected: The reference's.
        got: The engine's; values may have a leading axis of worlds.
        sources: Where things were written.
        skip: Fields that are not compared.
    """
    found = list(_names(expected, got, sources))
    for name, field in AUDITED.items():
        if name not in skip:
            found += _field(field, expected, got, sources)
    return [*found, *_pairs(expected, got, sources)]


def has_effect(values: Values) -> bool:
    """Whether a field has anything to compare in a scene."""
    return values.size > 0 and not bool(np.all(np.isnan(values)))


def _names(expected: Readback, got: Readback, sources: Sources) -> Iterator[Difference]:
    for kind, names in expected.names.items():
        held = got.names.get(kind, ())
        if names == held:
            continue
        touching = {geom for pair in expected.pairs for geom in pair}
        ours, theirs = set(names), set(held)
        common = [n for n in names if n in theirs]
        order = [n for n in held if n in ours]
        wrong = [
            (n, "name", n, "missing")
            for n in names
            if n not in theirs and (kind != "geom" or n in touching)
        ]
        wrong += [(n, "name", "missing", n) for n in held if n not in ours]
        wrong += [
            (n, f"place {i}", n, other)
            for i, (n, other) in enumerate(zip(common, order, strict=False))
            if n != other
        ]
        for name, field, want, have in wrong:
            at = place(sources, kind, name)
            yield Difference(kind, name, field, want, have, "", at)


def _field(
    field: AuditedField, expected: Readback, got: Readback, sources: Sources
) -> Iterator[Difference]:
    want = expected.values[field.name]
    if not has_effect(want):
        return
    names, held = expected.names[field.kind], got.names.get(field.kind, ())
    have = got.values.get(field.name)
    if have is None and field.derived:
        return
    shape = (len(held), *want.shape[1:])
    if have is None or have.shape[-want.ndim :] != shape:
        found = "not read back" if have is None else f"shape {have.shape}"
        at = place(sources, field.kind, names[0], field.attribute)
        yield Difference(
            field.kind, "(all)", field.name, f"shape {shape}", found, field.unit, at
        )
        return
    have = have if have.ndim > want.ndim else have[None]
    ours, theirs = _places(names), _places(held)
    both = [n for n in names if n in theirs]
    want = want[[ours[n] for n in both]]
    have = have[:, [theirs[n] for n in both]]
    wrong = _wrong(field, want, have, (expected, got))
    for row in np.flatnonzero(wrong.any(axis=0)):
        worlds = np.flatnonzero(wrong[:, row])
        yield Difference(
            field.kind,
            both[row],
            field.name,
            _show(field, want[row], expected),
            _show(field, have[worlds[0], row], got),
            field.unit,
            place(sources, field.kind, both[row], field.attribute),
            _which(worlds.tolist(), have.shape[0]),
        )


def _places(names: Sequence[str]) -> dict[str, int]:
    """Where each name comes first."""
    return {name: i for i, name in reversed(list(enumerate(names)))}


def _wrong(
    field: AuditedField, want: Values, have: Values, sides: tuple[Readback, Readback]
) -> NDArray[np.bool_]:
    """Whether each world's row differs. Shape (worlds, rows)."""
    if field.refers:
        stated = referred(sides[0].names, field.refers, want)
        held = referred(sides[1].names, field.refers, have)
        # a geom that touches nothing need not be there
        gone = np.isin(stated, _idle(field.refers, sides[0])) & (held == _GONE)
        return (stated != held) & ~gone
    width = want.size // max(want.shape[0], 1)
    want = want.reshape(want.shape[0], width)
    have = have.reshape(have.shape[0], want.shape[0], width)
    if field.tolerance is Tolerance.QUAT:
        have = have * np.where(np.sum(want * have, -1, keepdims=True) < 0, -1.0, 1.0)
    relative, absolute = field.tolerance.value
    size = np.where(np.isfinite(want), np.abs(want), 0.0)
    allowed = relative * size.max(axis=-1, keepdims=True, initial=0.0) + absolute
    finite = np.isfinite(want) & np.isfinite(have)
    off = np.where(finite, want, 0.0) - np.where(finite, have, 0.0)
    near = finite & (np.abs(off) <= allowed)
    return ~np.all(np.isnan(want) | (want == have) | near, axis=-1)


def _idle(kind: str, readback: Readback) -> list[str]:
    """The geoms of no pair, as references to objects of a kind name them."""
    touching = {geom for pair in readback.pairs for geom in pair}
    before = {"object": "geom ", "geom": ""}.get(kind)
    if before is None:
        return []
    names = readback.names.get("geom", ())
    return [before + name for name in names if name not in touching]


def _show(field: AuditedField, row: Values, readback: Readback) -> str:
    if field.refers:
        return str(referred(readback.names, field.refers, row))
    numbers = np.atleast_1d(row).ravel()
    shown = " ".join(f"{x:.9g}" for x in numbers[:_MOST_NUMBERS])
    return shown + (" ..." if numbers.size > _MOST_NUMBERS else "")


def _which(worlds: Sequence[int], count: int) -> str:
    """Which worlds a difference concerns; empty for all."""
    if len(worlds) == count:
        return ""
    shown = ", ".join(map(str, worlds[:_MOST_WORLDS]))
    more = ", ..." if len(worlds) > _MOST_WORLDS else ""
    return f"{'world' if len(worlds) == 1 else 'worlds'} {shown}{more}"


def _pairs(expected: Readback, got: Readback, sources: Sources) -> Iterator[Difference]:
    same = expected.pairs is got.pairs
    for first, second in () if same else sorted(expected.pairs ^ got.pairs):
        can = (first, second) in expected.pairs
        stated, found = ("may collide", "cannot")[:: 1 if can else -1]
        at, note = place(sources, "geom", first), f"with geom {second}"
        yield Difference("geom", first, PAIRS, stated, found, "", at, note)
    if PAIRS in got.values and (same or got.pairs == expected.pairs):
        wrong = got.values[PAIRS][:, 0] != digest_pairs(expected.pairs)
        note = _which(np.flatnonzero(wrong).tolist(), wrong.size)
        at = place(sources, "model", "model")
        yield Difference(
            "model", "model", PAIRS, "the scene's pairs", "other pairs", "", at, note
        )
