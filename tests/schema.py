"""MuJoCo's printed XML schema, as the table names its elements."""

import re

import mujoco

_ELEMENT = re.compile(r"( *)(\S+) \((.)\)(.*)$")
_INDENT = 3


def schema() -> dict[str, list[str]]:
    """Attributes of every element of the installed MuJoCo, by path."""
    found: dict[str, list[str]] = {}
    path: list[str] = []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        start = _ELEMENT.match(line)
        if start:
            path = [*path[: len(start[1]) // _INDENT], start[2]]
            found[_name(path)] = []
        found[_name(path)] += (start[4] if start else line).split()
    return found


def pairs(table: dict[str, list[str]]) -> set[tuple[str, str]]:
    """Every element with each of its attributes."""
    return {(path, name) for path, names in table.items() for name in names}


def _name(path: list[str]) -> str:
    """The path below `<mujoco>`; the body tree is printed beside the other sections."""
    rest = "/".join(path[1:]) or path[0]
    return rest.replace("(world)body", "body")
