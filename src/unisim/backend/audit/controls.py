"""Random controls and activations that show what an actuator does."""

import mujoco
import numpy as np

from unisim.backend.audit.oracle import Array

_SMALL = 0.05  # of a control's range: a servo's error that does not saturate it


def draw_controls(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    rng: np.random.Generator,
    *,
    near: bool,
) -> tuple[Array, Array]:
    """Activations and controls for the configuration that `data` holds.

    Args:
        model: The model.
        data: Its position stage must be computed.
        rng: Source of randomness.
        near: Whether servos get targets close to where they are, and motors small
            commands, so that no force limit hides a gain.

    Returns:
        Activations, shape (na,), and controls, shape (nu,).
    """
    act, ctrl = np.zeros(model.na), np.zeros(model.nu)
    for i in range(model.nactuator):
        start, count = model.actuator_ctrladr[i], model.actuator_ctrlnum[i]
        servo = model.actuator_biasprm[i, 1] != 0
        length = data.actuator_length[model.actuator_outadr[i]]
        for column in range(start, start + count):
            ctrl[column] = _control(model, column, length if servo else None, rng, near)
        first, states = model.actuator_actadr[i], model.actuator_actnum[i]
        limited = model.actuator_actlimited[i]
        low, high = model.actuator_actrange[i] if limited else (0.0, 1.0)
        if states > 0:
            act[first : first + states] = rng.uniform(low, high, states)
            if servo:  # the activation is the target
                act[first + states - 1] = ctrl[start]
    return act, ctrl


def _control(
    model: mujoco.MjModel,
    column: int,
    length: float | None,
    rng: np.random.Generator,
    near: bool,  # noqa: FBT001 passed on from a keyword
) -> float:
    limited = model.actuator_ctrllimited[column]
    low, high = model.actuator_ctrlrange[column] if limited else (-1.0, 1.0)
    drawn = rng.uniform(low, high)
    if not near:
        return drawn if limited or length is None else length + 0.5 * drawn
    if length is None:
        return low + (high - low) * 0.5 + (drawn - (low + high) * 0.5) * 0.3
    target = length + _SMALL * (high - low) * rng.uniform(-1, 1)
    return float(np.clip(target, low, high)) if limited else target
