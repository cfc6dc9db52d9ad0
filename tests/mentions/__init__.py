"""For every physical feature: scenes that mention it without effect, or why none can.

Each is beside its twin that does not mention it. What the two do in MuJoCo is the same
to the last bit, which a test looks at.
"""

from mentions.bodies import JOINTS
from mentions.drives import ACTUATORS, FLEXES, SENSORS
from mentions.links import LINKS
from mentions.settings import OPTIONS
from mentions.shapes import GEOMS
from mentions.templates import Mentions
from unisim.mjcf.features import FEATURES
from unisim.probe.templates import Pair, box

THERE = "the element or its type is what is asked for: naming it is having it"
COUNTED = "it follows from what is there, no attribute says it"
SEEN = "it is part of the state or of the lists that a user reads"
EVER = "it acts in every scene, or outside of states and sensors: stating it is a use"
SOLVER = "what the file says of the solver counts: where it is silent an engine decides"
RUNTIME = "it can be switched on while the simulation runs"
WHATEVER = "a callback of the process acts, which no scene can hold"

_REASONS: dict[str, str] = {
    **dict.fromkeys(
        (
            *("joint.type", "geom.type.sdf", "body.mocap"),
            *("tendon.fixed", "tendon.spatial", "tendon.wrap"),
            *("actuator.trntype", "actuator.dyntype", "actuator.gaintype"),
            *("actuator.biastype", "actuator.cranklength", "actuator.refsite"),
            *("sensor", "key", "flex", "flex.dim", "flex.dof", "flex.rigid"),
            *("equality.flexvert", "equality.flexstrain", "plugin"),
        ),
        THERE,
    ),
    **dict.fromkeys(
        (
            *("joint.several", "actuator.inputs", "contact.convex"),
            *("body.sleep.auto_never", "body.sleep.auto_allowed"),
        ),
        COUNTED,
    ),
    **dict.fromkeys(
        (
            *("actuator.dyntype.user", "actuator.gaintype.user"),
            *("actuator.biastype.user", "sensor.user"),
        ),
        WHATEVER,
    ),
    "actuator.nsample": SEEN,
    "sensor.nsample": SEEN,
    **dict.fromkeys(
        (
            *("option.integrator", "option.cone", "option.solver", "option.jacobian"),
            *("option.timestep", "option.impratio", "option.iterations"),
            *("option.tolerance", "option.ls_iterations", "option.ls_tolerance"),
            *("option.ccd_iterations", "option.ccd_tolerance"),
        ),
        SOLVER,
    ),
    "option.flag.autoreset": EVER,
    "option.flag.energy": EVER,
    "option.flag.fwdinv": EVER,
    "option.flag.invdiscrete": EVER,
    "equality.active": RUNTIME,
}
"""By feature or family: why no scene can mention it without using it."""

MENTIONS: Mentions = {
    **JOINTS,
    **GEOMS,
    **LINKS,
    **ACTUATORS,
    **SENSORS,
    **OPTIONS,
    **FLEXES,
    **{
        f"body.sleep.{policy}": (
            Pair(box().replace('name="a"', f'name="a" sleep="{policy}"'), box()),
        )
        for policy in ("never", "allowed", "init")
    },
}
"""By feature id: each scene that mentions it, and its twin."""


def reason(feature: str) -> str:
    """Why no scene can mention a feature without using it, "" where one can."""
    if feature in MENTIONS:
        return ""
    names = (feature, *FEATURES[feature].families)
    return next((_REASONS[name] for name in names if name in _REASONS), "")
