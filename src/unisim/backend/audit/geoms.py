"""Audited fields of geoms, of explicit contact pairs and of flexes."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.field import (
    AuditedField,
    Read,
    Tolerance,
    Values,
    plain,
    where,
)

_EXACT, _QUAT = Tolerance.EXACT, Tolerance.QUAT


def colliding(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Geoms that masks or explicit pairs let take part in contacts. Shape (ngeom,)."""
    found = (np.asarray(model.geom_contype) | np.asarray(model.geom_conaffinity)) != 0
    found[model.pair_geom1] = True
    found[model.pair_geom2] = True
    return found


def _touching(name: str) -> Read:
    return lambda model: where(colliding(model), getattr(model, name))


def _hfield(model: mujoco.MjModel) -> Values:
    """Rows, columns, size, and moments of the elevation. Shape (ngeom, 9)."""
    found = np.full((model.ngeom, 9), np.nan)
    is_field = np.asarray(model.geom_type) == mujoco.mjtGeom.mjGEOM_HFIELD
    for geom in np.flatnonzero(is_field):
        i = model.geom_dataid[geom]
        rows, columns = int(model.hfield_nrow[i]), int(model.hfield_ncol[i])
        start = model.hfield_adr[i]
        heights = np.asarray(model.hfield_data[start : start + rows * columns], float)
        weights = np.linspace(0.0, 1.0, heights.size)
        found[geom] = (
            rows, columns, *model.hfield_size[i], heights.mean(), heights.std(),
            weights @ heights / heights.size,
        )
    return found


GEOM: tuple[AuditedField, ...] = (
    AuditedField("geom_body", "geom", "", ("geom_bodyid",), plain("geom_bodyid"),
                 _EXACT, refers="body"),
    AuditedField("geom_type", "geom", "", ("geom_type",), plain("geom_type"), _EXACT,
                 "type"),
    AuditedField("geom_size", "geom", "m", ("geom_size",), plain("geom_size"),
                 attribute="size"),
    AuditedField("geom_pos", "geom", "m", ("geom_pos",), plain("geom_pos"),
                 attribute="pos"),
    AuditedField("geom_quat", "geom", "", ("geom_quat",), plain("geom_quat"), _QUAT,
                 "quat"),
    AuditedField("geom_hfield", "geom", "m", ("hfield_data", "hfield_size"), _hfield,
                 attribute="hfield"),
    AuditedField("geom_friction", "geom", "", ("geom_friction",),
                 _touching("geom_friction"), attribute="friction"),
    AuditedField("geom_condim", "geom", "", ("geom_condim",),
                 _touching("geom_condim"), _EXACT, "condim"),
    AuditedField("geom_solref", "geom", "", ("geom_solref",),
                 _touching("geom_solref"), attribute="solref"),
    AuditedField("geom_solimp", "geom", "", ("geom_solimp",),
                 _touching("geom_solimp"), attribute="solimp"),
    AuditedField("geom_solmix", "geom", "", ("geom_solmix",),
                 _touching("geom_solmix"), attribute="solmix"),
    AuditedField("geom_margin", "geom", "m", ("geom_margin",),
                 _touching("geom_margin"), attribute="margin"),
    AuditedField("geom_gap", "geom", "m", ("geom_gap",), _touching("geom_gap"),
                 attribute="gap"),
    AuditedField("geom_priority", "geom", "", ("geom_priority",),
                 _touching("geom_priority"), _EXACT, "priority"),
    AuditedField("geom_surfacevel", "geom", "m/s and rad/s", ("geom_surfacevel",),
                 _touching("geom_surfacevel"), attribute="surfacevel"),
    AuditedField("geom_adhesion", "geom", "N", ("geom_adhesion",),
                 _touching("geom_adhesion"), attribute="adhesion"),
    AuditedField("geom_fluid", "geom", "", ("geom_fluid",), plain("geom_fluid"),
                 attribute="fluidcoef"),
    AuditedField("geom_plugin", "geom", "", ("geom_plugin",), plain("geom_plugin"),
                 _EXACT),
)

PAIR: tuple[AuditedField, ...] = (
    AuditedField("pair_geom1", "pair", "", ("pair_geom1",), plain("pair_geom1"),
                 _EXACT, "geom1", refers="geom"),
    AuditedField("pair_geom2", "pair", "", ("pair_geom2",), plain("pair_geom2"),
                 _EXACT, "geom2", refers="geom"),
    AuditedField("pair_condim", "pair", "", ("pair_dim",), plain("pair_dim"), _EXACT,
                 "condim"),
    AuditedField("pair_friction", "pair", "", ("pair_friction",),
                 plain("pair_friction"), attribute="friction"),
    AuditedField("pair_solref", "pair", "", ("pair_solref",), plain("pair_solref"),
                 attribute="solref"),
    AuditedField("pair_solreffriction", "pair", "", ("pair_solreffriction",),
                 plain("pair_solreffriction"), attribute="solreffriction"),
    AuditedField("pair_solimp", "pair", "", ("pair_solimp",), plain("pair_solimp"),
                 attribute="solimp"),
    AuditedField("pair_margin", "pair", "m", ("pair_margin",), plain("pair_margin"),
                 attribute="margin"),
    AuditedField("pair_gap", "pair", "m", ("pair_gap",), plain("pair_gap"),
                 attribute="gap"),
    AuditedField("pair_adhesion", "pair", "N", ("pair_adhesion",),
                 plain("pair_adhesion"), attribute="adhesion"),
)

_FLEX_VALUES = ("friction", "solref", "solimp", "solmix", "margin", "gap", "radius")
_FLEX_VALUES += ("damping", "edgestiffness", "edgedamping", "yield")
_FLEX_COUNTS = ("condim", "priority", "contype", "conaffinity", "selfcollide")
_FLEX_COUNTS += ("activelayers", "rigid", "edgeequality", "passive")
_FLEX_COUNTS += ("plasticmode",)
_FLEX_WHOLE = ("flex_vert0", "flex_node0", "flex_stiffness", "flex_bending")
_FLEX_WHOLE += ("flexedge_length0", "flex_elem", "flex_vertbodyid", "flex_nodebodyid")


def _whole(name: str) -> Read:
    return lambda model: np.asarray(getattr(model, name), dtype=float).reshape(1, -1)


FLEX: tuple[AuditedField, ...] = (
    *(
        AuditedField(f"flex_{word}", "flex", "", (f"flex_{word}",),
                     plain(f"flex_{word}"), attribute=word)
        for word in _FLEX_VALUES
    ),
    *(
        AuditedField(f"flex_{word}", "flex", "", (f"flex_{word}",),
                     plain(f"flex_{word}"), _EXACT, word)
        for word in _FLEX_COUNTS
    ),
    *(
        AuditedField(name, "model", "", (name,), _whole(name), feature="flex")
        for name in _FLEX_WHOLE
    ),
)
