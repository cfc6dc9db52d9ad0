"""Features of geoms and contact pairs."""

from dataclasses import replace

import mujoco
import numpy as np

from unisim.mjcf.enums import members
from unisim.mjcf.feature import Feature, Find, Mask, differs, members_of, stated, where
from unisim.mjcf.masks import (
    both,
    colliding,
    condim,
    direct,
    fluid,
    indirect,
    physical,
)
from unisim.mjcf.pairs import searched
from unisim.mjcf.switches import touching

_SOLREF, _SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
_SLIDING, _ROLLING = 3, 6
_ELLIPTIC = members("mjtCone")["mjCONE_ELLIPTIC"]
_DIMS = {1: "no friction", 3: "sliding", 4: "torsional", 6: "rolling friction"}


def _is_dim(field: str, number: int, scope: Find | None = None) -> Find:
    def find(model: mujoco.MjModel) -> Mask:
        mask = np.asarray(getattr(model, field)) == number
        return mask & scope(model) if scope else mask

    return find


def _column(field: str, columns: slice, default: float, scope: Find) -> Find:
    def find(model: mujoco.MjModel) -> Mask:
        part = np.asarray(getattr(model, field))[:, columns]
        return scope(model) & np.any(part != default, axis=1)

    return find


def _any_pair(model: mujoco.MjModel) -> Mask:
    return np.ones(model.npair, bool)


def _rough(model: mujoco.MjModel) -> Mask:
    return model.pair_dim >= _SLIDING


def _elliptic(model: mujoco.MjModel) -> Mask:
    """Pairs with friction of elliptic cones."""
    return _rough(model) & (model.opt.cone == _ELLIPTIC)


def _masked(model: mujoco.MjModel) -> Mask:
    odd = (model.geom_contype != 1) | (model.geom_conaffinity != 1)
    return odd & colliding(model)


def _searched(model: mujoco.MjModel) -> Mask:
    return np.any(searched(model), axis=1)


def _anisotropic(model: mujoco.MjModel) -> Mask:
    friction = model.pair_friction
    sliding = (friction[:, 0] != friction[:, 1]) & (model.pair_dim >= _SLIDING)
    return sliding | ((friction[:, 3] != friction[:, 4]) & (model.pair_dim >= _ROLLING))


def _friction(id: str, doc: str, column: int, least: int) -> Feature:
    """A friction coefficient, where contacts have enough dimensions to feel it."""
    scope = condim(least)
    columns = slice(column, column + 1)
    find = _column("geom_friction", columns, (1.0, 0.005, 0.0001)[column], scope)
    row = where(id, doc, "geom", find, "geom_friction")
    return replace(row, stated=scope)


ROWS: tuple[Feature, ...] = (
    *members_of("mjtGeom", physical),
    *(
        where(
            f"geom.condim.{number}",
            f"Contacts of a geom with {number} dimensions: {doc}.",
            "geom",
            _is_dim("geom_condim", number, touching),
        )
        for number, doc in _DIMS.items()
    ),
    where("geom.mask", "Masks that let some pairs through.", "geom", _masked),
    differs(
        "geom.priority",
        "Whose parameters a contact has.",
        "geom_priority",
        0,
        touching,
    ),
    _friction("geom.friction", "Sliding friction other than 1.", 0, 3),
    _friction("geom.friction.torsional", "Torsional friction other than 0.005.", 1, 4),
    _friction("geom.friction.rolling", "Rolling friction other than 0.0001.", 2, 6),
    stated(
        "geom.solref",
        "Time constant and damping ratio of contacts.",
        "geom_solref",
        _SOLREF,
        both(touching, indirect("geom_solref")),
    ),
    where(
        "geom.solref.direct",
        "Stiffness and damping of contacts.",
        "geom",
        both(touching, direct("geom_solref")),
        "geom_solref",
    ),
    stated("geom.solimp", "Impedance of contacts.", "geom_solimp", _SOLIMP, touching),
    differs("geom.solmix", "Weight in mixing parameters.", "geom_solmix", 1, touching),
    differs(
        "geom.margin", "Distance at which a contact acts.", "geom_margin", 0, touching
    ),
    differs(
        "geom.gap", "Distance at which a contact is kept.", "geom_gap", 0, touching
    ),
    differs("geom.adhesion", "Contacts that stick.", "geom_adhesion", 0, touching),
    differs(
        "geom.surfacevel",
        "A surface that moves like a conveyor.",
        "geom_surfacevel",
        0,
        touching,
    ),
    where("geom.fluidshape", "Fluid forces on an ellipsoid.", "geom", fluid),
    where("contact.pair", "An explicit pair.", "pair", _any_pair),
    *(
        where(
            f"contact.pair.condim.{number}",
            f"Contacts of a pair with {number} dimensions: {doc}.",
            "pair",
            _is_dim("pair_dim", number),
        )
        for number, doc in _DIMS.items()
    ),
    differs(
        "contact.pair.friction",
        "Friction of a pair.",
        "pair_friction",
        (1, 1, 0.005, 0.0001, 0.0001),
        _rough,
    ),
    where(
        "contact.pair.friction.anisotropic",
        "Friction of a pair that depends on the direction.",
        "pair",
        _anisotropic,
        "pair_friction",
    ),
    stated(
        "contact.pair.solref",
        "Time constant and damping ratio of a pair.",
        "pair_solref",
        _SOLREF,
        indirect("pair_solref"),
    ),
    stated("contact.pair.solimp", "Impedance of a pair.", "pair_solimp", _SOLIMP),
    where(
        "contact.pair.solref.direct",
        "Stiffness and damping of a pair.",
        "pair",
        direct("pair_solref"),
        "pair_solref",
    ),
    differs(
        "contact.pair.solreffriction",
        "Another solref in the frictional directions of a pair.",
        "pair_solreffriction",
        0,
        both(_elliptic, indirect("pair_solreffriction")),
    ),
    where(
        "contact.pair.solreffriction.direct",
        "Stiffness and damping in the frictional directions of a pair.",
        "pair",
        both(_elliptic, direct("pair_solreffriction")),
        "pair_solreffriction",
    ),
    differs("contact.pair.margin", "Margin of a pair.", "pair_margin"),
    differs("contact.pair.gap", "Gap of a pair.", "pair_gap"),
    differs("contact.pair.adhesion", "A pair that sticks.", "pair_adhesion"),
    where(
        "contact.convex",
        "Geoms that may meet where convex collision looks for it, or boxes.",
        "geom",
        _searched,
    ),
    where(
        "contact.exclude",
        "Two bodies that never collide.",
        "exclude",
        lambda model: np.ones(model.nexclude, bool),
    ),
)
"""Features of `<geom>` and `<contact>`."""
