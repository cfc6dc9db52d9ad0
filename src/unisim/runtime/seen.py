"""A sim whose arrays may lie on a device, read in host memory."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unisim.backend.arrays import host
from unisim.backend.base import Array, ContactReading
from unisim.sim import Sim


class Seen:
    """What a run reads of a sim, as numpy arrays; it waits for the device.

    Attributes:
        sim: The sim.
        built: What it is made of.
        layout: Names and indices.
        worlds: Number of worlds n.
    """

    def __init__(self, sim: Sim) -> None:
        """Look at a sim."""
        self.sim, self.built, self.layout = sim, sim.built, sim.layout
        self.worlds = sim.worlds

    @property
    def faults(self) -> NDArray[np.uint8]:
        """`Fault` bits per world. Shape (n,)."""
        return host(self.sim.faults)

    def read(self, name: str) -> Array:
        """See `unisim.Sim.read`."""
        return host(self.sim.read(name))

    def contact(self, name: str) -> ContactReading:
        """See `unisim.Sim.contact`."""
        read = self.sim.contact(name)
        fields = {key: host(values) for key, values in read.fields.items()}
        found, overflow = host(read.found), host(read.overflow)
        return replace(read, found=found, overflow=overflow, fields=fields)

    def rest(self) -> Array:
        """A copy of the command that holds every world's pose. Shape (n, nu)."""
        law = self.built.law
        command = law.batch.arrays.pick(self.sim.read("ctrl"), None)
        law.rest(command, self.sim.read("qpos"))
        return np.array(host(command))
