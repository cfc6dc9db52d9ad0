"""What the toy takes from the reference model, as its own numbers."""

from copy import copy

import mujoco
import numpy as np

from unisim.errors import BadArray
from unisim_toy.chain import Bodies, Floats, Hinges, dynamics

_KINDS = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


class Machine:
    """Bodies on hinges and slides.

    Attributes:
        frames: A model of our own, for what follows from positions and velocities.
        timestep: [s].
        gravity: In world [m/s^2]. Shape (3,).
        bodies: Where each body hangs, and what it weighs.
        joints: Hinges and slides.
        armature: [kg] or [kg m^2]. Shape (nv,).
        damping: Shape (nv,).
        stiffness: Shape (nv,).
        spring: Where springs rest [m] or [rad]. Shape (nv,).
        drive: Force on each dof by each control. Shape (nv, nu).
        ctrlrange: Infinite where a control has no limit. Shape (nu, 2).
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        """Copy the numbers.

        Raises:
            BadArray: If a joint is no hinge or slide, or an actuator drives none.
        """
        if not np.isin(model.jnt_type, _KINDS).all():
            raise BadArray("jnt_type", "hinges and slides", "balls or free joints")
        if np.any(model.actuator_trntype != mujoco.mjtTrn.mjTRN_JOINT):
            raise BadArray("actuator_trntype", "joints", "something else")
        self.frames = copy(model)
        self.timestep = float(model.opt.timestep)
        self.gravity = np.array(model.opt.gravity)
        self.bodies = Bodies(model)
        self.joints = Hinges(model)
        self.armature = np.array(model.dof_armature)
        self.damping = np.array(model.dof_damping)
        self.stiffness = np.array(model.jnt_stiffness)
        self.spring = np.array(model.qpos_spring)
        self.drive = np.zeros((model.nv, model.nu))
        for control, joint in enumerate(model.actuator_trnid[:, 0]):
            gain = model.actuator_gear[control, 0] * model.actuator_gainprm[control, 0]
            self.drive[joint, control] = gain
        limited = np.asarray(model.actuator_ctrllimited, bool)[:, None]
        self.ctrlrange = np.where(limited, model.actuator_ctrlrange, [-np.inf, np.inf])

    def dynamics(
        self, qpos: Floats, qvel: Floats, wrench: Floats
    ) -> tuple[Floats, Floats]:
        """Inertia, and the force of weight, motion and wrenches.

        Args:
            qpos: Shape (n, nv).
            qvel: Shape (n, nv).
            wrench: Force [N] and torque [N m] at centres of mass. Shape (n, nbody, 6).

        Returns:
            Shapes (n, nv, nv) and (n, nv).
        """
        state = (qpos, qvel, wrench)
        inertia, force = dynamics(self.bodies, self.joints, self.gravity, *state)
        return inertia + np.diag(self.armature), force

    def passive(self, qpos: Floats, qvel: Floats) -> Floats:
        """Force of springs and dampers. Shape (n, nv)."""
        return -self.stiffness * (qpos - self.spring) - self.damping * qvel

    def motors(self, ctrl: Floats) -> Floats:
        """Force of motors. Shape (n, nv)."""
        held = np.clip(ctrl, self.ctrlrange[:, 0], self.ctrlrange[:, 1])
        return np.einsum("ic,nc->ni", self.drive, held)
