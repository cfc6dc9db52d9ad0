"""Reads back what the engine holds, from its own objects and what it leaves to us.

The values are put into a copy of `rest`, the model of the reference's share, after all
that is the engine's has been wiped out of it: what cannot be read stays wiped.
"""

from collections.abc import Mapping
from copy import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_model
from unisim.backend.audit.names import OBJECTS
from unisim.backend.base import Readback
from unisim.backend.motrix.drives import read_drives
from unisim.backend.motrix.joints import read_joints
from unisim.backend.motrix.links import read_links
from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.shapes import read_shapes
from unisim.backend.motrix.share import is_fast
from unisim.backend.motrix.ties import read_ties
from unisim.errors import BadArray

_INT = mujoco.mjtIntegrator
_WIPED = (
    *("body_parentid", "body_pos", "body_quat", "body_mass", "body_ipos"),
    *("body_iquat", "body_inertia"),
    *("jnt_type", "jnt_bodyid", "jnt_axis", "jnt_pos", "jnt_range", "jnt_limited"),
    *("jnt_margin", "jnt_solref", "jnt_solimp", "qpos0", "dof_armature"),
    *("dof_frictionloss", "dof_solref", "dof_solimp"),
    *("geom_bodyid", "geom_type", "geom_size", "geom_pos", "geom_quat"),
    *("geom_friction", "geom_condim", "geom_solref", "geom_solimp", "geom_solmix"),
    *("geom_margin", "geom_gap", "geom_priority", "geom_contype", "geom_conaffinity"),
    *("pair_geom1", "pair_geom2", "pair_dim", "pair_friction", "pair_solref"),
    *("pair_solreffriction", "pair_solimp", "pair_margin", "pair_gap"),
    *("exclude_signature", "eq_type", "eq_obj1id", "eq_obj2id", "eq_active0"),
    *("eq_data", "eq_solref", "eq_solimp"),
)
"""Fields that are the engine's, whoever does what."""
_LOOSE = frozenset({"pair_solreffriction"})
"""What may differ where that was agreed to; the engine holds all else as stated."""


def readback(handle: object) -> Readback:
    """What the engine holds of every world.

    Args:
        handle: The engine's objects, and what is left to the reference.
    """
    if not isinstance(handle, Handle):
        raise BadArray("handle", "a motrix Handle", type(handle).__name__)
    model = copy(handle.rest)
    for name in _WIPED:
        wiped = getattr(model, name)
        wiped[...] = np.nan if wiped.dtype.kind == "f" else 0
    worlds: dict[str, np.ndarray] = {}
    _options(model, handle, worlds)
    names = {
        "body": read_links(model, handle, worlds),
        "joint": read_joints(model, handle, worlds),
        "geom": read_shapes(model, handle, worlds),
    }
    names["actuator"] = read_drives(model, handle, worlds)
    names |= read_ties(model, handle)
    found = from_model(model)
    held = np.isin(found.names["geom"], names["geom"])
    values = {
        name: _without(name, value, found.names, held)
        for name, value in found.values.items()
        if not AUDITED[name].derived
    }
    return Readback({**found.names, **names}, {**values, **worlds}, found.pairs, _LOOSE)


def _without(
    name: str,
    values: NDArray[np.float64],
    names: Mapping[str, tuple[str, ...]],
    held: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Values without the rows of geoms that the engine lacks, and what points at them.

    Args:
        name: The field.
        values: Of all geoms of the reference.
        names: Names of the reference.
        held: Which of its geoms the engine has. Shape (ngeom,).
    """
    field = AUDITED[name]
    if field.kind == "geom":
        values = values[held]
    if field.refers == "object":
        first = len(names["body"]) + len(names["joint"])
        total = sum(len(names[kind]) for kind in OBJECTS)
        kept = np.ones(total, bool)
        kept[first : first + len(held)] = held
        moved = np.where(kept, np.cumsum(kept) - 1, -2)
        inside = values >= 0
        values = values.copy()
        values[inside] = moved[values[inside].astype(np.int64)]
    return values


def _options(
    model: mujoco.MjModel, handle: Handle, worlds: dict[str, np.ndarray]
) -> None:
    """Fill in the options of a model.

    Raises:
        BadArray: If the engine's solver is set otherwise than was asked for.
    """
    options, cfg = handle.model.options, handle.cfg
    got = options.max_iterations, np.float32(options.solver_tolerance)
    if got != (want := (cfg.iterations, np.float32(cfg.tolerance))):
        raise BadArray("model", f"iterations and tolerance {want}", f"{got}")
    model.opt.timestep = options.timestep
    model.opt.gravity[:] = options.gravity
    if handle.data is not None:
        held = np.asarray(handle.model.get_gravity_override(handle.data), np.float64)
        # it is none where a flag switches it off, whatever the file states beside
        off = int(model.opt.disableflags) & mujoco.mjtDisableBit.mjDSBL_GRAVITY
        if held.any() or not off:
            worlds["opt_gravity"] = held[:, None]
    # the engine does not say; the audit by behaviour holds it
    kind = _INT.mjINT_IMPLICITFAST if is_fast(handle.rest) else _INT.mjINT_EULER
    model.opt.integrator = int(kind)
