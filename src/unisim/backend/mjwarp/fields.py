"""What the adapter's parts share: the engine's objects, and what follows from what."""

from dataclasses import dataclass

import mujoco
import mujoco_warp as mjw

from unisim.backend.capacity import Capacity

DERIVED: tuple[str, ...] = (
    "body_subtreemass", "body_invweight0", "dof_invweight0", "tendon_invweight0",
    "tendon_length0", "actuator_acc0", "eq_data", "cam_pos0", "cam_poscom0",
    "cam_mat0", "light_pos0", "light_poscom0", "light_dir0",
)  # fmt: skip
"""Fields that `set_const` computes from those that may vary: of one world where they
are not batched too. What it computes from the sizes of geoms never varies here."""
SOURCES = frozenset({
    "body_mass", "body_inertia", "body_ipos", "body_iquat", "body_gravcomp",
    "dof_armature", "actuator_gear",
})  # fmt: skip
"""Fields that may vary and that those follow from."""


@dataclass(frozen=True)
class Handle:
    """The engine's own objects.

    Attributes:
        model: What is on the device.
        data: The state of all worlds there.
        names: The model that was put there, for its names alone: a device has none.
        capacity: Room for contacts and constraint rows, per world.
    """

    model: mjw.Model
    data: mjw.Data
    names: mujoco.MjModel
    capacity: Capacity
