"""A benchmark as tables of text."""

from collections.abc import Sequence

from unisim.bench.baseline import NOISE, changes
from unisim.bench.outcome import Memory, Outcome, Row
from unisim.report.text import aligned

_HEAD = (
    "backend", "worlds", "threads", "work", "wall μs", "CPU μs", "per",
    "beside", "wall μs", "CPU μs", "ratio", "CPU",
)  # fmt: skip


def table(outcome: Outcome) -> str:
    """The whole outcome; the last two columns are ratios, of wall and of CPU time."""
    machine = outcome.machine
    once = [
        (item.backend, f"{item.worlds:,} worlds", item.work, f"{item.seconds:.3f} s")
        for item in outcome.once
    ]
    parts = [
        f"{outcome.name}, on {machine['processor']}, {machine['cores']} cores",
        "",
        *aligned([_HEAD, *map(_row, outcome.rows)], right=(1, 2, 4, 5, 8, 9, 10, 11)),
        "",
        *aligned(once, right=(1, 3)),
        *map(_memory, outcome.memory),
    ]
    return "\n".join(parts) + "\n"


def comparison(now: Outcome, then: Outcome) -> str:
    """What got slower and what got quicker since a saved outcome."""
    found = changes(now, then)
    if not found:
        return "The baseline has no work in common with this.\n"
    same = "" if now.machine == then.machine else ", measured on another machine"
    lines = [f"Against the baseline{same}, in {len(found)} works:"]
    for word in ("slower", "quicker"):
        items = [item for item in found if item.verdict == word]
        lines.append(f"{len(items)} got {word} by more than {NOISE:.0%} and noise.")
        for item in items:
            row = item.row
            wall = "" if item.wall is None else f", {item.wall:.2f} times the wall time"
            ratio = "" if item.ratio is None else f", {item.ratio:.2f} times the ratio"
            where = f"{row.backend}, {row.worlds:,} worlds, {_threads(row)}"
            lines.append(f"  {row.work} ({where}){wall}{ratio}")
    return "\n".join(lines) + "\n"


def _row(row: Row) -> Sequence[str]:
    cells = [row.backend, f"{row.worlds:,}", _threads(row), row.work]
    cells += [f"{row.ours.wall:.3g}", f"{row.ours.cpu:.3g}", row.item]
    if row.other is None or row.ratio is None:
        return [*cells, "", "", "", "", ""]
    cells += [row.beside, f"{row.other.wall:.3g}", f"{row.other.cpu:.3g}"]
    # on a device there may be no time of the host's to compare
    cpu = f"{row.other.cpu / row.ours.cpu:.3f}" if row.ours.cpu else ""
    return [*cells, f"{row.ratio:.3f}", cpu]


def _threads(row: Row) -> str:
    return "config's" if row.threads is None else str(row.threads)


def _memory(memory: Memory) -> str:
    raw = "" if memory.raw is None else f", of the raw engine {memory.raw:.1f} MB"
    return (
        f"{memory.backend}: memory per thousand worlds {memory.ours:.1f} MB{raw} "
        f"(measured with {memory.worlds:,})"
    )
