"""Members of MuJoCo's model enums by name, each with the id of what it asks for.

Members are matched by name, so that a number that moves between versions of MuJoCo
does no harm, and a member that nobody knows is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco


@dataclass(frozen=True)
class Enum:
    """The members of one enum that compiled models can hold.

    Attributes:
        field: Array of the model that holds it.
        family: The family its ids belong to.
        prefix: What the members' names start with; an id ends in the rest of the name,
            in lower case.
        docs: What each member asks for, by the rest of its name.
        words: MJCF's word where it is not the member's.
        absent: Members that the array never holds.
        bits: Whether a value is a set of members.
    """

    field: str
    family: str
    prefix: str
    docs: Mapping[str, str]
    words: Mapping[str, str]
    absent: tuple[str, ...] = ()
    bits: bool = False

    @property
    def ids(self) -> dict[str, str]:
        """Feature id by the member's full name."""
        return {f"{self.prefix}{rest}": self.id(rest) for rest in self.docs}

    def id(self, rest: str) -> str:
        """Feature id of a member by the rest of its name."""
        return f"{self.family}.{self.words.get(rest, rest.lower())}"


def members(enum: str) -> dict[str, int]:
    """Members of an enum of the installed MuJoCo by name, without its counters."""
    found = getattr(mujoco, enum).__members__
    return {name: int(item.value) for name, item in found.items() if name[:3] != "mjN"}


def _enum(
    place: str,
    prefix: str,
    docs: Mapping[str, str],
    *,
    words: Mapping[str, str] | None = None,
    absent: tuple[str, ...] = (),
    bits: bool = False,
) -> Enum:
    field, family = place.split()
    return Enum(field, family, prefix, docs, words or {}, absent, bits)


