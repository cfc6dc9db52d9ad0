"""What the toy takes from the reference model, as its own numbers.

Slides never turn anything, so every Jacobian, and with it the mass matrix, is constant.
"""

from copy import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Machine:
    """Masses on rails.

    Attributes:
        frames: A model of our own, for what follows from positions and velocities.
        timestep: [s].
        gravity: In world [m/s^2]. Shape (3,).
        mass: [kg]. Shape (nbody,).
        ways: Which way each slide moves each centre of mass. Shape (nbody, 3, nv).
        armature: [kg]. Shape (nv,).
        damping: [N s/m]. Shape (nv,).
        stiffness: [N/m]. Shape (nv,).
        spring: Where springs rest [m]. Shape (nv,).
        drive: Force on each slide by each control [N]. Shape (nv, nu).
        ctrlrange: Infinite where a control has no limit. Shape (nu, 2).
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        """Copy the numbers."""
        self.frames = copy(model)
        self.timestep = float(model.opt.timestep)
        self.gravity = np.array(model.opt.gravity)
        self.mass = np.array(model.body_mass)
        self.ways = _ways(model)
        self.armature = np.array(model.dof_armature)
        self.damping = np.array(model.dof_damping)
        self.stiffness = np.array(model.jnt_stiffness)
        self.spring = np.array(model.qpos_spring)
        self.drive = np.zeros((model.nv, model.nu))
        for control, slide in enumerate(model.actuator_trnid[:, 0]):
            gain = model.actuator_gear[control, 0] * model.actuator_gainprm[control, 0]
            self.drive[slide, control] = gain
        limits = np.where(model.actuator_ctrllimited[:, None], 1.0, np.inf)
        self.ctrlrange = np.where(
            np.isinf(limits), [-np.inf, np.inf], model.actuator_ctrlrange
        )

    def inertia(self) -> Floats:
        """The mass matrix [kg]. Shape (nv, nv)."""
        of_bodies = np.einsum("b,bxi,bxj->ij", self.mass, self.ways, self.ways)
        return of_bodies + np.diag(self.armature)

    def force(self, qpos: Floats, qvel: Floats, ctrl: Floats) -> Floats:
        """Force on every slide by gravity, springs, dampers and motors [N].

        Args:
            qpos: Shape (n, nv).
            qvel: Shape (n, nv).
            ctrl: Shape (n, nu).

        Returns:
            Shape (n, nv).
        """
        weight = np.einsum("b,bxi,x->i", self.mass, self.ways, self.gravity)
        spring = -self.stiffness * (qpos - self.spring)
        return weight + spring - self.damping * qvel + self.motors(ctrl)

    def motors(self, ctrl: Floats) -> Floats:
        """Force on every slide by motors [N]. Shape (n, nv)."""
        held = np.clip(ctrl, self.ctrlrange[:, 0], self.ctrlrange[:, 1])
        return np.einsum("ic,nc->ni", self.drive, held)


def _ways(model: mujoco.MjModel) -> Floats:
    """Axes in world of the slides below each body. Shape (nbody, 3, nv)."""
    ways = np.zeros((model.nbody, 3, model.nv))
    turned = np.zeros((model.nbody, 4))
    turned[0, 0] = 1.0
    for body in range(1, model.nbody):
        parent = model.body_parentid[body]
        ways[body] = ways[parent]
        mujoco.mju_mulQuat(turned[body], turned[parent], model.body_quat[body])
        first = model.body_jntadr[body]
        for joint in range(first, first + model.body_jntnum[body]):
            axis = np.zeros(3)
            mujoco.mju_rotVecQuat(axis, model.jnt_axis[joint], turned[body])
            ways[body, :, joint] = axis
    return ways
