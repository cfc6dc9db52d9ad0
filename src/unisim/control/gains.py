"""Values per actuator, given by name or by glob pattern."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from unisim.errors import UnknownName
from unisim.scene.scene import Scene

_WILD = re.compile(r"\[.[^]]*\]|[*?]")


def assign(
    field: str,
    patterns: Mapping[str, float],
    actuators: Sequence[str],
    scene: Scene,
    problems: list[str],
) -> dict[str, float]:
    """Find the value of every actuator that some pattern matches.

    An exact name wins over a glob, and a glob with more literal characters over one
    with fewer.

    Args:
        field: Name of the field, for messages.
        patterns: Value by actuator name or glob pattern.
        actuators: Names of all actuators.
        scene: Where they were written, for messages.
        problems: Gets a sentence for every pattern that matches nothing and every
            actuator that two equally specific patterns match.

    Returns:
        Value by actuator name, in the order of `actuators`.
    """
    matched = dict.fromkeys(patterns, False)
    values: dict[str, float] = {}
    for name in actuators:
        fitting = [item for item in patterns if item == name or fnmatchcase(name, item)]
        matched.update(dict.fromkeys(fitting, True))
        ranked = sorted(fitting, key=lambda item: _specificity(item, name))
        best = [item for item in ranked if _ties(item, ranked[-1], name)]
        if len(best) > 1:
            problems.append(
                f"{scene.sources.line('actuator', name)} takes its {field} from "
                f"{' and '.join(map(repr, best))} alike: name it exactly."
            )
        if best:
            values[name] = patterns[best[0]]
    problems += [
        f"{field}: {UnknownName('actuator', pattern, actuators)}"
        for pattern, used in matched.items()
        if not used
    ]
    return values


def compare(
    field: str,
    values: Mapping[str, float],
    driven: Mapping[str, float],
    scene: Scene,
    problems: list[str],
    *,
    needed: bool,
) -> None:
    """Say which actuators have a value without being driven, or lack a needed one.

    Args:
        field: Name of the field, for messages.
        values: Value by actuator.
        driven: Stiffness by driven actuator.
        scene: Where they were written, for messages.
        problems: Gets a sentence for every such actuator.
        needed: Whether every driven actuator must have a value.
    """
    problems += [
        f"{scene.sources.line('actuator', name)} has a {field}, but no kp pattern "
        "matches it: give it a kp, or a narrower pattern."
        for name in values
        if name not in driven
    ]
    problems += [
        f"{scene.sources.line('actuator', name)} has a kp, but no {field} pattern "
        f"matches it: state its {field}."
        for name in driven
        if needed and name not in values
    ]


def _specificity(pattern: str, name: str) -> tuple[bool, int]:
    return pattern == name, len(_WILD.sub("", pattern))


def _ties(pattern: str, best: str, name: str) -> bool:
    return _specificity(pattern, name) == _specificity(best, name)
