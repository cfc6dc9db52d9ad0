"""Mentions of features of geoms and contact pairs."""

from mentions.templates import SLIPPERY, Mentions, alone, geom, overridden
from unisim.probe.templates import MESH, Pair, arm, box, free, pair

_SHAPES = {
    "plane": 'type="plane" size="1 1 .1"',
    "sphere": 'type="sphere" size=".1"',
    "capsule": 'type="capsule" size=".1 .2"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "cylinder": 'type="cylinder" size=".1 .2"',
    "box": 'type="box" size=".1 .2 .3"',
    "mesh": 'type="mesh" mesh="m"',
    "hfield": 'type="hfield" hfield="m"',
}
_FIELD = '<asset><hfield name="m" nrow="2" ncol="2" size="1 1 .2 .1"/></asset>'
_PICTURE = 'contype="0" conaffinity="0" mass="0"'


def _shape(kind: str) -> Pair:
    """A geom of which a picture shows the shape, and none."""
    head = {"mesh": MESH, "hfield": _FIELD}.get(kind, "")
    geom = f'<geom name="w" {_SHAPES[kind]} {_PICTURE}/>'
    world = kind in {"plane", "hfield"}
    if world:
        return Pair(free("", head=head).replace("<body", f"{geom}<body"), free(""))
    own = "" if kind == "box" else 'type="box" size=".1 .1 .2"'
    return Pair(alone(head, own, other=geom), alone(head, own))


_NEAR = 'geom1="floor" geom2="g"'


def _paired(attributes: str, own: str) -> Pair:
    """A geom that only an explicit pair of parameters of its own touches with."""
    off = 'contype="0" conaffinity="0"'
    tail = f'<contact><pair name="p" {_NEAR} {own}/></contact>'
    return Pair(box(f"{off} {attributes}", tail=tail), box(off, tail=tail))


GEOMS: Mentions = {
    **{f"geom.type.{kind}": (_shape(kind),) for kind in _SHAPES},
    "geom.condim.1": geom('condim="1"'),
    "geom.condim.3": (
        Pair(
            box('contype="0" conaffinity="0" condim="3"'),
            box('contype="0" conaffinity="0"'),
        ),
    ),
    "geom.condim.4": (*geom('condim="4"'), _paired('condim="4"', 'condim="3"')),
    "geom.condim.6": geom('condim="6"'),
    "geom.mask": (
        Pair(box('contype="1" conaffinity="1"'), box()),
        Pair(box('contype="2" conaffinity="1"', head=SLIPPERY), box(head=SLIPPERY)),
    ),
    "geom.priority": (Pair(box('priority="0"'), box()), *geom('priority="1"')),
    "geom.friction": (
        *geom('friction=".3"'),
        Pair(
            box('condim="1" friction=".3"', floor='condim="1"'),
            box('condim="1"', floor='condim="1"'),
        ),
        Pair(box('friction=".3"', head=SLIPPERY), box(head=SLIPPERY)),
        overridden('friction=".3"'),
    ),
    "geom.friction.torsional": (
        Pair(box('friction="1 .1"'), box()),
        *geom('condim="4" friction="1 .1"', without='condim="4"'),
    ),
    "geom.friction.rolling": (
        Pair(
            box('condim="4" friction="1 .005 .01"'),
            box('condim="4"'),
        ),
    ),
    "geom.solref": (*geom('solref=".05 .7"'), overridden('solref=".05 .7"')),
    "geom.solref.direct": (
        *geom('solref="-3000 -40"'),
        overridden('solref="-3000 -40"'),
    ),
    "geom.solimp": (*geom('solimp=".5 .9 .01"'), overridden('solimp=".5 .9 .01"')),
    "geom.adhesion": (
        Pair(box('adhesion="0"'), box()),
        *geom('adhesion="5"'),
        _paired('adhesion="5"', 'adhesion="0"'),
    ),
    "geom.solmix": (Pair(box('solmix="1"'), box()), *geom('solmix="3"')),
    "geom.margin": (
        Pair(box('margin="0"'), box()),
        *geom('margin=".1"'),
        overridden('margin=".02"'),
    ),
    "geom.gap": (Pair(box('gap="0"'), box()), *geom('margin=".2" gap=".1"')),
    "geom.surfacevel": (
        Pair(box('surfacevel="0 0 0 0 0 0"'), box()),
        *geom('surfacevel="1 0 0 0 0 0"'),
    ),
    "geom.fluidshape": (
        Pair(alone(geom='fluidshape="ellipsoid" fluidcoef="1 1 1 1 1"'), alone()),
        Pair(
            alone('<option density="9"/>', geom='fluidshape="none"'),
            alone('<option density="9"/>'),
        ),
    ),
    "contact.pair": (
        Pair(
            box(tail=f'<contact><pair name="p" {_NEAR}/></contact>', head=SLIPPERY),
            box(head=SLIPPERY),
        ),
    ),
    "contact.exclude": (
        Pair(
            arm(
                tail='<contact><exclude name="x" body1="world" body2="b"/></contact>',
                head=SLIPPERY,
            ),
            arm(head=SLIPPERY),
        ),
    ),
    **{
        f"contact.pair.condim.{number}": (
            Pair(pair(f'condim="{number}"', head=SLIPPERY).used, box(head=SLIPPERY)),
        )
        for number in (1, 3, 4, 6)
    },
    "contact.pair.friction": (
        pair('friction="1 1 .005 .0001 .0001"'),
        pair('condim="1" friction=".3"', 'condim="1"'),
        Pair(
            pair('friction=".3"', head=SLIPPERY).used,
            pair("", head=SLIPPERY).used,
        ),
    ),
    "contact.pair.friction.anisotropic": (
        pair('friction="1 1"'),
        pair('condim="1" friction=".3 .6"', 'condim="1"'),
        pair('friction="1 1 .005 .1 .2"'),
    ),
    "contact.pair.solref": (
        pair('solref=".05 .7"', head='<option><flag override="enable"/></option>'),
    ),
    "contact.pair.solref.direct": (
        pair('solref="-3000 -40"', head='<option><flag override="enable"/></option>'),
    ),
    "contact.pair.solimp": (
        pair('solimp=".5 .9 .1"', head='<option><flag override="enable"/></option>'),
    ),
    "contact.pair.solreffriction": (
        pair('solreffriction=".05 .7"'),
        pair('solreffriction="0 0"', head='<option cone="elliptic"/>'),
        pair(
            'condim="1" solreffriction=".05 .7"',
            'condim="1"',
            head='<option cone="elliptic"/>',
        ),
    ),
    "contact.pair.solreffriction.direct": (pair('solreffriction="-3000 -400"'),),
    "contact.pair.margin": (
        pair('margin="0"'),
        pair('margin=".02"', head='<option><flag override="enable"/></option>'),
    ),
    "contact.pair.gap": (pair('gap="0"'),),
    "contact.pair.adhesion": (pair('adhesion="0"'),),
}
