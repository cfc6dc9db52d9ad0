"""What an engine has to do that is a guest: move positions and velocities."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from unisim.backend.base import Array, Worlds


@dataclass(frozen=True)
class Inputs:
    """What acts on all worlds during a step, in the reference's order and frames.

    Attributes:
        ctrl: Controls. Shape (n, nu).
        push: Joint forces of all that the guest does not do by itself: actuators,
            passive forces, applied forces and wrenches [N, N m]; None where nothing
            pushes. Shape (n, nv).
        mocap_pos: In world [m]. Shape (n, nmocap, 3).
        mocap_quat: In world, wxyz. Shape (n, nmocap, 4).
        eq_active: Equalities switched on: 0 or 1. Shape (n, neq).
    """

    ctrl: Array
    push: Array | None
    mocap_pos: Array
    mocap_quat: Array
    eq_active: Array


@dataclass(frozen=True)
class Contacts:
    """Contacts of some worlds, one row each, sorted by world.

    Attributes:
        world: Index of the world. Shape (m,), int64.
        geoms: Indices of geom1 < geom2, the reference's. Shape (m, 2), int32.
        dist: Distance, negative in penetration [m]. Shape (m,).
        pos: In world [m]. Shape (m, 3).
        normal: From geom1 to geom2, in world. Shape (m, 3).
        force: On geom2 by geom1, in world [N]. Shape (m, 3).
    """

    world: NDArray[np.int64]
    geoms: NDArray[np.int32]
    dist: Array
    pos: Array
    normal: Array
    force: Array


class Guest(Protocol):
    """n worlds that another engine moves.

    Arrays are in the reference's order, layout and frames, of the sim's dtype. What is
    not finite stays in its world: no call raises for it or touches another world.
    """

    @property
    def handle(self) -> object:
        """The engine's own objects, all that `Backend.readback` may look at."""
        ...

    @property
    def qpos(self) -> Array:
        """Positions. Shape (n, nq), good until the next call."""
        ...

    @property
    def qvel(self) -> Array:
        """Velocities. Shape (n, nv), good until the next call."""
        ...

    def put(self, qpos: Array, qvel: Array, worlds: Worlds | None) -> None:
        """Take over the state of k worlds (None: all), forgetting what went before.

        Args:
            qpos: Shape (k, nq); quaternions need not be of unit length.
            qvel: Shape (k, nv).
            worlds: Which ones.
        """
        ...

    def step(self, inputs: Inputs, count: int, worlds: Worlds | None) -> None:
        """Advance k worlds (None: all) by some physics steps, the inputs held.

        A world that the engine cannot advance gets velocities that are NaN.
        """
        ...

    def forward(self, inputs: Inputs, worlds: Worlds) -> Array:
        """Velocities with which one step from here would end; no world moves.

        `contacts` of these worlds then tells of that step.

        Returns:
            Shape (k, nv).
        """
        ...

    def contacts(self, worlds: Worlds | None) -> Contacts:
        """Contacts of the last step, or of `forward`, of k worlds (None: all)."""
        ...

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> Array:
        """Set a declared model field of k worlds (None: all). Shape (k, ...).

        Returns:
            The values that are left to the reference: zeros for dampers that the guest
            has itself, all of them where it has none. Shape (k, ...).

        Raises:
            BadArray: If the engine refuses the values; nothing has changed then.
        """
        ...

    def save(self) -> object:
        """The engine's own state of all worlds, but for what `vary` sets; a copy."""
        ...

    def restore(self, saved: object) -> None:
        """Go back to what `save` returned, bit by bit where snapshots are exact."""
        ...

    def close(self) -> None:
        """Free what the engine holds; nothing may be called afterwards."""
        ...
