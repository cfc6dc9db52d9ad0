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


_RAIL = """<mujoco>{head}
  <worldbody>
    <body name="a"><geom name="g" {geom}/></body>
    <geom type="plane" size="2 2 .1" pos="0 0 {shelf}"/>
    <body name="b" pos="{x} {y} {z}"><joint type="slide" axis="0 0 1"/>
      <geom size=".1"/></body>
  </worldbody>
</mujoco>"""


def _under(geom: str, pos: tuple[float, float, float], *, head: str = "") -> Pair:
    """A ball on a rail that comes to rest on a geom, or 10 cm below it.

    Args:
        geom: Attributes of the geom.
        pos: Where the ball touches it.
        head: What the geom needs.
    """
    x, y, z = pos
    off = f'{geom} contype="0" conaffinity="0"'
    return Pair(
        *(
            _RAIL.format(head=head, geom=text, x=x, y=y, z=z, shelf=f"{z - 0.2:.4f}")
            for text in (geom, off)
        )
    )


def _torus(options: str) -> str:
    """A ball that falls on a signed distance field."""
    inner = '<geom name="g" type="sdf" mesh="m"><plugin instance="i"/></geom>'
    scene = _BALL.format(geom="", pos=".35 0 .26", head=f"{SDF}{options}", other="")
    return scene.replace('<geom name="g" />', inner)


_GEOMS = {
    "geom.type.plane": Pair(
        *(
            scene.replace(
                'plane" size="2 2 .1" pos="0 0 -0.1', 'box" size="2 2 .1" pos="0 0 -0.2'
            )
            for scene in _under('type="plane" size="1 1 .1"', (0, 0, 0.1))
        )
    ),
    "geom.type.sphere": Pair(
        *(
            scene.replace('<geom size=".1"/>', '<geom type="capsule" size=".1 .001"/>')
            for scene in _under('type="sphere" size=".3"', (0.05, 0.03, 0.3967))
        )
    ),
    "geom.type.capsule": _under('type="capsule" size=".2 .2"', (0.05, 0.03, 0.4943)),
    "geom.type.ellipsoid": _under(
        'type="ellipsoid" size=".2 .2 .3"', (0.05, 0.03, 0.3825)
    ),
    "geom.type.cylinder": _under('type="cylinder" size=".2 .2"', (0.05, 0.03, 0.3)),
    "geom.type.box": _under('type="box" size=".2 .2 .3"', (0.05, 0.03, 0.4)),
    "geom.type.mesh": _under('type="mesh" mesh="m"', (0.02, 0.01, 0.298), head=MESH),
    "geom.type.hfield": _under(
        'type="hfield" hfield="m"', (0.1, 0.2, 0.23), head=HFIELD
    ),
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
