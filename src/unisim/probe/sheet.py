"""Sheets: many scenes side by side in one model, so that they are built once.

Each is a tree of its own under a prefix, far from the others, and its geoms touch only
each other: every scene has a bit of the collision masks for itself.
"""

from collections.abc import Iterator, Sequence

import mujoco

from unisim.probe.probe import Probe, Watch

MOST = 24
"""Scenes on one sheet: there are 31 bits of a mask."""
_APART = 20.0
"""Distance between neighbours [m]."""
_ALONE = (
    *("<option", "<extension", "<keyframe", "<size", "flexcomp", "contype", "mocap"),
    *("e_kinetic", "e_potential", "rangefinder", "<camera", "<muscle", "<weld"),
)
"""What concerns a whole model, sees beyond its scene, or minds where it stands: a weld
to the world has a lever as long as that is far, a muscle's range is not written."""


def sheets(probes: Sequence[Probe], most: int = MOST) -> Iterator[list[Probe]]:
    """Group probes: those that can stand side by side, and the others alone.

    Args:
        probes: The probes.
        most: Scenes on one sheet.
    """
    groups: dict[tuple[bool, bool], list[Probe]] = {}
    lying = {Watch.PLACE, Watch.REST}
    for probe in probes:
        if not _shares(probe):
            yield [probe]
            continue
        group = groups.setdefault((probe.bent, probe.watch in lying), [])
        group.append(probe)
    for group in groups.values():
        for first in range(0, len(group), most):
            yield group[first : first + most]


def _shares(probe: Probe) -> bool:
    if probe.watch in {Watch.RESET, Watch.HELD}:
        return False
    return not any(word in probe.used + probe.unused for word in _ALONE)


def prefix(index: int) -> str:
    """What the names of a scene on a sheet begin with."""
    return f"p{index}_"


def sheet(texts: Sequence[str]) -> str:
    """Put scenes side by side. Takes and returns MJCF texts."""
    whole = mujoco.MjSpec()
    whole.compiler.savecompiled = False
    for index, text in enumerate(texts):
        part = mujoco.MjSpec.from_string(text)
        for geom in part.geoms:
            geom.contype = geom.conaffinity = 1 << index
        _name_all(part)
        place = whole.worldbody.add_frame(pos=[_APART * index, 0.0, 0.0])
        whole.attach(part, prefix=prefix(index), frame=place)
    return whole.to_xml()


def _name_all(part: mujoco.MjSpec) -> None:
    """Name what has no name, so that it carries the prefix."""
    for kind, items in (
        *(("body", part.bodies[1:]), ("joint", part.joints), ("geom", part.geoms)),
        *(("actuator", part.actuators), ("sensor", part.sensors)),
    ):
        for index, item in enumerate(items):
            item.name = item.name or f"{kind}{index}"