_JOINT = {
    "FREE": "Six degrees of freedom between a body and the world.",
    "BALL": "Three rotational degrees of freedom about a point.",
    "SLIDE": "One translational degree of freedom.",
    "HINGE": "One rotational degree of freedom.",
}
_GEOM = {
    "PLANE": "Infinite plane that acts on the physics.",
    "HFIELD": "Height field that acts on the physics.",
    "SPHERE": "Sphere that acts on the physics.",
    "CAPSULE": "Capsule that acts on the physics.",
    "ELLIPSOID": "Ellipsoid that acts on the physics.",
    "CYLINDER": "Cylinder that acts on the physics.",
    "BOX": "Box that acts on the physics.",
    "MESH": "Convex hull of a mesh that acts on the physics.",
    "SDF": "Signed distance field that acts on the physics.",
}
_EQUALITY = {
    "CONNECT": "Two bodies share a point.",
    "WELD": "Two bodies keep their relative pose.",
    "JOINT": "One joint is a polynomial of another, or constant.",
    "TENDON": "One tendon's length is a polynomial of another's, or constant.",
    "FLEX": "All edges of a flex keep their length.",
    "FLEXVERT": "All vertices of a flex keep their metric.",
    "FLEXSTRAIN": "The strain of an interpolated flex is constrained.",
}
_TRANSMISSION = {
    "JOINT": "The actuator acts on a joint.",
    "JOINTINPARENT": "The actuator acts on a joint, in the parent's frame.",
    "SLIDERCRANK": "The actuator acts through a slider-crank.",
    "TENDON": "The actuator acts on a tendon.",
    "SITE": "The actuator acts on a site as force and torque.",
    "BODY": "The actuator acts on the contacts of a body (adhesion).",
    "SO3": "The actuator acts on a relative orientation.",
}
_DYNAMICS = {
    "NONE": "The control is the input, without activation.",
    "INTEGRATOR": "The activation integrates the control.",
    "FILTER": "The activation is a first-order filter of the control.",
    "FILTEREXACT": "A first-order filter, integrated exactly.",
    "MUSCLE": "Muscle activation with two time constants.",
    "DCMOTOR": "Electrical dynamics of a DC motor.",
    "PID": "Slew and integral states of a PID controller.",
    "USER": "Dynamics from a callback.",
}
_GAIN = {
    "FIXED": "Constant gain.",
    "AFFINE": "Gain affine in length and velocity.",
    "MUSCLE": "Force-length-velocity curve of a muscle.",
    "DCMOTOR": "Torque constant of a DC motor.",
    "SO3": "Geodesic servo on an orientation.",
    "PID": "PID controller with setpoint inputs.",
    "USER": "Gain from a callback.",
}
_BIAS = {
    "NONE": "No bias force.",
    "AFFINE": "Bias affine in length and velocity, as servos have.",
    "MUSCLE": "Passive force of a muscle.",
    "DCMOTOR": "Back-EMF, cogging and friction of a DC motor.",
    "SO3": "Damping of the geodesic servo.",
    "USER": "Bias from a callback.",
}
_SENSOR = {
    "TOUCH": "Normal contact forces inside a site's volume.",
    "ACCELEROMETER": "Linear acceleration of a site, gravity included.",
    "VELOCIMETER": "Linear velocity of a site, in its frame.",
    "GYRO": "Angular velocity of a site, in its frame.",
    "FORCE": "Force between a body and its parent.",
    "TORQUE": "Torque between a body and its parent.",
    "MAGNETOMETER": "Magnetic field in a site's frame.",
    "RANGEFINDER": "Distance to the nearest geom along a ray.",
    "CAMPROJECTION": "Pixel of a site in a camera's image.",
    "JOINTPOS": "Position of a hinge or slide joint.",
    "JOINTVEL": "Velocity of a hinge or slide joint.",
    "TENDONPOS": "Length of a tendon.",
    "TENDONVEL": "Velocity of a tendon.",
    "ACTUATORPOS": "Length of an actuator's transmission.",
    "ACTUATORVEL": "Velocity of an actuator's transmission.",
    "ACTUATORFRC": "Force of an actuator.",
    "JOINTACTFRC": "Force of all actuators on a joint.",
    "TENDONACTFRC": "Force of all actuators on a tendon.",
    "BALLQUAT": "Orientation of a ball joint.",
    "BALLANGVEL": "Angular velocity of a ball joint.",
    "JOINTLIMITPOS": "Distance of a joint to its limit.",
    "JOINTLIMITVEL": "Velocity of a joint towards its limit.",
    "JOINTLIMITFRC": "Force of a joint limit.",
    "TENDONLIMITPOS": "Distance of a tendon to its limit.",
    "TENDONLIMITVEL": "Velocity of a tendon towards its limit.",
    "TENDONLIMITFRC": "Force of a tendon limit.",
    "FRAMEPOS": "Position of a frame.",
    "FRAMEQUAT": "Orientation of a frame.",
    "FRAMEXAXIS": "x axis of a frame.",
    "FRAMEYAXIS": "y axis of a frame.",
    "FRAMEZAXIS": "z axis of a frame.",
    "FRAMELINVEL": "Linear velocity of a frame.",
    "FRAMEANGVEL": "Angular velocity of a frame.",
    "FRAMELINACC": "Linear acceleration of a frame.",
    "FRAMEANGACC": "Angular acceleration of a frame.",
    "SUBTREECOM": "Centre of mass of a subtree.",
    "SUBTREELINVEL": "Linear velocity of a subtree's centre of mass.",
    "SUBTREEANGMOM": "Angular momentum of a subtree.",
    "INSIDESITE": "Whether a frame is inside a site's volume.",
    "GEOMDIST": "Distance between geoms or bodies.",
    "GEOMNORMAL": "Direction from one geom or body to another.",
    "GEOMFROMTO": "Closest points of two geoms or bodies.",
    "CONTACT": "Contacts that match geoms, bodies, subtrees or a site.",
    "E_POTENTIAL": "Potential energy.",
    "E_KINETIC": "Kinetic energy.",
    "CLOCK": "Simulated time.",
    "TACTILE": "Penetration and sliding at the vertices of a mesh.",
    "PLUGIN": "Sensor computed by a plugin.",
    "USER": "Sensor computed by a callback.",
}
_SENSOR_WORDS = {
    "JOINTACTFRC": "jointactuatorfrc",
    "TENDONACTFRC": "tendonactuatorfrc",
    "GEOMDIST": "distance",
    "GEOMNORMAL": "normal",
    "GEOMFROMTO": "fromto",
}
_INTEGRATOR = {
    "EULER": "Semi-implicit Euler, joint damping implicit.",
    "RK4": "Runge-Kutta of fourth order.",
    "IMPLICIT": "Implicit in velocity.",
    "IMPLICITFAST": "Implicit in velocity, without Coriolis derivatives.",
    "DISCRETE": "Constraints solved in the metric of the discrete step.",
}
_DISABLE = {
    "CONSTRAINT": "All constraints are off.",
    "EQUALITY": "Equality constraints are off.",
    "FRICTIONLOSS": "Friction loss is off.",
    "LIMIT": "Joint and tendon limits are off.",
    "CONTACT": "Contacts are off.",
    "SPRING": "Springs of joints, tendons and flexes are off.",
    "DAMPER": "Dampers of joints, tendons and flexes are off.",
    "GRAVITY": "Gravity is off.",
    "CLAMPCTRL": "Controls are not clamped to their range.",
    "WARMSTART": "The constraint solver starts cold.",
    "FILTERPARENT": "A body collides with its parent.",
    "ACTUATION": "Actuators are off.",
    "REFSAFE": "solref may be stiffer than the timestep allows.",
    "SENSOR": "Sensors are off.",
    "MIDPHASE": "No midphase in collision detection.",
    "EULERDAMP": "Joint damping is explicit under Euler.",
    "AUTORESET": "A diverged state is not reset.",
    "NATIVECCD": "Convex collisions by libccd.",
    "ISLAND": "Constraint islands are not solved apart.",
    "MULTICCD": "One contact per pair of convex geoms.",
}
_ENABLE = {
    "OVERRIDE": "Contact parameters are overridden for all contacts.",
    "ENERGY": "Energy is computed.",
    "FWDINV": "Forward and inverse dynamics are compared.",
    "INVDISCRETE": "Inverse dynamics of the discrete step.",
    "SLEEP": "Resting trees fall asleep.",
    "DIAGEXACT": "Exact diagonal of the constraint inertia.",
    "IPC": "Flex contacts by incremental potentials.",
    "SPECULATIVE": "Contacts are predicted before they touch.",
}
_SELFCOLLIDE = {
    "NONE": "No collisions inside a flex.",
    "NARROW": "Collisions inside a flex, no midphase.",
    "BVH": "Collisions inside a flex, by bounding volumes.",
    "SAP": "Collisions inside a flex, by sweep and prune.",
    "AUTO": "Collisions inside a flex, midphase chosen by size.",
}
_WRAP = {
    "JOINT": "A fixed tendon sums joint positions.",
    "PULLEY": "A spatial tendon splits at a pulley.",
    "SITE": "A spatial tendon passes through sites.",
    "SPHERE": "A spatial tendon wraps a sphere.",
    "CYLINDER": "A spatial tendon wraps a cylinder.",
}
_SLEEP = {
    "AUTO_NEVER": "MuJoCo chose that a tree never sleeps.",
    "AUTO_ALLOWED": "MuJoCo chose that a tree may sleep.",
    "NEVER": "The tree never sleeps.",
    "ALLOWED": "The tree may sleep.",
    "INIT": "The tree starts asleep.",
}
_CONE = {"PYRAMIDAL": "Pyramidal friction cones.", "ELLIPTIC": "Elliptic cones."}
_SOLVER = {
    "PGS": "Projected Gauss-Seidel.",
    "CG": "Conjugate gradients.",
    "NEWTON": "Newton's method.",
}
_JACOBIAN = {
    "DENSE": "Dense constraint Jacobian.",
    "SPARSE": "Sparse constraint Jacobian.",
    "AUTO": "Dense or sparse by size.",
}
_FRAME = {
    "XBODY": "The sensor watches a body's own frame.",
    "BODY": "The sensor watches a body's inertial frame.",
    "GEOM": "The sensor watches a geom.",
    "SITE": "The sensor watches a site.",
    "CAMERA": "The sensor watches a camera.",
}

