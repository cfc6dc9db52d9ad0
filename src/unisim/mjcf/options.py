"""Features of `<option>`: what the file says about time, media and the solver.

What the file leaves open at MuJoCo's default is the engine's to choose, by its solver
profile; what the file states counts, even where it states the default.
"""

from collections.abc import Iterator, Mapping

import mujoco
import numpy as np

from unisim.mjcf.enums import ENUMS, members
from unisim.mjcf.feature import Feature, Find, Mask, differs, stated, values, where
from unisim.mjcf.masks import both, direct, indirect, medium, when
from unisim.mjcf.switches import (
    anything,
    collidable,
    constrainable,
    constrained,
    contacts,
    convex,
    options,
)

_SOLREF, _SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
_FRICTION = (1.0, 1.0, 0.005, 0.0001, 0.0001)
_DEFAULTS = {"mjINT_EULER", "mjCONE_PYRAMIDAL", "mjSOL_NEWTON", "mjJAC_AUTO"}


def _equals(field: str, number: int) -> Find:
    return lambda model: values(model, field)[:, 0] == number


def _switched(field: str, bit: int, scope: Find | None) -> Find:
    """Whether a flag is turned, where there is something that it acts on."""
    turned = _has(field, bit)

    def find(model: mujoco.MjModel) -> Mask:
        mask = turned(model)
        return mask & scope(model) if scope and mask.any() else mask

    return find


def _has(field: str, bit: int) -> Find:
    return lambda model: (values(model, field)[:, 0].astype(int) & bit) != 0


def _never(_model: mujoco.MjModel) -> Mask:
    return np.zeros(1, bool)


def _noslip(model: mujoco.MjModel) -> Mask:
    return np.array([model.opt.noslip_iterations > 0])


def _medium(model: mujoco.MjModel) -> Mask:
    return np.array([medium(model)])


def _choices(enum: str) -> Iterator[Feature]:
    """Members of an option that always has exactly one."""
    row, present = ENUMS[enum], members(enum)
    for name, feature in row.ids.items():
        find = _equals(row.field, present.get(name, -1))
        yield Feature(
            id=feature,
            doc=row.docs[name.removeprefix(row.prefix)],
            kind="option",
            find=_never if name in _DEFAULTS else find,
            attribute=row.family.removeprefix("option."),
            stated=find,
        )


def _flags(enum: str) -> Iterator[Feature]:
    """Flags that the file turns away from their default."""
    row, present = ENUMS[enum], members(enum)
    for name, feature in row.ids.items():
        yield Feature(
            id=feature,
            doc=row.docs[name.removeprefix(row.prefix)],
            kind="option",
            find=_switched(row.field, present.get(name, 0), _ACTS.get(feature)),
            attribute=feature.removeprefix("option.flag."),
        )


def _grouped(model: mujoco.MjModel) -> bool:
    """Whether an actuator is in a group that is off."""
    groups = np.asarray(model.actuator_group)
    inside = groups[(groups >= 0) & (groups < _GROUPS)]
    return bool(np.any(int(model.opt.disableactuator) >> inside & 1))


def _damped(model: mujoco.MjModel) -> bool:
    """Whether there is damping that Euler's method treats as implicit."""
    euler = members("mjtIntegrator")["mjINT_EULER"]
    fields = ("dof_damping", "dof_dampingpoly", "actuator_damping", "tendon_damping")
    return model.opt.integrator == euler and any(
        np.any(getattr(model, field)) for field in fields
    )


_GROUPS = 31
_CONTACTS, _CONSTRAINED = options(contacts), options(constrained)
_CONVEX = options(convex)
_ACTS: Mapping[str, Find] = {
    "option.flag.constraint": options(constrainable),
    "option.flag.equality": anything("neq"),
    "option.flag.frictionloss": anything("dof_frictionloss", "tendon_frictionloss"),
    "option.flag.limit": anything("jnt_limited", "tendon_limited"),
    "option.flag.contact": options(collidable),
    "option.flag.spring": anything(
        *("jnt_stiffness", "jnt_stiffnesspoly", "tendon_stiffness"),
        *("tendon_stiffnesspoly", "flex_edgestiffness", "flex_stiffness"),
        "flex_bending",
    ),
    "option.flag.damper": anything(
        *("dof_damping", "dof_dampingpoly", "tendon_damping", "tendon_dampingpoly"),
        *("actuator_damping", "actuator_dampingpoly"),
        *("flex_edgedamping", "flex_damping"),
    ),
    "option.flag.gravity": anything("opt.gravity"),
    "option.flag.clampctrl": anything("actuator_ctrllimited"),
    "option.flag.warmstart": _CONSTRAINED,
    "option.flag.filterparent": _CONTACTS,
    "option.flag.actuation": anything("nactuator"),
    "option.flag.refsafe": _CONSTRAINED,
    "option.flag.sensor": anything("nsensor"),
    "option.flag.midphase": _CONTACTS,
    "option.flag.eulerdamp": options(_damped),
    "option.flag.nativeccd": _CONVEX,
    "option.flag.island": _CONSTRAINED,
    "option.flag.multiccd": _CONVEX,
    "option.flag.override": _CONTACTS,
    "option.flag.diagexact": _CONSTRAINED,
    "option.flag.ipc": anything("nflex"),
    "option.flag.speculative": _CONTACTS,
}
"""By flag: whether a model holds anything that it acts on."""
_MAGNETOMETER = when(
    _equals("sensor_type", members("mjtSensor")["mjSENS_MAGNETOMETER"]), ""
)
_SDF = when(_equals("geom_type", members("mjtGeom")["mjGEOM_SDF"]), "")
_SLEEP = _has("opt.enableflags", members("mjtEnableBit")["mjENBL_SLEEP"])
_OVERRIDE = _has("opt.enableflags", members("mjtEnableBit")["mjENBL_OVERRIDE"])

