"""From MuJoCo's coordinates to Drake's and back, for all worlds at once.

Hinges and slides have equal coordinates in both. A free joint's quaternion comes first
in Drake, its angular velocity and torque are in world. A ball is held by the frame
before it, so that its own three angles are 0 and its velocity is in the child's axes:
it has no singular pose. Positions follow the new velocities as in MuJoCo, quaternions
by the exponential.
"""

import mujoco
import numpy as np

from unisim.backend.base import Array
from unisim.backend.drake.plant import Tree
from unisim.backend.guest.braking import single
from unisim.backend.guest.columns import Index, columns, runs
from unisim.backend.guest.turning import apply, matrices, turned, unit

_JNT = mujoco.mjtJoint


class Coordinates:
    """Where the coordinates of each joint are.

    Attributes:
        plain: Whether there are hinges and slides alone: Drake then moves positions as
            MuJoCo does.
        nq: Positions of the plant.
        nv: Velocities of the plant.
    """

    def __init__(
        self, model: mujoco.MjModel, tree: Tree, sizes: tuple[int, int]
    ) -> None:
        """Look up the addresses of all joints in a finalized plant.

        Args:
            model: The reference model.
            tree: The plant's elements.
            sizes: Numbers of positions and velocities of the plant.
        """
        self.nq, self.nv = sizes
        self._dt = float(model.opt.timestep)
        q = np.array([joint.position_start() for joint in tree.joints], int)
        v = np.array([joint.velocity_start() for joint in tree.joints], int)
        kinds, one = np.asarray(model.jnt_type), single(model)
        free, ball = kinds == _JNT.mjJNT_FREE, kinds == _JNT.mjJNT_BALL
        at, dof = np.asarray(model.jnt_qposadr), np.asarray(model.jnt_dofadr)
        self.plain = bool(one.all())
        # what is the same in both: columns there, and here
        self._place = columns((q[one], at[one], 1), (q[free] + 4, at[free], 3))
        self._speed = columns(
            (v[one], dof[one], 1), (v[free] + 3, dof[free], 3), (v[ball], dof[ball], 3)
        )
        # positions that follow their velocities as numbers do
        self._glide = columns((at[one], dof[one], 1), (at[free], dof[free], 3))
        self._free, self._balls = bool(free.any()), bool(ball.any())
        self._turn = runs(q[free], 4), runs(at[free] + 3, 4)
        self._angular = runs(v[free], 3), runs(dof[free] + 3, 3)
        self._ball = runs(at[ball], 4), runs(dof[ball], 3)

    def rotations(self, qpos: Array) -> Array:
        """From the body axes of free joints to world. Shape (n, free joints, 3, 3)."""
        if not self._free:
            return np.zeros((len(qpos), 0, 3, 3))
        return matrices(qpos[:, self._turn[1]])

    def ball_rotations(self, qpos: Array) -> Array:
        """From the axes of balls to those before them. Shape (n, balls, 3, 3)."""
        return matrices(qpos[:, self._ball[0]])

    def state(self, qpos: Array, qvel: Array, turn: Array) -> Array:
        """The plant's positions and velocities. Shape (n, nq + nv)."""
        found = np.zeros((len(qpos), self.nq + self.nv))
        there, here = self._place
        found[:, there] = qpos[:, here]
        if self._free:
            found[:, self._turn[0]] = unit(qpos[:, self._turn[1]])
        self._forth(qvel, turn, found[:, self.nq :])
        return found

    def forces(self, push: Array, turn: Array) -> Array:
        """Joint forces in the plant's order and frames. Shape (n, nv)."""
        found = np.empty((len(push), self.nv))
        self._forth(push, turn, found)
        return found

    def velocities(self, state: Array, turn: Array) -> Array:
        """MuJoCo's velocities, from the plant's state.

        Args:
            state: Shape (n, nq + nv).
            turn: Rotations of free joints before the step that made the velocities;
                turning about themselves, they have the same components after it.
        """
        found, speeds = np.empty((len(state), self.nv)), state[:, self.nq :]
        there, here = self._speed
        found[:, here] = speeds[:, there]
        if self._free:
            back = np.swapaxes(turn, -1, -2)
            found[:, self._angular[1]] = apply(back, speeds[:, self._angular[0]])
        return found

    def positions(self, state: Array, qpos: Array, qvel: Array) -> Array:
        """MuJoCo's positions after a step, from those before it. Shape (n, nq)."""
        found = np.empty_like(qpos)
        if self.plain:
            there, here = self._place
            found[:, here] = state[:, there]
            return found
        place, speed = self._glide
        found[:, place] = qpos[:, place] + self._dt * qvel[:, speed]
        if self._free:
            self._spin(found, qpos, qvel, (self._turn[1], self._angular[1]))
        if self._balls:
            self._spin(found, qpos, qvel, self._ball)
        return found

    def _forth(self, values: Array, turn: Array, found: Array) -> None:
        """Velocities or forces in the plant's order and frames."""
        there, here = self._speed
        found[:, there] = values[:, here]
        if self._free:
            found[:, self._angular[0]] = apply(turn, values[:, self._angular[1]])

    def _spin(
        self, found: Array, qpos: Array, qvel: Array, where: tuple[Index, Index]
    ) -> None:
        quat, speed = where
        found[:, quat] = turned(qpos[:, quat], self._dt * qvel[:, speed])
