"""Puts the tree of a reference model into a `MultibodyPlant`."""

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    BallRpyJoint,
    FixedOffsetFrame,
    Frame,
    Joint,
    ModelInstanceIndex,
    PrismaticJoint,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RigidBody,
    RotationalInertia,
    SpatialInertia,
    WeldJoint,
)

from unisim.backend.guest.braking import damped
from unisim.errors import UnsupportedFeature

_JNT = mujoco.mjtJoint
_LIMIT = int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
OUTER = "scene"
"""Model instance of what bears the names of the reference model."""
INNER = "inner"
"""Model instance of what MuJoCo has no name for: frames, and bodies between joints."""
_NEXT_TO_NONE = 1e-12
"""Mass of a body that has moments of inertia alone [kg]."""


@dataclass(frozen=True)
class Tree:
    """Bodies and joints of a plant by the indices of the reference model.

    Attributes:
        bodies: By body; the first is the plant's world.
        joints: By joint.
        balls: Frames that carry the orientation of a ball, and their poses at the
            identity, by joint.
        mocaps: Frames that carry the pose of a mocap body.
    """

    bodies: tuple[RigidBody, ...]
    joints: tuple[Joint, ...]
    balls: Mapping[int, tuple[FixedOffsetFrame, RigidTransform]]
    mocaps: tuple[FixedOffsetFrame, ...]


def inertia(
    mass: float,
    com: NDArray[np.float64],
    moments: NDArray[np.float64],
    quat: NDArray[np.float64],
) -> SpatialInertia:
    """Inertia of a body about its frame's origin, in its axes.

    Args:
        mass: [kg].
        com: Centre of mass in the body frame [m]. Shape (3,).
        moments: Principal moments about the centre of mass [kg m^2]. Shape (3,).
        quat: Principal axes in the body frame, wxyz. Shape (4,).

    Raises:
        RuntimeError: If Drake finds that no body can have it.
    """
    if mass == 0 and not np.any(moments):
        return SpatialInertia.Zero()
    axes = matrix(quat)
    full = axes @ np.diag(moments) @ axes.T
    about = RotationalInertia(*np.diag(full), full[0, 1], full[0, 2], full[1, 2])
    # what is welded to a body may have moments without a mass; nothing of Drake's has
    return SpatialInertia.MakeFromCentralInertia(mass or _NEXT_TO_NONE, com, about)


