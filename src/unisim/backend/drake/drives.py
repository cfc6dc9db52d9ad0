"""What acts on the joints of a plant: rotors, dry friction, springs, and gravity."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    JointActuator,
    PdControllerGains,
    PrismaticSpring,
    RevoluteSpring,
    RigidBody,
    SpatialInertia,
    UnitInertia,
)

from unisim.backend.audit.places import place
from unisim.backend.base import BuildCfg
from unisim.backend.drake.plant import INNER, Tree
from unisim.backend.drake.rest import TAMSI, added, sprung
from unisim.backend.guest.braking import Servos, damped, dry, single
from unisim.errors import UnsupportedFeature
from unisim.scene.scene import Sources

_OFF = mujoco.mjtDisableBit


@dataclass(frozen=True)
class Drives:
    """What acts on joints, by the indices of the reference model.

    Attributes:
        rotors: Actuators that hold armature and dry friction, by dof.
        ballasts: Bodies that hold the armature of free joints, by joint: a mass at the
            origin with equal moments has no forces of its own but its weight.
        springs: By joint.
    """

    rotors: Mapping[int, JointActuator]
    ballasts: Mapping[int, RigidBody]
    springs: Mapping[int, RevoluteSpring | PrismaticSpring]


def drive(plant: MultibodyPlant, request: BuildCfg, tree: Tree) -> Drives:
    """Add all that acts on joints, and gravity.

    Args:
        plant: A plant that is not finalized.
        request: What was asked for.
        tree: Bodies and joints.

    Raises:
        UnsupportedFeature: If a joint has what no element of Drake's stands for.
    """
    model, profile, vary = request.scene.model, request.profile, request.vary
    if refusals := dict(_unfit(model, request.scene.sources, profile)):
        features = tuple(dict.fromkeys(refusals.values()))
        raise UnsupportedFeature("drake", tuple(refusals), features)
    off = int(model.opt.disableflags) & _OFF.mjDSBL_GRAVITY or "opt.gravity" in vary
    gravity = np.zeros(3) if off else model.opt.gravity
    plant.mutable_gravity_field().set_gravity_vector(gravity)
    servos = Servos(model, "drake", 1)
    damping = np.where(damped(model), model.dof_damping, 0.0)
    first = np.zeros(1, int)
    extra = added(model, damping, servos.damping(first)[0], profile)
    inertia = np.asarray(model.dof_armature) + servos.armature(first)[0] + extra
    return Drives(
        _rotors(plant, model, tree, inertia, (vary, servos.dofs.tolist())),
        _ballasts(plant, model, tree, inertia, vary),
        _springs(plant, model, tree, vary),
    )


def _unfit(
    model: mujoco.MjModel, sources: Sources, profile: str
) -> Iterator[tuple[str, str]]:
    """What no element of Drake's stands for, and the feature of each."""
    ball = np.asarray(model.jnt_type) == mujoco.mjtJoint.mjJNT_BALL
    loss, _ = dry(model)
    sap = "; choose the profile sap" if profile in TAMSI else ""
    for i in range(model.njnt):
        name, dof = model.joint(i).name, int(model.jnt_dofadr[i])
        rows = slice(dof, dof + (1 if single(model)[i] else 3 if ball[i] else 6))
        what = f"joint {name!r} ({place(sources, 'joint', name)})"
        if loss[rows].any() and (sap or not single(model)[i]):
            yield f"{what}: it has no dry friction here{sap}", "joint.frictionloss"
        if ball[i] and model.dof_armature[dof]:
            yield f"{what}: a ball has no armature", "joint.armature.ball"
        if ball[i] and model.jnt_limited[i]:
            yield f"{what}: a ball has no limit", "joint.limited.ball"
        if ball[i] and sap and damped(model)[dof] and model.dof_damping[dof]:
            text = f"{what}: TAMSI takes the damping of a ball explicitly{sap}"
            yield text, "joint.damping.ball"


def ballast(rotor: NDArray[np.float64]) -> SpatialInertia:
    """What adds the same inertia to all dofs of a free joint.

    Args:
        rotor: [kg, kg m^2]. Shape (6,).

    Raises:
        RuntimeError: If they differ.
    """
    if np.ptp(rotor) > 0:
        text = f"the six dofs of a free joint cannot have different inertia: {rotor}"
        raise RuntimeError(text)
    about = UnitInertia.TriaxiallySymmetric(1.0)
    return SpatialInertia(float(rotor[0]), np.zeros(3), about)


def _rotors(
    plant: MultibodyPlant,
    model: mujoco.MjModel,
    tree: Tree,
    inertia: NDArray[np.float64],
    asked: tuple[tuple[str, ...], list[int]],
) -> dict[int, JointActuator]:
    """Armature is the inertia of a rotor; dry friction a brake of limited effort."""
    found: dict[int, JointActuator] = {}
    loss, rate = dry(model)
    vary, served = asked
    varied = not {"dof_armature", "dof_damping"}.isdisjoint(vary)
    for i in np.flatnonzero(single(model)).tolist():
        dof, name = int(model.jnt_dofadr[i]), model.joint(i).name
        if not (inertia[dof] or loss[dof] or varied or dof in served):
            continue
        effort = float(loss[dof]) or np.inf
        made = plant.AddJointActuator(name, tree.joints[i], effort_limit=effort)
        made.set_default_rotor_inertia(inertia[dof])
        made.set_default_gear_ratio(1.0)
        if loss[dof]:
            made.set_controller_gains(PdControllerGains(p=0.0, d=float(rate[dof])))
        found[dof] = made
    return found


def _ballasts(
    plant: MultibodyPlant,
    model: mujoco.MjModel,
    tree: Tree,
    inertia: NDArray[np.float64],
    vary: tuple[str, ...],
) -> dict[int, RigidBody]:
    found: dict[int, RigidBody] = {}
    instance = plant.GetModelInstanceByName(INNER)
    free = np.asarray(model.jnt_type) == mujoco.mjtJoint.mjJNT_FREE
    varied = not {"dof_armature", "dof_damping"}.isdisjoint(vary)
    for i in np.flatnonzero(free).tolist():
        dof, name = int(model.jnt_dofadr[i]), model.joint(i).name
        extra = inertia[dof : dof + 6]
        if not np.any(extra) and not varied:
            continue
        try:
            made = ballast(extra)
        except RuntimeError as error:
            reason = f"joint {name!r}: {error}"
            raise UnsupportedFeature("drake", [reason], ()) from error
        found[i] = plant.AddRigidBody(f"{name} ballast", instance, made)
        own = tree.bodies[model.jnt_bodyid[i]]
        plant.WeldFrames(own.body_frame(), found[i].body_frame())
    return found


def _springs(
    plant: MultibodyPlant, model: mujoco.MjModel, tree: Tree, vary: tuple[str, ...]
) -> dict[int, RevoluteSpring | PrismaticSpring]:
    found: dict[int, RevoluteSpring | PrismaticSpring] = {}
    varied = not {"jnt_stiffness", "qpos_spring"}.isdisjoint(vary)
    for i in np.flatnonzero(sprung(model, vary)).tolist():
        stiffness = float(model.jnt_stiffness[i])
        if stiffness == 0 and not varied:
            continue
        hinge = model.jnt_type[i] == mujoco.mjtJoint.mjJNT_HINGE
        make = RevoluteSpring if hinge else PrismaticSpring
        rest = float(model.qpos_spring[model.jnt_qposadr[i]])
        found[i] = plant.AddForceElement(make(tree.joints[i], rest, stiffness))
    return found