ENUMS: Mapping[str, Enum] = {
    "mjtJoint": _enum("jnt_type joint.type", "mjJNT_", _JOINT),
    "mjtGeom": _enum(
        "geom_type geom.type",
        "mjGEOM_",
        _GEOM,
        absent=tuple(
            f"mjGEOM_{name}"
            for name in (
                *("ARROW", "ARROW1", "ARROW2", "LINE", "LINEBOX", "FLEX", "SKIN"),
                *("LABEL", "TRIANGLE", "NONE"),
            )
        ),
    ),
    "mjtEq": _enum("eq_type equality", "mjEQ_", _EQUALITY, absent=("mjEQ_DISTANCE",)),
    "mjtTrn": _enum(
        "actuator_trntype actuator.trntype",
        "mjTRN_",
        _TRANSMISSION,
        absent=("mjTRN_UNDEFINED",),
    ),
    "mjtDyn": _enum("actuator_dyntype actuator.dyntype", "mjDYN_", _DYNAMICS),
    "mjtGain": _enum("actuator_gaintype actuator.gaintype", "mjGAIN_", _GAIN),
    "mjtBias": _enum("actuator_biastype actuator.biastype", "mjBIAS_", _BIAS),
    "mjtSensor": _enum("sensor_type sensor", "mjSENS_", _SENSOR, words=_SENSOR_WORDS),
    "mjtIntegrator": _enum("opt.integrator option.integrator", "mjINT_", _INTEGRATOR),
    "mjtCone": _enum("opt.cone option.cone", "mjCONE_", _CONE),
    "mjtSolver": _enum("opt.solver option.solver", "mjSOL_", _SOLVER),
    "mjtJacobian": _enum("opt.jacobian option.jacobian", "mjJAC_", _JACOBIAN),
    "mjtDisableBit": _enum(
        "opt.disableflags option.flag", "mjDSBL_", _DISABLE, bits=True
    ),
    "mjtEnableBit": _enum("opt.enableflags option.flag", "mjENBL_", _ENABLE, bits=True),
    "mjtFlexSelf": _enum(
        "flex_selfcollide flex.selfcollide", "mjFLEXSELF_", _SELFCOLLIDE
    ),
    "mjtWrap": _enum(
        "wrap_type tendon.wrap", "mjWRAP_", _WRAP, absent=("mjWRAP_NONE",)
    ),
    "mjtSleepPolicy": _enum(
        "tree_sleep_policy body.sleep", "mjSLEEP_", _SLEEP, absent=("mjSLEEP_AUTO",)
    ),
}
"""Every enum whose members a scene can ask for, by MuJoCo's name."""

FRAMES = _enum("sensor_objtype sensor.objtype", "mjOBJ_", _FRAME)
"""What a frame sensor can watch: some members of mjtObj."""
