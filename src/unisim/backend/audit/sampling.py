"""Random states in which an engine can be compared: in range, apart, loops closed."""

from collections.abc import Iterator
from dataclasses import replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.audit.closing import close_loops
from unisim.backend.audit.controls import FULL, NEAR, REST, draw_controls
from unisim.backend.audit.oracle import Array, Oracle, States, single

_SPREADS = (1.0, 1.0, 0.5, 0.5, 0.2, 0.2, 0.1, 0.05, 0.02, 0.01)
_OVERLAP = 0.01  # m
_SLOW = 0.3  # of the velocities that are drawn elsewhere
_INSIDE = 0.05  # of a joint's range, kept free at both ends
_JNT, _ROW = mujoco.mjtJoint, mujoco.mjtConstraint
_LIMITS = [int(_ROW.mjCNSTR_LIMIT_JOINT), int(_ROW.mjCNSTR_LIMIT_TENDON)]
_FREE, _BALL = int(_JNT.mjJNT_FREE), int(_JNT.mjJNT_BALL)
_SPEED = {int(_JNT.mjJNT_HINGE): 1.0, int(_JNT.mjJNT_SLIDE): 0.3, _BALL: 1.0}
_MOST_KEYS = 4


class Sampler:
    """Draws states of one model."""

    def __init__(self, oracle: Oracle, seed: int) -> None:
        """Take the reference; equal seeds draw equal states."""
        self._oracle, self._model = oracle, oracle.model
        self._rng = np.random.default_rng(seed)
        keys = sorted({-1, oracle.key, *range(min(self._model.nkey, _MOST_KEYS))})
        self._homes = [_home(oracle, key) for key in keys]
        if oracle.key >= 0:
            self._homes.reverse()

    def apart(self, count: int) -> States | None:
        """States without contact or active limit, loops closed; None if none is found.

        Free bodies are raised and spread out. If fewer are found, they repeat with
        other velocities and controls.
        """
        found: list[Array] = []
        for spread in _SPREADS:
            for home in self._homes:
                for _ in range(max(1, (count - len(found)) // len(self._homes))):
                    qpos = self._configuration(home, spread)
                    if len(found) < count and self._admissible(qpos):
                        found.append(self._oracle.data.qpos.copy())
        if not found:
            return None
        return self.moving(np.array([found[i % len(found)] for i in range(count)]))

    def start(self, count: int) -> Array:
        """The configuration that worlds start in. Shape (count, nq)."""
        return np.tile(_home(self._oracle, self._oracle.key), (count, 1))

    def resting(self, qpos: Array) -> States:
        """Give configurations no velocity, and controls that ask for little."""
        moving = self._moving(qpos, (REST,))
        return replace(moving, qvel=np.zeros_like(moving.qvel))

    def drifting(self, qpos: Array) -> States:
        """Give configurations low velocities, and controls that ask for little.

        Where equalities act there are no velocities: they would have to obey them.
        """
        moving = self._moving(qpos, (REST,))
        speed = 0.0 if self._model.neq else _SLOW
        return replace(moving, qvel=speed * moving.qvel)

    def moving(self, qpos: Array) -> States:
        """Give configurations random velocities, activations and controls."""
        return self._moving(qpos, (NEAR, FULL))

    def _moving(self, qpos: Array, reach: tuple[float, ...]) -> States:
        model, data = self._model, self._oracle.data
        qvel = self._rng.normal(size=(len(qpos), model.nv)) * _speeds(model)
        act, ctrl = np.zeros((len(qpos), model.na)), np.zeros((len(qpos), model.nu))
        for i, configuration in enumerate(qpos):
            data.qpos[:], data.qvel[:] = configuration, qvel[i]
            mujoco.mj_fwdPosition(model, data)
            close_loops(self._oracle, qvel[i])
            act[i], ctrl[i] = draw_controls(
                model, data, self._rng, reach[i % len(reach)]
            )
        return single(States(qpos, qvel, act, ctrl, np.zeros_like(qvel)))

    def meeting(self, count: int) -> list[Array]:
        """Configurations in which geoms touch with little overlap, loops closed."""
        found: list[Array] = []
        data = self._oracle.data
        for spread in _SPREADS:
            for home in self._homes:
                qpos = self._configuration(home, spread)
                self._admissible(qpos)
                depth = np.asarray(data.contact.dist).min(initial=0.0)
                if -_OVERLAP < depth < 0 and len(found) < count:
                    found.append(data.qpos.copy())
        return found

    def _admissible(self, qpos: Array) -> bool:
        """Project a configuration onto the loops, and see whether it is free."""
        oracle, data = self._oracle, self._oracle.data
        oracle.reset(oracle.key)
        data.qpos[:] = qpos
        mujoco.mj_fwdPosition(self._model, data)
        if not close_loops(oracle):
            return False
        return data.ncon == 0 and not np.isin(data.efc_type, _LIMITS).any()

    def _configuration(self, home: Array, spread: float) -> Array:
        """A random configuration around a home. Shape (nq,)."""
        qpos, free = home.copy(), 0
        for joint, start in self._joints():
            kind = int(self._model.jnt_type[joint])
            if kind == _FREE:
                self._lift(qpos[start : start + 3], free, spread)
                self._turn(qpos[start + 3 : start + 7], spread * np.pi)
                free += 1
            elif kind == _BALL:
                largest = self._model.jnt_range[joint, 1]
                limited = self._model.jnt_limited[joint]
                reach = largest * (1 - _INSIDE) if limited else np.pi
                self._turn(qpos[start : start + 4], spread * reach)
            else:
                qpos[start] = self._scalar(joint, float(home[start]), spread)
        return qpos

    def _joints(self) -> Iterator[tuple[int, int]]:
        return ((i, int(start)) for i, start in enumerate(self._model.jnt_qposadr))

    def _scalar(self, joint: int, home: float, spread: float) -> float:
        low, high = map(float, self._model.jnt_range[joint])
        if self._model.jnt_limited[joint]:
            edge = _INSIDE * (high - low) + float(self._model.jnt_margin[joint])
            drawn = self._rng.uniform(low + edge, high - edge)
            home = min(max(home, low + edge), high - edge)
            return home + spread * (drawn - home)
        hinge = self._model.jnt_type[joint] == _JNT.mjJNT_HINGE
        return home + spread * self._rng.uniform(-1, 1) * (np.pi if hinge else 0.3)

    def _lift(self, position: Array, number: int, spread: float) -> None:
        """Raise a free body above everything, and beside the others."""
        extent = self._model.stat.extent
        position += self._rng.uniform(-0.3, 0.3, 3) * spread
        position += (2 * extent * number, 0.0, 2 * extent)

    def _turn(self, quat: Array, angle: float) -> None:
        """Rotate a quaternion by up to an angle about a random axis."""
        axis = self._rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        mujoco.mju_quatIntegrate(quat, axis, self._rng.uniform(0, angle))


def _home(oracle: Oracle, key: int) -> Array:
    oracle.reset(key)
    return oracle.data.qpos.copy()


def _speeds(model: mujoco.MjModel) -> NDArray[np.float64]:
    """Typical velocity of each dof. Shape (nv,)."""
    speeds: list[float] = []
    for kind in model.jnt_type.tolist():
        if kind == _FREE:
            speeds += [0.5] * 3 + [1.0] * 3
        else:
            speeds += [_SPEED[kind]] * (3 if kind == _BALL else 1)
    return np.array(speeds)
