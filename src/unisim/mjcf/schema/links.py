"""Rows of contact pairs, tendons and equality constraints."""

from collections.abc import Mapping

from unisim.mjcf.schema.common import NAME, NAMED, USER, Row

_TENDON: Row = (
    NAMED
    | USER
    | {
        "group": "visual",
        "actuatorfrclimited actuatorfrcrange": "tendon.actuatorfrcrange",
        "limited range": "tendon.limited",
        "armature frictionloss margin solimpfriction solimplimit": "tendon.{attribute}",
        "damping stiffness springlength": "tendon.{attribute}*",
        "solreffriction solreflimit": "tendon.{attribute}*",
        "springyield": "tendon.springyield",
    }
)
_EQUALITY: Row = NAMED | {
    "active solimp": "equality.{attribute}",
    "solref": "equality.solref*",
}

ROWS: Mapping[str, Row] = {
    "contact": {},
    "contact/pair": NAMED
    | {
        "geom1 geom2": "contact.pair",
        "adhesion gap margin solimp": "contact.pair.{attribute}",
        "condim friction solref": "contact.pair.{attribute}*",
        "solreffriction": "contact.pair.solreffriction*",
    },
    "contact/exclude": NAME | {"body1 body2": "contact.exclude"},
    "tendon": {},
    "tendon/spatial": _TENDON | {"material rgba width": "visual"},
    "tendon/spatial/site": {"site": "tendon.wrap.site"},
    "tendon/spatial/geom": {
        "geom": "tendon.wrap.sphere tendon.wrap.cylinder",
        "sidesite": "tendon.wrap.sidesite",
    },
    "tendon/spatial/pulley": {"divisor": "tendon.wrap.pulley"},
    "tendon/fixed": _TENDON,
    "tendon/fixed/joint": {"coef joint": "tendon.wrap.joint"},
    "equality": {},
    "equality/connect": _EQUALITY
    | {
        "anchor body1 body2": "equality.connect",
        "site1 site2": "equality.connect.site",
    },
    "equality/weld": _EQUALITY
    | {
        "anchor body1 body2 relpose": "equality.weld",
        "site1 site2": "equality.weld.site",
        "torquescale": "equality.weld.torquescale",
    },
    "equality/joint": _EQUALITY | {"joint1 joint2 polycoef": "equality.joint*"},
    "equality/tendon": _EQUALITY | {"polycoef tendon1 tendon2": "equality.tendon*"},
    "equality/flex equality/flexvert": _EQUALITY | {"flex": "equality.{tag}"},
    "equality/flexstrain": _EQUALITY | {"cell flex": "equality.flexstrain"},
}
"""By element."""
