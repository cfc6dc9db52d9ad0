"""Servos that damp and saturate: MuJoCo damps implicitly only while they do not.

The engine always does, which slows what a saturated servo drives. Where one saturates,
its damping is switched off for the step, and stands in its bias as a constant.
"""

from collections.abc import Iterator

import motrixsim as mx
import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.varied import Varied

Rows = NDArray[np.int64]


class Servos:
    """The engine's actuators that damp and whose force is limited.

    Attributes:
        full: Which saturated in the last step. Shape (n, k).
    """

    def __init__(self, handle: Handle, reference: mujoco.MjModel) -> None:
        """Find them."""
        damped = (reference.actuator_biasprm[:, 2] != 0) & handle.share.actuators
        chosen = np.flatnonzero(damped & (reference.actuator_forcelimited != 0))
        self._ctrl = np.asarray(reference.actuator_ctrladr)[chosen]
        self._lengths = np.zeros((reference.nq, len(chosen)))
        self._speeds = np.zeros((reference.nv, len(chosen)))
        for column, index in enumerate(chosen.tolist()):
            gear = reference.actuator_gear[reference.actuator_outadr[index], 0]
            for joint, weight in _weights(reference, index):
                qpos, dof = reference.jnt_qposadr[joint], reference.jnt_dofadr[joint]
                self._lengths[qpos, column] += gear * weight
                self._speeds[dof, column] += gear * weight
        limited = np.asarray(reference.actuator_ctrllimited)[self._ctrl] != 0
        span = np.asarray(reference.actuator_ctrlrange)[self._ctrl]
        self._span = np.where(limited[:, None], span, (-np.inf, np.inf))
        self._force = np.array(reference.actuator_forcerange[chosen])
        self._chosen = chosen
        self._shift = handle.shift.drives[chosen]
        self._gain = np.array(reference.actuator_gainprm[None, chosen, 0])
        self._bias = np.array(reference.actuator_biasprm[None, chosen, :3])
        names = [reference.actuator(int(i)).name for i in chosen]
        self._held = [handle.model.get_actuator(name) for name in names]
        self.full = np.zeros((0, len(names)), bool)
        self._told: NDArray[np.bool_] = self.full

    def __len__(self) -> int:
        """How many there are."""
        return len(self._held)

    def vary(self, varied: Varied) -> None:
        """Take over gains that differ between worlds."""
        self.forget(slice(None))
        gain, bias = varied.of("actuator_gainprm"), varied.of("actuator_biasprm")
        if gain is not None:
            self._gain = gain[:, self._chosen, 0]
        if bias is not None:
            self._bias = bias[:, self._chosen, :3]

    def forget(self, rows: Rows | slice) -> None:
        """What the engine was told of some worlds may not be so any more."""
        if len(self._told):
            self._told[rows] = True

    def braking(self) -> NDArray[np.float64]:
        """Damping of dofs that those have who did not saturate. Shape (n or 1, nv)."""
        damping = -self._bias[..., 2]
        held = np.where(self.full, 0, damping) if len(self.full) else damping
        return held @ (self._speeds**2).T

    def release(
        self, data: mx.SceneData, ctrl: Array, state: tuple[Array, Array], rows: Rows
    ) -> None:
        """Take the damping out of those that saturate.

        Args:
            data: Some worlds of the engine.
            ctrl: Their controls. Shape (k, nu).
            state: Positions and velocities of all worlds.
            rows: Which worlds those are. Shape (k,).
        """
        gain, bias = self._gain, self._bias
        gain = gain[rows] if len(gain) > 1 else gain
        bias = bias[rows] if len(bias) > 1 else bias
        constant, slope, damping = (bias[..., i] for i in range(3))
        command = np.clip(ctrl[:, self._ctrl], *self._span.T)
        qpos, qvel = state
        length, speed = qpos[rows] @ self._lengths, qvel[rows] @ self._speeds
        force = gain * command + constant + slope * length + damping * speed
        full = (force <= self._force[:, 0]) | (force >= self._force[:, 1])
        if len(self.full) != len(qpos):
            self.full = np.zeros((len(qpos), full.shape[1]), bool)
            self._told = np.ones_like(self.full)
        self.full[rows] = full
        changed = full.any(axis=0) | self._told[rows].any(axis=0)
        if not changed.any():
            return
        damp = np.where(full, 0, -damping).astype(np.float32)
        plain = constant + slope * self._shift
        held = np.where(full, plain + damping * speed, plain).astype(np.float32)
        for i in np.flatnonzero(changed).tolist():
            self._held[i].set_damping_override(data, np.ascontiguousarray(damp[:, i]))
            self._held[i].set_bias_override(data, np.ascontiguousarray(held[:, i]))
        self._told[rows] = full


def _weights(model: mujoco.MjModel, actuator: int) -> Iterator[tuple[int, float]]:
    """Joints that an actuator acts on, directly or by a fixed tendon."""
    target = int(model.actuator_trnid[actuator, 0])
    if model.actuator_trntype[actuator] == mujoco.mjtTrn.mjTRN_JOINT:
        yield target, 1.0
        return
    start, count = model.tendon_adr[target], model.tendon_num[target]
    for i in range(start, start + count):
        yield int(model.wrap_objid[i]), float(model.wrap_prm[i])
