"""Rows of assets and deformables."""

from collections.abc import Mapping

from unisim.mjcf.schema.common import (
    CONFIG,
    MASS,
    MESH,
    NAME,
    NAMED,
    RAYS,
    TURN,
    Row,
)

_FILE: Row = {"content_type file": "composition"}
_SKIN: Row = NAME | {
    "face file group inflate material rgba texcoord vertex": "visual.skin"
}
_BONE: Row = {"bindpos bindquat body vertid vertweight": "visual.skin"}
_FLEX: Row = NAME | {
    "dim": "flex.dim*",
    "dof": "flex.dof*",
    "cellcount": "flex.dof",
    "radius": "flex.contact",
    "element": "flex",
    "flatskin group material rgba texcoord": "visual",
}
_FLEX_CONTACT: Row = {
    "activelayers conaffinity condim contype friction gap": "flex.contact",
    "margin priority solimp solmix solref": "flex.contact",
    "passive": "flex.passive",
    "selfcollide": "flex.selfcollide*",
}
_ELASTICITY: Row = {
    "elastic2d poisson section sectionsize shear thickness young": "flex.elasticity*",
    "damping": "flex.elasticity.damping",
    "yield": "flex.elasticity.yield",
}
_EDGE: Row = {"damping stiffness": "flex.edge.{attribute}"}

ROWS: Mapping[str, Row] = {
    "asset": {},
    "asset/mesh": NAMED
    | {
        "builtin face file params refpos refquat scale vertex": f"{MESH} {MASS}",
        "inertia": MASS,
        "maxhullvert": MESH,
        "normal smoothnormal": "sensor.tactile",
        "content_type": "composition",
        "material": f"visual.geom {RAYS}",
        "texcoord": "visual",
    },
    "asset/mesh/plugin": {"instance plugin": "plugin.geom"},
    "asset/mesh/plugin/config": CONFIG,
    "asset/hfield": NAME
    | {
        "elevation file ncol nrow size": "geom.type.hfield",
        "content_type": "composition",
    },
    "asset/skin deformable/skin": _SKIN,
    "asset/skin/bone deformable/skin/bone": _BONE,
    "asset/texture": NAMED
    | {
        "builtin colorspace embed file fileback filedown filefront": "visual.texture",
        "fileleft fileright fileup gridlayout gridsize height": "visual.texture",
        "hflip mark markrgb nchannel random rgb1 rgb2 type": "visual.texture",
        "vflip width": "visual.texture",
        "content_type": "composition",
    },
    "asset/material": NAMED
    | {
        "emission metallic reflectance roughness shininess": "visual.material",
        "specular texrepeat texture texuniform": "visual.material",
        "rgba": f"visual.material {RAYS}",
    },
    "asset/material/layer": {"role texture": "visual.material"},
    "asset/model": _FILE | NAME,
    "deformable": {},
    "deformable/flex": _FLEX
    | {"body node nodecoord vertex": "flex", "elemtexcoord": "visual"},
    "deformable/flex/contact body/flexcomp/contact": _FLEX_CONTACT,
    "deformable/flex/edge": _EDGE,
    "deformable/flex/elasticity body/flexcomp/elasticity": _ELASTICITY,
    "body/flexcomp": _FLEX
    | TURN
    | {
        "count file inertiabox mass mesh origin point pos quat": "flex",
        "scale spacing type": "flex",
        "rigid": "flex.rigid",
    },
    "body/flexcomp/edge": _EDGE
    | {
        "equality": "equality.flex equality.flexvert equality.flexstrain",
        "solref": "equality.solref*",
        "solimp": "equality.solimp",
    },
    "body/flexcomp/pin": {"grid gridrange id range": "flex"},
    "body/flexcomp/plugin": {"instance plugin": "plugin*"},
    "body/flexcomp/plugin/config": CONFIG,
}
"""By element."""
