"""Audited fields of geoms, of explicit contact pairs and of flexes."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import (
    AuditedField,
    counts,
    indices,
    quats,
    values,
    whole,
)
from unisim.backend.audit.ground import HFIELD
from unisim.mjcf.pairs import within


def colliding(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Geoms that masks or explicit pairs let take part in contacts. Shape (ngeom,)."""
    found = (np.asarray(model.geom_contype) | np.asarray(model.geom_conaffinity)) != 0
    for geoms in (np.asarray(model.pair_geom1), np.asarray(model.pair_geom2)):
        found[geoms[within(geoms, model.ngeom)]] = True
    return found


_UNSIZED = (int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD))


def sized(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Geoms with a size of their own: it is no drawing, and no height field's."""
    return ~np.isin(model.geom_type, _UNSIZED)


GEOM: tuple[AuditedField, ...] = (
    indices("geom", "geom_body", "geom_bodyid", "body"),
    counts("geom", "geom_type", "type"),
    values("geom", "geom_size", "m", "size", sized),
    values("geom", "geom_pos", "m", "pos"),
    quats("geom", "geom_quat"),
    *HFIELD,
    values("geom", "geom_friction", "", "friction", colliding),
    counts("geom", "geom_condim", "condim", colliding),
    values("geom", "geom_solref", "", "solref", colliding),
    values("geom", "geom_solimp", "", "solimp", colliding),
    values("geom", "geom_solmix", "", "solmix", colliding),
    values("geom", "geom_margin", "m", "margin", colliding),
    values("geom", "geom_gap", "m", "gap", colliding),
    counts("geom", "geom_priority", "priority", colliding),
    values("geom", "geom_surfacevel", "m/s and rad/s", "surfacevel", colliding),
    values("geom", "geom_adhesion", "N", "adhesion", colliding),
    values("geom", "geom_fluid", "", "fluidcoef"),
    counts("geom", "geom_plugin", "plugin"),
)

PAIR: tuple[AuditedField, ...] = (
    indices("pair", "pair_geom1", "pair_geom1", "geom"),
    indices("pair", "pair_geom2", "pair_geom2", "geom"),
    counts("pair", "pair_dim", "condim"),
    values("pair", "pair_friction", "", "friction"),
    values("pair", "pair_solref", "", "solref"),
    values("pair", "pair_solreffriction", "", "solreffriction"),
    values("pair", "pair_solimp", "", "solimp"),
    values("pair", "pair_margin", "m", "margin"),
    values("pair", "pair_gap", "m", "gap"),
    values("pair", "pair_adhesion", "N", "adhesion"),
)

_FLEX_VALUES = (
    *("friction", "solref", "solimp", "solmix", "margin", "gap", "radius", "damping"),
    *("edgestiffness", "edgedamping", "yield"),
)
_FLEX_COUNTS = (
    *("condim", "priority", "contype", "conaffinity", "selfcollide", "activelayers"),
    *("rigid", "edgeequality", "passive", "plasticmode"),
)
_FLEX_WHOLE = (
    *("flex_vert0", "flex_node0", "flex_stiffness", "flex_bending", "flex_elem"),
    *("flexedge_length0", "flex_vertbodyid", "flex_nodebodyid"),
)


FLEX: tuple[AuditedField, ...] = (
    *(values("flex", f"flex_{word}", "", word) for word in _FLEX_VALUES),
    *(counts("flex", f"flex_{word}", word) for word in _FLEX_COUNTS),
    *(AuditedField(name, "model", "", (name,), whole(name)) for name in _FLEX_WHOLE),
)