def matrix(quat: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotation matrix of a quaternion wxyz of any length. Shape (3, 3)."""
    found = np.empty(9)
    mujoco.mju_quat2Mat(found, quat / np.linalg.norm(quat))
    return found.reshape(3, 3)


def pose(pos: NDArray[np.float64], quat: NDArray[np.float64]) -> RigidTransform:
    """A pose of Drake's from a position and a quaternion wxyz of any length."""
    return RigidTransform(RotationMatrix(matrix(quat)), pos)


def plant_tree(plant: MultibodyPlant, model: mujoco.MjModel) -> Tree:
    """Add all bodies and joints of a model.

    Args:
        plant: A plant that is not finalized.
        model: The reference model; all of its elements have names.

    Raises:
        UnsupportedFeature: If Drake refuses the inertia of a body.
    """
    return _Planter(plant, model).tree()


class _Planter:
    """Adds one body after another to a plant."""

    def __init__(self, plant: MultibodyPlant, model: mujoco.MjModel) -> None:
        self._plant, self._model = plant, model
        self._damping = np.where(damped(model), model.dof_damping, 0.0)
        self._inner: ModelInstanceIndex = plant.AddModelInstance(INNER)
        self._outer: ModelInstanceIndex = plant.AddModelInstance(OUTER)
        self._bodies: list[RigidBody] = [plant.world_body()]
        self._joints: dict[int, Joint] = {}
        self._balls: dict[int, tuple[FixedOffsetFrame, RigidTransform]] = {}
        self._mocaps: dict[int, FixedOffsetFrame] = {}

    def tree(self) -> Tree:
        model = self._model
        for body in range(1, model.nbody):
            self._body(body)
        return Tree(
            tuple(self._bodies),
            tuple(self._joints[i] for i in range(model.njnt)),
            self._balls,
            tuple(self._mocaps[i] for i in range(model.nmocap)),
        )

    def _body(self, i: int) -> None:
        model = self._model
        name = model.body(i).name
        start, count = int(model.body_jntadr[i]), int(model.body_jntnum[i])
        parent = self._bodies[model.body_parentid[i]]
        where = pose(model.body_pos[i], model.body_quat[i])
        own = self._plant.AddRigidBody(name, self._outer, self._inertia(i))
        self._bodies.append(own)
        if count == 0:
            self._weld(i, parent, own, where)
        for joint in range(start, start + count):
            last = joint == start + count - 1
            inner = f"{name} before joint {joint + 1}"
            child = own if last else self._massless(inner)
            self._joint(joint, parent, child, where)
            parent, where = child, RigidTransform()

    def _inertia(self, i: int) -> SpatialInertia:
        model = self._model
        try:
            return inertia(
                float(model.body_mass[i]),
                model.body_ipos[i],
                model.body_inertia[i],
                model.body_iquat[i],
            )
        except RuntimeError as error:
            reason = f"body {model.body(i).name!r}: {str(error).splitlines()[0]}"
            raise UnsupportedFeature("drake", [reason], ()) from error

    def _massless(self, name: str) -> RigidBody:
        return self._plant.AddRigidBody(name, self._inner, SpatialInertia.Zero())

    def _frame(
        self, name: str, body: RigidBody, where: RigidTransform
    ) -> FixedOffsetFrame:
        frame = FixedOffsetFrame(name, body.body_frame(), where, self._inner)
        return self._plant.AddFrame(frame)

    def _weld(
        self, i: int, parent: RigidBody, own: RigidBody, where: RigidTransform
    ) -> None:
        name = self._model.body(i).name
        before = self._frame(f"{name} in its parent", parent, where)
        after = self._frame(f"{name} welded", own, RigidTransform())
        weld = WeldJoint(f"{name} weld", before, after, RigidTransform())
        self._plant.AddJoint(weld)
        mocap = int(self._model.body_mocapid[i])
        if mocap >= 0:
            self._mocaps[mocap] = before

    def _joint(
        self, i: int, parent: RigidBody, child: RigidBody, where: RigidTransform
    ) -> None:
        model = self._model
        kind = int(model.jnt_type[i])
        if kind == _JNT.mjJNT_FREE:
            joint = self._free(i, parent.body_frame(), child.body_frame())
        else:
            anchor = RigidTransform(model.jnt_pos[i])
            name = model.joint(i).name
            base = where @ anchor @ self._reference(i)
            before = self._frame(f"{name} before", parent, base)
            after = self._frame(f"{name} after", child, anchor)
            if kind == _JNT.mjJNT_BALL:
                joint = BallRpyJoint(name, before, after, self._brake(i))
                self._balls[i] = before, base
            else:
                joint = self._single(i, before, after)
        self._joints[i] = self._plant.AddJoint(joint)

    def _reference(self, i: int) -> RigidTransform:
        """Where a joint's coordinate is 0, seen from where it is `qpos0`."""
        model, kind = self._model, int(self._model.jnt_type[i])
        start, axis = float(model.qpos0[model.jnt_qposadr[i]]), model.jnt_axis[i]
        if kind == _JNT.mjJNT_SLIDE:
            return RigidTransform(-start * axis)
        if kind == _JNT.mjJNT_HINGE:
            quat = np.empty(4)
            mujoco.mju_axisAngle2Quat(quat, axis, -start)
            return pose(np.zeros(3), quat)
        return RigidTransform()

    def _free(self, i: int, before: Frame, after: Frame) -> Joint:
        name, start = self._model.joint(i).name, self._model.jnt_qposadr[i]
        damping = self._brake(i)
        joint = QuaternionFloatingJoint(name, before, after, damping, damping)
        where = self._model.qpos0[start : start + 7]
        joint.SetDefaultPose(pose(where[:3], where[3:]))
        return joint

    def _single(self, i: int, before: Frame, after: Frame) -> Joint:
        model = self._model
        hinge = model.jnt_type[i] == _JNT.mjJNT_HINGE
        make = RevoluteJoint if hinge else PrismaticJoint
        bound = model.jnt_limited[i] and not int(model.opt.disableflags) & _LIMIT
        lower, upper = model.jnt_range[i] if bound else (-np.inf, np.inf)
        joint = make(
            name=model.joint(i).name,
            frame_on_parent=before,
            frame_on_child=after,
            axis=model.jnt_axis[i],
            pos_lower_limit=lower,
            pos_upper_limit=upper,
            damping=self._brake(i),
        )
        start = model.jnt_qposadr[i]
        joint.set_default_positions(model.qpos0[start : start + 1])
        return joint

    def _brake(self, i: int) -> float:
        """Damping of a joint: that of its first dof, all of them having the same."""
        return float(self._damping[self._model.jnt_dofadr[i]])
