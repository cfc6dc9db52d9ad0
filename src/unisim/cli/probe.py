"""`unisim probe`: what an engine makes of each feature, measured here."""

import json as json_format
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro
from tyro.conf import Positional

from unisim.cli.arguments import NOTHING, Features, Name, Target

if TYPE_CHECKING:
    from unisim.probe.outcome import Outcome


@dataclass(frozen=True)
class How:
    """How the engine is run."""

    profile: Name = None
    """Solver profile; the backend's default when left out."""
    device: str = "cpu"
    """Device of the worlds."""
    dtype: Name = None
    """float64 or float32; the backend's own when left out."""
    timeout: float = 600.0
    """Longest time that the engine may take for one scene, in seconds."""
    alone: bool = False
    """Build every scene alone, instead of many on a sheet."""


def probe(
    backend: Annotated[Positional[str], tyro.conf.arg(metavar="BACKEND")],
    /,
    *,
    feature: Features = NOTHING,
    how: Annotated[How, tyro.conf.arg(name="")] = How(),
    out: Target = None,
    json: bool = False,
    progress: bool = False,
) -> int:
    """Measure which features of MJCF an engine honours.

    For each feature a scene with it and one without run on the engine and on MuJoCo;
    the engine honours the feature when both differ alike. The engine runs in a process
    of its own, so that a crash or a hang is the verdict of one probe. Many scenes stand
    side by side on sheets that are built once; what is not exact there is measured
    again alone.

    Lists what is not exact, and where the manifest disagrees: a false claim, or a
    refusal of what works. The exit status is 0 when manifest and measurement agree, and
    1 when they do not.

    Example: unisim probe mujoco --feature joint.damping geom.friction

    Args:
        backend: Name of the backend; `unisim engines` lists them.
        feature: Features or families to measure; all when left out.
        how: How the engine is run.
        out: File of measurements (JSON) that the result is merged into.
        json: Print JSON.
        progress: Say on stderr how far it is, even where that is no terminal.
    """
    from unisim.cli.terminal import Lines, wants_progress
    from unisim.probe.outcome import examine
    from unisim.probe.sheet import MOST
    from unisim.probe.trial import target_of
    from unisim.progress import Silent

    lines = Lines() if wants_progress(asked=progress) else Silent()
    target = target_of(backend, how.profile, how.device, how.dtype)
    most = 1 if how.alone else MOST
    found = examine(
        target, tuple(feature), lines, timeout=how.timeout, most=most, out=out
    )
    print(_json(found) if json else _text(found))
    return 1 if found.faults else 0


def _json(found: "Outcome") -> str:
    from dataclasses import asdict

    rows = {
        feature: {
            **asdict(finding),
            "claimed": found.claimed[feature],
            "fault": found.faults.get(feature),
        }
        for feature, finding in found.record.findings.items()
    }
    key = asdict(found.record.key)
    return json_format.dumps({"key": key, "features": rows}, indent=1)


def _text(found: "Outcome") -> str:
    from collections import Counter

    from unisim.cli.terminal import paint
    from unisim.report.text import aligned

    key = found.record.key
    lines = [
        f"{paint(key.backend, 'bold')} ({key.profile}, {key.device}, {key.dtype}): "
        f"{key.engine}, MuJoCo {key.mujoco}"
    ]
    findings = found.record.findings
    rows = [
        (
            feature,
            item.verdict,
            "" if item.error is None else f"{item.error:.2g}",
            found.claimed[feature],
            found.faults.get(feature, ""),
            item.note[:_NOTE],
        )
        for feature, item in findings.items()
        if feature in found.faults or {item.verdict, found.claimed[feature]} != _PLAIN
    ]
    if rows:
        head = ("feature", "measured", "error", "claimed", "", "note")
        lines += aligned([head, *rows], right={2})
    counts = Counter(str(item.verdict) for item in findings.values())
    lines.append(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    colour = "red" if found.faults else "green"
    said = f"{len(found.faults)} disagree" if found.faults else "all agree"
    lines.append(f"claims of the manifest: {paint(said, colour)}")
    return "\n".join(lines)


_PLAIN = {"exact"}
"""Measured and claimed alike: not worth a line."""
_NOTE = 90
"""Characters of a note that are shown; JSON has all of them."""
