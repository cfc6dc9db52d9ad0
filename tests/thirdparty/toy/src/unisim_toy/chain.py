"""Dynamics of a tree of hinges and slides, all worlds at once."""

from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Bodies:
    """Bodies in the frames of their parents.

    Attributes:
        parent: Shape (nbody,).
        pos: [m]. Shape (nbody, 3).
        mat: Shape (nbody, 3, 3).
        mass: [kg]. Shape (nbody,).
        com: In the body's frame [m]. Shape (nbody, 3).
        inertia: About the centre of mass, in the body's axes. Shape (nbody, 3, 3).
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        """Copy the numbers of a model."""
        self.parent = np.array(model.body_parentid)
        self.pos, self.mass = np.array(model.body_pos), np.array(model.body_mass)
        self.mat = np.array([_mat(quat) for quat in model.body_quat])
        self.com = np.array(model.body_ipos)
        axes = np.array([_mat(quat) for quat in model.body_iquat])
        self.inertia = np.einsum("bij,bj,bkj->bik", axes, model.body_inertia, axes)


class Hinges:
    """Hinges and slides; a joint is a dof.

    Attributes:
        of: By body: its joints, in order.
        hinge: Whether it turns. Shape (nv,).
        axis: In the body's frame. Shape (nv, 3).
        pos: In the body's frame [m]. Shape (nv, 3).
        rest: Position that the file shows. Shape (nv,).
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        """Copy the numbers of a model."""
        owners = [int(body) for body in model.jnt_bodyid]
        self.of = [
            [joint for joint, owner in enumerate(owners) if owner == body]
            for body in range(model.nbody)
        ]
        self.hinge = np.asarray(model.jnt_type) == mujoco.mjtJoint.mjJNT_HINGE
        self.axis, self.pos = np.array(model.jnt_axis), np.array(model.jnt_pos)
        self.rest = np.array(model.qpos0)


class Frame:
    """A body's frame in every world, as it moves where no joint accelerates.

    Attributes:
        pos: [m]. Shape (n, 3).
        mat: Shape (n, 3, 3).
        spin: [rad/s]. Shape (n, 3).
        turn: Angular acceleration. Shape (n, 3).
        pull: Acceleration of the origin. Shape (n, 3).
        ways: By joint on the way here: its axis, and the anchor of a hinge, or None.
    """

    def __init__(self, worlds: int) -> None:
        """Rest at the origin."""
        self.pos, self.mat = np.zeros((worlds, 3)), np.tile(np.eye(3), (worlds, 1, 1))
        self.spin, self.turn, self.pull = (np.zeros((worlds, 3)) for _ in range(3))
        self.ways: dict[int, tuple[Floats, Floats | None]] = {}

    def child(self, pos: Floats, mat: Floats) -> "Frame":
        """A frame that is fixed to this one."""
        frame = Frame(0)
        frame.pos, frame.pull = self._point(pos)
        frame.mat, frame.spin, frame.turn = self.mat @ mat, self.spin, self.turn
        frame.ways = dict(self.ways)
        return frame

    def slide(self, joint: int, axis: Floats, way: Floats, speed: Floats) -> None:
        """Move along an axis of the frame."""
        along = self.mat @ axis
        step = along * way[:, None]
        self.pull = self.pull + self._swung(step)
        self.pull += 2 * _cross(self.spin, along * speed[:, None])
        self.pos = self.pos + step
        self.ways[joint] = along, None

    def hinge(self, joint: int, pivot: Floats, turned: Floats, speed: Floats) -> None:
        """Turn about a point of the frame.

        Args:
            joint: The joint.
            pivot: Its point and axis in the frame. Shape (2, 3).
            turned: Rotation about it. Shape (n, 3, 3).
            speed: Shape (n,).
        """
        at, axis = pivot
        anchor, pull = self._point(at)
        along = self.mat @ axis
        self.mat = self.mat @ turned
        self.turn = self.turn + _cross(self.spin, along * speed[:, None])
        self.spin = self.spin + along * speed[:, None]
        back = -(self.mat @ at)
        self.pos, self.pull = anchor + back, pull + self._swung(back)
        self.ways[joint] = along, anchor

    def _swung(self, arm: Floats) -> Floats:
        spun = _cross(self.spin, _cross(self.spin, arm))
        return _cross(self.turn, arm) + spun

    def _point(self, at: Floats) -> tuple[Floats, Floats]:
        """Place and acceleration of a point of the frame."""
        arm = self.mat @ at
        return self.pos + arm, self.pull + self._swung(arm)


def dynamics(
    bodies: Bodies,
    joints: Hinges,
    gravity: Floats,
    qpos: Floats,
    qvel: Floats,
    wrench: Floats,
) -> tuple[Floats, Floats]:
    """See `unisim_toy.machine.Machine.dynamics`."""
    worlds, count = qpos.shape
    inertia, force = np.zeros((worlds, count, count)), np.zeros((worlds, count))
    for body, frame in _frames(bodies, joints, qpos, qvel):
        if not frame.ways:
            continue
        com = frame.child(bodies.com[body], np.eye(3))
        moved, turned = np.zeros((2, worlds, 3, count))
        for joint, (axis, anchor) in frame.ways.items():
            if anchor is None:
                moved[..., joint] = axis
            else:
                moved[..., joint] = _cross(axis, com.pos - anchor)
                turned[..., joint] = axis
        mass = bodies.mass[body]
        tensor = frame.mat @ bodies.inertia[body] @ frame.mat.swapaxes(1, 2)
        inertia += mass * np.einsum("nxi,nxj->nij", moved, moved)
        inertia += np.einsum("nxi,nxy,nyj->nij", turned, tensor, turned)
        push = mass * (gravity - com.pull) + wrench[:, body, :3]
        whirl = _cross(frame.spin, np.einsum("nxy,ny->nx", tensor, frame.spin))
        twist = wrench[:, body, 3:] - whirl
        twist -= np.einsum("nxy,ny->nx", tensor, frame.turn)
        force += np.einsum("nxi,nx->ni", moved, push)
        force += np.einsum("nxi,nx->ni", turned, twist)
    return inertia, force


def _frames(
    bodies: Bodies, joints: Hinges, qpos: Floats, qvel: Floats
) -> Iterator[tuple[int, Frame]]:
    """Every body but the world, with its frame."""
    frames = [Frame(len(qpos))]
    for body in range(1, len(bodies.mass)):
        parent = frames[bodies.parent[body]]
        frame = parent.child(bodies.pos[body], bodies.mat[body])
        for joint in joints.of[body]:
            way = qpos[:, joint] - joints.rest[joint]
            axis, speed = joints.axis[joint], qvel[:, joint]
            if joints.hinge[joint]:
                pivot = np.array([joints.pos[joint], axis])
                frame.hinge(joint, pivot, _about(axis, way), speed)
            else:
                frame.slide(joint, axis, way, speed)
        frames.append(frame)
        yield body, frame


def _about(axis: Floats, angle: Floats) -> Floats:
    """Rotations about an axis. Shape (n, 3, 3)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    sine, cosine = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + sine * cross + (1 - cosine) * (cross @ cross)


def _cross(first: Floats, second: Floats) -> Floats:
    """Products of vectors; numpy's own takes three times as long. Shape (n, 3)."""
    ahead, behind = (1, 2, 0), (2, 0, 1)
    one = first[..., ahead] * second[..., behind]
    return one - first[..., behind] * second[..., ahead]


def _mat(quat: Floats) -> Floats:
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, quat)
    return mat.reshape(3, 3)
