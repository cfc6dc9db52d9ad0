"""The worlds of one setting of the equalities, which the engine fixes in its model."""

from collections.abc import Callable
from dataclasses import replace

import motrixsim as mx
import mujoco
import numpy as np
from numpy.typing import NDArray

from unisim.backend.guest.guest import Contacts
from unisim.backend.motrix.parts import Handle
from unisim.backend.motrix.plant import Plant
from unisim.backend.motrix.varied import Varied

Rows = NDArray[np.int64]


class Stage:
    """All n worlds, of which those with this setting are moved here.

    Attributes:
        plant: The model that moves them.
        data: The worlds.
    """

    def __init__(
        self,
        plant: Plant,
        watched: Callable[[], Plant],
        varied: Varied,
        worlds: int,
    ) -> None:
        """Make the worlds.

        Args:
            plant: The model that moves them.
            watched: Makes one that reports contacts, for steps that are tried.
            varied: What differs between worlds.
            worlds: Number of worlds n.
        """
        self.plant, self._make = plant, watched
        self._varied, self._worlds = varied, worlds
        self._watched: Plant | None = None
        self._tried: mx.SceneData | None = None
        self.renew()

    def another(self) -> "Stage":
        """Other worlds of the same model."""
        return Stage(self.plant, self._watching, self._varied, self._worlds)

    def renew(self) -> None:
        """New worlds, in which nothing has been solved yet."""
        self.data = self._worlds_of(self.plant)

    def vary(self) -> None:
        """Take over what differs between worlds."""
        self._varied.apply(self.plant.model, self.data)
        self.plant.vary(self._varied)

    def trial(self) -> tuple[Plant, mx.SceneData]:
        """A model that reports contacts, and new worlds in which a step is tried."""
        plant = self._watching()
        self._tried = self._worlds_of(plant)
        return plant, self._tried

    def contacts(self, rows: Rows, *, tried: bool) -> Contacts:
        """Contacts of the last step, or of the one that was tried, of some worlds."""
        if not tried:
            return self.plant.watch.contacts(self.data, rows)
        if self._watched is None or self._tried is None:
            return self.plant.watch.none()
        return self._watched.watch.contacts(self._tried, rows)

    def _watching(self) -> Plant:
        if self._watched is None:
            self._watched = self._make()
        return self._watched

    def _worlds_of(self, plant: Plant) -> mx.SceneData:
        data = mx.SceneData(plant.model, [self._worlds])
        self._varied.apply(plant.model, data)
        plant.vary(self._varied)
        return data


def variant(
    handle: Handle, reference: mujoco.MjModel, active: NDArray[np.bool_]
) -> Plant:
    """A model that has other equalities switched on.

    Args:
        handle: One that reports contacts.
        reference: The scene's model.
        active: Which ones. Shape (neq,).
    """
    world = handle.world.deepcopy()
    held = world.equality_constraint_set
    for item in (*held.connects, *held.welds, *held.joints):
        item.active = bool(active[reference.equality(str(item.name)).id])
    world.equality_constraint_set = held
    return Plant(replace(handle, world=world, model=mx.msd.build(world)), reference)


def together(parts: list[Contacts]) -> Contacts:
    """Contacts of several sets of worlds, sorted by world."""
    if len(parts) == 1:
        return parts[0]
    names = ("world", "geoms", "dist", "pos", "normal", "force")
    joined = [np.concatenate([getattr(part, name) for part in parts]) for name in names]
    order = np.argsort(joined[0], kind="stable")
    return Contacts(*(values[order] for values in joined))
