"""The reference's actuators beside another engine: forces, activations and delays."""

from collections.abc import Iterator
from copy import copy

import mujoco
import numpy as np

from unisim.backend.base import Array
from unisim.backend.follower import Follower, locked
from unisim.backend.reference import delayed_columns
from unisim.errors import UnsupportedFeature

_OFF = mujoco.mjtDisableBit


class Actuation(Follower):
    """Actuator forces and activations of n worlds, delays included.

    Activations advance as MuJoCo's Euler and implicit integrators advance them; with
    RK4, MuJoCo's own differ within a step.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        worlds: int,
        threads: int = 0,
        vary: tuple[str, ...] = (),
    ) -> None:
        """Prepare the worlds, at the model's defaults; see `Follower`.

        Raises:
            UnsupportedFeature: If the force of an actuator does not follow from state
                and controls, naming every such actuator.
        """
        refusals = dict(_unfit(model))
        if refusals:
            features = tuple(dict.fromkeys(refusals.values()))
            raise UnsupportedFeature("The reference", tuple(refusals), features)
        quiet = copy(model)
        quiet.opt.disableflags |= _OFF.mjDSBL_CONSTRAINT | _OFF.mjDSBL_EULERDAMP
        if not delayed_columns(model).any():
            quiet.opt.disableflags |= _OFF.mjDSBL_SENSOR
        # the motion is thrown away: the cheapest integrator will do
        quiet.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        super().__init__(quiet, worlds, threads, vary)
        self._forces: dict[str, Array] = {
            name: self._batch.bind(name) for name in ("qfrc_actuator", "actuator_force")
        }

    @property
    def actuator_force(self) -> Array:
        """Actuator forces of the last call [N or N m], read-only. Shape (n, nout)."""
        return self._forces["actuator_force"]

    def advance(self, qpos: Array, qvel: Array, ctrl: Array) -> tuple[Array, Array]:
        """One physics step of the actuators, from the engine's state before it.

        Args:
            qpos: Shape (n, nq).
            qvel: Shape (n, nv).
            ctrl: Shape (n, nu).

        Returns:
            Joint forces that act during the step [N, N m], shape (n, nv), and the
            activations after it, shape (n, na); read-only, good until the next call.

        Raises:
            BadArray: If an array has the wrong shape.
        """
        self._take(qpos, qvel, ctrl)
        self._batch.step()
        return self._forces["qfrc_actuator"], locked(self._views["act"])

    def forces(self, qpos: Array, qvel: Array, ctrl: Array) -> Array:
        """Joint forces of the actuators at a state; nothing advances.

        Args:
            qpos: Shape (n, nq).
            qvel: Shape (n, nv).
            ctrl: Shape (n, nu).

        Returns:
            Read-only, good until the next call [N, N m]. Shape (n, nv).

        Raises:
            BadArray: If an array has the wrong shape.
        """
        self._take(qpos, qvel, ctrl)
        self._batch.forward()
        return self._forces["qfrc_actuator"]

    def _take(self, qpos: Array, qvel: Array, ctrl: Array) -> None:
        for name, values in (("qpos", qpos), ("qvel", qvel), ("ctrl", ctrl)):
            self.write(name, values)


def _unfit(model: mujoco.MjModel) -> Iterator[tuple[str, str]]:
    """Actuators whose force the reference cannot know, and the feature of each."""
    reasons = (
        (
            "actuator_trntype",
            mujoco.mjtTrn.mjTRN_BODY,
            "actuator.trntype.body",
            "adhesion depends on the engine's contacts",
        ),
        (
            "actuator_dyntype",
            mujoco.mjtDyn.mjDYN_USER,
            "actuator.dyntype.user",
            "its dynamics are a callback",
        ),
        (
            "actuator_gaintype",
            mujoco.mjtGain.mjGAIN_USER,
            "actuator.gaintype.user",
            "its gain is a callback",
        ),
        (
            "actuator_biastype",
            mujoco.mjtBias.mjBIAS_USER,
            "actuator.biastype.user",
            "its bias is a callback",
        ),
    )
    for field, member, feature, reason in reasons:
        for i in np.flatnonzero(getattr(model, field) == member):
            yield f"actuator {_name(model, int(i))!r}: {reason}", feature
    for i in np.flatnonzero(model.actuator_plugin >= 0):
        yield (
            f"actuator {_name(model, int(i))!r}: engine plugins are not loaded",
            "plugin",
        )


def _name(model: mujoco.MjModel, actuator: int) -> str:
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, actuator) or ""
