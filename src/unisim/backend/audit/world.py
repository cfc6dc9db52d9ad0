"""Audited fields of the options, the sizes and the keyframes."""

import mujoco

from unisim.backend.audit.field import AuditedField, Read, Tolerance, raw, values

_EXACT = Tolerance.EXACT
_AUTORESET = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
_VALUES = {
    "timestep": "s",
    "gravity": "m/s^2",
    "wind": "m/s",
    "magnetic": "",
    "density": "kg/m^3",
    "viscosity": "Pa s",
    "impratio": "",
    "tolerance": "",
    "ls_tolerance": "",
    "noslip_tolerance": "",
    "ccd_tolerance": "",
    "sleep_tolerance": "m/s",
    "o_margin": "m",
    "o_solref": "",
    "o_solimp": "",
    "o_friction": "",
}
_COUNTS = (
    *("integrator", "cone", "solver", "jacobian", "iterations", "ls_iterations"),
    *("noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints"),
)
_KEYS = {
    "time": "s",
    "qpos": "rad or m",
    "qvel": "rad/s or m/s",
    "act": "",
    "ctrl": "",
    "mpos": "m",
    "mquat": "",
    "plastic": "",
}
SIZES: tuple[str, ...] = ("nq", "nv", "nu", "na", "nmocap", "nuserdata")
"""Sizes that names do not tell."""


def _option(name: str) -> Read:
    return lambda model: raw(model, f"opt.{name}").reshape(1, -1)


def _size(name: str) -> Read:
    return lambda model: [getattr(model, name)]


OPTION: tuple[AuditedField, ...] = (
    *(
        AuditedField(
            *(f"opt_{name}", "option", unit, (f"opt.{name}",), _option(name)),
            attribute=name,
        )
        for name, unit in _VALUES.items()
    ),
    *(
        AuditedField(
            *(f"opt_{name}", "option", "", (f"opt.{name}",), _option(name), _EXACT),
            attribute=name,
        )
        for name in _COUNTS
    ),
    AuditedField(
        *("opt_disableflags", "option", "", ("opt.disableflags",)),
        lambda model: [int(model.opt.disableflags) & ~_AUTORESET],
        _EXACT,
        "flag",
    ),
    AuditedField(
        *("opt_enableflags", "option", "", ("opt.enableflags",)),
        lambda model: [int(model.opt.enableflags)],
        _EXACT,
        "flag",
    ),
)

KEY: tuple[AuditedField, ...] = tuple(
    values("key", f"key_{name}", unit, name) for name, unit in _KEYS.items()
)

SIZE: tuple[AuditedField, ...] = tuple(
    AuditedField(name, "model", "", (name,), _size(name), _EXACT) for name in SIZES
)
