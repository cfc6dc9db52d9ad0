"""A large scene: thousands of bodies in short chains, of everything that is common."""

from collections.abc import Iterator

LINKS = 4
"""Bodies of a chain."""
JOINTS = (
    'type="hinge" axis="0 1 0" range="-90 90"',
    'type="slide" axis="1 0 0" damping="2"',
    'type="ball" range="0 60"',
    'type="hinge" axis="1 0 0" armature=".02" frictionloss=".1" stiffness="3"',
)
GEOMS = (
    'type="capsule" size=".03 .1"',
    'type="box" size=".03 .04 .05" friction=".8 .01 .001"',
    'type="sphere" size=".05" condim="4"',
    'type="ellipsoid" size=".03 .04 .05" solref=".01 1"',
    'type="cylinder" size=".03 .1" margin=".001"',
)
SENSORS = ("framepos", "frameangvel", "framequat")


def many_bodies(count: int) -> str:
    """MJCF of so many bodies; every element has a line of its own."""
    return "\n".join(_lines(count))


def _lines(count: int) -> Iterator[str]:
    yield '<mujoco model="many">'
    yield '  <default><joint armature=".01"/>'
    yield '    <default class="soft"><geom solimp=".8 .9 .01"/></default>'
    yield "  </default>"
    yield '  <worldbody><geom name="floor" type="plane" size="50 50 .1"/>'
    for first in range(0, count, LINKS):
        numbers = range(first, min(first + LINKS, count))
        for number in numbers:
            yield from _body(number, root=number == first)
        yield "</body>" * len(numbers)
    yield "  </worldbody>"
    yield "  <actuator>"
    for number in range(0, count, LINKS):
        if number + 1 < count:
            servo = f'name="p{number}" joint="j{number + 1}" kp="{10 + number % 7}"'
            yield f"    <position {servo}/>"
    yield "  </actuator>"
    yield "  <sensor>"
    for number in range(0, count, 2):
        kind = SENSORS[number // 2 % len(SENSORS)]
        yield f'    <{kind} name="s{number}" objtype="body" objname="b{number}"/>'
    yield "  </sensor>"
    yield "</mujoco>"


def _body(number: int, *, root: bool) -> Iterator[str]:
    place = f"{number % 60} {number // 60} 1" if root else "0 0 .3"
    soft = ' class="soft"' if number % 3 == 0 else ""
    yield f'    <body name="b{number}" pos="{place}">'
    if root:
        yield f'      <freejoint name="j{number}"/>'
    else:
        yield f'      <joint name="j{number}" {JOINTS[number % len(JOINTS)]}/>'
    yield f'      <geom name="g{number}" {GEOMS[number % len(GEOMS)]}{soft}/>'
