"""Reads back what a plant and its contexts hold, from Drake's own objects alone.

What is left to the reference, actuators, tendons, sensors and the like, is read from
its own model `rest`, which moves nothing. All that the plant owns is put into a copy of
that model, in which it was blanked before.
"""

from collections.abc import Iterator
from copy import copy

import mujoco
import numpy as np
from numpy.typing import NDArray
from pydrake.multibody.tree import (
    BallRpyJoint,
    ForceElementIndex,
    Joint,
    JointActuatorIndex,
    JointIndex,
    ModelInstanceIndex,
    PrismaticJoint,
    PrismaticSpring,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RevoluteSpring,
    RigidBody,
    SpatialInertia,
)
from pydrake.systems.framework import Context

from unisim.backend.audit.fields import AUDITED
from unisim.backend.audit.model import from_worlds
from unisim.backend.audit.names import renumbered
from unisim.backend.base import Readback
from unisim.backend.drake.geoms import geoms_of
from unisim.backend.drake.plant import OUTER
from unisim.backend.drake.rest import added
from unisim.backend.drake.settings import settings_of, wanted
from unisim.backend.drake.sim import Handle
from unisim.backend.guest.braking import Servos, dry
from unisim.errors import BadArray

_JNT = mujoco.mjtJoint
_SPRINGS = (RevoluteSpring, PrismaticSpring)
_TYPES: dict[type[Joint], mujoco.mjtJoint] = {
    QuaternionFloatingJoint: _JNT.mjJNT_FREE,
    BallRpyJoint: _JNT.mjJNT_BALL,
    PrismaticJoint: _JNT.mjJNT_SLIDE,
    RevoluteJoint: _JNT.mjJNT_HINGE,
}
_BLANK = (
    *("body_pos", "body_quat", "body_mass", "body_ipos", "body_inertia", "body_iquat"),
    *("jnt_axis", "jnt_pos", "jnt_range", "qpos0", "dof_armature", "dof_frictionloss"),
)
"""Fields that are the plant's alone."""
_GEOMETRIC = ("geom", "pair", "flex")
_LAW = ("jnt_solref", "jnt_solimp", "eq_solref", "eq_solimp")
"""What the plant has a law of its own for."""
_LEFT = ("geom_fluid", "geom_plugin")
"""What of geoms is left to the reference."""
_NO_SUCH = ("geom_margin", "geom_gap", "geom_surfacevel", "geom_adhesion")
"""What the plant has no notion of: contacts are as if it were 0."""
_LOOSE = frozenset({*_NO_SUCH, "jnt_margin", "dof_solref", "dof_solimp"})
"""What may differ where that was agreed to; the plant holds all else as stated."""
_CLOSE = 1e-6


def readback(handle: object) -> Readback:
    """What every world holds.

    Args:
        handle: The plant, its contexts and the model `rest`.

    Returns:
        Names and values, without what the plant has no notion of.

    Raises:
        BadArray: If the handle is of another engine, or its plant has other bodies or
            joints than `rest` names.
    """
    if not isinstance(handle, Handle):
        raise BadArray("handle", "one of this engine", type(handle).__name__)
    plant = _Plant(handle)
    found = from_worlds(plant.models())
    geoms, varied, strays = geoms_of(handle)
    values = {
        name: value
        for name, value in found.values.items()
        if not AUDITED[name].derived
        and AUDITED[name].kind not in _GEOMETRIC
        and name not in _LAW
    }
    names = {**found.names, **plant.names(), **dict.fromkeys(_GEOMETRIC, ())}
    names["geom"] = geoms.names
    for name, value in values.items():
        if AUDITED[name].refers == "object":
            values[name] = renumbered(value, found.names, names["geom"])
    bodies = {name: float(i) for i, name in enumerate(names["body"])}
    # the world's own body has a name of Drake's
    values["geom_body"] = np.array([bodies.get(name, 0.0) for name in geoms.bodies])
    left = np.isin(found.names["geom"], geoms.names)
    if strays:  # the law is Drake's, and not even that here
        law = found.values["geom_solref"].copy()
        law[np.isin(found.names["geom"], sorted(strays))] = np.nan
        values["geom_solref"] = law[left]
    for name in _LEFT:
        values[name] = found.values[name][left]
    for name in _NO_SUCH:
        values[name] = np.zeros_like(found.values[name][left])
    return Readback(names, {**values, **varied}, geoms.pairs, _LOOSE)


