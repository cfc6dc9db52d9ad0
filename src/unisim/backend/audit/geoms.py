"""Audited fields of geoms, of explicit contact pairs and of flexes."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import (
    AuditedField,
    Values,
    counts,
    indices,
    quats,
    values,
    whole,
)
from unisim.backend.audit.names import within


def colliding(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Geoms that masks or explicit pairs let take part in contacts. Shape (ngeom,)."""
    found = (np.asarray(model.geom_contype) | np.asarray(model.geom_conaffinity)) != 0
    for geoms in (np.asarray(model.pair_geom1), np.asarray(model.pair_geom2)):
        found[geoms[within(geoms, model.ngeom)]] = True
    return found


def _hfield(model: mujoco.MjModel) -> Values:
    """Rows, columns, size, and moments of the elevation. Shape (ngeom, 9).

    NaN for geoms that are no height fields, or whose data are not there.
    """
    found = np.full((model.ngeom, 9), np.nan)
    is_field = np.asarray(model.geom_type) == mujoco.mjtGeom.mjGEOM_HFIELD
    stored = within(model.geom_dataid, model.nhfield)
    for geom in np.flatnonzero(is_field & stored):
        i = model.geom_dataid[geom]
        rows, columns = int(model.hfield_nrow[i]), int(model.hfield_ncol[i])
        start = int(model.hfield_adr[i])
        heights = np.asarray(model.hfield_data[start : start + rows * columns], float)
        if heights.size == 0:
            continue
        weights = np.linspace(0.0, 1.0, heights.size)
        found[geom] = (
            rows,
            columns,
            *model.hfield_size[i],
            heights.mean(),
            heights.std(),
            weights @ heights / heights.size,
        )
    return found


GEOM: tuple[AuditedField, ...] = (
    indices("geom", "geom_body", "geom_bodyid", "body"),
    counts("geom", "geom_type", "type"),
    values("geom", "geom_size", "m", "size"),
    values("geom", "geom_pos", "m", "pos"),
    quats("geom", "geom_quat"),
    AuditedField(
        *("geom_hfield", "geom", "m", ("hfield_data", "hfield_size"), _hfield),
        attribute="hfield",
    ),
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
