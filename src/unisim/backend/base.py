"""The contract between unisim and an engine: what an adapter provides.

A `Backend` is static and importable without its engine. Its `build` makes an `Engine`:
a running batch of worlds, in unisim's layout. Users never see an `Engine`; they hold a
`unisim.Sim`, which checks, names and controls it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisim.backend.layout import Layout
from unisim.backend.manifest import Manifest
from unisim.config import ContactQueryCfg
from unisim.scene.scene import Scene

if TYPE_CHECKING:
    from unisim.backend.arrays import Arrays

Array = NDArray[np.float64 | np.float32]
"""A floating-point array of the sim's dtype; on a device a DLPack array that behaves
alike only where `unisim.backend.arrays` handles it."""
Worlds = NDArray[np.int32]
"""Sorted, unique world indices. Shape (k,), int32. On a device also a mask (n,) there:
rows of values then are those of all n worlds, of which the masked ones count."""


class Fault(IntFlag):
    """Why a world cannot be trusted until it is reset."""

    STATE = 1
    """A position, velocity, acceleration, activation, applied force or mocap pose is
    not finite or beyond 1e10."""
    CONTROL = 2
    """A control is not finite or beyond 1e10: it was not applied as it was given."""
    CAPACITY = 4
    """Contacts or constraints did not fit: some were dropped, or the step was."""
    INJECTED = 8
    """A test asked for it."""


@dataclass(frozen=True, kw_only=True)
class BuildCfg:
    """What a backend is asked to build.

    Attributes:
        scene: The composed scene.
        worlds: Number of worlds n.
        profile: Solver profile by name.
        settings: The backend's own settings as plain values, still unchecked.
        device: Device the worlds live on.
        dtype: `float64` or `float32`.
        seed: Seed of anything random in the engine.
        deterministic: Whether equal runs must be bit-equal.
        contacts: Contact queries.
        vary: Model fields that will differ between worlds, in MuJoCo's names.
    """

    scene: Scene
    worlds: int = 1
    profile: str
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    device: str = "cpu"
    dtype: str = "float64"
    seed: int = 0
    deterministic: bool = True
    contacts: tuple[ContactQueryCfg, ...] = ()
    vary: tuple[str, ...] = ()


@dataclass(frozen=True)
class ContactReading:
    """Result of a contact query; slots beyond `found` are 0.

    Attributes:
        found: Contacts that match. Shape (n,), int64.
        overflow: Whether more matched than there are slots. Shape (n,), bool.
        fields: By field name: `force` and `torque` (n, slots, 3) on the second by the
            first, in the contact frame [N, N m], whose first axis is the normal, or in
            world where the query sums them; `dist` (n, slots, 1) [m]; `pos`, `normal`
            (from the first to the second), `tangent` (n, slots, 3) in world.
    """

    found: NDArray[np.int64]
    overflow: NDArray[np.bool_]
    fields: Mapping[str, Array]


@dataclass(frozen=True)
class RawContacts:
    """All contacts of one world, of a forward pass at its current state.

    A debug read, not for the hot path.

    Attributes:
        geoms: Indices of geom1 and geom2. Shape (ncon, 2), int32.
        dist: Distance, negative in penetration [m]. Shape (ncon,).
        pos: Position in world [m]. Shape (ncon, 3).
        normal: From geom1 to geom2, in world. Shape (ncon, 3).
        force: On geom2 by geom1, in world [N]. Shape (ncon, 3).
    """

    geoms: NDArray[np.int32]
    dist: Array
    pos: Array
    normal: Array
    force: Array


class Snapshot(Protocol):
    """The state of all worlds at one moment; opaque to everyone but its engine."""


class Engine(Protocol):
    """A running batch of n worlds, driven only by `unisim.Sim`.

    Arrays are in the reference model's order and unisim's conventions; those that are
    read are borrowed: good until the next call that changes the engine.
    """

    @property
    def handle(self) -> object:
        """The engine's own objects, all that `Backend.readback` may look at."""
        ...

    @property
    def faults(self) -> NDArray[np.uint8]:
        """`Fault` bits per world, sticky until reset. Shape (n,)."""
        ...

    def step(self, ctrl: Array | None, count: int) -> None:
        """Set `ctrl` (None: hold it), then advance every world by `count` steps.

        Args:
            ctrl: Controls held during all of them. Shape (n, nu).
            count: Physics steps, at least 1.
        """
        ...

    def reset(self, worlds: Worlds | None, key: int) -> None:
        """Return worlds (None: all) to a key (-1: the defaults); varied fields stay."""
        ...

    def read(self, name: str) -> Array:
        """A quantity of `unisim.backend.fields`, fresh. Shape (n, ...), read-only."""
        ...

    def write(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """Set a writable quantity of some worlds (None: all). Shape (k, ...)."""
        ...

    def contact(self, query: int) -> ContactReading:
        """Result of a declared contact query, by its index."""
        ...

    def raw_contacts(self, world: int) -> RawContacts:
        """All contacts of one world."""
        ...

    def vary(self, name: str, values: Array, worlds: Worlds | None) -> None:
        """Set a declared model field of some worlds; derived constants follow."""
        ...

    def varied(self, name: str) -> Array:
        """Values of a declared model field. Shape (n, ...), read-only."""
        ...

    def snapshot(self) -> Snapshot:
        """The whole integration state of all worlds, faults and varied fields too."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this engine."""
        ...

    def close(self) -> None:
        """Free what the engine holds; nothing may be called afterwards."""
        ...


@runtime_checkable
class Converges(Protocol):
    """Of an engine whose solver may stop early where MuJoCo's does not.

    Two solvers that stop early differ; two that converge agree. An audit compares them
    converged.
    """

    def converge(self, *, whatever: bool) -> None:
        """Give the solver all the iterations it may need, or those of the scene."""
        ...


@dataclass(frozen=True)
class Readback:
    """What the engine holds, by name, in SI units and our frames.

    Attributes:
        names: Names by kind, in the engine's order after permutation to ours.
        values: By audited field of `unisim.backend.audit.AUDITED`, a row per name; a
            value that differs between worlds has an axis of worlds in front. Where the
            pairs differ, `collision_pairs` holds a digest of each world's.
        pairs: Pairs of geom names that may collide, each sorted.
        loose: Fields that may differ where their approximation was agreed to; all
            others are held as they are stated, whatever was. None is all fields.
    """

    names: Mapping[str, tuple[str, ...]]
    values: Mapping[str, NDArray[np.float64]]
    pairs: frozenset[tuple[str, str]]
    loose: frozenset[str] | None = None


class Backend(Protocol):
    """An adapter for one engine: static, importable without the engine."""

    @property
    def name(self) -> str:
        """Name that task configs use."""
        ...

    @property
    def manifest(self) -> Manifest:
        """What the engine can represent, read from `manifest.toml` when asked for."""
        ...

    def settings(self, request: BuildCfg) -> object:
        """The settings of a request, checked without the engine.

        Raises:
            BadConfig: If one is unknown or has the wrong type.
            OutOfRange: If one does not fit the request.
        """
        ...

    def arrays(self, request: BuildCfg) -> "Arrays":
        """The kind of arrays that the engine of a request reads and takes.

        Raises:
            MissingEngine: If it takes the engine's, which is not installed.
        """
        ...

    def build(self, request: BuildCfg, layout: Layout) -> Engine:
        """Build the scene; the gate has passed it.

        Raises:
            MissingEngine: If the engine is not installed.
            BadConfig: If the settings are not valid.
        """
        ...

    def readback(self, handle: object) -> Readback:
        """What the engine really holds, from its own objects alone."""
        ...
