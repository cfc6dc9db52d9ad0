"""Rows of the body tree."""

from collections.abc import Mapping

from unisim.mjcf.schema.common import (
    CONFIG,
    MASS,
    MESH,
    NAME,
    NAMED,
    RAYS,
    SHAPE,
    SITES,
    TURN,
    USER,
    VIEW,
    VOLUME,
    Row,
)

_FRAME: Row = {"name childclass": "composition"} | TURN
_EYE = f"sensor.objtype.camera sensor.reftype {VIEW}"

JOINT: Row = {
    "type axis": MASS,
    "group": "visual",
    "limited range": "joint.limited*",
    "armature damping frictionloss stiffness": "joint.{attribute}*",
    "solreffriction solreflimit": "joint.{attribute}*",
    "margin solimpfriction solimplimit": "joint.{attribute}",
}
_CONTACT: Row = {
    "contype conaffinity": f"geom.mask {SHAPE}",
    "condim friction solref": "geom.{attribute}*",
    "adhesion gap margin priority solimp solmix surfacevel": "geom.{attribute}",
}
GEOM: Row = _CONTACT | {
    "type size": f"{SHAPE} {MASS}",
    "mass density": MASS,
    "group": f"visual.geom {MASS}",
    "rgba material": f"visual.geom {RAYS}",
}

ROWS: Mapping[str, Row] = {
    "worldbody": {},
    "body": _FRAME
    | USER
    | {
        "pos quat": f"{MASS} {SHAPE}",
        "gravcomp mocap": "body.{attribute}",
        "sleep": "body.sleep*",
        "simple": MASS,
        "fuse": "notation",
    },
    "body/inertial": TURN
    | {"mass pos quat diaginertia": MASS, "fullinertia": "notation"},
    "body/joint": NAMED
    | USER
    | JOINT
    | {
        "actuatorfrclimited actuatorfrcrange": "joint.actuatorfrcrange",
        "actuatorgravcomp pos ref springref springyield": "joint.{attribute}",
        "springdamper": "notation",
    },
    "body/freejoint": NAME | {"group": "visual", "align": "notation"},
    "body/geom": NAMED
    | USER
    | TURN
    | GEOM
    | {
        "pos quat": f"{SHAPE} {MASS}",
        "fromto fitscale": "notation",
        "mesh": f"{MESH} {MASS}",
        "hfield": "geom.type.hfield",
        "shellinertia": MASS,
        "fluidshape fluidcoef": "geom.fluidshape",
        "castshadow": "visual",
    },
    "body/geom/plugin body/plugin": {"instance plugin": "plugin*"},
    "body/geom/plugin/config body/plugin/config": CONFIG,
    "body/attach": {"prefix": "composition", "body frame model": "notation"},
    "body/site": NAMED
    | USER
    | TURN
    | {
        "pos quat": SITES,
        "type size mesh": VOLUME,
        "fromto": "notation",
        "group material rgba": "visual",
    },
    "body/camera": NAMED
    | USER
    | TURN
    | {
        "mode pos quat target": _EYE,
        "focal focalpixel fovy principal principalpixel": VIEW,
        "projection resolution sensorsize": VIEW,
        "ipd output": "visual.camera",
    },
    "body/light": NAMED
    | {
        "active ambient attenuation bulbradius castshadow": "visual.light",
        "cutoff diffuse dir directional exponent intensity": "visual.light",
        "mode pos range softness specular target texture type": "visual.light",
    },
    "body/frame": _FRAME | {"pos quat": "notation"},
    "body/replicate": {
        "childclass sep": "composition",
        "count euler offset": "notation",
    },
    "body/composite": {
        "count curve initial offset quat size type vertex": "notation",
        "prefix": "composition",
    },
    "body/composite/joint": JOINT
    | {"kind": "notation", "solimpfix solreffix": "equality.solref* equality.solimp"},
    "body/composite/geom": GEOM,
    "body/composite/site": {"group material rgba": "visual", "mesh size": VOLUME},
    "body/composite/skin": {
        "group inflate material rgba subgrid texcoord": "visual.skin"
    },
    "body/composite/plugin": {"instance plugin": "plugin*"},
    "body/composite/plugin/config": CONFIG,
}
"""By element."""
