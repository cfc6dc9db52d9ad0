"""The quantities every sim can read, and those it can write.

One table for all backends: what a name means never depends on the engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Stage = Literal["state", "pos", "vel", "acc"]


@dataclass(frozen=True)
class Quantity:
    """A named array of a sim; every shape starts with the number of worlds n.

    Attributes:
        stage: `state` is stored; `pos` and `vel` belong to the current state; `acc`
            belongs to the last substep, or after a reset or write to a forward pass.
        shape: Sizes after n: numbers, or names of MuJoCo sizes.
        doc: Unit and frame.
        writable: Whether `write` and `reset` accept it.
    """

    stage: Stage
    shape: tuple[str | int, ...]
    doc: str
    writable: bool = False


QUANTITIES: Mapping[str, Quantity] = {
    "time": Quantity("state", (), "Simulated time [s].", writable=True),
    "qpos": Quantity(
        "state",
        ("nq",),
        "[m] and [rad]; free joint: position of the body frame's origin in world, then "
        "quaternion wxyz; ball: wxyz.",
        writable=True,
    ),
    "qvel": Quantity(
        "state",
        ("nv",),
        "[m/s] and [rad/s]; free joint: linear velocity of the origin in world, then "
        "angular velocity in the body frame; ball: body frame.",
        writable=True,
    ),
    "act": Quantity("state", ("na",), "Actuator activations.", writable=True),
    "ctrl": Quantity(
        "state", ("nu",), "Controls, in the actuators' units.", writable=True
    ),
    "mocap_pos": Quantity("state", ("nmocap", 3), "In world [m].", writable=True),
    "mocap_quat": Quantity("state", ("nmocap", 4), "In world, wxyz.", writable=True),
    "eq_active": Quantity(
        "state", ("neq",), "Equality switched on: 0 or 1.", writable=True
    ),
    "qfrc_applied": Quantity(
        "state", ("nv",), "Applied joint force [N, N m].", writable=True
    ),
    "xfrc_applied": Quantity(
        "state",
        ("nbody", 6),
        "Force [N], torque [N m] on a body at its centre of mass, in world; stays "
        "until it is rewritten or the world is reset.",
        writable=True,
    ),
    "userdata": Quantity(
        "state", ("nuserdata",), "The user's own numbers.", writable=True
    ),
    "xpos": Quantity("pos", ("nbody", 3), "Origin of the body frame in world [m]."),
    "xquat": Quantity("pos", ("nbody", 4), "Body frame in world, wxyz."),
    "xipos": Quantity("pos", ("nbody", 3), "Centre of mass in world [m]."),
    "body_linvel": Quantity(
        "vel", ("nbody", 3), "Velocity of the body frame's origin in world [m/s]."
    ),
    "body_angvel": Quantity(
        "vel", ("nbody", 3), "Angular velocity of the body in world [rad/s]."
    ),
    "geom_xpos": Quantity("pos", ("ngeom", 3), "Geom centre in world [m]."),
    "geom_xmat": Quantity("pos", ("ngeom", 9), "Geom frame in world, row-major."),
    "geom_linvel": Quantity("vel", ("ngeom", 3), "Of the geom's centre, world [m/s]."),
    "geom_angvel": Quantity("vel", ("ngeom", 3), "In world [rad/s]."),
    "site_xpos": Quantity("pos", ("nsite", 3), "Site in world [m]."),
    "site_xmat": Quantity("pos", ("nsite", 9), "Site frame in world, row-major."),
    "site_linvel": Quantity("vel", ("nsite", 3), "Of the site, in world [m/s]."),
    "site_angvel": Quantity("vel", ("nsite", 3), "In world [rad/s]."),
    "ten_length": Quantity("pos", ("ntendon",), "Tendon length [m or rad]."),
    "ten_velocity": Quantity("vel", ("ntendon",), "Tendon velocity [m/s or rad/s]."),
    "sensordata": Quantity(
        "acc",
        ("nsensordata",),
        "Sensor outputs; position- and velocity-stage sensors belong to the current "
        "state, acceleration-stage sensors to the last substep.",
    ),
    "qacc": Quantity("acc", ("nv",), "Joint acceleration [m/s^2, rad/s^2]."),
    "actuator_force": Quantity("acc", ("nout",), "Actuator force [N or N m]."),
    "qfrc_actuator": Quantity("acc", ("nv",), "Joint force of actuators [N, N m]."),
    "qfrc_passive": Quantity("vel", ("nv",), "Passive joint force [N, N m]."),
    "qfrc_constraint": Quantity("acc", ("nv",), "Constraint joint force [N, N m]."),
}
"""Every quantity by name."""

LEAST: Mapping[str, float] = {
    "body_mass": 0.0,
    "body_inertia": 0.0,
    "geom_friction": 0.0,
    "jnt_stiffness": 0.0,
    "dof_damping": 0.0,
    "dof_armature": 0.0,
    "dof_frictionloss": 0.0,
}
"""Smallest value that a model field may be varied to, where there is one."""

STATE: tuple[str, ...] = tuple(
    name for name, item in QUANTITIES.items() if item.writable
)
"""The quantities `write` and `reset` accept."""
