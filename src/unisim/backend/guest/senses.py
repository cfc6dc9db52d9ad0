"""All that is read of a guest's worlds beside their state."""

from collections.abc import Mapping

import mujoco
import numpy as np

from unisim.backend.base import Array, Worlds
from unisim.backend.guest.contact_sensors import ContactSensors
from unisim.backend.guest.guest import Contacts
from unisim.backend.guest.late import Late, Step
from unisim.backend.guest.touch import Touch
from unisim.backend.reference import Reference


class Senses:
    """Derived quantities and sensors of n worlds, computed once after a change.

    Attributes:
        reference: What follows from the state.
        feel: Whether a sensor needs the contacts of the last step.
    """

    def __init__(
        self, model: mujoco.MjModel, worlds: int, vary: tuple[str, ...]
    ) -> None:
        """Prepare the worlds, at the model's defaults."""
        self.reference = Reference(model, worlds, 0, vary)
        self._late = Late(model, worlds, 0, vary)
        self._feeling = (Touch(model), ContactSensors(model))
        columns = sum(len(item.columns) for item in self._feeling)
        off = int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
        self._on = not off
        self.feel = self._on and (self._late.wrenched or columns > 0)
        self._computed: dict[str, Array] = {}
        self._followed = False

    def forget(self) -> None:
        """The state has changed."""
        self._computed, self._followed = {}, False

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """Take the values of a varied field."""
        for follower in (self.reference, self._late):
            follower.vary(name, values, worlds)

    def early(self, name: str, state: Mapping[str, Array]) -> Array:
        """A quantity that follows from the state. Shape (n, ...)."""
        if not self._followed:
            self.reference.update(state)
            self._followed = True
        return self.reference.read(name)

    def late(
        self, name: str, step: Step, implicit: Array, contacts: Contacts | None
    ) -> Array:
        """A quantity of the acceleration stage; see `Late.of`. Shape (n, ...)."""
        if not self._computed:
            wrenches = contacts if self._late.wrenched else None
            self._computed = self._late.of(step, implicit, wrenches)
        return self._computed[name]

    def sensors(self, state: Mapping[str, Array], contacts: Contacts | None) -> Array:
        """`sensordata`; `late` must have been asked for it. Shape (n, nsensordata)."""
        values = np.array(self.early("sensordata", state))
        if not self._on:
            return np.zeros_like(values)
        late = self._late.columns
        values[:, late] = self._computed["sensordata"][:, late]
        if contacts is not None:
            frames = self.early("site_xpos", state), self.early("site_xmat", state)
            for item in self._feeling:
                values[:, item.columns] = item.read(contacts, *frames)
        return values
