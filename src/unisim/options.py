"""Overrides of MJCF's `<option>` and `<flag>`: every attribute, typed."""

import dataclasses
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
)

from unisim.errors import UnknownName
from unisim.strict import strict

LONGEST_STEP = 1e4
"""A physics step after which no state is of use [s]."""
Timestep = Annotated[PositiveFloat, Field(le=LONGEST_STEP)]
Vec3 = tuple[float, float, float]
FLAGS = frozenset({
    "actuation", "autoreset", "clampctrl", "constraint", "contact", "damper",
    "diagexact", "energy", "equality", "eulerdamp", "filterparent", "frictionloss",
    "fwdinv", "gravity", "invdiscrete", "ipc", "island", "limit", "midphase",
    "multiccd", "nativeccd", "override", "refsafe", "sensor", "sleep", "speculative",
    "spring", "warmstart",
})  # fmt: skip
"""Attributes of MJCF's `<flag>`, of every MuJoCo that is supported."""


def _flag(name: str) -> str:
    if name not in FLAGS:
        raise ValueError(UnknownName("flag", name, FLAGS))
    return name


Flag = Annotated[str, AfterValidator(_flag)]
Switch = Literal["enable", "disable"]
Integrator = Literal["Euler", "RK4", "implicit", "implicitfast", "discrete"]
Cone = Literal["pyramidal", "elliptic"]


@strict
class OptionsCfg:
    """Overrides of MJCF `<option>`: what is None stays as the file states it."""

    timestep: Timestep | None = None
    """Step length [s]."""
    gravity: Vec3 | None = None
    """Gravity in world [m/s^2]."""
    wind: Vec3 | None = None
    """Velocity of the medium in world [m/s]."""
    magnetic: Vec3 | None = None
    """Magnetic flux in world, in the unit of the magnetometers' readings."""
    density: NonNegativeFloat | None = None
    """Density of the medium [kg/m^3]."""
    viscosity: NonNegativeFloat | None = None
    """Viscosity of the medium [Pa s]."""
    integrator: Integrator | None = None
    cone: Cone | None = None
    jacobian: Literal["dense", "sparse", "auto"] | None = None
    solver: Literal["PGS", "CG", "Newton"] | None = None
    iterations: NonNegativeInt | None = None
    tolerance: NonNegativeFloat | None = None
    ls_iterations: NonNegativeInt | None = None
    ls_tolerance: NonNegativeFloat | None = None
    noslip_iterations: NonNegativeInt | None = None
    noslip_tolerance: NonNegativeFloat | None = None
    ccd_iterations: NonNegativeInt | None = None
    ccd_tolerance: NonNegativeFloat | None = None
    sdf_iterations: NonNegativeInt | None = None
    sdf_initpoints: NonNegativeInt | None = None
    sleep_tolerance: NonNegativeFloat | None = None
    """Velocity below which a tree may sleep [m/s]."""
    impratio: PositiveFloat | None = None
    """Ratio of frictional to normal constraint impedance."""
    o_margin: NonNegativeFloat | None = None
    """Margin of every contact while the flag `override` is on [m]."""
    o_solref: tuple[float, float] | None = None
    """`solref` of every contact while the flag `override` is on."""
    o_solimp: tuple[float, float, float, float, float] | None = None
    """`solimp` of every contact while the flag `override` is on."""
    o_friction: tuple[float, float, float, float, float] | None = None
    """Friction of every contact while the flag `override` is on."""
    actuatorgroupdisable: tuple[Annotated[int, Field(ge=0, le=30)], ...] | None = None
    """Actuator groups that are switched off."""
    flags: dict[Flag, Switch] = dataclasses.field(default_factory=dict[Flag, Switch])
    """Overrides of `<flag>` by MJCF name, e.g. {eulerdamp = "disable"}."""
