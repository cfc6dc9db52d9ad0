"""Random controls and activations that show what an actuator does."""

import mujoco
import numpy as np

from unisim.backend.audit.oracle import Array

FULL, NEAR, REST = 1.0, 0.05, 0.0
"""Reach of controls: all of their range, so little that no force limit hides a gain, or
nothing at all."""
_MOTOR = 6.0  # a motor's reach, over a servo's


def draw_controls(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    rng: np.random.Generator,
    reach: float,
) -> tuple[Array, Array]:
    """Activations and controls for the configuration that `data` holds.

    Args:
        model: The model.
        data: Its position stage must be computed.
        rng: Source of randomness.
        reach: Share of the range that controls are drawn from, around where a servo is
            and around 0 for a motor.

    Returns:
        Activations, shape (na,), and controls, shape (nu,).
    """
    act, ctrl = np.zeros(model.na), np.zeros(model.nu)
    for i in range(model.nactuator):
        servo = model.actuator_biasprm[i, 1] != 0
        centre = data.actuator_length[model.actuator_outadr[i]] if servo else 0.0
        width = reach if servo else min(1.0, _MOTOR * reach)
        start, count = int(model.actuator_ctrladr[i]), int(model.actuator_ctrlnum[i])
        for column in range(start, start + count):
            limited = bool(model.actuator_ctrllimited[column])
            low, high = model.actuator_ctrlrange[column] if limited else (-1.0, 1.0)
            drawn = centre + width * (rng.uniform(low, high) - centre * limited)
            ctrl[column] = np.clip(drawn, low, high) if limited else drawn
        first, states = int(model.actuator_actadr[i]), int(model.actuator_actnum[i])
        if states > 0:
            near = ctrl[start] if servo else 0.5
            drawn = near + (0.1 if servo else 0.5) * rng.uniform(-1, 1, states)
            limited = bool(model.actuator_actlimited[i])
            low, high = model.actuator_actrange[i] if limited else (-np.inf, np.inf)
            act[first : first + states] = np.clip(drawn, low, high)
    return act, ctrl
