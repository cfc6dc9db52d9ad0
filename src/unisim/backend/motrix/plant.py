"""A model of the engine's, and how controls, forces and mocap poses get into it."""

import motrixsim as mx
import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array
from unisim.backend.guest.guest import Inputs
from unisim.backend.motrix.contact import Watch
from unisim.backend.motrix.order import turned
from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.servo import Servos
from unisim.backend.motrix.varied import Varied

Rows = NDArray[np.int64]


class Plant:
    """One model, which worlds of the engine belong to.

    Attributes:
        model: The model.
        watch: Reads contacts, if the model reports them.
        full_braking: Damping of dofs by its servos, none saturated. Shape (1, nv).
    """

    def __init__(self, handle: Handle, reference: mujoco.MjModel) -> None:
        """Find the actuators and the mocap bodies of a model."""
        self.model, self.watch = handle.model, Watch(handle)
        self._servos = Servos(handle, reference)
        native = np.asarray(reference.actuator_ctrladr)[handle.share.actuators]
        self._native, self._nv = native, reference.nv
        self._still = handle.model.num_actuators - len(native) - reference.nv
        self._mocaps = _mocaps(handle, reference)
        self.full_braking = self._servos.braking()

    @property
    def watches(self) -> bool:
        """Whether something must be looked at before every step."""
        return len(self._servos) > 0

    def braking(self) -> NDArray[np.float64]:
        """Damping of dofs by servos that did not saturate. Shape (n or 1, nv)."""
        return self._servos.braking()

    def forget(self, rows: Rows) -> None:
        """Some worlds are handed to other worlds of the engine."""
        self._servos.forget(rows)

    def vary(self, varied: Varied) -> None:
        """Take over what differs between worlds."""
        self._servos.vary(varied)

    def act(
        self, data: mx.SceneData, inputs: Inputs, state: tuple[Array, Array], rows: Rows
    ) -> None:
        """Set controls, forces and mocap poses of some worlds.

        Args:
            data: Those worlds of the engine.
            inputs: Of all worlds.
            state: Positions and velocities of all worlds.
            rows: Which worlds those are. Shape (k,).
        """
        every = len(rows) == len(inputs.ctrl)
        ctrl = inputs.ctrl if every else inputs.ctrl[rows]
        push: Array | None = inputs.push
        if push is None:
            push = np.zeros((len(rows), self._nv), np.float32)
        elif not every:
            push = push[rows]
        for index, mocap in enumerate(self._mocaps):
            pos, quat = inputs.mocap_pos[rows, index], inputs.mocap_quat[rows, index]
            pose = np.concatenate((pos, turned(quat)), axis=1, dtype=np.float32)
            mocap.set_pose(data, np.ascontiguousarray(pose))
        still = np.zeros((len(rows), self._still), np.float32)
        if not self.model.num_actuators:  # the engine panics of empty arrays
            return
        with np.errstate(over="ignore"):  # what is too large makes its world a fault
            data.actuator_ctrls = np.concatenate(
                (ctrl[:, self._native], still, push), axis=1, dtype=np.float32
            )
        if len(self._servos):
            self._servos.release(data, ctrl, state, rows)


def _mocaps(handle: Handle, reference: mujoco.MjModel) -> list[mx.Mocap]:
    """Mocap bodies in the reference's order."""
    found: list[mx.Mocap] = []
    for index in range(reference.nmocap):
        body = int(np.flatnonzero(reference.body_mocapid == index)[0])
        found.append(handle.model.get_body(reference.body(body).name).mocap)
    return found