ROWS: tuple[Feature, ...] = (
    *(row for enum in ("mjtIntegrator", "mjtCone") for row in _choices(enum)),
    *(row for enum in ("mjtSolver", "mjtJacobian") for row in _choices(enum)),
    *(row for enum in ("mjtDisableBit", "mjtEnableBit") for row in _flags(enum)),
    stated("option.timestep", "Length of a physics step [s].", "opt.timestep", 0.002),
    stated("option.gravity", "Gravity in world [m/s^2].", "opt.gravity", (0, 0, -9.81)),
    differs("option.density", "Density of the medium [kg/m^3].", "opt.density"),
    differs("option.viscosity", "Viscosity of the medium [Pa s].", "opt.viscosity"),
    differs("option.wind", "Velocity of the medium [m/s].", "opt.wind", 0, _medium),
    stated(
        "option.magnetic",
        "Magnetic field that magnetometers read.",
        "opt.magnetic",
        (0, -0.5, 0),
        _MAGNETOMETER,
    ),
    stated(
        "option.impratio",
        "Impedance of frictional over normal contact constraints.",
        "opt.impratio",
        1,
    ),
    stated("option.iterations", "Most solver iterations.", "opt.iterations", 100),
    stated("option.tolerance", "Tolerance of the solver.", "opt.tolerance", 1e-8),
    stated("option.ls_iterations", "Most line-search steps.", "opt.ls_iterations", 50),
    stated(
        "option.ls_tolerance", "Tolerance of the line search.", "opt.ls_tolerance", 0.01
    ),
    differs(
        "option.noslip_iterations",
        "Passes against slip.",
        "opt.noslip_iterations",
        0,
        _CONSTRAINED,
    ),
    stated(
        "option.noslip_tolerance",
        "Tolerance of the passes against slip.",
        "opt.noslip_tolerance",
        1e-6,
        _noslip,
    ),
    stated(
        "option.ccd_iterations",
        "Most iterations of convex collision.",
        "opt.ccd_iterations",
        35,
    ),
    stated(
        "option.ccd_tolerance",
        "Tolerance of convex collision.",
        "opt.ccd_tolerance",
        1e-6,
    ),
    stated(
        "option.sdf_iterations",
        "Iterations of collisions of distance fields.",
        "opt.sdf_iterations",
        10,
        _SDF,
    ),
    stated(
        "option.sdf_initpoints",
        "Starting points of collisions of distance fields.",
        "opt.sdf_initpoints",
        40,
        _SDF,
    ),
    stated(
        "option.sleep_tolerance",
        "Velocity below which a tree falls asleep.",
        "opt.sleep_tolerance",
        1e-3,
        _SLEEP,
    ),
    differs("option.o_margin", "Margin of all contacts.", "opt.o_margin", 0, _OVERRIDE),
    stated(
        "option.o_solref",
        "solref of all contacts.",
        "opt.o_solref",
        _SOLREF,
        both(_OVERRIDE, indirect("opt.o_solref")),
    ),
    where(
        "option.o_solref.direct",
        "Stiffness and damping of all contacts.",
        "option",
        both(_OVERRIDE, direct("opt.o_solref")),
        "opt.o_solref",
    ),
    stated(
        "option.o_solimp", "solimp of all contacts.", "opt.o_solimp", _SOLIMP, _OVERRIDE
    ),
    stated(
        "option.o_friction",
        "Friction of all contacts.",
        "opt.o_friction",
        _FRICTION,
        _OVERRIDE,
    ),
    differs(
        "option.actuatorgroupdisable",
        "Groups of actuators that are off.",
        "opt.disableactuator",
        0,
        options(_grouped),
    ),
    where(
        "size.nuserdata",
        "The user's own numbers in the state.",
        "size",
        lambda model: np.array([model.nuserdata > 0]),
    ),
)
"""Features of `<option>` and `<size>`."""
