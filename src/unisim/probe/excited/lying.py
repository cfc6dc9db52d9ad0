"""Geoms that something lies on, or falls through."""

from unisim.probe.templates import (
    HFIELD,
    MESH,
    SDF,
    Pair,
    box,
)

_ON_TABLE = box().replace(
    '"plane" size="3 3 .1"', '"box" size=".12 3 1" pos="-.07 0 -1"'
)

_BALL = """<mujoco>{head}
  <worldbody>
    <body name="a"><geom name="g" {geom}/></body>
    <body name="b" pos="{pos}"><freejoint/><geom size=".1" {other}/></body>
  </worldbody>
</mujoco>"""


def _under(geom: str, pos: str, *, head: str = "", other: str = "") -> Pair:
    """A ball that lies on a geom, and one that falls through it."""
    off = f'{geom} contype="0" conaffinity="0"'
    return Pair(
        *(
            _BALL.format(geom=text, pos=pos, head=head, other=other)
            for text in (geom, off)
        )
    )


def _torus(options: str) -> str:
    """A ball that falls on a signed distance field."""
    inner = '<geom name="g" type="sdf" mesh="m"><plugin instance="i"/></geom>'
    scene = _BALL.format(geom="", pos=".35 0 .26", head=f"{SDF}{options}", other="")
    return scene.replace('<geom name="g" />', inner)


_GEOMS = {
    "geom.type.plane": _under('type="plane" size="1 1 .1"', "0 0 .099"),
    "geom.type.mesh": _under('type="mesh" mesh="m"', ".02 .01 .17", head=MESH),
    "geom.type.hfield": _under('type="hfield" hfield="m"', ".1 .2 .21", head=HFIELD),
    "geom.condim.1": Pair(box('condim="1"', floor='condim="1"'), box()),
    "geom.condim.3": Pair(
        box('condim="3"', floor='condim="1"'), box('condim="1"', floor='condim="1"')
    ),
    # Of two geoms the larger friction counts.
    "geom.friction": Pair(box('friction=".3"', floor='friction=".3"'), box()),
    "geom.mask": Pair(box('contype="2" conaffinity="2"'), box()),
    "contact.pair": Pair(
        *(
            box('contype="0" conaffinity="0"', tail=f"<contact>{pair}</contact>")
            for pair in ('<pair geom1="floor" geom2="g"/>', "")
        )
    ),
    "contact.pair.solreffriction": Pair(
        *(
            box(
                head='<option cone="elliptic"/>',
                tail=f'<contact><pair geom1="floor" geom2="g" {word}/></contact>',
            )
            for word in ('solreffriction=".05 .7"', "")
        )
    ),
    "contact.exclude": Pair(
        box(tail='<contact><exclude body1="world" body2="a"/></contact>'), box()
    ),
    # A box that reaches over the edge of a table tips.
    "contact.convex": Pair(_ON_TABLE, box()),
}
_GEOMS["geom.type.sdf"] = Pair(
    _torus(""), _BALL.format(geom='size=".1"', pos=".35 0 .26", head="", other="")
)
_GEOMS["plugin.geom"] = _GEOMS["geom.type.sdf"]
# From few starting points, few iterations do not find the nearest one.
_SDF = {
    "option.sdf_iterations": Pair(
        _torus('<option sdf_initpoints="3" sdf_iterations="1"/>'),
        _torus('<option sdf_initpoints="3"/>'),
    ),
    "option.sdf_initpoints": Pair(_torus('<option sdf_initpoints="1"/>'), _torus("")),
}


LYING: dict[str, Pair] = {**_GEOMS, **_SDF}
"""By feature id."""