class _Plant:
    """Puts the values of one world after another into a model."""

    def __init__(self, handle: Handle) -> None:
        self._handle, plant = handle, handle.plant
        self._plant = plant
        outer = plant.GetModelInstanceByName(OUTER)
        self._bodies = [
            plant.world_body(),
            *(plant.get_body(i) for i in plant.GetBodyIndices(outer)),
        ]
        every = [plant.get_joint(JointIndex(i)) for i in range(plant.num_joints())]
        self._joints = [joint for joint in every if type(joint) in _TYPES]
        self._before = {int(joint.child_body().index()): joint for joint in every}
        actuators = map(JointActuatorIndex, range(plant.num_actuators()))
        held = [plant.get_joint_actuator(i) for i in actuators]
        self._rotors = {int(x.joint().index()): x for x in held}
        forces = map(ForceElementIndex, range(plant.num_force_elements()))
        elements = [plant.get_force_element(i) for i in forces]
        springs = [x for x in elements if isinstance(x, _SPRINGS)]
        self._springs = {int(x.joint().index()): x for x in springs}
        self._defaults = plant.CreateDefaultContext()
        self._model = copy(handle.rest)
        self._model.jnt_margin[:] = 0  # stops act where they are
        servos, first = Servos(handle.rest, "drake", 1), np.zeros(1, int)
        self._serves, self._geared = servos.damping(first)[0], servos.armature(first)[0]
        self._comes = servos.served(first)[0] * plant.time_step()
        for name in _BLANK:
            owned = getattr(self._model, name)
            owned[1 if name.startswith("body_") else 0 :] = np.nan  # not the world's
        want = handle.rest.nbody, handle.rest.njnt
        if (got := (len(self._bodies), len(self._joints))) != want:
            raise BadArray("plant", f"{want} bodies and joints", f"{got}")
        if (got := settings_of(plant)) != (want := wanted(handle.profile)):
            raise BadArray("plant", f"settings {want}", f"{got}")

    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of bodies and joints, in the plant's order."""
        bodies = ("world", *(body.name() for body in self._bodies[1:]))
        return {"body": bodies, "joint": tuple(joint.name() for joint in self._joints)}

    def models(self) -> Iterator[mujoco.MjModel]:
        """The model of each world in turn, all in the same object."""
        last = b""
        self._options()
        for joint in range(len(self._joints)):
            self._fixed(joint)
        for world in self._handle.worlds:
            held = _parameters(world.context)
            held += bytes(joint.is_locked(world.context) for joint in self._joints)
            held += bytes(self._ties(world.context))
            pull = self._pull(world.context)
            if (held + pull.tobytes()) != last:
                last = held + pull.tobytes()  # most worlds hold the same
                if pull.size:
                    self._model.opt.gravity[:] = pull
                context = self._posed(world.root)
                for body in range(1, len(self._bodies)):
                    self._body(body, context)
                for joint in range(len(self._joints)):
                    self._dofs(joint, context)
            yield self._model

    def _options(self) -> None:
        model, plant = self._model, self._plant
        model.opt.timestep = plant.time_step()
        model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC  # Coulomb's
        off = int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
        gravity = plant.gravity_field().gravity_vector()
        if not off or gravity.any():
            model.opt.gravity[:] = gravity
        instances = map(ModelInstanceIndex, range(plant.num_model_instances()))
        if not all(map(plant.is_gravity_enabled, instances)):
            model.opt.gravity[:] = np.nan

    def _ties(self, context: Context) -> list[bool]:
        """Put in which equalities are active, and tell."""
        ties, model = self._handle.ties, self._model
        for i, tie in ties.items():
            on = self._plant.GetConstraintActiveStatus(context, tie)
            model.eq_active0[i] = on
        return [bool(model.eq_active0[i]) for i in ties]

    def _pull(self, context: Context) -> NDArray[np.float64]:
        """Gravity that acts as forces on bodies. Shape (3,); (0,) if there is none."""
        port = self._plant.get_applied_spatial_force_input_port()
        if not port.HasValue(context):
            return np.zeros(0)
        for force in port.Eval(context):
            mass = self._plant.get_body(force.body_index).get_mass(context)
            if mass > 0:
                return np.asarray(force.F_Bq_W.translational()) / mass
        return np.zeros(0)

    def _posed(self, root: Context) -> Context:
        """A context like a world's, all joints where MuJoCo's are by default."""
        plant = self._plant
        context = plant.GetMyMutableContextFromRoot(root.Clone())
        plant.SetPositions(context, plant.GetPositions(self._defaults))
        for frame in self._handle.carrying:
            frame.SetPoseInParentFrame(
                context, frame.GetPoseInParentFrame(self._defaults)
            )
        return context

    def _parent(self, body: RigidBody) -> tuple[int, RigidBody, list[RigidBody]]:
        """The next named body towards the world, and those between them."""
        own, between = [int(item.index()) for item in self._bodies], list[RigidBody]()
        while True:
            body = self._before[int(body.index())].parent_body()
            if int(body.index()) in own:
                return own.index(int(body.index())), body, between
            between.append(body)

    def _body(self, i: int, context: Context) -> None:
        model, body = self._model, self._bodies[i]
        model.body_parentid[i], parent, between = self._parent(body)
        where = self._plant.CalcRelativeTransform(
            context, parent.body_frame(), body.body_frame()
        )
        model.body_pos[i] = where.translation()
        model.body_quat[i] = where.rotation().ToQuaternion().wxyz()
        held = body.CalcSpatialInertiaInBodyFrame(context)
        model.body_mass[i] = held.get_mass() + sum(x.get_mass(context) for x in between)
        if held.get_mass() == 0:  # nothing has no centre
            model.body_ipos[i] = self._handle.rest.body_ipos[i]
            model.body_iquat[i] = self._handle.rest.body_iquat[i]
            model.body_inertia[i] = held.CalcRotationalInertia().get_moments()
            return
        model.body_ipos[i] = com = held.get_com()
        about = held.CalcRotationalInertia().ShiftToCenterOfMass(held.get_mass(), com)
        moments, axes = about.CalcPrincipalMomentsAndAxesOfInertia()
        model.body_inertia[i] = moments
        model.body_iquat[i] = axes.ToQuaternion().wxyz()

    def _fixed(self, i: int) -> None:
        """What is the same in all contexts of a joint."""
        model, joint = self._model, self._joints[i]
        kind = model.jnt_type[i] = _TYPES[type(joint)]
        start, dof = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
        model.jnt_bodyid[i] = self._own(joint.child_body())
        if kind == _JNT.mjJNT_FREE:
            where = joint.GetDefaultPose()
            model.qpos0[start : start + 3] = where.translation()
            quat = where.rotation().ToQuaternion().wxyz()
            model.qpos0[start + 3 : start + 7] = quat
        elif kind == _JNT.mjJNT_BALL:
            model.qpos0[start : start + 4] = 1, 0, 0, 0
        else:
            model.qpos0[start] = joint.default_positions()[0]
        lower, upper = joint.position_lower_limits(), joint.position_upper_limits()
        model.jnt_limited[i] = bool(np.isfinite([*lower, *upper]).any())
        if model.jnt_limited[i]:
            model.jnt_range[i] = lower[0], upper[0]
        self._dry(i, dof)

    def _own(self, body: RigidBody) -> int:
        """The named body that a joint moves, beyond those between joints."""
        after = {int(x.parent_body().index()): x for x in self._before.values()}
        own = [int(item.index()) for item in self._bodies]
        while int(body.index()) not in own:
            body = after[int(body.index())].child_body()
        return own.index(int(body.index()))

    def _dry(self, i: int, dof: int) -> None:
        """Dry friction; its softness where it is that of `rest`, else NaN."""
        model, rotor = self._model, self._rotors.get(int(self._joints[i].index()))
        size = self._joints[i].num_velocities()
        model.dof_frictionloss[dof : dof + size] = 0
        if rotor is None or not rotor.has_controller():
            return
        gains = rotor.get_controller_gains()
        model.dof_frictionloss[dof] = rotor.effort_limit()
        want = float(dry(self._handle.rest)[1][dof])
        if gains.p != 0 or abs(gains.d - want) > _CLOSE * want:
            model.dof_solref[dof] = model.dof_solimp[dof] = np.nan

    def _dofs(self, i: int, context: Context) -> None:
        """What may differ between the contexts of a joint."""
        model, joint = self._model, self._joints[i]
        left, dof, size = self._handle.rest, int(model.jnt_dofadr[i]), 0
        size = joint.num_velocities()
        rows = slice(dof, dof + size)
        after = joint.frame_on_child().CalcPoseInBodyFrame(context)
        model.jnt_pos[i] = after.translation()
        if isinstance(joint, RevoluteJoint):
            model.jnt_axis[i] = after.rotation() @ joint.revolute_axis()
        elif isinstance(joint, PrismaticJoint):
            model.jnt_axis[i] = after.rotation() @ joint.translation_axis()
        damping = joint.GetDampingVector(context)
        if model.jnt_type[i] == _JNT.mjJNT_FREE:  # Drake counts the rotation first
            damping = np.roll(damping, 3)
        model.dof_damping[rows] = left.dof_damping[rows] + damping
        model.dof_armature[rows] = self._inertia(i, context)
        spring = self._springs.get(int(joint.index()))
        if spring is not None:
            turns = isinstance(spring, RevoluteSpring)
            stiff = spring.GetStiffness(context) if turns else spring.stiffness()
            rest = (
                spring.GetNominalAngle(context) if turns else spring.nominal_position()
            )
            model.jnt_stiffness[i] = left.jnt_stiffness[i] + stiff
            model.qpos_spring[model.jnt_qposadr[i]] = rest

    def _inertia(self, i: int, context: Context) -> NDArray[np.float64]:
        """Armature of a joint: that of rotors without what makes forces implicit."""
        joint, dof = self._joints[i], int(self._model.jnt_dofadr[i])
        rows = slice(dof, dof + joint.num_velocities())
        rotor = self._rotors.get(int(joint.index()))
        heavy = f"{joint.name()} ballast"
        held: float | NDArray[np.float64] = 0.0
        if joint.is_locked(context):
            return np.full(joint.num_velocities(), np.inf)
        if rotor is not None:
            held = rotor.rotor_inertia(context) * rotor.gear_ratio(context) ** 2
            whole = rotor.default_reflected_inertia()
            if abs(whole - self._comes[dof] - held) <= _CLOSE * whole:
                held = whole  # servos on it are at their limits
        elif self._plant.HasBodyNamed(heavy):
            body = self._plant.GetBodyByName(heavy)
            held = _ballast(body.CalcSpatialInertiaInBodyFrame(context))
        damping = self._model.dof_damping - self._handle.rest.dof_damping
        extra = added(self._model, damping, self._serves, self._handle.profile)
        return held - (extra + self._geared)[rows]


def _ballast(held: SpatialInertia) -> NDArray[np.float64]:
    """Inertia that it adds to the dofs of a free joint, NaN if to others too. (6,)."""
    about = held.CalcRotationalInertia()
    if np.any(held.get_com()) or np.any(about.get_products()):
        return np.full(6, np.nan)
    return np.concatenate((np.full(3, held.get_mass()), about.get_moments()))


def _parameters(context: Context) -> bytes:
    """All parameters of a context."""
    groups = range(context.num_numeric_parameter_groups())
    return b"".join(context.get_numeric_parameter(i).value().tobytes() for i in groups)
